/* Which subgraphs an operator runs. */
#include "graph/ops.h"
#include "model/tflite_reader.h"

enum { IF_TAG = 92, WHILE_TAG = 93, CALL_ONCE_TAG = 103, CALL_TAG = 16 };       /* in builtin_options */
enum { COMPOSITE_TAG = 21, STABLEHLO_WHILE_TAG = 15, STABLEHLO_CASE_TAG = 23 }; /* in builtin_options_2 */

typedef struct call_row {
  uint32_t op;
  bool second_union;
  uint8_t tag;
  uint8_t first_slot, count; /* fields that each name one subgraph; count 0: a list of them in first_slot */
} call_row;

static const call_row rows[] = {
    {TA_OP_IF, false, IF_TAG, 0, 2},
    {TA_OP_WHILE, false, WHILE_TAG, 0, 2},
    {TA_OP_CALL_ONCE, false, CALL_ONCE_TAG, 0, 1},
    {TA_OP_CALL, false, CALL_TAG, 0, 1},
    {TA_OP_STABLEHLO_COMPOSITE, true, COMPOSITE_TAG, 1, 1},
    {TA_OP_STABLEHLO_WHILE, true, STABLEHLO_WHILE_TAG, 0, 2},
    {TA_OP_STABLEHLO_CASE, true, STABLEHLO_CASE_TAG, 0, 0},
};

static const call_row *row_of(uint32_t op) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].op == op) return &rows[i];
  }
  return NULL;
}

static ta_status read_fields(ta_reader *reader, const ta_flat_table *options, const call_row *row,
                             ta_list *out) {
  int32_t *calls = TA_TAKE(&reader->model->region, row->count, int32_t);
  if (!calls) return ta_fail_memory(reader->error);
  for (uint32_t i = 0; i < row->count; i++) calls[i] = ta_flat_i32(options, row->first_slot + i, 0);
  *out = (ta_list){calls, row->count};
  return reader->flat.status;
}

ta_status ta_reader_calls(ta_reader *reader, uint32_t index, ta_node *node) {
  const call_row *row = row_of(node->op);
  if (!row) return TA_OK;
  uint8_t tag = row->second_union ? node->options2_tag : node->options_tag;
  uint64_t position = row->second_union ? node->options2 : node->options;
  if (tag != row->tag || position == 0)
    return ta_reader_fail(reader, TA_E_MALFORMED, index, TA_NO_INDEX,
                          "op %u%M has no options of its kind, so which subgraphs it runs is not known",
                          index, &node->name);
  ta_flat_table options;
  if (!ta_flat_table_at(&reader->flat, position, &options)) return reader->flat.status;
  ta_status status = row->count ? read_fields(reader, &options, row, &node->calls)
                                : ta_reader_list(reader, &options, row->first_slot, &node->calls);
  if (status) return status;
  uint32_t n = reader->model->n_subgraphs;
  for (uint32_t i = 0; i < node->calls.n; i++) {
    int32_t called = node->calls.at[i];
    if (called < 0 || (uint32_t)called >= n)
      return ta_reader_fail(reader, TA_E_INDEX, index, TA_NO_INDEX, "op %u%M refers to subgraph %i of %u",
                            index, &node->name, called, n);
  }
  return TA_OK;
}

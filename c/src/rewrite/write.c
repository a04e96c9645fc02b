/* The new parts of a rewritten file:
 *
 *   Model, its subgraphs with a new first one, operator codes with those of added operators, buffers with new
 * constants, metadata without the offline plan, the SubGraph: its tensors (old ones, pieces, constants), its
 * operators (old ones, copies, added ones).
 */
#include "rewrite/write.h"

#include <string.h>

#include "base/error.h"
#include "graph/dtype.h"
#include "model/flatbuf_write.h"
#include "model/options.h"
#include "model/tflite.h"
#include "rewrite/number.h"

enum { WORD = 4, ROWS = 1, CHANNELS = 3 };

typedef struct draft_writer {
  const ta_model *model;
  const ta_draft *draft;
  ta_numbering numbers;
  ta_flat flat; /* of the old file */
  ta_flat_table root, subgraph;
  ta_flat_vector subgraphs, codes, buffers, metadata, tensors, operators;
} draft_writer;

/* ---- vectors of tables ---- */

/* The old entries, and room for `more`. */
static uint64_t put_entries(ta_flat_writer *to, const ta_flat_vector *old, uint32_t more) {
  uint64_t vector = ta_flat_put_words(to, (uint64_t)old->n + more);
  for (uint32_t i = 0; i < old->n; i++)
    ta_flat_refer_as(to, ta_flat_element(vector, i), ta_flat_element(old->at - WORD, i));
  return vector;
}

static void refer_field(ta_flat_writer *to, const ta_flat_new *table, uint32_t slot, uint64_t part) {
  ta_flat_refer(to, ta_flat_place(table, slot), part);
}

static uint64_t put_list(ta_flat_writer *to, const int32_t *values, uint32_t n) {
  uint64_t vector = ta_flat_put_words(to, n);
  for (uint32_t i = 0; i < n; i++) ta_flat_set_word(to, ta_flat_element(vector, i), (uint32_t)values[i]);
  return vector;
}

/* ---- Model ---- */

static void put_codes(draft_writer *w, ta_flat_writer *to, const ta_flat_new *model) {
  uint64_t vector = put_entries(to, &w->codes, w->numbers.n_codes);
  refer_field(to, model, TA_MODEL_OPERATOR_CODES, vector);
  for (uint32_t i = 0; i < w->numbers.n_codes; i++) {
    const ta_new_code *code = &w->numbers.codes[i];
    ta_flat_new table = ta_flat_put_table(to, TA_SCHEMA_OPCODE,
                                          TA_SLOT(TA_OPCODE_DEPRECATED) | TA_SLOT(TA_OPCODE_VERSION) |
                                              TA_SLOT(TA_OPCODE_BUILTIN));
    ta_flat_refer(to, ta_flat_element(vector, w->codes.n + i), table.at);
    ta_flat_set(to, &table, TA_OPCODE_DEPRECATED, code->op);
    ta_flat_set(to, &table, TA_OPCODE_VERSION, code->version);
    ta_flat_set(to, &table, TA_OPCODE_BUILTIN, code->op);
  }
}

static void put_buffers(draft_writer *w, ta_flat_writer *to, const ta_flat_new *model) {
  const ta_draft *draft = w->draft;
  uint64_t vector = put_entries(to, &w->buffers, draft->n_constants);
  refer_field(to, model, TA_MODEL_BUFFERS, vector);
  for (uint32_t c = 0; c < draft->n_constants; c++) {
    const ta_draft_constant *constant = &draft->constants[c];
    ta_flat_new table = ta_flat_put_table(to, TA_SCHEMA_BUFFER, TA_SLOT(TA_BUFFER_DATA));
    ta_flat_refer(to, ta_flat_element(vector, w->buffers.n + c), table.at);
    uint64_t data = ta_flat_put_bytes(to, WORD * (uint64_t)constant->n);
    refer_field(to, &table, TA_BUFFER_DATA, data);
    for (uint32_t i = 0; i < constant->n; i++)
      ta_flat_set_word(to, ta_flat_element(data, i), (uint32_t)constant->values[i]);
  }
}

static bool is_plan(const ta_model *model, uint32_t entry) {
  return ta_str_equal(&model->metadata[entry], &TA_STR(TA_OFFLINE_NAME));
}

static void put_metadata(draft_writer *w, ta_flat_writer *to, const ta_flat_new *model) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->metadata.n; i++) n += !is_plan(w->model, i);
  uint64_t vector = ta_flat_put_words(to, n);
  refer_field(to, model, TA_MODEL_METADATA, vector);
  n = 0;
  for (uint32_t i = 0; i < w->metadata.n; i++) {
    if (!is_plan(w->model, i))
      ta_flat_refer_as(to, ta_flat_element(vector, n++), ta_flat_element(w->metadata.at - WORD, i));
  }
}

/* ---- tensors ---- */

static ta_flat_new put_piece(draft_writer *w, ta_flat_writer *to, uint32_t p) {
  const ta_draft_piece *piece = &w->draft->pieces[p];
  const ta_tensor *like = &w->model->subgraphs[0].tensors[piece->like];
  uint32_t present = TA_SLOT(TA_TENSOR_SHAPE) | TA_SLOT(TA_TENSOR_TYPE);
  if (like->quantization) present |= TA_SLOT(TA_TENSOR_QUANTIZATION);
  if (like->has_rank) present |= TA_SLOT(TA_TENSOR_HAS_RANK);
  ta_flat_new table = ta_flat_put_table(to, TA_SCHEMA_TENSOR, present);
  ta_flat_set(to, &table, TA_TENSOR_TYPE, like->dtype);
  if (like->quantization)
    ta_flat_refer_old(to, ta_flat_place(&table, TA_TENSOR_QUANTIZATION), like->quantization);
  if (like->has_rank) ta_flat_set(to, &table, TA_TENSOR_HAS_RANK, 1);
  w->numbers.shape_at[p] =
      ta_flat_place(&table, TA_TENSOR_SHAPE); /* where its reference stands, until then */
  return table;
}

/* Behind all tensors, each shape once. */
static void put_shapes(draft_writer *w, ta_flat_writer *to) {
  for (uint32_t p = 0; p < w->draft->n_pieces; p++) {
    const ta_draft_piece *piece = &w->draft->pieces[p];
    uint64_t from = w->numbers.shape_at[p];
    if (w->numbers.shape_like[p] == p) {
      const ta_tensor *like = &w->model->subgraphs[0].tensors[piece->like];
      const int32_t shape[4] = {1, ta_range_length(piece->at[0]), ta_range_length(piece->at[1]),
                                like->shape.at[CHANNELS]};
      w->numbers.shape_at[p] = put_list(to, shape, 4);
    } else {
      w->numbers.shape_at[p] = w->numbers.shape_at[w->numbers.shape_like[p]];
    }
    ta_flat_refer(to, from, w->numbers.shape_at[p]);
  }
}

static ta_flat_new put_constant(ta_flat_writer *to, uint8_t dtype, const int32_t *shape, uint32_t rank,
                                uint32_t buffer) {
  ta_flat_new table = ta_flat_put_table(
      to, TA_SCHEMA_TENSOR, TA_SLOT(TA_TENSOR_SHAPE) | TA_SLOT(TA_TENSOR_TYPE) | TA_SLOT(TA_TENSOR_BUFFER));
  ta_flat_set(to, &table, TA_TENSOR_TYPE, dtype);
  ta_flat_set(to, &table, TA_TENSOR_BUFFER, buffer);
  refer_field(to, &table, TA_TENSOR_SHAPE, put_list(to, shape, rank));
  return table;
}

static ta_flat_new put_tensor(draft_writer *w, ta_flat_writer *to, int32_t reference) {
  if (ta_is_piece(reference)) return put_piece(w, to, (uint32_t)(reference - TA_DRAFT_PIECE));
  if (reference == -1) /* a place that nothing took: data keeps TFLM from planning it */
    return put_constant(to, TA_DTYPE_INT8, (const int32_t[]){1}, 1, w->numbers.any_buffer);
  uint32_t c = (uint32_t)(reference - TA_DRAFT_CONSTANT);
  const ta_draft_constant *constant = &w->draft->constants[c];
  const int32_t n = (int32_t)constant->n, pairs[2] = {n / 2, 2};
  return put_constant(to, TA_DTYPE_INT32, constant->pairs ? pairs : &n, constant->pairs ? 2 : 1,
                      w->buffers.n + c);
}

static void put_tensors(draft_writer *w, ta_flat_writer *to, const ta_flat_new *subgraph) {
  uint64_t vector = ta_flat_put_words(to, w->numbers.n_tensors);
  refer_field(to, subgraph, TA_SUBGRAPH_TENSORS, vector);
  for (uint32_t t = 0; t < w->numbers.n_tensors; t++) {
    int32_t reference = w->numbers.tensors[t];
    if (ta_is_file_tensor(reference)) {
      ta_flat_refer_as(to, ta_flat_element(vector, t), ta_flat_element(w->tensors.at - WORD, t));
    } else {
      ta_flat_refer(to, ta_flat_element(vector, t), put_tensor(w, to, reference).at);
    }
  }
  put_shapes(w, to);
}

/* ---- operators ---- */

static uint64_t put_references(draft_writer *w, ta_flat_writer *to, const int32_t *references, uint32_t n) {
  uint64_t vector = ta_flat_put_words(to, n);
  for (uint32_t k = 0; k < n; k++)
    ta_flat_set_word(to, ta_flat_element(vector, k), (uint32_t)ta_number_of(&w->numbers, references[k]));
  return vector;
}

/* An added operator's options: an empty table, but for the axis of CONCATENATION. */
static uint64_t put_added_options(ta_flat_writer *to, const ta_draft_op *op) {
  if (op->op != TA_OP_CONCATENATION) return ta_flat_put_table(to, TA_SCHEMA_EMPTY, 0).at;
  ta_flat_new table = ta_flat_put_table(to, TA_SCHEMA_CONCATENATION, TA_SLOT(TA_CONCATENATION_AXIS));
  ta_flat_set(to, &table, TA_CONCATENATION_AXIS, (uint32_t)op->axis);
  return table.at;
}

static uint64_t put_padding(draft_writer *w, ta_flat_writer *to, const ta_draft_op *op) {
  const ta_node *node = &w->model->subgraphs[0].nodes[op->node];
  ta_flat_table old;
  ta_flat_table_at(&w->flat, node->options, &old);
  ta_flat_new table =
      ta_flat_put_copy(to, ta_options_kind_of(op->op).schema, &old, TA_SLOT(TA_CONV_PADDING), 0);
  ta_flat_set(to, &table, TA_CONV_PADDING, (uint32_t)op->padding);
  return table.at;
}

static ta_flat_new put_operator(draft_writer *w, ta_flat_writer *to, uint32_t i) {
  const ta_draft_op *op = &w->draft->ops[i];
  uint32_t lists = TA_SLOT(TA_OPERATOR_INPUTS) | TA_SLOT(TA_OPERATOR_OUTPUTS);
  ta_flat_new table;
  if (op->node == TA_NO_INDEX) {
    table = ta_flat_put_table(to, TA_SCHEMA_OPERATOR,
                              lists | TA_SLOT(TA_OPERATOR_OPCODE) | TA_SLOT(TA_OPERATOR_OPTIONS_TAG) |
                                  TA_SLOT(TA_OPERATOR_OPTIONS));
    ta_flat_set(to, &table, TA_OPERATOR_OPCODE, w->numbers.code_of[ta_added_of(op->op)]);
    ta_flat_set(to, &table, TA_OPERATOR_OPTIONS_TAG, ta_options_kind_of(op->op).tag);
    refer_field(to, &table, TA_OPERATOR_OPTIONS, put_added_options(to, op));
  } else {
    ta_flat_table old;
    ta_flat_entry(&w->operators, op->node, &old);
    table = ta_flat_put_copy(to, TA_SCHEMA_OPERATOR, &old, lists, 0);
    if (op->padding != TA_DRAFT_AS_WRITTEN)
      refer_field(to, &table, TA_OPERATOR_OPTIONS, put_padding(w, to, op));
  }
  refer_field(to, &table, TA_OPERATOR_INPUTS,
              put_references(w, to, ta_draft_inputs(w->draft, i), op->n_inputs));
  refer_field(to, &table, TA_OPERATOR_OUTPUTS,
              put_references(w, to, ta_draft_outputs(w->draft, i), op->n_outputs));
  return table;
}

static bool is_list(const ta_draft *draft, uint32_t first, uint32_t n, ta_list list) {
  return n == list.n && (n == 0 || memcmp(draft->references + first, list.at, n * sizeof *list.at) == 0);
}

static bool is_unchanged(const ta_draft *draft, const ta_draft_op *op) {
  if (op->node == TA_NO_INDEX || op->padding != TA_DRAFT_AS_WRITTEN) return false;
  const ta_node *node = &draft->model->subgraphs[0].nodes[op->node];
  return is_list(draft, op->inputs, op->n_inputs, node->inputs) &&
         is_list(draft, op->outputs, op->n_outputs, node->outputs);
}

static void put_operators(draft_writer *w, ta_flat_writer *to, const ta_flat_new *subgraph) {
  const ta_draft *draft = w->draft;
  uint64_t vector = ta_flat_put_words(to, draft->n_ops);
  refer_field(to, subgraph, TA_SUBGRAPH_OPERATORS, vector);
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    uint64_t element = ta_flat_element(vector, i);
    if (is_unchanged(draft, &draft->ops[i]))
      ta_flat_refer_as(to, element, ta_flat_element(w->operators.at - WORD, draft->ops[i].node));
    else
      ta_flat_refer(to, element, put_operator(w, to, i).at);
  }
}

/* ---- the file ---- */

static void put_front(ta_flat_writer *to, void *context) {
  draft_writer *w = context;
  uint32_t slots = TA_SLOT(TA_MODEL_SUBGRAPHS);
  if (w->numbers.n_codes) slots |= TA_SLOT(TA_MODEL_OPERATOR_CODES);
  if (w->draft->n_constants) slots |= TA_SLOT(TA_MODEL_BUFFERS);
  if (w->model->has_offline_plan) slots |= TA_SLOT(TA_MODEL_METADATA);
  ta_flat_init(&w->flat, w->model->file, NULL);
  ta_flat_new model = ta_flat_put_copy(to, TA_SCHEMA_MODEL, &w->root, slots, 0);
  uint64_t subgraphs = put_entries(to, &w->subgraphs, 0);
  refer_field(to, &model, TA_MODEL_SUBGRAPHS, subgraphs);
  if (w->numbers.n_codes) put_codes(w, to, &model);
  if (w->draft->n_constants) put_buffers(w, to, &model);
  if (w->model->has_offline_plan) put_metadata(w, to, &model);
  ta_flat_new subgraph = ta_flat_put_copy(to, TA_SCHEMA_SUBGRAPH, &w->subgraph,
                                          TA_SLOT(TA_SUBGRAPH_TENSORS) | TA_SLOT(TA_SUBGRAPH_OPERATORS), 0);
  ta_flat_refer(to, ta_flat_element(subgraphs, 0), subgraph.at);
  put_tensors(w, to, &subgraph);
  put_operators(w, to, &subgraph);
}

static ta_status refuse(ta_error *error, const char *sentence) {
  return ta_fail(error, TA_E_UNSUPPORTED, "this file cannot be rewritten: %s", sentence);
}

static ta_status read_old(draft_writer *w, ta_error *error) {
  ta_flat_init(&w->flat, w->model->file, error);
  if (!ta_flat_root(&w->flat, &w->root)) return w->flat.status;
  w->subgraphs = ta_flat_vector_of(&w->root, TA_MODEL_SUBGRAPHS, WORD);
  w->codes = ta_flat_vector_of(&w->root, TA_MODEL_OPERATOR_CODES, WORD);
  w->buffers = ta_flat_vector_of(&w->root, TA_MODEL_BUFFERS, WORD);
  w->metadata = ta_flat_vector_of(&w->root, TA_MODEL_METADATA, WORD);
  if (!ta_flat_entry(&w->subgraphs, 0, &w->subgraph)) return w->flat.status;
  w->tensors = ta_flat_vector_of(&w->subgraph, TA_SUBGRAPH_TENSORS, WORD);
  w->operators = ta_flat_vector_of(&w->subgraph, TA_SUBGRAPH_OPERATORS, WORD);
  return w->flat.status;
}

static ta_status check(draft_writer *w, ta_error *error) {
  ta_status status = read_old(w, error);
  if (status) return status;
  if (w->model->fixed_positions)
    return refuse(error, "it refers to its own bytes by position (Buffer.offset), so they cannot be moved");
  if (ta_flat_has_unknown(&w->root, TA_SCHEMA_MODEL) || ta_flat_has_unknown(&w->subgraph, TA_SCHEMA_SUBGRAPH))
    return refuse(error, "it has fields newer than this library, which would be lost");
  if (w->buffers.n == 0) return refuse(error, "it has no buffers, not even the empty one that comes first");
  for (uint32_t i = 0; i < w->operators.n; i++) {
    ta_flat_table operator_table;
    if (!ta_flat_entry(&w->operators, i, &operator_table)) return w->flat.status;
    if (ta_flat_has_unknown(&operator_table, TA_SCHEMA_OPERATOR))
      return refuse(error, "an operator has fields newer than this library, which would be lost");
  }
  return w->flat.status;
}

ta_status ta_check_rewritable(const ta_model *model, ta_error *error) {
  draft_writer w = {.model = model};
  return check(&w, error);
}

ta_status ta_draft_write(const ta_allocator *allocator, const ta_draft *draft, uint8_t **out, size_t *out_len,
                         ta_error *error) {
  draft_writer w = {.model = draft->model, .draft = draft};
  *out = NULL;
  *out_len = 0;
  if (draft->failed) return ta_fail_memory(error);
  ta_status status = check(&w, error);
  if (status) return status;
  ta_region region;
  ta_region_init(&region, allocator);
  status = ta_numbering_make(draft, &region, &w.numbers, error);
  if (!status) status = ta_flat_write(allocator, draft->model->file, put_front, &w, out, out_len, error);
  ta_region_free(&region);
  return status;
}

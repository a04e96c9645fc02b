#include "model/tflite.h"

#include <string.h>

#include "graph/ops.h"
#include "model/tflite_reader.h"

enum { NEWEST_SCHEMA = 3 }; /* some writers leave the version out: it then reads as 0 */

bool ta_tflite_is(ta_bytes bytes) {
  return bytes.len >= 8 && memcmp(bytes.at + 4, "TFL3", 4) == 0;
}

void ta_reader_enter(ta_reader *reader, uint32_t subgraph) {
  reader->subgraph = subgraph;
  ta_text_init_fixed(&reader->where, reader->where_storage, sizeof reader->where_storage);
  if (subgraph != TA_NO_INDEX && reader->model->n_subgraphs > 1)
    ta_text_format(&reader->where, "subgraph %u ", subgraph);
}

ta_status ta_reader_fail(const ta_reader *reader, ta_status status, uint32_t node, uint32_t tensor,
                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bool damaged = status == TA_E_MALFORMED || status == TA_E_INDEX;
  ta_vfail_at(reader->error, status, reader->subgraph, node, tensor, &reader->where, format, arguments,
              damaged ? ": " TA_DAMAGED : "");
  va_end(arguments);
  return status;
}

ta_status ta_reader_each(ta_reader *reader, const ta_flat_vector *vector, const void *elements,
                         ta_read_entry *read) {
  if (!elements) return ta_fail_memory(reader->error);
  ta_status status = reader->flat.status;
  for (uint32_t i = 0; i < vector->n && !status; i++) {
    ta_flat_table table;
    status = ta_flat_entry(vector, i, &table) ? read(reader, &table, i) : reader->flat.status;
  }
  return status ? status : reader->flat.status;
}

ta_status ta_reader_list(ta_reader *reader, const ta_flat_table *table, uint32_t slot, ta_list *out) {
  ta_flat_vector vector = ta_flat_vector_of(table, slot, 4);
  *out = (ta_list){NULL, 0};
  if (!ta_flat_charge(&reader->flat, 4 * (uint64_t)vector.n, vector.at)) return reader->flat.status;
  if (vector.n == 0) return TA_OK;
  int32_t *copy = TA_TAKE(&reader->model->region, vector.n, int32_t);
  if (!copy) return ta_fail_memory(reader->error);
  for (uint32_t i = 0; i < vector.n; i++) copy[i] = ta_flat_vector_i32(&vector, i);
  *out = (ta_list){copy, vector.n};
  return TA_OK;
}

/* A number past the list of operators is newer than this library: its name is the number. */
static ta_status name_number(ta_reader *reader, ta_opcode *code) {
  char digits[16];
  ta_text text;
  ta_text_init_fixed(&text, digits, sizeof digits);
  ta_text_format(&text, "%u", code->op);
  char *kept = TA_TAKE(&reader->model->region, text.len, char);
  if (!kept) return ta_fail_memory(reader->error);
  memcpy(kept, digits, text.len);
  code->name = (ta_str){kept, text.len};
  return TA_OK;
}

static ta_status read_opcode(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_opcode *code = &reader->opcodes[index];
  int32_t deprecated = ta_flat_i8(table, TA_OPCODE_DEPRECATED, 0);
  int32_t builtin = ta_flat_i32(table, TA_OPCODE_BUILTIN, 0);
  int32_t number = deprecated > builtin ? deprecated : builtin;
  if (number < 0)
    return ta_reader_fail(reader, TA_E_MALFORMED, TA_NO_INDEX, TA_NO_INDEX, "operator code %u is number %i",
                          index, number);
  code->op = (uint32_t)number;
  code->version = ta_flat_u32(table, TA_OPCODE_VERSION, 1);
  ta_str custom = ta_flat_string(table, TA_OPCODE_CUSTOM);
  code->name = code->op == TA_OP_CUSTOM && custom.len ? custom : ta_op_name(code->op);
  return code->name.len ? TA_OK : name_number(reader, code);
}

static ta_status read_opcodes(ta_reader *reader, const ta_flat_table *root) {
  ta_flat_vector vector = ta_flat_vector_of(root, TA_MODEL_OPERATOR_CODES, 4);
  reader->opcodes = TA_TAKE(&reader->scratch, vector.n, ta_opcode);
  reader->n_opcodes = vector.n;
  return ta_reader_each(reader, &vector, reader->opcodes, read_opcode);
}

static ta_status read_version(ta_reader *reader, const ta_flat_table *root) {
  uint32_t version = ta_flat_u32(root, TA_MODEL_VERSION, 0);
  if (reader->flat.status) return reader->flat.status;
  reader->model->schema_version = version;
  if (version <= NEWEST_SCHEMA) return TA_OK;
  return ta_fail(reader->error, TA_E_NOT_A_MODEL,
                 "the model has schema version %u, and this library reads those up to %u: convert it to "
                 "that one",
                 version, (uint32_t)NEWEST_SCHEMA);
}

static ta_status read_subgraphs(ta_reader *reader, const ta_flat_table *root) {
  ta_model *model = reader->model;
  ta_flat_vector vector = ta_flat_vector_of(root, TA_MODEL_SUBGRAPHS, 4);
  if (reader->flat.status) return reader->flat.status;
  if (vector.n == 0)
    return ta_fail(reader->error, TA_E_NO_SUBGRAPH,
                   "the model has no subgraph, so there is nothing to run or to plan: convert it again");
  model->subgraphs = TA_TAKE(&model->region, vector.n, ta_subgraph);
  model->n_subgraphs = vector.n;
  return ta_reader_each(reader, &vector, model->subgraphs, ta_reader_subgraph);
}

static ta_status read_all(ta_reader *reader) {
  ta_flat_table root;
  if (!ta_flat_root(&reader->flat, &root)) return reader->flat.status;
  ta_status status = read_version(reader, &root);
  if (!status) status = read_opcodes(reader, &root);
  if (!status) status = ta_reader_constants(reader, &root);
  if (!status) status = read_subgraphs(reader, &root);
  if (!status) status = ta_reader_constant_bytes(reader);
  ta_reader_enter(reader, TA_NO_INDEX);
  if (!status) status = ta_reader_signatures(reader, &root);
  if (!status) status = ta_reader_metadata(reader, &root);
  if (!status) status = ta_reader_problems(reader);
  return status;
}

ta_status ta_tflite_read(ta_model *model, ta_error *error) {
  ta_reader reader;
  memset(&reader, 0, sizeof reader);
  reader.model = model;
  reader.error = error;
  reader.subgraph = TA_NO_INDEX;
  ta_region_init(&reader.scratch, &model->region.allocator);
  ta_flat_init(&reader.flat, model->file, error);
  model->kind = TA_KIND_TFLITE;
  ta_status status = read_all(&reader);
  ta_region_free(&reader.scratch);
  return status;
}

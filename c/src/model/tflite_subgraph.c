/* Subgraphs: tensors and operators, each index checked. */
#include <string.h>

#include "base/num.h"
#include "graph/dtype.h"
#include "graph/ops.h"
#include "model/schema.h"
#include "model/tflite_reader.h"

enum { FIRST_WITH_BUFFERS = 3 }; /* the schema version */

static ta_subgraph *entered(const ta_reader *reader) {
  return &reader->model->subgraphs[reader->subgraph];
}

/* Which constant a tensor is. Buffer 0 is the format's empty buffer: TensorFlow Lite takes it for "no data"
 * without looking, TensorFlow Lite Micro looks. */
static ta_status read_constant(ta_reader *reader, const ta_flat_table *table, uint32_t index,
                               ta_tensor *tensor) {
  uint32_t buffer = ta_flat_u32(table, TA_TENSOR_BUFFER, 0);
  uint32_t external = ta_flat_u32(table, TA_TENSOR_EXTERNAL_BUFFER, 0);
  if (reader->flat.status) return reader->flat.status;
  tensor->buffer = TA_NO_INDEX;
  if (buffer < reader->n_buffers) {
    const ta_constant *constant = &reader->model->constants[buffer];
    tensor->buffer = buffer;
    tensor->is_constant = buffer != 0 && constant->bytes != 0;
    tensor->has_data = constant->bytes != 0 && !constant->by_offset;
  } else if (buffer != 0 && reader->n_buffers == 0 && reader->model->schema_version < FIRST_WITH_BUFFERS) {
    return ta_fail_at(
        reader->error, TA_E_NOT_A_MODEL, reader->subgraph, TA_NO_INDEX, index,
        "the model keeps constants inside its tensors, as the first schema versions did: convert it to "
        "version %u",
        (uint32_t)FIRST_WITH_BUFFERS);
  } else if (buffer != 0) {
    return ta_reader_fail(reader, TA_E_INDEX, TA_NO_INDEX, index, "tensor %u refers to buffer %u of %u",
                          index, buffer, reader->n_buffers);
  }
  if (external == 0) return TA_OK;
  tensor->buffer = ta_reader_external(reader, external);
  tensor->is_constant = true;
  if (tensor->buffer != TA_NO_INDEX) return TA_OK;
  return ta_reader_fail(reader, TA_E_INDEX, TA_NO_INDEX, index,
                        "tensor %u refers to external buffer %u, and the model lists none of that id", index,
                        external);
}

static ta_status read_size(ta_reader *reader, uint32_t index, ta_tensor *tensor) {
  uint32_t bits = ta_dtype_bits(tensor->dtype);
  tensor->unknown_size = bits == 0;
  for (uint32_t d = 0; d < tensor->shape.n; d++) {
    if (tensor->shape.at[d] < 0) tensor->unknown_size = true;
  }
  if (tensor->unknown_size) return TA_OK;
  uint64_t elements;
  if (ta_shape_elements(&tensor->shape, &elements) && ta_packed_bytes(elements, bits, &tensor->bytes))
    return TA_OK;
  return ta_reader_fail(reader, TA_E_LIMIT, TA_NO_INDEX, index,
                        "tensor %u%M has more bytes than the limit of %L: look at its shape", index,
                        &tensor->name);
}

/* How the TensorFlow Lite runtimes allocate it. */
static uint8_t type_of(const ta_tensor *tensor) {
  if (tensor->is_constant) return TA_MMAP_RO;
  if (tensor->unknown_size) return TA_DYNAMIC;
  return tensor->is_variable ? TA_ARENA_RW_PERSISTENT : TA_ARENA_RW;
}

static ta_status read_tensor(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_tensor *tensor = &entered(reader)->tensors[index];
  tensor->name = ta_flat_string(table, TA_TENSOR_NAME);
  tensor->dtype = ta_flat_u8(table, TA_TENSOR_TYPE, TA_DTYPE_FLOAT32);
  tensor->is_variable = ta_flat_u8(table, TA_TENSOR_IS_VARIABLE, 0) != 0;
  tensor->sparse = ta_flat_has(table, TA_TENSOR_SPARSITY);
  tensor->has_rank = ta_flat_u8(table, TA_TENSOR_HAS_RANK, 0) != 0;
  ta_flat_table quantization;
  if (ta_flat_child(table, TA_TENSOR_QUANTIZATION, &quantization)) {
    tensor->quantization = quantization.at;
    tensor->scales = ta_flat_vector_of(&quantization, TA_QUANTIZATION_SCALE, 4).n;
    tensor->zero_points = ta_flat_vector_of(&quantization, TA_QUANTIZATION_ZERO_POINT, 8).n;
  }
  ta_status status = ta_reader_list(reader, table, TA_TENSOR_SHAPE, &tensor->shape);
  if (!status) status = ta_reader_list(reader, table, TA_TENSOR_SHAPE_SIGNATURE, &tensor->signature);
  if (!status) status = read_constant(reader, table, index, tensor);
  if (!status) status = read_size(reader, index, tensor);
  tensor->type = type_of(tensor);
  return status;
}

static ta_status read_tensors(ta_reader *reader, const ta_flat_table *table, ta_subgraph *subgraph) {
  ta_flat_vector vector = ta_flat_vector_of(table, TA_SUBGRAPH_TENSORS, 4);
  subgraph->tensors = TA_TAKE(&reader->model->region, vector.n, ta_tensor);
  subgraph->n_tensors = vector.n;
  ta_status status = ta_reader_each(reader, &vector, subgraph->tensors, read_tensor);
  if (status) return status;
  uint32_t n_variables = 0;
  for (uint32_t t = 0; t < vector.n; t++) n_variables += subgraph->tensors[t].is_variable;
  int32_t *variables = TA_TAKE(&reader->model->region, n_variables, int32_t);
  if (!variables) return ta_fail_memory(reader->error);
  subgraph->variables = (ta_list){variables, n_variables};
  for (uint32_t t = 0; t < vector.n; t++) {
    if (subgraph->tensors[t].is_variable) *variables++ = (int32_t)t;
  }
  return TA_OK;
}

/* Lists of tensors: -1 means "left out", which inputs and intermediates may be. */
typedef struct list_role {
  const char *name;
  bool may_omit;
} list_role;

static const list_role inputs = {"input", true}, outputs = {"output", false},
                       intermediates = {"intermediate", true};

/* `op` is TA_NO_INDEX for the graph's own lists. */
static ta_status fail_index(ta_reader *reader, uint32_t op, const list_role *role, uint32_t i, int32_t tensor,
                            uint32_t n) {
  char owner[24];
  ta_text text;
  ta_text_init_fixed(&text, owner, sizeof owner);
  if (op == TA_NO_INDEX)
    ta_text_format(&text, "graph");
  else
    ta_text_format(&text, "op %u", op);
  if (tensor == -1)
    return ta_reader_fail(reader, TA_E_INDEX, op, TA_NO_INDEX,
                          "%s %s %u is -1, but only inputs may be omitted", owner, role->name, i);
  return ta_reader_fail(reader, TA_E_INDEX, op, TA_NO_INDEX, "%s %s %u refers to tensor %i of %u", owner,
                        role->name, i, tensor, n);
}

static ta_status read_indices(ta_reader *reader, const ta_flat_table *table, uint32_t slot, uint32_t op,
                              const list_role *role, ta_list *out) {
  ta_status status = ta_reader_list(reader, table, slot, out);
  if (status) return status;
  uint32_t n = entered(reader)->n_tensors;
  for (uint32_t i = 0; i < out->n; i++) {
    int32_t tensor = out->at[i];
    bool omitted = tensor == -1 && role->may_omit;
    if (!omitted && (tensor < 0 || (uint32_t)tensor >= n)) return fail_index(reader, op, role, i, tensor, n);
  }
  return TA_OK;
}

/* The position of a union's table, 0 without one. Opening it once here means that whoever reads it later
 * finds a table. */
static uint64_t read_options(const ta_flat_table *table, uint32_t slot, uint8_t tag) {
  ta_flat_table options;
  return tag != 0 && ta_flat_child(table, slot, &options) ? options.at : 0;
}

static ta_status read_custom_options(ta_reader *reader, const ta_flat_table *table, uint32_t index,
                                     ta_node *node) {
  ta_flat_vector inside = ta_flat_vector_of(table, TA_OPERATOR_CUSTOM_OPTIONS, 1);
  uint64_t offset = ta_flat_u64(table, TA_OPERATOR_LARGE_OFFSET, 0);
  uint64_t size = ta_flat_u64(table, TA_OPERATOR_LARGE_SIZE, 0);
  if (reader->flat.status) return reader->flat.status;
  ta_bytes file = reader->flat.file;
  if (inside.n) node->custom_options = (ta_bytes){file.at + inside.at, inside.n};
  if (inside.n || offset <= 1 || size <= 1) return TA_OK;
  if (!ta_bytes_hold(file, offset, size, 1))
    return ta_reader_fail(
        reader, TA_E_TRUNCATED, index, TA_NO_INDEX,
        "op %u has custom options of %U bytes at byte %U, but the file ends at byte %U: it is cut short "
        "or damaged; get it again",
        index, size, offset, (uint64_t)file.len);
  node->custom_options = (ta_bytes){file.at + offset, (size_t)size};
  reader->model->fixed_positions = true;
  return TA_OK;
}

static ta_status read_node(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_node *node = &entered(reader)->nodes[index];
  uint32_t code = ta_flat_u32(table, TA_OPERATOR_OPCODE, 0);
  if (reader->flat.status) return reader->flat.status;
  if (code >= reader->n_opcodes)
    return ta_reader_fail(reader, TA_E_INDEX, index, TA_NO_INDEX, "op %u refers to operator code %u of %u",
                          index, code, reader->n_opcodes);
  if (!ta_flat_charge(&reader->flat, reader->opcodes[code].name.len, table->at)) return reader->flat.status;
  node->op = reader->opcodes[code].op;
  node->name = reader->opcodes[code].name;
  node->version = reader->opcodes[code].version;
  node->inplace = ta_op_inplace(node->op);
  node->options_tag = ta_flat_u8(table, TA_OPERATOR_OPTIONS_TAG, 0);
  node->options = read_options(table, TA_OPERATOR_OPTIONS, node->options_tag);
  node->options2_tag = ta_flat_u8(table, TA_OPERATOR_OPTIONS2_TAG, 0);
  node->options2 = read_options(table, TA_OPERATOR_OPTIONS2, node->options2_tag);
  ta_status status = read_custom_options(reader, table, index, node);
  if (!status) status = read_indices(reader, table, TA_OPERATOR_INPUTS, index, &inputs, &node->inputs);
  if (!status) status = read_indices(reader, table, TA_OPERATOR_OUTPUTS, index, &outputs, &node->outputs);
  if (!status)
    status =
        read_indices(reader, table, TA_OPERATOR_INTERMEDIATES, index, &intermediates, &node->intermediates);
  return status ? status : ta_reader_calls(reader, index, node);
}

static ta_status read_nodes(ta_reader *reader, const ta_flat_table *table, ta_subgraph *subgraph) {
  ta_flat_vector vector = ta_flat_vector_of(table, TA_SUBGRAPH_OPERATORS, 4);
  subgraph->nodes = TA_TAKE(&reader->model->region, vector.n, ta_node);
  subgraph->n_nodes = vector.n;
  return ta_reader_each(reader, &vector, subgraph->nodes, read_node);
}

ta_status ta_reader_subgraph(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_subgraph *subgraph = &reader->model->subgraphs[index];
  ta_reader_enter(reader, index);
  subgraph->name = ta_flat_string(table, TA_SUBGRAPH_NAME);
  ta_status status = read_tensors(reader, table, subgraph);
  if (!status)
    status = read_indices(reader, table, TA_SUBGRAPH_INPUTS, TA_NO_INDEX, &inputs, &subgraph->inputs);
  if (!status)
    status = read_indices(reader, table, TA_SUBGRAPH_OUTPUTS, TA_NO_INDEX, &outputs, &subgraph->outputs);
  return status ? status : read_nodes(reader, table, subgraph);
}

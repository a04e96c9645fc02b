#include "kernels/query.h"

#include "base/error.h"
#include "base/num.h"
#include "kernels/requests.h"
#include "model/flatbuf.h"
#include "model/flexbuf.h"

static uint32_t tensor_index(const ta_query *op, int of) {
  ta_list list = of >= 0 ? op->node->inputs : op->node->outputs;
  uint32_t k = (uint32_t)(of >= 0 ? of : ~of);
  return k < list.n && list.at[k] >= 0 ? (uint32_t)list.at[k] : TA_NO_INDEX;
}

const ta_tensor *ta_query_tensor(const ta_query *op, int of) {
  uint32_t t = tensor_index(op, of);
  return t == TA_NO_INDEX ? NULL : &op->needs->model->subgraphs[op->subgraph].tensors[t];
}

const ta_shape *ta_query_shape(const ta_query *op, int of) {
  uint32_t t = tensor_index(op, of);
  return t == TA_NO_INDEX ? NULL : &op->needs->shapes[op->needs->tensor_base[op->subgraph] + t];
}

ta_status ta_query_refuse(const ta_query *op, const char *what) {
  return ta_fail_at(op->error, TA_E_REFUSED, op->subgraph, op->index, TA_NO_INDEX,
                    "TFLM refuses op %u%N of subgraph %u: %s", op->index, op->node->name, op->subgraph, what);
}

ta_status ta_query_too_large(const ta_query *op) {
  return ta_fail_at(op->error, TA_E_LIMIT, op->subgraph, op->index, TA_NO_INDEX,
                    "op %u%N of subgraph %u asks for more than 9007199254740991 bytes; check its shapes",
                    op->index, op->node->name, op->subgraph);
}

ta_status ta_query_too_many_dims(const ta_query *op) {
  return ta_fail_at(op->error, TA_E_LIMIT, op->subgraph, op->index, TA_NO_INDEX,
                    "op %u%N of subgraph %u works on tensors of more than %u dimensions; check their shapes",
                    op->index, op->node->name, op->subgraph, (uint32_t)TA_MOST_COPIED_DIMS);
}

ta_status ta_query_require(const ta_query *op, int of, const ta_tensor **tensor, const ta_shape **shape) {
  const ta_shape *found = ta_query_shape(op, of);
  if (!found) {
    return ta_fail_at(op->error, TA_E_REFUSED, op->subgraph, op->index, TA_NO_INDEX,
                      "TFLM refuses op %u%N of subgraph %u: it has no %s %u", op->index, op->node->name,
                      op->subgraph, of >= 0 ? "input" : "output", (uint32_t)(of >= 0 ? of : ~of));
  }
  if (tensor) *tensor = ta_query_tensor(op, of);
  if (shape) *shape = found;
  return TA_OK;
}

uint8_t ta_query_dtype(const ta_query *op, int of) {
  const ta_tensor *tensor = ta_query_tensor(op, of);
  return tensor ? tensor->dtype : TA_DTYPE_NONE;
}

uint8_t ta_query_type(const ta_query *op) {
  return ta_query_dtype(op, INPUT(op->row->typed_by));
}

ta_status ta_query_dim(const ta_query *op, int of, int dim, uint64_t *out) {
  const ta_shape *shape = NULL;
  ta_status status = ta_query_require(op, of, NULL, &shape);
  if (status) return status;
  int64_t k = dim < 0 ? (int64_t)shape->dims.n + dim : dim;
  if (k < 0 || k >= (int64_t)shape->dims.n) {
    return ta_fail_at(op->error, TA_E_REFUSED, op->subgraph, op->index, TA_NO_INDEX,
                      "TFLM refuses op %u%N of subgraph %u: %s %u has %u dimensions, too few", op->index,
                      op->node->name, op->subgraph, of >= 0 ? "input" : "output",
                      (uint32_t)(of >= 0 ? of : ~of), shape->dims.n);
  }
  int32_t value = shape->dims.at[k];
  *out = value < 0 ? 0 : (uint64_t)value;
  return TA_OK;
}

ta_status ta_query_elems(const ta_query *op, int of, uint64_t *out) {
  const ta_shape *shape = NULL;
  ta_status status = ta_query_require(op, of, NULL, &shape);
  if (!status) *out = shape->elems;
  return status;
}

bool ta_query_known(const ta_query *op, int of) {
  const ta_shape *shape = ta_query_shape(op, of);
  return shape && shape->known;
}

ta_status ta_query_set_shape(const ta_query *op, int of, ta_list dims) {
  const ta_tensor *tensor = NULL;
  ta_status status = ta_query_require(op, of, &tensor, NULL);
  if (status) return status;
  uint32_t flat = op->needs->tensor_base[op->subgraph] + tensor_index(op, of);
  return ta_shape_set(&op->needs->shapes[flat], tensor->dtype, dims) ? TA_OK : ta_query_too_large(op);
}

ta_status ta_query_option_i32(const ta_query *op, uint32_t slot, int32_t otherwise, int32_t *out) {
  *out = otherwise;
  if (op->node->options == 0) return TA_OK;
  ta_flat flat;
  ta_flat_table table;
  ta_flat_init(&flat, op->needs->model->file, op->error);
  if (ta_flat_table_at(&flat, op->node->options, &table)) *out = ta_flat_i32(&table, slot, otherwise);
  return flat.status;
}

ta_status ta_query_option_i8(const ta_query *op, uint32_t slot, int8_t *out) {
  *out = 0;
  if (op->node->options == 0) return TA_OK;
  ta_flat flat;
  ta_flat_table table;
  ta_flat_init(&flat, op->needs->model->file, op->error);
  if (ta_flat_table_at(&flat, op->node->options, &table)) *out = ta_flat_i8(&table, slot, 0);
  return flat.status;
}

ta_status ta_query_custom(const ta_query *op, const char *key, uint64_t *out) {
  ta_flex_map map;
  int64_t value = ta_flex_map_of(op->node->custom_options, &map) ? ta_flex_int(&map, key, 0) : 0;
  if (value < 0 || value > INT32_MAX) {
    return ta_fail_at(op->error, TA_E_REFUSED, op->subgraph, op->index, TA_NO_INDEX,
                      "TFLM refuses op %u%N of subgraph %u: its option %s is outside 0 to 2147483647",
                      op->index, op->node->name, op->subgraph, key);
  }
  *out = (uint64_t)value;
  return TA_OK;
}

ta_bytes ta_query_constant(const ta_query *op, int of) {
  ta_bytes none = {NULL, 0};
  const ta_model *model = op->needs->model;
  const ta_tensor *tensor = ta_query_tensor(op, of);
  if (!tensor || !tensor->has_data || tensor->buffer >= model->n_constants) return none;
  const ta_constant *constant = &model->constants[tensor->buffer];
  if (constant->external || !ta_bytes_hold(model->file, constant->position, constant->bytes, 1)) return none;
  return (ta_bytes){model->file.at + constant->position, (size_t)constant->bytes};
}

ta_status ta_query_request(const ta_query *op, ta_requests *to, uint64_t bytes, uint64_t count) {
  if (count == 0) return TA_OK;
  ta_request request = {bytes, count, 16, op->subgraph, op->index};
  return ta_requests_add(to, op->needs->region, &request, op->error);
}

ta_status ta_query_request_some(const ta_query *op, ta_requests *to, uint64_t bytes) {
  return bytes == 0 ? TA_OK : ta_query_request(op, to, bytes, 1);
}

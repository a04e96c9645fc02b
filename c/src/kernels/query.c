#include "kernels/query.h"

#include "base/error.h"
#include "base/num.h"
#include "kernels/requests.h"
#include "model/flatbuf.h"
#include "model/flexbuf.h"

enum { MOST_COPIED_DIMS = 64 };

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

/* The sentence goes on where the operator's name ends. */
static void fail(ta_query *op, ta_status status, const char *format, ...) {
  if (op->status) return;
  char storage[sizeof op->error->text];
  ta_text where;
  ta_text_init_fixed(&where, storage, sizeof storage);
  ta_text_format(&where, "%sop %u%M of subgraph %u", status == TA_E_REFUSED ? "TFLM refuses " : "", op->index,
                 &op->node->name, op->subgraph);
  va_list arguments;
  va_start(arguments, format);
  op->status =
      ta_vfail_at(op->error, status, op->subgraph, op->index, TA_NO_INDEX, &where, format, arguments, "");
  va_end(arguments);
}

void ta_query_refuse(ta_query *op, const char *what) {
  fail(op, TA_E_REFUSED, ": %s", what);
}

void ta_query_too_large(ta_query *op) {
  fail(op, TA_E_LIMIT, " asks for more than 9007199254740991 bytes; check its shapes");
}

uint64_t ta_query_add(ta_query *op, uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  if (!ta_add(a, b, &sum)) ta_query_too_large(op);
  return sum;
}

uint64_t ta_query_mul(ta_query *op, uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (!ta_mul(a, b, &product)) ta_query_too_large(op);
  return product;
}

uint64_t ta_query_align(ta_query *op, uint64_t value, uint64_t alignment) {
  uint64_t aligned = 0;
  if (!ta_align_up(value, alignment, &aligned)) ta_query_too_large(op);
  return aligned;
}

int32_t *ta_query_take_dims(ta_query *op, uint32_t n) {
  if (n > MOST_COPIED_DIMS)
    fail(op, TA_E_LIMIT, " works on tensors of more than %u dimensions; check their shapes",
         (uint32_t)MOST_COPIED_DIMS);
  if (op->status) return NULL;
  int32_t *dims = TA_TAKE(op->needs->region, n, int32_t);
  if (!dims) op->status = ta_fail_memory(op->error);
  return dims;
}

static const char *role(int of) {
  return of >= 0 ? "input" : "output";
}

static uint32_t position(int of) {
  return (uint32_t)(of >= 0 ? of : ~of);
}

const ta_shape *ta_query_require(ta_query *op, int of) {
  static const ta_shape none;
  const ta_shape *found = ta_query_shape(op, of);
  if (!found) fail(op, TA_E_REFUSED, ": it has no %s %u", role(of), position(of));
  return found ? found : &none;
}

uint8_t ta_query_dtype(const ta_query *op, int of) {
  const ta_tensor *tensor = ta_query_tensor(op, of);
  return tensor ? tensor->dtype : TA_DTYPE_NONE;
}

uint8_t ta_query_type(const ta_query *op) {
  return ta_query_dtype(op, INPUT(op->row->typed_by));
}

uint64_t ta_query_dim(ta_query *op, int of, int dim) {
  const ta_shape *shape = ta_query_require(op, of);
  int64_t k = dim < 0 ? (int64_t)shape->dims.n + dim : dim;
  if (k < 0 || k >= (int64_t)shape->dims.n) {
    fail(op, TA_E_REFUSED, ": %s %u has %u dimensions, too few", role(of), position(of), shape->dims.n);
    return 0;
  }
  int32_t value = shape->dims.at[k];
  return value < 0 ? 0 : (uint64_t)value;
}

uint64_t ta_query_elems(ta_query *op, int of) {
  return ta_query_require(op, of)->elems;
}

bool ta_query_known(const ta_query *op, int of) {
  const ta_shape *shape = ta_query_shape(op, of);
  return shape && shape->known;
}

void ta_query_set_shape(ta_query *op, int of, const ta_list *dims) {
  ta_query_require(op, of);
  if (op->status) return;
  uint32_t flat = op->needs->tensor_base[op->subgraph] + tensor_index(op, of);
  if (!ta_shape_set(&op->needs->shapes[flat], ta_query_dtype(op, of), dims)) ta_query_too_large(op);
}

/* The table of builtin options; false without one. */
static bool open_options(ta_query *op, ta_flat *flat, ta_flat_table *table) {
  if (op->node->options == 0 || op->status) return false;
  ta_flat_init(flat, op->needs->model->file, op->error);
  ta_flat_table_at(flat, op->node->options, table);
  return true;
}

int32_t ta_query_option_i32(ta_query *op, uint32_t slot, int32_t otherwise) {
  ta_flat flat;
  ta_flat_table table;
  if (!open_options(op, &flat, &table)) return otherwise;
  int32_t value = ta_flat_i32(&table, slot, otherwise);
  op->status = flat.status;
  return value;
}

int8_t ta_query_option_i8(ta_query *op, uint32_t slot) {
  ta_flat flat;
  ta_flat_table table;
  if (!open_options(op, &flat, &table)) return 0;
  int8_t value = ta_flat_i8(&table, slot, 0);
  op->status = flat.status;
  return value;
}

uint64_t ta_query_custom(ta_query *op, const char *key) {
  ta_flex_map map;
  int64_t value = ta_flex_map_of(op->node->custom_options, &map) ? ta_flex_int(&map, key, 0) : 0;
  if (value >= 0 && value <= INT32_MAX) return (uint64_t)value;
  fail(op, TA_E_REFUSED, ": its option %s is outside 0 to 2147483647", key);
  return 0;
}

ta_bytes ta_query_constant(const ta_query *op, int of) {
  const ta_tensor *tensor = ta_query_tensor(op, of);
  return tensor ? ta_tensor_data(op->needs->model, tensor) : (ta_bytes){NULL, 0};
}

void ta_query_request(ta_query *op, uint64_t bytes, uint64_t count) {
  if (count == 0 || op->status) return;
  ta_request request = {bytes, count, 16, op->subgraph, op->index};
  op->status = ta_requests_add(op->to, op->needs->region, &request, op->error);
}

void ta_query_request_some(ta_query *op, uint64_t bytes) {
  if (bytes != 0) ta_query_request(op, bytes, 1);
}

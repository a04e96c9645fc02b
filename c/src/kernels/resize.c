#include "kernels/resize.h"

#include "base/error.h"
#include "base/num.h"
#include "kernels/geometry.h"
#include "kernels/query.h"

/* A shape being written. */
typedef struct shape_writer {
  int32_t *at;
  uint32_t n, capacity;
} shape_writer;

static ta_status start(const ta_query *op, uint32_t capacity, shape_writer *writer) {
  if (capacity > TA_MOST_COPIED_DIMS) return ta_query_too_many_dims(op);
  *writer = (shape_writer){TA_TAKE(op->needs->region, capacity, int32_t), 0, capacity};
  return writer->at ? TA_OK : ta_fail_memory(op->error);
}

static ta_status put(const ta_query *op, shape_writer *writer, uint64_t dim) {
  if (dim > INT32_MAX) return ta_query_too_large(op);
  writer->at[writer->n++] = (int32_t)dim;
  return TA_OK;
}

static void put_all(shape_writer *writer, ta_list dims, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) writer->at[writer->n++] = dims.at[i];
}

static ta_list finish(const shape_writer *writer) {
  return (ta_list){writer->at, writer->n};
}

static ta_status dims_of(const ta_query *op, int of, ta_list *dims) {
  const ta_shape *shape = NULL;
  ta_status status = ta_query_require(op, of, NULL, &shape);
  if (!status) *dims = shape->dims;
  return status;
}

/* Input 0 as [batch, height, width, channels]. */
static ta_status image(const ta_query *op, uint64_t out[4]) {
  ta_list dims;
  ta_status status = dims_of(op, INPUT(0), &dims);
  if (status) return status;
  if (dims.n != 4) return ta_query_refuse(op, "its input does not have 4 dimensions");
  for (int i = 0; i < 4; i++) out[i] = (uint64_t)dims.at[i];
  return TA_OK;
}

static ta_status make_image(const ta_query *op, const uint64_t dims[4], ta_list *shape) {
  shape_writer writer;
  ta_status status = start(op, 4, &writer);
  for (int i = 0; i < 4 && !status; i++) status = put(op, &writer, dims[i]);
  *shape = finish(&writer);
  return status;
}

/* [N, pooled H, pooled W, C]. */
ta_status ta_resize_l2_pool(const ta_query *op, ta_list *shape) {
  int8_t padding = 0;
  int32_t stride[2] = {0}, filter[2] = {0}; /* width, height */
  uint64_t dims[4];
  ta_status status = image(op, dims);
  if (!status) status = ta_query_option_i8(op, 0, &padding);
  for (uint32_t i = 0; i < 2 && !status; i++) status = ta_query_option_i32(op, 1 + i, 0, &stride[i]);
  for (uint32_t i = 0; i < 2 && !status; i++) status = ta_query_option_i32(op, 3 + i, 0, &filter[i]);
  if (status) return status;
  if (stride[0] < 1 || stride[1] < 1) return ta_query_refuse(op, "a stride is below 1");
  if (filter[0] < 1 || filter[1] < 1) return ta_query_refuse(op, "a filter side is below 1");
  dims[1] = ta_window_output(dims[1], (uint64_t)filter[1], (uint64_t)stride[1], padding);
  dims[2] = ta_window_output(dims[2], (uint64_t)filter[0], (uint64_t)stride[0], padding);
  return make_image(op, dims, shape);
}

static ta_status block_size(const ta_query *op, uint64_t *out) {
  int32_t block = 0;
  ta_status status = ta_query_option_i32(op, 0, 0, &block);
  if (status) return status;
  if (block < 1) return ta_query_refuse(op, "its option block_size is below 1");
  *out = (uint64_t)block;
  return TA_OK;
}

/* [N, H b, W b, C / b / b]. */
ta_status ta_resize_depth_to_space(const ta_query *op, ta_list *shape) {
  uint64_t dims[4], block = 0;
  ta_status status = image(op, dims);
  if (!status) status = block_size(op, &block);
  if (status) return status;
  return make_image(
      op, (const uint64_t[]){dims[0], dims[1] * block, dims[2] * block, dims[3] / block / block}, shape);
}

/* [N, H / b, W / b, C b b]. */
ta_status ta_resize_space_to_depth(const ta_query *op, ta_list *shape) {
  uint64_t dims[4], block = 0, depth = 0;
  ta_status status = image(op, dims);
  if (!status) status = block_size(op, &block);
  if (status) return status;
  if (!ta_mul(dims[3], block, &depth) || !ta_mul(depth, block, &depth)) return ta_query_too_large(op);
  return make_image(op, (const uint64_t[]){dims[0], dims[1] / block, dims[2] / block, depth}, shape);
}

/* An axis below 0 counts from the end; one outside [0, rank) (batch_dims: [0, rank]) is refused. */
static bool from_end(int32_t *axis, uint32_t rank) {
  int64_t value = *axis < 0 ? *axis + (int64_t)rank : *axis;
  *axis = (int32_t)value;
  return value >= 0 && value <= (int64_t)rank;
}

/* input[:axis] + positions[batch_dims:] + input[axis + 1:]. */
ta_status ta_resize_gather(const ta_query *op, ta_list *shape) {
  ta_list input, positions;
  int32_t axis = 0, batch_dims = 0;
  ta_status status = dims_of(op, INPUT(0), &input);
  if (!status) status = dims_of(op, INPUT(1), &positions);
  if (!status) status = ta_query_option_i32(op, 0, 0, &axis);
  if (!status) status = ta_query_option_i32(op, 1, 0, &batch_dims);
  if (status) return status;
  if (!from_end(&axis, input.n) || (uint32_t)axis >= input.n) {
    return ta_query_refuse(op, "its option axis is no dimension of the input");
  }
  if (!from_end(&batch_dims, positions.n)) {
    return ta_query_refuse(op, "its option batch_dims is no dimension of the positions");
  }
  shape_writer writer;
  status = start(op, input.n + positions.n, &writer);
  if (status) return status;
  put_all(&writer, input, 0, (uint32_t)axis);
  put_all(&writer, positions, (uint32_t)batch_dims, positions.n);
  put_all(&writer, input, (uint32_t)axis + 1, input.n);
  *shape = finish(&writer);
  return TA_OK;
}

/* indices[:-1] + params[last dimension of indices:]. */
ta_status ta_resize_gather_nd(const ta_query *op, ta_list *shape) {
  ta_list params, indices;
  ta_status status = dims_of(op, INPUT(0), &params);
  if (!status) status = dims_of(op, INPUT(1), &indices);
  if (status) return status;
  if (indices.n == 0) return ta_query_refuse(op, "its indices have no dimension");
  uint32_t depth = (uint32_t)indices.at[indices.n - 1];
  if (depth > params.n) return ta_query_refuse(op, "its indices are longer than the input has dimensions");
  shape_writer writer;
  status = start(op, params.n + indices.n, &writer);
  if (status) return status;
  put_all(&writer, indices, 0, indices.n - 1);
  put_all(&writer, params, depth, params.n);
  *shape = finish(&writer);
  return TA_OK;
}

/* [dimension 0 of the lookup] + value[1:]. */
ta_status ta_resize_embedding_lookup(const ta_query *op, ta_list *shape) {
  ta_list lookup, value;
  ta_status status = dims_of(op, INPUT(0), &lookup);
  if (!status) status = dims_of(op, INPUT(1), &value);
  if (status) return status;
  if (lookup.n == 0 || value.n == 0) return ta_query_refuse(op, "an input has no dimension");
  shape_writer writer;
  status = start(op, value.n, &writer);
  if (status) return status;
  put_all(&writer, lookup, 0, 1);
  put_all(&writer, value, 1, value.n);
  *shape = finish(&writer);
  return TA_OK;
}

/* Dimension k of `dims` seen as one of `rank` dimensions: those that lack in front are 1. */
static int32_t padded(ta_list dims, uint32_t rank, uint32_t k) {
  uint32_t missing = rank - dims.n;
  return k < missing ? 1 : dims.at[k - missing];
}

/* Broadcast batch dimensions + [M, N]. */
ta_status ta_resize_batch_matmul(const ta_query *op, ta_list *shape) {
  ta_list left, right;
  int8_t adj_x = 0, adj_y = 0;
  ta_status status = dims_of(op, INPUT(0), &left);
  if (!status) status = dims_of(op, INPUT(1), &right);
  if (!status) status = ta_query_option_i8(op, 0, &adj_x);
  if (!status) status = ta_query_option_i8(op, 1, &adj_y);
  if (status) return status;
  if (left.n < 2 || right.n < 2) return ta_query_refuse(op, "an input has fewer than 2 dimensions");
  uint32_t rank = left.n > right.n ? left.n : right.n;
  shape_writer writer;
  status = start(op, rank, &writer);
  if (status) return status;
  for (uint32_t k = 0; k + 2 < rank; k++) {
    int32_t a = padded(left, rank, k), b = padded(right, rank, k);
    writer.at[writer.n++] = a == 1 ? b : a;
  }
  writer.at[writer.n++] = left.at[left.n - (adj_x ? 1 : 2)];
  writer.at[writer.n++] = right.at[right.n - (adj_y ? 2 : 1)];
  *shape = finish(&writer);

  uint64_t before = 0, after = 0;
  status = ta_query_elems(op, OUTPUT(0), &before);
  if (status) return status;
  if (!ta_shape_elements(*shape, &after)) return ta_query_too_large(op);
  if (ta_query_known(op, OUTPUT(0)) && before != after) {
    return ta_query_refuse(op, "the product of its inputs has another number of elements than its output");
  }
  return TA_OK;
}

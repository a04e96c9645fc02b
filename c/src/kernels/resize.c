#include "kernels/resize.h"

#include "base/error.h"
#include "base/num.h"
#include "kernels/geometry.h"
#include "kernels/query.h"

/* A shape being written. */
typedef struct shape_writer {
  int32_t *at;
  uint32_t n;
} shape_writer;

static const ta_list none = {NULL, 0};

/* False when there is no room for so many dimensions. */
static bool start(ta_query *op, uint32_t capacity, shape_writer *writer) {
  *writer = (shape_writer){ta_query_take_dims(op, capacity), 0};
  return writer->at != NULL;
}

static void put_all(shape_writer *writer, const ta_list *dims, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) writer->at[writer->n++] = dims->at[i];
}

static ta_list finish(const shape_writer *writer) {
  return (ta_list){writer->at, writer->n};
}

static ta_list dims_of(ta_query *op, int of) {
  return ta_query_require(op, of)->dims;
}

/* Dimension d of input 0, [batch, height, width, channels]. */
static uint64_t image_dim(ta_query *op, int d) {
  if (dims_of(op, INPUT(0)).n == 4) return ta_query_dim(op, INPUT(0), d);
  ta_query_refuse(op, "its input does not have 4 dimensions");
  return 0;
}

/* The image with the same batch and these sides and channels. */
static ta_list make_image(ta_query *op, uint64_t height, uint64_t width, uint64_t channels) {
  const uint64_t dims[] = {image_dim(op, 0), height, width, channels};
  shape_writer writer;
  if (!start(op, 4, &writer)) return none;
  for (int i = 0; i < 4; i++) {
    if (dims[i] > INT32_MAX) ta_query_too_large(op);
    writer.at[writer.n++] = (int32_t)dims[i];
  }
  return finish(&writer);
}

/* An option that is 1 or more; 1 after a failure. */
static uint64_t positive(ta_query *op, uint32_t slot, const char *otherwise) {
  int32_t value = ta_query_option_i32(op, slot, 0);
  if (value >= 1) return (uint64_t)value;
  ta_query_refuse(op, otherwise);
  return 1;
}

/* [N, pooled H, pooled W, C]. */
ta_list ta_resize_l2_pool(ta_query *op) {
  uint64_t height = image_dim(op, 1), width = image_dim(op, 2);
  int8_t padding = ta_query_option_i8(op, 0);
  uint64_t stride_w = positive(op, 1, "a stride is below 1"),
           stride_h = positive(op, 2, "a stride is below 1");
  uint64_t filter_w = positive(op, 3, "a filter side is below 1");
  uint64_t filter_h = positive(op, 4, "a filter side is below 1");
  return make_image(op, ta_window_output(height, filter_h, stride_h, padding),
                    ta_window_output(width, filter_w, stride_w, padding), image_dim(op, 3));
}

static uint64_t block_size(ta_query *op) {
  return positive(op, 0, "its option block_size is below 1");
}

/* [N, H b, W b, C / b / b]. */
ta_list ta_resize_depth_to_space(ta_query *op) {
  uint64_t height = image_dim(op, 1), block = block_size(op);
  return make_image(op, height * block, image_dim(op, 2) * block, image_dim(op, 3) / block / block);
}

/* [N, H / b, W / b, C b b]. */
ta_list ta_resize_space_to_depth(ta_query *op) {
  uint64_t height = image_dim(op, 1), block = block_size(op);
  return make_image(op, height / block, image_dim(op, 2) / block,
                    ta_query_mul(op, ta_query_mul(op, image_dim(op, 3), block), block));
}

/* An axis below 0 counts from the end. One past `most` is refused: then 0. */
static uint32_t from_end(ta_query *op, uint32_t slot, uint32_t rank, int64_t most, const char *refusal) {
  int64_t axis = ta_query_option_i32(op, slot, 0);
  if (axis < 0) axis += rank;
  if (axis >= 0 && axis <= most) return (uint32_t)axis;
  ta_query_refuse(op, refusal);
  return 0;
}

/* input[:axis] + positions[batch_dims:] + input[axis + 1:]. */
ta_list ta_resize_gather(ta_query *op) {
  ta_list input = dims_of(op, INPUT(0)), positions = dims_of(op, INPUT(1));
  uint32_t axis =
      from_end(op, 0, input.n, (int64_t)input.n - 1, "its option axis is no dimension of the input");
  uint32_t batch_dims =
      from_end(op, 1, positions.n, positions.n, "its option batch_dims is no dimension of the positions");
  shape_writer writer;
  if (!start(op, input.n + positions.n, &writer)) return none;
  put_all(&writer, &input, 0, axis);
  put_all(&writer, &positions, batch_dims, positions.n);
  put_all(&writer, &input, axis + 1, input.n);
  return finish(&writer);
}

/* indices[:-1] + params[last dimension of indices:]. */
ta_list ta_resize_gather_nd(ta_query *op) {
  ta_list params = dims_of(op, INPUT(0)), indices = dims_of(op, INPUT(1));
  if (indices.n == 0) {
    ta_query_refuse(op, "its indices have no dimension");
    return none;
  }
  uint32_t depth = (uint32_t)indices.at[indices.n - 1];
  if (depth > params.n) ta_query_refuse(op, "its indices are longer than the input has dimensions");
  shape_writer writer;
  if (!start(op, params.n + indices.n, &writer)) return none;
  put_all(&writer, &indices, 0, indices.n - 1);
  put_all(&writer, &params, depth, params.n);
  return finish(&writer);
}

/* [dimension 0 of the lookup] + value[1:]. */
ta_list ta_resize_embedding_lookup(ta_query *op) {
  ta_list lookup = dims_of(op, INPUT(0)), value = dims_of(op, INPUT(1));
  if (lookup.n == 0 || value.n == 0) ta_query_refuse(op, "an input has no dimension");
  shape_writer writer;
  if (!start(op, value.n, &writer)) return none;
  put_all(&writer, &lookup, 0, 1);
  put_all(&writer, &value, 1, value.n);
  return finish(&writer);
}

/* Dimension k of `dims` seen as one of `rank` dimensions: those that lack in front are 1. */
static int32_t padded(const ta_list *dims, uint32_t rank, uint32_t k) {
  uint32_t missing = rank - dims->n;
  return k < missing ? 1 : dims->at[k - missing];
}

/* Broadcast batch dimensions + [M, N]. */
ta_list ta_resize_batch_matmul(ta_query *op) {
  ta_list left = dims_of(op, INPUT(0)), right = dims_of(op, INPUT(1));
  bool adj_x = ta_query_option_i8(op, 0) != 0, adj_y = ta_query_option_i8(op, 1) != 0;
  if (left.n < 2 || right.n < 2) ta_query_refuse(op, "an input has fewer than 2 dimensions");
  uint32_t rank = left.n > right.n ? left.n : right.n;
  shape_writer writer;
  if (!start(op, rank, &writer)) return none;
  for (uint32_t k = 0; k + 2 < rank; k++) {
    int32_t a = padded(&left, rank, k), b = padded(&right, rank, k);
    writer.at[writer.n++] = a == 1 ? b : a;
  }
  writer.at[writer.n++] = left.at[left.n - (adj_x ? 1 : 2)];
  writer.at[writer.n++] = right.at[right.n - (adj_y ? 2 : 1)];

  ta_list shape = finish(&writer);
  uint64_t before = ta_query_elems(op, OUTPUT(0)), after = 0;
  if (!ta_shape_elements(&shape, &after)) {
    ta_query_too_large(op);
  } else if (ta_query_known(op, OUTPUT(0)) && before != after) {
    ta_query_refuse(op, "the product of its inputs has another number of elements than its output");
  }
  return shape;
}

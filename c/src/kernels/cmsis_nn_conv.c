/* CMSIS-NN's convolutions and FULLY_CONNECTED: the buffers they ask for. */
#include "base/num.h"
#include "kernels/cmsis_nn.h"
#include "kernels/geometry.h"
#include "kernels/query.h"

/* A convolution's sizes. Every side, stride and dilation is 1 or more. */
typedef struct convolution {
  uint64_t batch, in_channels, filter_depth, out_channels;
  uint64_t in_h, in_w, filter_h, filter_w, out_h, out_w;
  uint64_t stride_h, stride_w, dilation_h, dilation_w;
  uint64_t pad_h, pad_w; /* in front */
} convolution;

static bool has_mve(const ta_query *op) {
  return op->needs->kernels == TA_KERNELS_CMSIS_NN_MVE;
}

static uint64_t product(ta_query *op, uint64_t a, uint64_t b, uint64_t c) {
  return ta_query_mul(op, ta_query_mul(op, a, b), c);
}

/* `times` the bytes of a row of k, each row filled up for the vector unit where there is one. */
static uint64_t rows(ta_query *op, uint64_t times, uint64_t k, uint64_t mve_alignment, uint64_t alignment) {
  return ta_query_mul(op, times, ta_query_align(op, k, has_mve(op) ? mve_alignment : alignment));
}

static void read_sizes(ta_query *op, int input, convolution *c) {
  c->batch = ta_query_dim(op, input, 0);
  c->in_h = ta_query_dim(op, input, 1);
  c->in_w = ta_query_dim(op, input, 2);
  c->in_channels = ta_query_dim(op, input, 3);
  c->filter_h = ta_query_dim(op, INPUT(1), 1);
  c->filter_w = ta_query_dim(op, INPUT(1), 2);
  c->filter_depth = ta_query_dim(op, INPUT(1), 3);
}

/* 1 after a failure. */
static uint64_t read_factor(ta_query *op, uint32_t slot, int32_t otherwise) {
  int32_t value = ta_query_option_i32(op, slot, otherwise);
  if (value >= 1) return (uint64_t)value;
  ta_query_refuse(op, "a stride or dilation is below 1");
  return 1;
}

/* `dilation_slot` is the slot of the horizontal dilation, the vertical one follows. False after a failure. */
static bool read_convolution(ta_query *op, uint32_t dilation_slot, convolution *c) {
  read_sizes(op, INPUT(0), c);
  c->stride_w = read_factor(op, 1, 0);
  c->stride_h = read_factor(op, 2, 0);
  c->dilation_w = read_factor(op, dilation_slot, 1);
  c->dilation_h = read_factor(op, dilation_slot + 1, 1);
  int8_t padding = ta_query_option_i8(op, 0);
  if (c->filter_h == 0 || c->filter_w == 0) ta_query_refuse(op, "its filter has a side of 0");
  if (op->status) return false;
  uint64_t tall = (c->filter_h - 1) * c->dilation_h + 1, broad = (c->filter_w - 1) * c->dilation_w + 1;
  c->out_h = ta_window_output(c->in_h, tall, c->stride_h, padding);
  c->out_w = ta_window_output(c->in_w, broad, c->stride_w, padding);
  c->pad_h = ta_window_padding(c->in_h, c->out_h, tall, c->stride_h);
  c->pad_w = ta_window_padding(c->in_w, c->out_w, broad, c->stride_w);
  return true;
}

/* How many outputs at a row's end lie over `pad` columns of padding. */
static int64_t padded_outputs(int64_t pad, int64_t stride) {
  int64_t outputs = (pad + stride - 1) / stride;
  return pad == 0 ? 0 : outputs > 1 ? outputs : 1;
}

/* MVE, a filter one row high over an input one row high: false when the general case applies. */
static bool mve_row_bytes(const convolution *c, uint64_t *out) {
  int64_t pad = (int64_t)c->pad_w, stride = (int64_t)c->stride_w;
  int64_t total = ((int64_t)c->out_w - 1) * stride + (int64_t)c->filter_w - (int64_t)c->in_w;
  int64_t asymmetry = total % 2;
  int64_t right = padded_outputs(pad + asymmetry, stride);
  if (padded_outputs(pad, stride) + right > (int64_t)c->out_w) return false;
  uint64_t most =
      ta_max_u64(c->filter_w + c->pad_w, c->filter_w - 1 + (asymmetry != 0 ? (uint64_t)right : c->pad_w));
  return ta_mul(most, c->in_channels, out);
}

/* The int8 buffer of a convolution (the specification's V). */
static uint64_t conv_bytes(ta_query *op, const convolution *c) {
  uint64_t bytes = 0, k = product(op, c->filter_h, c->filter_w, c->in_channels);
  bool plain_depth = c->in_channels == c->filter_depth;
  if (c->filter_h == 1 && c->filter_w == 1 && c->pad_h == 0 && c->pad_w == 0 && c->dilation_h == 1 &&
      c->dilation_w == 1 && plain_depth)
    return 0;
  bool row = c->in_h == 1 && c->filter_h == 1 && c->dilation_w == 1 && plain_depth &&
             c->stride_w * c->in_channels % 4 == 0;
  if (row && has_mve(op) && mve_row_bytes(c, &bytes)) return bytes;
  return rows(op, 4, k, 16, 4);
}

void ta_cmsis_conv_scratch(ta_query *op) {
  uint8_t type = ta_query_type(op);
  convolution c;
  if (type != TA_DTYPE_INT8 && type != TA_DTYPE_INT16) return;
  if (!read_convolution(op, 4, &c)) return;
  ta_query_request_some(
      op, type == TA_DTYPE_INT8
              ? conv_bytes(op, &c)
              : rows(op, has_mve(op) ? 8 : 4, product(op, c.filter_h, c.filter_w, c.in_channels), 8, 1));
}

/* INT8 input. */
void ta_cmsis_depthwise_scratch(ta_query *op) {
  convolution c;
  uint64_t bytes = 0;
  if (!read_convolution(op, 5, &c)) return;
  c.out_channels = c.filter_depth;
  bool int4 = ta_query_dtype(op, INPUT(1)) == TA_DTYPE_INT4;
  bool direct = c.in_channels == c.out_channels && c.batch == 1 && c.dilation_h == 1 && c.dilation_w == 1;
  bool small = c.filter_h == 3 && c.filter_w == 3 && c.pad_h <= 1 && c.pad_w <= 1;

  if (has_mve(op)) {
    if (c.in_channels == 1 && c.out_channels > 1 && !int4) {
      /* It runs as a convolution over the one channel, on a copy of the filter. */
      c.filter_depth = 1;
      bytes = conv_bytes(op, &c);
      bytes = ta_query_add(op, bytes, product(op, c.out_channels, c.filter_h, c.filter_w));
    } else if (direct) {
      bytes = product(op, 496, c.filter_h, c.filter_w);
    }
  } else if (direct && (int4 || (op->needs->kernels == TA_KERNELS_CMSIS_NN_DSP && !small))) {
    bytes = product(op, 2 * c.in_channels, c.filter_h, c.filter_w);
  }
  ta_query_request_some(op, bytes);
}

/* Two requests, a second one of 0 bytes too. */
void ta_cmsis_transpose_conv_scratch(ta_query *op) {
  convolution c;
  uint64_t first, second = 0;
  read_sizes(op, INPUT(2), &c);
  c.out_channels = ta_query_dim(op, INPUT(1), 0);
  c.stride_w = read_factor(op, 1, 0);
  c.stride_h = read_factor(op, 2, 0);
  uint64_t k = product(op, c.filter_h, c.filter_w, c.in_channels);
  if (c.stride_w <= 2 && c.stride_h <= 2 && c.in_channels > 16) {
    second = ta_query_mul(op, k, c.out_channels);
    first = rows(op, 4, k, 16, 4);
  } else {
    uint64_t columns = (c.in_w > 0 ? c.in_w - 1 : 0) * c.stride_w + ta_max_u64(c.filter_w, c.stride_h);
    first = ta_query_mul(op, 4, product(op, columns, c.out_channels, ta_max_u64(c.filter_h, c.stride_h)));
  }
  ta_query_request(op, first, 1);
  ta_query_request(op, second, 1);
}

/* Whether the kernel treats the input as many rows: output of more than 2 dimensions, depth a multiple of 4,
 * one scale. */
static bool many_rows(ta_query *op) {
  uint64_t depth = ta_query_dim(op, INPUT(1), -1);
  const ta_shape *output = ta_query_require(op, OUTPUT(0));
  return !op->status && output->dims.n > 2 && depth % 4 == 0 && ta_query_tensor(op, INPUT(1))->scales == 1;
}

static bool absent_or_constant(const ta_tensor *tensor) {
  return !tensor || tensor->has_data;
}

/* For few rows of an INT8 filter, MVE keeps the filter's sums ... */
static bool keeps_sums(const ta_query *op) {
  return has_mve(op) && ta_query_dtype(op, INPUT(1)) == TA_DTYPE_INT8;
}

/* ... for good, when nothing that they are made of can change. */
static bool sums_are_constant(const ta_query *op) {
  const ta_tensor *filter = ta_query_tensor(op, INPUT(1));
  return filter && filter->has_data && absent_or_constant(ta_query_tensor(op, INPUT(2)));
}

void ta_cmsis_fully_connected_prepare(ta_query *op) {
  bool rows = many_rows(op);
  uint64_t channels = ta_query_dim(op, INPUT(1), 0);
  if (!rows && keeps_sums(op) && sums_are_constant(op)) ta_query_request_some(op, 4 * channels);
}

void ta_cmsis_fully_connected_scratch(ta_query *op) {
  bool rows = many_rows(op);
  uint64_t channels = ta_query_dim(op, INPUT(1), 0);
  if (rows) {
    ta_query_request_some(op, 8 * channels);
  } else if (keeps_sums(op) && !sums_are_constant(op)) {
    ta_query_request_some(op, 4 * channels);
  }
}

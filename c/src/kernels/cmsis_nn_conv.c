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

static ta_status product(const ta_query *op, uint64_t *out, uint64_t a, uint64_t b, uint64_t c) {
  return ta_mul(a, b, out) && ta_mul(*out, c, out) ? TA_OK : ta_query_too_large(op);
}

static ta_status read_sizes(const ta_query *op, int input, convolution *c) {
  uint64_t *const in[4] = {&c->batch, &c->in_h, &c->in_w, &c->in_channels};
  ta_status status = TA_OK;
  for (int d = 0; d < 4 && !status; d++) status = ta_query_dim(op, input, d, in[d]);
  if (!status) status = ta_query_dim(op, INPUT(1), 1, &c->filter_h);
  if (!status) status = ta_query_dim(op, INPUT(1), 2, &c->filter_w);
  if (!status) status = ta_query_dim(op, INPUT(1), 3, &c->filter_depth);
  return status;
}

static ta_status read_factor(const ta_query *op, uint32_t slot, int32_t otherwise, uint64_t *out) {
  int32_t value = 0;
  ta_status status = ta_query_option_i32(op, slot, otherwise, &value);
  if (status) return status;
  if (value < 1) return ta_query_refuse(op, "a stride or dilation is below 1");
  *out = (uint64_t)value;
  return TA_OK;
}

/* `dilation_slot` is the slot of the horizontal dilation, the vertical one follows. */
static ta_status read_convolution(const ta_query *op, uint32_t dilation_slot, convolution *c) {
  int8_t padding = 0;
  ta_status status = read_sizes(op, INPUT(0), c);
  if (!status) status = read_factor(op, 1, 0, &c->stride_w);
  if (!status) status = read_factor(op, 2, 0, &c->stride_h);
  if (!status) status = read_factor(op, dilation_slot, 1, &c->dilation_w);
  if (!status) status = read_factor(op, dilation_slot + 1, 1, &c->dilation_h);
  if (!status) status = ta_query_option_i8(op, 0, &padding);
  if (status) return status;
  if (c->filter_h == 0 || c->filter_w == 0) return ta_query_refuse(op, "its filter has a side of 0");
  uint64_t tall = (c->filter_h - 1) * c->dilation_h + 1, broad = (c->filter_w - 1) * c->dilation_w + 1;
  c->out_h = ta_window_output(c->in_h, tall, c->stride_h, padding);
  c->out_w = ta_window_output(c->in_w, broad, c->stride_w, padding);
  c->pad_h = ta_window_padding(c->in_h, c->out_h, tall, c->stride_h);
  c->pad_w = ta_window_padding(c->in_w, c->out_w, broad, c->stride_w);
  return TA_OK;
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
static ta_status conv_bytes(const ta_query *op, const convolution *c, uint64_t *out) {
  uint64_t k = 0;
  bool plain_depth = c->in_channels == c->filter_depth;
  ta_status status = product(op, &k, c->filter_h, c->filter_w, c->in_channels);
  if (status) return status;
  if (c->filter_h == 1 && c->filter_w == 1 && c->pad_h == 0 && c->pad_w == 0 && c->dilation_h == 1 &&
      c->dilation_w == 1 && plain_depth) {
    *out = 0;
    return TA_OK;
  }
  bool row = c->in_h == 1 && c->filter_h == 1 && c->dilation_w == 1 && plain_depth &&
             c->stride_w * c->in_channels % 4 == 0;
  if (row && has_mve(op) && mve_row_bytes(c, out)) return TA_OK;
  return ta_align_up(k, has_mve(op) ? 16 : 4, &k) && ta_mul(4, k, out) ? TA_OK : ta_query_too_large(op);
}

ta_status ta_cmsis_conv_scratch(const ta_query *op, ta_requests *to) {
  uint8_t type = ta_query_type(op);
  convolution c;
  uint64_t bytes = 0;
  if (type != TA_DTYPE_INT8 && type != TA_DTYPE_INT16) return TA_OK;
  ta_status status = read_convolution(op, 4, &c);
  if (status) return status;
  if (type == TA_DTYPE_INT8) {
    status = conv_bytes(op, &c, &bytes);
  } else {
    status = product(op, &bytes, c.filter_h, c.filter_w, c.in_channels);
    if (!status && has_mve(op) && !ta_align_up(bytes, 8, &bytes)) status = ta_query_too_large(op);
    if (!status && !ta_mul(has_mve(op) ? 8 : 4, bytes, &bytes)) status = ta_query_too_large(op);
  }
  return status ? status : ta_query_request_some(op, to, bytes);
}

/* INT8 input. */
ta_status ta_cmsis_depthwise_scratch(const ta_query *op, ta_requests *to) {
  convolution c;
  uint64_t bytes = 0, filter = 0;
  ta_status status = read_convolution(op, 5, &c);
  if (status) return status;
  c.out_channels = c.filter_depth;
  bool int4 = ta_query_dtype(op, INPUT(1)) == TA_DTYPE_INT4;
  bool direct = c.in_channels == c.out_channels && c.batch == 1 && c.dilation_h == 1 && c.dilation_w == 1;
  bool small = c.filter_h == 3 && c.filter_w == 3 && c.pad_h <= 1 && c.pad_w <= 1;

  if (has_mve(op)) {
    if (c.in_channels == 1 && c.out_channels > 1 && !int4) {
      /* It runs as a convolution over the one channel, on a copy of the filter. */
      c.filter_depth = 1;
      status = conv_bytes(op, &c, &bytes);
      if (!status) status = product(op, &filter, c.out_channels, c.filter_h, c.filter_w);
      if (!status && !ta_add(bytes, filter, &bytes)) status = ta_query_too_large(op);
    } else if (direct) {
      status = product(op, &bytes, 496, c.filter_h, c.filter_w);
    }
  } else if (direct && (int4 || (op->needs->kernels == TA_KERNELS_CMSIS_NN_DSP && !small))) {
    status = product(op, &bytes, 2 * c.in_channels, c.filter_h, c.filter_w);
  }
  return status ? status : ta_query_request_some(op, to, bytes);
}

/* Two requests, a second one of 0 bytes too. */
ta_status ta_cmsis_transpose_conv_scratch(const ta_query *op, ta_requests *to) {
  convolution c;
  uint64_t k = 0, first = 0, second = 0;
  ta_status status = read_sizes(op, INPUT(2), &c);
  if (!status) status = ta_query_dim(op, INPUT(1), 0, &c.out_channels);
  if (!status) status = read_factor(op, 1, 0, &c.stride_w);
  if (!status) status = read_factor(op, 2, 0, &c.stride_h);
  if (!status) status = product(op, &k, c.filter_h, c.filter_w, c.in_channels);
  if (status) return status;
  if (c.stride_w <= 2 && c.stride_h <= 2 && c.in_channels > 16) {
    if (!ta_mul(k, c.out_channels, &second)) return ta_query_too_large(op);
    if (!ta_align_up(k, has_mve(op) ? 16 : 4, &k) || !ta_mul(4, k, &first)) return ta_query_too_large(op);
  } else {
    uint64_t columns = (c.in_w > 0 ? c.in_w - 1 : 0) * c.stride_w + ta_max_u64(c.filter_w, c.stride_h);
    status = product(op, &first, columns, c.out_channels, ta_max_u64(c.filter_h, c.stride_h));
    if (status) return status;
    if (!ta_mul(4, first, &first)) return ta_query_too_large(op);
  }
  status = ta_query_request(op, to, first, 1);
  return status ? status : ta_query_request(op, to, second, 1);
}

/* Whether the kernel treats the input as many rows: output of more than 2 dimensions, depth a multiple of 4,
 * one scale. */
static ta_status many_rows(const ta_query *op, bool *out) {
  uint64_t depth = 0;
  const ta_tensor *filter = NULL;
  const ta_shape *output = NULL;
  ta_status status = ta_query_dim(op, INPUT(1), -1, &depth);
  if (!status) status = ta_query_require(op, INPUT(1), &filter, NULL);
  if (!status) status = ta_query_require(op, OUTPUT(0), NULL, &output);
  if (!status) *out = output->dims.n > 2 && depth % 4 == 0 && filter->scales == 1;
  return status;
}

static bool absent_or_constant(const ta_tensor *tensor) {
  return !tensor || tensor->has_data;
}

/* MVE, INT8 input: whether the sums of the filter are kept, and whether for good. */
static ta_status filter_sums(const ta_query *op, bool *kept, bool *for_good) {
  bool rows = false;
  ta_status status = many_rows(op, &rows);
  if (status) return status;
  const ta_tensor *filter = ta_query_tensor(op, INPUT(1));
  *kept = !rows && filter->dtype == TA_DTYPE_INT8;
  *for_good = *kept && filter->has_data && absent_or_constant(ta_query_tensor(op, INPUT(2)));
  return TA_OK;
}

ta_status ta_cmsis_fully_connected_prepare(const ta_query *op, ta_requests *to) {
  bool kept = false, for_good = false;
  uint64_t channels = 0;
  ta_status status = filter_sums(op, &kept, &for_good);
  if (!status) status = ta_query_dim(op, INPUT(1), 0, &channels);
  return status || !for_good ? status : ta_query_request_some(op, to, 4 * channels);
}

ta_status ta_cmsis_fully_connected_scratch(const ta_query *op, ta_requests *to) {
  bool rows = false, kept = false, for_good = false;
  uint64_t channels = 0;
  ta_status status = many_rows(op, &rows);
  if (!status) status = filter_sums(op, &kept, &for_good);
  if (!status) status = ta_query_dim(op, INPUT(1), 0, &channels);
  if (status) return status;
  if (rows) return ta_query_request_some(op, to, 8 * channels);
  return has_mve(op) && kept && !for_good ? ta_query_request_some(op, to, 4 * channels) : TA_OK;
}

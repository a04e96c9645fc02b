/* Operators whose outputs each see a window of rows: convolutions, pools, and transposed convolutions. */
#include "check/same.h"
#include "check/same_cut.h"
#include "graph/dtype.h"
#include "model/schema.h"

enum { SAME = 0, VALID = 1 };

/* In the options of all of these operators. */
enum { PADDING = TA_CONV_PADDING, STRIDE = TA_CONV_STRIDE_W };

#define ALIKE(table) ((int)TA_##table##_PADDING == (int)PADDING && (int)TA_##table##_STRIDE_W == (int)STRIDE)
_Static_assert(ALIKE(DEPTHWISE) && ALIKE(POOL) && ALIKE(TRANSPOSE_CONV),
               "one slot for the padding, one for the stride");

static const int64_t longest = INT64_C(1) << 20; /* strides, dilations */

/* How an operator's windows lie on one axis. */
typedef struct window {
  int64_t stride, reach; /* reach: rows from the first that a window sees to behind the last */
} window;

static int64_t ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b > 0);
}
static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* Outputs, and rows of padding before the first, that an operator has on `rows` rows. */
static bool lay(const window *w, int64_t rows, int padding, int64_t *outputs, int64_t *before) {
  *before = 0;
  if (padding == VALID) {
    *outputs = rows < w->reach ? 0 : (rows - w->reach) / w->stride + 1;
    return *outputs > 0;
  }
  *outputs = (rows + w->stride - 1) / w->stride;
  int64_t total = (*outputs - 1) * w->stride + w->reach - rows;
  if (total > 0) *before = total / 2;
  return padding == SAME;
}

/* What the windows of output rows see is right where what they see of the new tensor is valid, and what they
 * see outside of it is, in the old tensor, outside of `filled`: then both take it for nothing. */
static bool slide(ta_same_cut *cut, uint32_t axis, const window *w, const ta_meaning *in, ta_span filled,
                  int padding, int old_padding) {
  const ta_tensor *old_in = ta_cut_old_tensor(cut, in->tensor);
  int64_t outputs, before, old_outputs, old_before;
  ta_span held = in->held[axis], valid = in->valid[axis];
  if (!lay(w, held.to - held.from, padding, &outputs, &before) ||
      !lay(w, ta_axis_extent(old_in, axis), old_padding, &old_outputs, &old_before) ||
      old_outputs != cut->whole.held[axis].to)
    return ta_cut_differs(cut, axis, "the windows do not fit into the rows");
  int64_t offset = held.from + old_before - before;
  if (offset % w->stride != 0)
    return ta_cut_differs(cut, axis, "its strides begin between those of the old operator");
  offset /= w->stride;
  ta_span out = {offset, offset + outputs};
  cut->out.held[axis] = out;
  if (valid.from != held.from || held.from > filled.from)
    out.from = ceil_div(valid.from + old_before, w->stride);
  if (valid.to != held.to || held.to < filled.to)
    out.to = floor_div(valid.to + old_before - w->reach, w->stride) + 1;
  cut->out.valid[axis] = ta_meet(out, cut->out.held[axis]);
  return true;
}

/* Floats that are not finite are not undone by a zero. */
static bool may_skip_zeros(ta_same_cut *cut, uint32_t filter) {
  const ta_tensor *t = ta_cut_old_tensor(cut, filter);
  if (t->dtype != TA_DTYPE_FLOAT32 || (t->is_constant && ta_is_finite(cut->proof, filter))) return true;
  return ta_cut_differs(cut, 0, "its weights are not known to be finite, so that padding counts");
}

/* A float input with an integer filter is quantized by all of its rows. */
static bool has_types(ta_same_cut *cut, const ta_tensor *in, const ta_tensor *filter) {
  uint8_t i = in->dtype, f = filter->dtype;
  bool known = (i == TA_DTYPE_FLOAT32 && f == TA_DTYPE_FLOAT32) ||
               (i == TA_DTYPE_INT8 && (f == TA_DTYPE_INT8 || f == TA_DTYPE_INT4)) ||
               (i == TA_DTYPE_UINT8 && f == TA_DTYPE_UINT8) || (i == TA_DTYPE_INT16 && f == TA_DTYPE_INT8);
  const ta_tensor *out = ta_cut_old_tensor(cut, cut->whole.tensor);
  if (known && out->dtype == i && !filter->sparse) return true;
  return ta_cut_differs(cut, 0, "an operator of these types may look at more than its rows");
}

/* `dilation_slot` (0: none) is that of x; that of y follows, as with strides. */
static bool read_window(ta_same_cut *cut, uint32_t axis, uint32_t dilation_slot, int64_t filter, window *w) {
  int64_t stride = ta_flat_i32(&cut->old_options, STRIDE + 1 - axis, 0);
  int64_t dilation = dilation_slot ? ta_flat_i32(&cut->old_options, dilation_slot + 1 - axis, 1) : 1;
  *w = (window){stride, (filter - 1) * dilation + 1};
  if (stride < 1 || stride > longest || dilation < 1 || dilation > longest || filter < 1)
    return ta_cut_differs(cut, axis, "its strides or dilations are out of their range");
  return true;
}

bool ta_cut_convolution(ta_same_cut *cut) {
  ta_meaning in;
  bool depthwise = cut->node->op == TA_OP_DEPTHWISE_CONV_2D;
  if (!ta_cut_options(cut, 1U << PADDING) || cut->node->inputs.n < 2 || !ta_cut_input(cut, 0, &in))
    return false;
  for (uint32_t i = 1; i < cut->node->inputs.n; i++) {
    if (!ta_cut_operand(cut, i)) return false;
  }
  if (cut->old->inputs.at[1] < 0) return false;
  uint32_t filter = (uint32_t)cut->old->inputs.at[1];
  const ta_tensor *weights = ta_cut_old_tensor(cut, filter);
  if (weights->shape.n != 4 || !has_types(cut, ta_cut_old_tensor(cut, in.tensor), weights) ||
      !may_skip_zeros(cut, filter))
    return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    window w;
    if (!read_window(cut, axis, depthwise ? TA_DEPTHWISE_DILATION_W : TA_CONV_DILATION_W,
                     weights->shape.at[1 + axis], &w) ||
        !slide(cut, axis, &w, &in, cut->proof->old[in.tensor].filled[axis],
               ta_flat_u8(&cut->options, PADDING, 0), ta_flat_u8(&cut->old_options, PADDING, 0)))
      return false;
  }
  return true;
}

bool ta_cut_pool(ta_same_cut *cut) {
  ta_meaning in;
  if (!ta_cut_options(cut, 1U << PADDING) || !ta_cut_input(cut, 0, &in)) return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    /* A pool leaves padding out, but counts the zeros that a PAD has put there. */
    ta_span inside = {0, ta_axis_extent(ta_cut_old_tensor(cut, in.tensor), axis)};
    in.valid[axis] = ta_meet(in.valid[axis], inside);
    window w;
    if (!read_window(cut, axis, 0, ta_flat_i32(&cut->old_options, TA_POOL_FILTER_W + 1 - axis, 0), &w) ||
        !slide(cut, axis, &w, &in, inside, ta_flat_u8(&cut->options, PADDING, 0),
               ta_flat_u8(&cut->old_options, PADDING, 0)))
      return false;
  }
  return true;
}

/* Rows of padding that a transposed convolution leaves out before the first of its `outputs`. */
static bool lay_transposed(const window *w, int64_t rows, int64_t outputs, int padding, int64_t *before) {
  *before = 0;
  if (padding == VALID) return w->reach >= w->stride && outputs == (rows - 1) * w->stride + w->reach;
  int64_t total = w->reach - w->stride;
  if (total > 0) *before = total / 2;
  return padding == SAME && outputs == rows * w->stride;
}

/* Input row i adds to output rows i * stride - before up to reach of them. An output row is right when every
 * input row that adds to it is held and valid, or zero in the old tensor. */
static bool spread(ta_same_cut *cut, uint32_t axis, const window *w, const ta_meaning *in) {
  int64_t before, old_before;
  const ta_tensor *to = &cut->proof->new_side.graph->tensors[cut->node->outputs.at[0]];
  ta_span held = in->held[axis], valid = in->valid[axis], filled = cut->proof->old[in->tensor].filled[axis];
  int64_t outputs = ta_axis_extent(to, axis);
  if (!lay_transposed(w, held.to - held.from, outputs, ta_flat_u8(&cut->options, PADDING, 0), &before) ||
      !lay_transposed(w, ta_axis_extent(ta_cut_old_tensor(cut, in->tensor), axis), cut->whole.held[axis].to,
                      ta_flat_u8(&cut->old_options, PADDING, 0), &old_before))
    return ta_cut_differs(cut, axis, "its output has not the size that its rows make");
  int64_t offset = held.from * w->stride - old_before + before;
  ta_span out = {offset, offset + outputs};
  cut->out.held[axis] = out;
  if (valid.from != held.from || held.from > filled.from)
    out.from = (valid.from - 1) * w->stride + w->reach - old_before;
  if (valid.to != held.to || held.to < filled.to) out.to = valid.to * w->stride - old_before;
  cut->out.valid[axis] = ta_meet(out, cut->out.held[axis]);
  return true;
}

bool ta_cut_transposed(ta_same_cut *cut) {
  enum { SHAPE = 0, FILTER = 1, INPUT = 2, RANK = 4 };
  ta_meaning in;
  int64_t shape[RANK];
  if (!ta_cut_options(cut, 1U << PADDING) || cut->node->inputs.n < 3 || !ta_cut_input(cut, INPUT, &in))
    return false;
  for (uint32_t i = FILTER; i < cut->node->inputs.n; i++) {
    if (i != INPUT && !ta_cut_operand(cut, i)) return false;
  }
  const ta_tensor *to = &cut->proof->new_side.graph->tensors[cut->node->outputs.at[0]];
  bool stated =
      ta_constant_ints(&cut->proof->new_side, cut->node->inputs.at[SHAPE], RANK, shape) && ta_can_cut(to);
  for (uint32_t d = 0; stated && d < RANK; d++) stated = shape[d] == to->shape.at[d];
  if (!stated) return ta_cut_differs(cut, 0, "its output_shape is not the shape of its output");
  if (cut->old->inputs.at[FILTER] < 0) return false;
  uint32_t filter = (uint32_t)cut->old->inputs.at[FILTER];
  const ta_tensor *weights = ta_cut_old_tensor(cut, filter), *from = ta_cut_old_tensor(cut, in.tensor);
  if (weights->shape.n != RANK || !has_types(cut, from, weights) || !may_skip_zeros(cut, filter))
    return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    window w;
    if (!read_window(cut, axis, 0, weights->shape.at[1 + axis], &w) || !spread(cut, axis, &w, &in))
      return false;
  }
  /* CMSIS-NN's result depends on where in the tensor a pixel lies. */
  cut->reference_only = from->dtype == TA_DTYPE_INT8;
  return true;
}

/* An operator of the old graph on some of its rows: which operators can be, and what comes out. */
#include "check/same_cut.h"

#include "graph/dtype.h"
#include "graph/ops.h"
#include "model/schema.h"

enum { RANK = 4 };

bool ta_cut_differs(ta_same_cut *cut, uint32_t axis, const char *what) {
  (void)axis;
  return ta_differ(cut->proof, TA_OTHER_ROWS, "%s", what);
}

const ta_tensor *ta_cut_old_tensor(const ta_same_cut *cut, uint32_t tensor) {
  return &cut->proof->old_side.graph->tensors[tensor];
}

bool ta_cut_options(ta_same_cut *cut, uint32_t but) {
  if (ta_same_options(cut->proof, &cut->proof->new_side, cut->node, cut->old, but)) return true;
  return ta_differ(cut->proof, TA_OTHER_OPTIONS, "its options are others");
}

bool ta_cut_operand(ta_same_cut *cut, uint32_t i) {
  if (ta_same_operand(cut->proof, &cut->proof->new_side, cut->node->inputs.at[i], cut->old->inputs.at[i]))
    return true;
  return ta_differ(cut->proof, TA_OTHER_CONSTANT, "its input %u is not that of the old operator", i);
}

bool ta_cut_input(ta_same_cut *cut, uint32_t i, ta_meaning *in) {
  int32_t tensor = cut->node->inputs.at[i], old = cut->old->inputs.at[i];
  const ta_side *side = &cut->proof->new_side;
  if (old < 0 || tensor < 0) return false;
  const ta_tensor *t = ta_cut_old_tensor(cut, (uint32_t)old);
  if (ta_is_value(t) || t->is_variable) {
    *in = ta_whole_meaning(cut->proof, (uint32_t)old);
    return ta_cut_operand(cut, i);
  }
  if (ta_meaning_as(cut->proof, side, tensor, (uint32_t)old, in)) return true;
  return ta_differ(cut->proof, TA_OTHER_INPUT, "its input %u, tensor %u, holds nothing of tensor %u%M", i,
                   (uint32_t)tensor, (uint32_t)old, &t->name);
}

/* Moves a span of the output in from both ends. */
static void set(ta_same_cut *cut, uint32_t axis, ta_span held, ta_span valid) {
  cut->out.held[axis] = held;
  cut->out.valid[axis] = ta_meet(valid, held);
}

/* ---- one output row for one input row ---- */

/* An axis of an input: along with the output's, or the same for all of it. */
static int64_t aligned_extent(const ta_tensor *tensor, uint32_t axis) {
  uint32_t from_right = RANK - 1 - axis;
  return tensor->shape.n < from_right ? 1 : tensor->shape.at[tensor->shape.n - from_right];
}

static bool cut_elementwise(ta_same_cut *cut) {
  if (!ta_cut_options(cut, 0) || cut->node->inputs.n == 0) return false;
  bool begun[TA_AXES] = {false, false};
  for (uint32_t axis = 0; axis < TA_AXES; axis++) cut->out.valid[axis] = cut->whole.held[axis];
  for (uint32_t i = 0; i < cut->node->inputs.n; i++) {
    ta_meaning in;
    if (!ta_cut_input(cut, i, &in)) return false;
    const ta_tensor *t = ta_cut_old_tensor(cut, in.tensor);
    for (uint32_t axis = 0; axis < TA_AXES; axis++) {
      int64_t extent = cut->whole.held[axis].to;
      if (aligned_extent(t, axis) != extent) {
        const ta_span one = {0, 1};
        if (aligned_extent(t, axis) == 1 && ta_span_equal(in.held[axis], one) &&
            ta_span_equal(in.valid[axis], one))
          continue;
        return ta_cut_differs(cut, axis, "an input that is the same for every row is not there whole");
      }
      if (!ta_can_cut(t)) in.held[axis] = in.valid[axis] = (ta_span){0, extent};
      if (begun[axis] && !ta_span_equal(cut->out.held[axis], in.held[axis]))
        return ta_cut_differs(cut, axis, "its inputs hold different rows");
      begun[axis] = true;
      set(cut, axis, in.held[axis], ta_meet(cut->out.valid[axis], in.valid[axis]));
    }
  }
  return begun[0] && begun[1];
}

static bool cut_concatenation(ta_same_cut *cut) {
  enum { CHANNELS = 3 };
  if (!ta_cut_options(cut, 0) || cut->node->inputs.n == 0) return false;
  int32_t along = ta_flat_i32(&cut->old_options, TA_CONCATENATION_AXIS, 0);
  if (along < 0) along += RANK;
  if (ta_flat_u8(&cut->old_options, TA_CONCATENATION_ACTIVATION, 0) != 0 || along < 1 || along > CHANNELS)
    return ta_cut_differs(cut, 0, "a CONCATENATION along batches, or with an activation, cannot be cut");
  for (uint32_t axis = 0; axis < TA_AXES; axis++) cut->out.valid[axis] = cut->whole.held[axis];
  for (uint32_t i = 0; i < cut->node->inputs.n; i++) {
    ta_meaning in;
    if (!ta_cut_input(cut, i, &in)) return false;
    for (uint32_t axis = 0; axis < TA_AXES; axis++) {
      ta_span all = {0, ta_axis_extent(ta_cut_old_tensor(cut, in.tensor), axis)};
      if (along == (int32_t)axis + 1) {
        if (!ta_span_equal(in.held[axis], all) || !ta_span_equal(in.valid[axis], all))
          return ta_cut_differs(cut, axis, "an input that it puts another behind is not there whole");
        cut->out.held[axis] = cut->whole.held[axis];
        continue;
      }
      if (i > 0 && !ta_span_equal(cut->out.held[axis], in.held[axis]))
        return ta_cut_differs(cut, axis, "its inputs hold different rows");
      set(cut, axis, in.held[axis], ta_meet(cut->out.valid[axis], in.valid[axis]));
    }
  }
  return true;
}

/* ---- rows that are multiplied or divided ---- */

static bool cut_resize(ta_same_cut *cut) {
  enum { LARGEST = 8 };
  bool nearest = cut->node->op == TA_OP_RESIZE_NEAREST_NEIGHBOR;
  ta_meaning in;
  int64_t size[TA_AXES];
  if (!ta_cut_options(cut, 0) || cut->node->inputs.n != 2 || !ta_cut_input(cut, 0, &in)) return false;
  if (ta_flat_u8(&cut->old_options,
                 nearest ? TA_RESIZE_NEAREST_ALIGN_CORNERS : TA_RESIZE_BILINEAR_ALIGN_CORNERS, 0) != 0)
    return ta_cut_differs(cut, 0, "a resizing that aligns corners looks at the whole size");
  if (!ta_constant_ints(&cut->proof->new_side, cut->node->inputs.at[1], TA_AXES, size))
    return ta_cut_differs(cut, 0, "its size is no constant");
  bool centers = ta_flat_u8(&cut->old_options,
                            nearest ? TA_RESIZE_NEAREST_HALF_PIXEL : TA_RESIZE_BILINEAR_HALF_PIXEL, 0) != 0;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    int64_t rows = ta_axis_extent(ta_cut_old_tensor(cut, in.tensor), axis),
            outputs = cut->whole.held[axis].to;
    int64_t f = outputs / rows;
    ta_span held = in.held[axis], valid = ta_meet(in.valid[axis], (ta_span){0, rows});
    if (f * rows != outputs || f < 1 || f > LARGEST || (f & (f - 1)) != 0)
      return ta_cut_differs(cut, axis, "only resizings by 1, 2, 4 and 8 treat every row alike");
    if (size[axis] != (held.to - held.from) * f)
      return ta_cut_differs(cut, axis, "its size is not its rows times the factor");
    ta_span out = {valid.from * f, valid.to * f};
    /* Between two rows: behind a row that is there, and before one that is, unless the old tensor ends too.
     */
    if (!nearest && f > 1) {
      int64_t half = centers ? f / 2 : 0;
      bool first = valid.from == 0 && held.from == 0, last = valid.to == rows && held.to == rows;
      if (!first) out.from += half;
      if (!last) out.to += half - f;
    }
    set(cut, axis, (ta_span){held.from * f, held.to * f}, out);
  }
  return true;
}

static bool read_block(ta_same_cut *cut, ta_meaning *in, int64_t *block) {
  enum { LARGEST = 1 << 20 };
  if (!ta_cut_options(cut, 0) || !ta_cut_input(cut, 0, in)) return false;
  *block = ta_flat_i32(&cut->old_options, TA_BLOCK_SIZE, 0);
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    in->valid[axis] =
        ta_meet(in->valid[axis], (ta_span){0, ta_axis_extent(ta_cut_old_tensor(cut, in->tensor), axis)});
  return *block >= 1 && *block <= LARGEST;
}

static bool cut_space_to_depth(ta_same_cut *cut) {
  ta_meaning in;
  int64_t block;
  if (!read_block(cut, &in, &block)) return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    ta_span held = in.held[axis], valid = in.valid[axis];
    if (held.from % block != 0 || held.to % block != 0)
      return ta_cut_differs(cut, axis, "its blocks begin between those of the old operator");
    set(cut, axis, (ta_span){held.from / block, held.to / block},
        (ta_span){(valid.from + block - 1) / block, valid.to / block});
  }
  return true;
}

static bool cut_depth_to_space(ta_same_cut *cut) {
  ta_meaning in;
  int64_t block;
  if (!read_block(cut, &in, &block)) return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    set(cut, axis, (ta_span){in.held[axis].from * block, in.held[axis].to * block},
        (ta_span){in.valid[axis].from * block, in.valid[axis].to * block});
  return true;
}

/* ---- the model's own padding ---- */

/* What it puts before the first row is right only where that is the old tensor's first, and no more than
 * there. */
static bool cut_pad(ta_same_cut *cut) {
  enum { BATCH = 0, CHANNELS = 3 };
  int64_t paddings[2 * RANK], old_paddings[2 * RANK];
  ta_meaning in;
  if (!ta_cut_options(cut, 0) || !ta_cut_input(cut, 0, &in)) return false;
  for (uint32_t i = 2; i < cut->node->inputs.n; i++) {
    if (!ta_cut_operand(cut, i)) return false;
  }
  if (!ta_paddings(&cut->proof->new_side, cut->node, paddings) ||
      !ta_paddings(&cut->proof->old_side, cut->old, old_paddings))
    return ta_cut_differs(cut, 0, "its paddings are no constant");
  for (uint32_t i = 0; i < 2 * RANK; i++) {
    if ((i / 2 == BATCH || i / 2 == CHANNELS) && paddings[i] != old_paddings[i])
      return ta_cut_differs(cut, 0, "it pads batches or channels in another way");
  }
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    int64_t before = paddings[2 * (axis + 1)], after = paddings[2 * (axis + 1) + 1];
    int64_t shift = old_paddings[2 * (axis + 1)];
    ta_span all = {0, ta_axis_extent(ta_cut_old_tensor(cut, in.tensor), axis)}, held = in.held[axis];
    ta_span valid = ta_meet(in.valid[axis], all);
    bool first = held.from == 0 && valid.from == 0, last = held.to == all.to && valid.to == all.to;
    ta_span out = {valid.from + shift, valid.to + shift};
    if (first) out.from -= before;
    if (last) out.to += after;
    set(cut, axis, (ta_span){held.from + shift - before, held.to + shift + after}, out);
  }
  return true;
}

/* ---- which rule ---- */

static ta_cut_rule *rule_of(uint32_t op) {
  switch (op) {
  case TA_OP_CONV_2D:
  case TA_OP_DEPTHWISE_CONV_2D:
    return ta_cut_convolution;
  case TA_OP_AVERAGE_POOL_2D:
  case TA_OP_MAX_POOL_2D:
    return ta_cut_pool;
  case TA_OP_TRANSPOSE_CONV:
    return ta_cut_transposed;
  case TA_OP_PAD:
  case TA_OP_PADV2:
    return cut_pad;
  case TA_OP_CONCATENATION:
    return cut_concatenation;
  case TA_OP_RESIZE_NEAREST_NEIGHBOR:
  case TA_OP_RESIZE_BILINEAR:
    return cut_resize;
  case TA_OP_SPACE_TO_DEPTH:
    return cut_space_to_depth;
  case TA_OP_DEPTH_TO_SPACE:
    return cut_depth_to_space;
  case TA_OP_ADD:
  case TA_OP_SUB:
  case TA_OP_MUL:
  case TA_OP_DIV:
  case TA_OP_MAXIMUM:
  case TA_OP_MINIMUM:
  case TA_OP_SQUARED_DIFFERENCE:
  case TA_OP_PRELU:
  case TA_OP_RELU:
  case TA_OP_RELU6:
  case TA_OP_RELU_N1_TO_1:
  case TA_OP_LEAKY_RELU:
  case TA_OP_LOGISTIC:
  case TA_OP_TANH:
  case TA_OP_HARD_SWISH:
  case TA_OP_ELU:
  case TA_OP_ABS:
  case TA_OP_NEG:
  case TA_OP_SQRT:
  case TA_OP_RSQRT:
  case TA_OP_SQUARE:
  case TA_OP_EXP:
  case TA_OP_LOG:
  case TA_OP_SIN:
  case TA_OP_COS:
  case TA_OP_FLOOR:
  case TA_OP_CEIL:
  case TA_OP_ROUND:
  case TA_OP_QUANTIZE:
  case TA_OP_DEQUANTIZE:
    return cut_elementwise;
  default:
    return NULL;
  }
}

/* What is not inside the old tensor is not one of its rows. */
static void stay_inside(ta_same_cut *cut) {
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    cut->out.valid[axis] = ta_meet(cut->out.valid[axis], cut->whole.held[axis]);
  if (!ta_is_empty(&cut->out)) return;
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    cut->out.valid[axis] = (ta_span){cut->out.held[axis].from, cut->out.held[axis].from};
}

bool ta_explain_cut(ta_proof *proof, const ta_node *node, const ta_node *old) {
  ta_cut_rule *rule = rule_of(node->op);
  if (!rule || node->op != old->op || node->version != old->version) return false;
  if (node->inputs.n != old->inputs.n || node->outputs.n != 1 || old->outputs.n != 1) return false;
  uint32_t output = proof->old[old->outputs.at[0]].equal;
  if (!ta_can_cut(&proof->old_side.graph->tensors[output])) return false;
  ta_same_cut cut = {.proof = proof, .node = node, .old = old};
  cut.whole = ta_whole_meaning(proof, output);
  cut.out = cut.whole;
  ta_flat_init(&cut.flat, proof->new_side.model->file, NULL);
  ta_flat_init(&cut.old_flat, proof->old_side.model->file, NULL);
  cut.options = (ta_flat_table){&cut.flat, 0, 0, 0};
  cut.old_options = (ta_flat_table){&cut.old_flat, 0, 0, 0};
  if (node->options) ta_flat_table_at(&cut.flat, node->options, &cut.options);
  if (old->options) ta_flat_table_at(&cut.old_flat, old->options, &cut.old_options);
  if (!rule(&cut) || cut.flat.status || cut.old_flat.status) return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    if (cut.out.held[axis].from >= cut.out.held[axis].to)
      return ta_cut_differs(&cut, axis, "it makes nothing");
  }
  stay_inside(&cut);
  if (!ta_give_meaning(proof, &proof->new_side, (uint32_t)node->outputs.at[0], &cut.out)) return false;
  if (cut.reference_only) proof->out->reference_only = 1;
  return true;
}

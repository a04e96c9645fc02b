/* SLICE, PAD and CONCATENATION, where they only move rows and columns. */
#include "check/same.h"
#include "graph/dtype.h"
#include "model/flatbuf.h"
#include "model/schema.h"

enum { RANK = 4, BATCH = 0, CHANNELS = 3 };

static const int64_t most_padding = INT64_C(1) << 31;

bool ta_paddings(const ta_side *side, const ta_node *node, int64_t out[8]) {
  if (node->inputs.n < 2 || !ta_constant_ints(side, node->inputs.at[1], 2 * RANK, out)) return false;
  for (uint32_t i = 0; i < 2 * RANK; i++) {
    if (out[i] < 0 || out[i] > most_padding) return false;
  }
  return true;
}

/* What a SLICE takes of a tensor: rows and columns only. */
static bool slice_spans(const ta_side *side, const ta_node *node, ta_span spans[TA_AXES]) {
  int64_t begin[RANK], size[RANK];
  if (node->inputs.n != 3 || node->outputs.n != 1 || node->inputs.at[0] < 0) return false;
  const ta_tensor *from = &side->graph->tensors[node->inputs.at[0]];
  if (!ta_can_cut(from) || !ta_constant_ints(side, node->inputs.at[1], RANK, begin) ||
      !ta_constant_ints(side, node->inputs.at[2], RANK, size))
    return false;
  for (uint32_t d = 0; d < RANK; d++) {
    int64_t extent = from->shape.at[d];
    if (size[d] == -1) size[d] = extent - begin[d];
    if (begin[d] < 0 || begin[d] > extent || size[d] < 1 || size[d] > extent - begin[d]) return false;
    if ((d == BATCH || d == CHANNELS) && size[d] != extent) return false;
    if (d == BATCH || d == CHANNELS) continue;
    spans[d - 1] = (ta_span){begin[d], begin[d] + size[d]};
  }
  return true;
}

/* What a PAD puts around a tensor: rows and columns only. */
static bool pad_spans(const ta_side *side, const ta_node *node, ta_span spans[TA_AXES]) {
  int64_t paddings[2 * RANK];
  if (node->outputs.n != 1 || !ta_paddings(side, node, paddings) || node->inputs.at[0] < 0) return false;
  if (!ta_can_cut(&side->graph->tensors[node->inputs.at[0]])) return false;
  if (paddings[0] || paddings[1] || paddings[2 * CHANNELS] || paddings[2 * CHANNELS + 1]) return false;
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    spans[axis] = (ta_span){paddings[2 * (axis + 1)], paddings[2 * (axis + 1) + 1]};
  return true;
}

void ta_find_view(ta_proof *proof, const ta_node *node) {
  const ta_side *side = &proof->old_side;
  ta_span spans[TA_AXES];
  bool slice = node->op == TA_OP_SLICE, pad = node->op == TA_OP_PAD || node->op == TA_OP_PADV2;
  if (!(slice && slice_spans(side, node, spans)) && !(pad && pad_spans(side, node, spans))) return;
  uint32_t base = (uint32_t)node->inputs.at[0], view = (uint32_t)node->outputs.at[0];
  const ta_tensor *from = &side->graph->tensors[base], *to = &side->graph->tensors[view];
  if (ta_is_value(from) || from->is_variable || !ta_can_cut(to) || from->dtype != to->dtype) return;
  if (!ta_same_quantization(proof, side, view, base)) return;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    int64_t extent = slice ? spans[axis].to - spans[axis].from
                           : ta_axis_extent(from, axis) + spans[axis].from + spans[axis].to;
    if (ta_axis_extent(to, axis) != extent) return;
  }
  if (to->shape.at[BATCH] != from->shape.at[BATCH] || to->shape.at[CHANNELS] != from->shape.at[CHANNELS])
    return;
  ta_old *old = &proof->old[view];
  old->base = proof->old[base].equal;
  old->zero_padded = node->op == TA_OP_PAD && ta_has_plain_zero(side, view);
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    old->shift[axis] = slice ? -spans[axis].from : spans[axis].from;
    if (!old->zero_padded) continue;
    ta_span filled = proof->old[old->base].filled[axis];
    old->filled[axis] = (ta_span){filled.from + old->shift[axis], filled.to + old->shift[axis]};
  }
}

static bool explain_slice(ta_proof *proof, const ta_node *node) {
  const ta_side *side = &proof->new_side;
  ta_span spans[TA_AXES];
  if (!slice_spans(side, node, spans)) return false;
  bool known = false;
  for (uint32_t m = 0; m < TA_MEANINGS; m++) {
    ta_meaning meaning = side->meanings[node->inputs.at[0]][m];
    if (meaning.tensor == TA_NO_INDEX) break;
    for (uint32_t axis = 0; axis < TA_AXES; axis++) {
      int64_t from = meaning.held[axis].from;
      meaning.held[axis] = (ta_span){from + spans[axis].from, from + spans[axis].to};
      meaning.valid[axis] = ta_meet(meaning.valid[axis], meaning.held[axis]);
    }
    known |= ta_give_meaning(proof, side, (uint32_t)node->outputs.at[0], &meaning);
  }
  return known;
}

/* The zeros are right where the old tensor, too, has nothing but zeros from there on. */
static void pad_axis(const ta_proof *proof, ta_meaning *meaning, uint32_t axis, ta_span padding) {
  ta_span *held = &meaning->held[axis], *valid = &meaning->valid[axis];
  ta_span filled = proof->old[meaning->tensor].filled[axis];
  bool first = valid->from == held->from && held->from <= filled.from;
  bool last = valid->to == held->to && held->to >= filled.to;
  held->from -= padding.from;
  held->to += padding.to;
  if (first) valid->from = held->from;
  if (last) valid->to = held->to;
}

static bool explain_pad(ta_proof *proof, const ta_node *node) {
  const ta_side *side = &proof->new_side;
  ta_span spans[TA_AXES];
  if (node->op != TA_OP_PAD || !pad_spans(side, node, spans)) return false;
  if (!ta_has_plain_zero(side, (uint32_t)node->outputs.at[0])) return false;
  bool known = false;
  for (uint32_t m = 0; m < TA_MEANINGS; m++) {
    ta_meaning meaning = side->meanings[node->inputs.at[0]][m];
    if (meaning.tensor == TA_NO_INDEX) break;
    for (uint32_t axis = 0; axis < TA_AXES; axis++) pad_axis(proof, &meaning, axis, spans[axis]);
    known |= ta_give_meaning(proof, side, (uint32_t)node->outputs.at[0], &meaning);
  }
  return known;
}

/* Adds what lies behind on the axis. What is valid stays one block. */
static bool join(ta_meaning *all, const ta_meaning *next, uint32_t axis) {
  uint32_t across = 1 - axis;
  if (next->held[axis].from != all->held[axis].to) return false;
  if (!ta_span_equal(next->held[across], all->held[across])) return false;
  if (ta_is_empty(all)) {
    all->valid[0] = next->valid[0];
    all->valid[1] = next->valid[1];
  } else if (!ta_is_empty(next) && all->valid[axis].to == all->held[axis].to &&
             next->valid[axis].from == next->held[axis].from) {
    all->valid[axis].to = next->valid[axis].to;
    all->valid[across] = ta_meet(all->valid[across], next->valid[across]);
  }
  all->held[axis].to = next->held[axis].to;
  return true;
}

/* All inputs, one behind the other, as rows of one old tensor. */
static bool join_as(ta_proof *proof, const ta_node *node, uint32_t axis, uint32_t tensor) {
  const ta_side *side = &proof->new_side;
  ta_meaning all, next;
  if (!ta_can_cut(&proof->old_side.graph->tensors[tensor])) return false;
  if (!ta_meaning_as(proof, side, node->inputs.at[0], tensor, &all)) return false;
  for (uint32_t i = 1; i < node->inputs.n; i++) {
    if (!ta_spend(proof, 1) || !ta_meaning_as(proof, side, node->inputs.at[i], tensor, &next)) return false;
    if (join(&all, &next, axis)) continue;
    return ta_differ(proof, TA_OTHER_ROWS,
                     "its input %u does not go on where the one before it ends: %s %i to %i of tensor %u are "
                     "followed by %i to %i",
                     i, axis == 0 ? "rows" : "columns", (int32_t)all.held[axis].from,
                     (int32_t)all.held[axis].to - 1, tensor, (int32_t)next.held[axis].from,
                     (int32_t)next.held[axis].to - 1);
  }
  return ta_give_meaning(proof, side, (uint32_t)node->outputs.at[0], &all);
}

/* Where a strip shows rows of a tensor and of its padded copy alike, any of the inputs may be the one that
 * tells which is meant. */
static bool explain_concatenation(ta_proof *proof, const ta_node *node) {
  const ta_side *side = &proof->new_side;
  ta_flat flat;
  ta_flat_table options;
  ta_flat_init(&flat, side->model->file, NULL);
  if (node->outputs.n != 1 || node->options == 0) return false;
  if (!ta_flat_table_at(&flat, node->options, &options)) return false;
  int32_t dimension = ta_flat_i32(&options, TA_CONCATENATION_AXIS, 0);
  if (dimension < 0) dimension += RANK;
  if (ta_flat_u8(&options, TA_CONCATENATION_ACTIVATION, 0) != 0 || (dimension != 1 && dimension != 2))
    return false;
  uint32_t tried = TA_NO_INDEX;
  bool known = false;
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    for (uint32_t m = 0; node->inputs.at[i] >= 0 && m < TA_MEANINGS; m++) {
      uint32_t tensor = side->meanings[node->inputs.at[i]][m].tensor;
      if (tensor == TA_NO_INDEX || tensor == tried) continue;
      known |= join_as(proof, node, (uint32_t)dimension - 1, tensor);
      tried = tensor;
    }
  }
  return known;
}

bool ta_explain_move(ta_proof *proof, const ta_node *node) {
  switch (node->op) {
  case TA_OP_SLICE:
    return explain_slice(proof, node);
  case TA_OP_PAD:
    return explain_pad(proof, node);
  case TA_OP_CONCATENATION:
    return explain_concatenation(proof, node);
  default:
    return false;
  }
}

/* Meanings: what a tensor of the new graph shows of the old one. */
#include "base/num.h"
#include "check/same.h"
#include "graph/dtype.h"

enum { RANK = 4 };
enum { VIEWS_DEEP = 8 }; /* PADs and SLICEs one on the other */

static const int64_t farthest = INT64_C(1) << 40; /* rows; keeps every sum and product of them exact */

bool ta_can_cut(const ta_tensor *tensor) {
  if (tensor->shape.n != RANK || tensor->unknown_size) return false;
  for (uint32_t d = 0; d < RANK; d++) {
    if (tensor->shape.at[d] <= 0) return false;
  }
  /* Converters leave the batch open in nearly every model: that of the file's shape is meant. */
  for (uint32_t d = 1; d < tensor->signature.n; d++) {
    if (tensor->signature.at[d] < 0) return false;
  }
  return true;
}

int64_t ta_axis_extent(const ta_tensor *tensor, uint32_t axis) {
  return ta_can_cut(tensor) ? tensor->shape.at[1 + axis] : 1;
}

ta_span ta_meet(ta_span a, ta_span b) {
  ta_span both = {a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to};
  return both.from < both.to ? both : (ta_span){both.from, both.from};
}

bool ta_span_equal(ta_span a, ta_span b) {
  return a.from == b.from && a.to == b.to;
}

bool ta_is_empty(const ta_meaning *meaning) {
  return meaning->valid[0].from >= meaning->valid[0].to || meaning->valid[1].from >= meaning->valid[1].to;
}

ta_meaning ta_whole_meaning(const ta_proof *proof, uint32_t old) {
  ta_meaning whole = {.tensor = old};
  for (uint32_t axis = 0; axis < TA_AXES; axis++)
    whole.held[axis] = whole.valid[axis] =
        (ta_span){0, ta_axis_extent(&proof->old_side.graph->tensors[old], axis)};
  return whole;
}

bool ta_is_whole(const ta_proof *proof, const ta_meaning *meaning) {
  ta_meaning whole = ta_whole_meaning(proof, meaning->tensor);
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    if (!ta_span_equal(meaning->held[axis], whole.held[axis])) return false;
    if (!ta_span_equal(meaning->valid[axis], whole.held[axis])) return false;
  }
  return true;
}

/* The same rows, seen as rows of a tensor that shows its base. */
static void see_as(const ta_proof *proof, ta_meaning *meaning, uint32_t view) {
  const ta_old *old = &proof->old[view];
  const ta_tensor *tensors = proof->old_side.graph->tensors;
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    ta_span *held = &meaning->held[axis], *valid = &meaning->valid[axis];
    int64_t shift = old->shift[axis];
    if (!old->zero_padded)
      *valid = ta_meet(*valid, (ta_span){0, ta_axis_extent(&tensors[meaning->tensor], axis)});
    *held = (ta_span){held->from + shift, held->to + shift};
    *valid = (ta_span){valid->from + shift, valid->to + shift};
    if (!old->zero_padded) *valid = ta_meet(*valid, (ta_span){0, ta_axis_extent(&tensors[view], axis)});
  }
  meaning->tensor = view;
}

bool ta_meaning_as(ta_proof *proof, const ta_side *side, int32_t tensor, uint32_t as, ta_meaning *out) {
  if (tensor < 0) return false;
  uint32_t path[VIEWS_DEEP + 1], n = 0;
  for (uint32_t at = proof->old[as].equal; at != TA_NO_INDEX && n <= VIEWS_DEEP; at = proof->old[at].base)
    path[n++] = at;
  for (uint32_t m = 0; m < TA_MEANINGS; m++) {
    *out = side->meanings[tensor][m];
    for (uint32_t i = 0; i < n && out->tensor != TA_NO_INDEX; i++) {
      if (path[i] != out->tensor) continue;
      while (i > 0) see_as(proof, out, path[--i]);
      return true;
    }
  }
  return false;
}

static bool is_one_meaning(const ta_meaning *a, const ta_meaning *b) {
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    if (!ta_span_equal(a->held[axis], b->held[axis]) || !ta_span_equal(a->valid[axis], b->valid[axis]))
      return false;
  }
  return a->tensor == b->tensor;
}

bool ta_give_meaning(ta_proof *proof, const ta_side *side, uint32_t tensor, const ta_meaning *meaning) {
  const ta_tensor *t = &side->graph->tensors[tensor];
  const ta_tensor *old = &proof->old_side.graph->tensors[meaning->tensor];
  if (t->dtype != old->dtype)
    return ta_differ(proof, TA_OTHER_ROWS, "its output, tensor %u, is not of the type of tensor %u%M", tensor,
                     meaning->tensor, &old->name);
  if (!ta_same_quantization(proof, side, tensor, meaning->tensor))
    return ta_differ(proof, TA_OTHER_ROWS, "its output, tensor %u, is not quantized as tensor %u%M", tensor,
                     meaning->tensor, &old->name);
  bool cuts = ta_can_cut(old), fits = t->shape.n == old->shape.n;
  for (uint32_t d = 0; fits && d < t->shape.n; d++) {
    bool axis = cuts && (d == 1 || d == 2);
    int64_t wanted = axis ? meaning->held[d - 1].to - meaning->held[d - 1].from : old->shape.at[d];
    fits = t->shape.at[d] == wanted;
  }
  /* A dimension may be left open where it was. */
  for (uint32_t d = 0; fits && d < t->signature.n; d++)
    fits = t->signature.at[d] == t->shape.at[d] ||
           (d < old->signature.n && t->signature.at[d] == old->signature.at[d]);
  for (uint32_t axis = 0; fits && axis < TA_AXES; axis++)
    fits = meaning->held[axis].from >= -farthest && meaning->held[axis].to <= farthest;
  if (!fits)
    return ta_differ(proof, TA_OTHER_ROWS,
                     "its output, tensor %u, has another shape than what it makes of tensor %u%M", tensor,
                     meaning->tensor, &old->name);
  for (uint32_t m = 0; m < TA_MEANINGS; m++) {
    ta_meaning *room = &side->meanings[tensor][m];
    if (room->tensor != TA_NO_INDEX && !is_one_meaning(room, meaning)) continue;
    *room = *meaning;
    break;
  }
  return true;
}

bool ta_is_value(const ta_tensor *tensor) {
  return tensor->is_constant || (tensor->bytes == 0 && !tensor->unknown_size && !tensor->is_variable);
}

uint32_t ta_varying_input(const ta_side *side, const ta_node *node) {
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    if (node->inputs.at[i] >= 0 && !ta_is_value(&side->graph->tensors[node->inputs.at[i]])) return i;
  }
  return TA_NO_INDEX;
}

/* A variable is the old one that stands where it stands, when both are met for the first time. */
static bool same_variable(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old) {
  ta_meaning *meaning = &side->meanings[tensor][0];
  if (meaning->tensor == TA_NO_INDEX && !proof->old[old].bound &&
      ta_same_constant(proof, side, tensor, old)) {
    *meaning = ta_whole_meaning(proof, old);
    proof->old[old].bound = true;
  }
  return meaning->tensor == old;
}

bool ta_same_operand(ta_proof *proof, const ta_side *side, int32_t tensor, int32_t old) {
  if (tensor < 0 || old < 0) return tensor < 0 && old < 0;
  const ta_tensor *a = &side->graph->tensors[tensor], *b = &proof->old_side.graph->tensors[old];
  if (ta_is_value(a) || ta_is_value(b))
    return ta_is_value(a) && ta_is_value(b) && ta_same_constant(proof, side, (uint32_t)tensor, (uint32_t)old);
  if (a->is_variable || b->is_variable)
    return a->is_variable && b->is_variable && same_variable(proof, side, (uint32_t)tensor, (uint32_t)old);
  ta_meaning meaning;
  return ta_meaning_as(proof, side, tensor, (uint32_t)old, &meaning) && ta_is_whole(proof, &meaning);
}

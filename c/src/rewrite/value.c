#include "rewrite/value.h"

#include "base/num.h"

/* ---- the base ---- */

static uint64_t bytes_of(const ta_valuer *v, int32_t reference) {
  if (ta_is_piece(reference))
    return ta_piece_bytes(v->costs->model, &v->scratch.pieces[reference - TA_DRAFT_PIECE]);
  return ta_is_file_tensor(reference) ? v->costs->tensor_bytes[reference] : 0;
}

static void make_lives(ta_valuer *v) {
  const ta_subgraph *subgraph = &v->costs->model->subgraphs[0];
  uint32_t n = v->base->n_ops;
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) v->first[t] = (int32_t)n;
  for (uint32_t k = 0; k < subgraph->inputs.n; k++)
    if (subgraph->inputs.at[k] >= 0) v->first[subgraph->inputs.at[k]] = -1;
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = 0; k < v->base->ops[i].n_outputs; k++) {
      int32_t t = ta_draft_outputs(v->base, i)[k];
      if (v->first[t] != -1) v->first[t] = (int32_t)i;
    }
  }
}

/* A tensor's last step: being made is one. */
static int32_t last_of(const ta_valuer *v, uint32_t t) {
  return ta_max_i32(v->emitter.last[t], v->first[t]);
}

/* Differences first, then their running sum. */
static void make_live(ta_valuer *v) {
  uint32_t n = v->base->n_ops;
  for (uint32_t t = 0; t < v->costs->model->subgraphs[0].n_tensors; t++) {
    if (v->first[t] == (int32_t)n) continue;
    uint32_t from = (uint32_t)ta_max_i32(v->first[t], 0);
    int32_t last = last_of(v, t);
    if (n == 0 || last < 0) continue;
    v->live[from] += v->costs->tensor_bytes[t];
    if (last < (int32_t)n - 1) v->live[last + 1] -= v->costs->tensor_bytes[t];
  }
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    sum += v->live[i];
    v->live[i] = sum + ta_draft_op_extra(v->costs, v->base, i);
    v->peak = ta_max_u64(v->peak, v->live[i]);
  }
}

bool ta_valuer_init(ta_valuer *v, const ta_costs *costs, const ta_draft *base, const ta_cut *cuts,
                    ta_region *region) {
  uint32_t n = costs->model->subgraphs[0].n_tensors;
  *v = (ta_valuer){.costs = costs,
                   .base = base,
                   .first = TA_TAKE(region, n, int32_t),
                   .live = TA_TAKE(region, base->n_ops, uint64_t),
                   .read_last = TA_TAKE(region, n, uint32_t)};
  if (!v->first || !v->live || !v->read_last || !ta_emitter_init(&v->emitter, base, cuts, region))
    return false;
  ta_draft_init(&v->scratch, costs->model, region);
  make_lives(v);
  make_live(v);
  return true;
}

/* ---- a window ---- */

static bool is_dying(const ta_valuer *v, int32_t t, uint32_t first, uint32_t last) {
  return v->first[t] < (int32_t)first && last_of(v, (uint32_t)t) >= (int32_t)first &&
         last_of(v, (uint32_t)t) <= (int32_t)last;
}

ta_around ta_value_around(const ta_valuer *v, uint32_t first, uint32_t last) {
  ta_around around = {0, 0};
  for (uint32_t t = 0; t < v->costs->model->subgraphs[0].n_tensors; t++) {
    if (v->first[t] < (int32_t)first && last_of(v, t) > (int32_t)last)
      around.through += v->costs->tensor_bytes[t];
    if (is_dying(v, (int32_t)t, first, last)) around.dying += v->costs->tensor_bytes[t];
  }
  return around;
}

static uint32_t *last_reader(ta_valuer *v, int32_t reference) {
  if (ta_is_piece(reference)) return &v->scratch.pieces[reference - TA_DRAFT_PIECE].last;
  return ta_is_file_tensor(reference) ? &v->read_last[reference] : NULL;
}

static void find_last_readers(ta_valuer *v) {
  for (uint32_t i = 0; i < v->scratch.n_ops; i++) {
    for (uint32_t k = 0; k < v->scratch.ops[i].n_inputs; k++) {
      uint32_t *last = last_reader(v, ta_draft_inputs(&v->scratch, i)[k]);
      if (last) *last = i;
    }
  }
}

/* What dies with operator i: pieces, and window inputs that nobody reads later. Each once. */
static uint64_t released(ta_valuer *v, uint32_t i, const ta_window_choice *choice) {
  uint64_t bytes = 0;
  for (uint32_t k = 0; k < v->scratch.ops[i].n_inputs; k++) {
    int32_t reference = ta_draft_inputs(&v->scratch, i)[k];
    uint32_t *last = last_reader(v, reference);
    if (!last || *last != i) continue;
    *last = TA_NO_INDEX;
    if (ta_is_piece(reference) || is_dying(v, reference, choice->first, choice->last))
      bytes += bytes_of(v, reference);
  }
  return bytes;
}

/* What the window took before it was cut. */
static void subtract_window(const ta_valuer *v, const ta_window_choice *choice, ta_value *out) {
  for (uint32_t i = choice->first; i <= choice->last; i++) {
    int32_t t = ta_draft_outputs(v->base, i)[0];
    bool vanishes = v->emitter.last[t] <= (int32_t)choice->last;
    out->tail -=
        (int64_t)(ta_draft_op_tail(v->costs, &v->base->ops[i]) + (vanishes ? v->costs->tensor_tail : 0));
    out->macs -= (int64_t)ta_draft_op_macs(v->costs, v->base, i);
  }
}

bool ta_value_window(ta_valuer *v, const ta_window_choice *choice, const ta_around *around, ta_value *out) {
  static const ta_draft_mark nothing;
  ta_draft_cut_back(&v->scratch, &nothing);
  *out = (ta_value){0};
  if (!ta_emit_window(&v->emitter, choice, &v->scratch)) return false;
  find_last_readers(v);
  uint64_t live = around->through + around->dying;
  for (uint32_t i = 0; i < v->scratch.n_ops; i++) {
    live += bytes_of(v, ta_draft_outputs(&v->scratch, i)[0]);
    out->peak = ta_max_u64(out->peak, live + ta_draft_op_extra(v->costs, &v->scratch, i));
    out->tail += (int64_t)ta_draft_op_tail(v->costs, &v->scratch.ops[i]);
    out->macs += (int64_t)ta_draft_op_macs(v->costs, &v->scratch, i);
    live -= released(v, i, choice);
  }
  out->ops = v->scratch.n_ops;
  out->tail += (int64_t)(v->costs->tensor_tail * ((uint64_t)v->scratch.n_pieces + v->scratch.n_constants));
  subtract_window(v, choice, out);
  return true;
}

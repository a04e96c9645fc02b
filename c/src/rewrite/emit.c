#include "rewrite/emit.h"

#include "base/num.h"
#include "rewrite/strip.h"

enum { ROWS = 1, MOST_JOINED = 10 /* inputs that TFLM's CONCATENATION takes */ };

bool ta_emitter_init(ta_emitter *e, const ta_draft *base, const ta_cut *cuts, ta_region *region) {
  const ta_subgraph *subgraph = &base->model->subgraphs[0];
  uint32_t n = subgraph->n_tensors;
  int32_t *last = TA_TAKE(region, n, int32_t), *producer = TA_TAKE(region, n, int32_t);
  *e = (ta_emitter){
      .base = base, .cuts = cuts, .held = TA_TAKE(region, n, ta_held), .last = last, .producer = producer};
  if (!last || !producer || !e->held) return false;
  for (uint32_t t = 0; t < n; t++) last[t] = producer[t] = -1;
  for (uint32_t i = 0; i < base->n_ops; i++) {
    for (uint32_t k = 0; k < base->ops[i].n_inputs; k++) {
      int32_t t = ta_draft_inputs(base, i)[k];
      if (t >= 0) last[t] = (int32_t)i;
    }
    for (uint32_t k = 0; k < base->ops[i].n_outputs; k++) {
      int32_t t = ta_draft_outputs(base, i)[k];
      if (t >= 0) producer[t] = (int32_t)i;
    }
  }
  for (uint32_t k = 0; k < subgraph->outputs.n; k++) last[subgraph->outputs.at[k]] = INT32_MAX;
  return true;
}

/* ---- windows ---- */

static const ta_tensor *tensor_of(const ta_emitter *e, int32_t t) {
  return &e->base->model->subgraphs[0].tensors[t];
}

static bool is_inside(const ta_emitter *e, uint32_t first, int32_t t, uint32_t before) {
  return e->producer[t] >= (int32_t)first && e->producer[t] < (int32_t)before;
}

/* What the operator reads whole is not made in the window, and nothing is joined along the cut. */
static bool fits(const ta_emitter *e, uint32_t first, uint32_t op, bool columns) {
  const ta_cut *cut = &e->cuts[op];
  const int32_t *inputs = ta_draft_inputs(e->base, op);
  if (cut->reach == TA_REACH_ALL || (columns && cut->joined == 1)) return false;
  for (uint32_t k = 0; k < e->base->ops[op].n_inputs; k++) {
    bool whole = k >= 32 || (cut->strips >> k & 1) == 0;
    if (inputs[k] >= 0 && whole && is_inside(e, first, inputs[k], op)) return false;
  }
  return true;
}

bool ta_window_read(ta_emitter *e, uint32_t first, uint32_t last, bool *columns, uint32_t *most_strips) {
  int32_t least[2] = {INT32_MAX, INT32_MAX}, tallest = 1;
  e->n_outputs = 0;
  if (last >= e->base->n_ops || first > last || last - first >= TA_WINDOW_MOST_OPS) return false;
  for (uint32_t i = first; i <= last; i++) {
    if (e->cuts[i].reach == TA_REACH_ALL) return false;
    int32_t t = ta_draft_outputs(e->base, i)[0];
    if (e->last[t] <= (int32_t)i) return false;
    if (e->last[t] <= (int32_t)last) continue;
    if (e->n_outputs == TA_WINDOW_MOST_OUTPUTS) return false;
    e->outputs[e->n_outputs++] = t;
    tallest = ta_max_i32(tallest, tensor_of(e, t)->shape.at[ROWS]);
    for (int a = 0; a < 2; a++) least[a] = ta_min_i32(least[a], tensor_of(e, t)->shape.at[ROWS + a]);
  }
  *columns = tallest == 1;
  *most_strips = (uint32_t)least[*columns];
  for (uint32_t i = first; i <= last; i++) {
    if (!fits(e, first, i, *columns)) return false;
  }
  return e->n_outputs > 0 && *most_strips >= 2;
}

/* ---- joining the parts ---- */

static int32_t least_length(const ta_emitter *e) {
  int32_t least = INT32_MAX;
  for (uint32_t k = 0; k < e->n_outputs; k++)
    least = ta_min_i32(least, tensor_of(e, e->outputs[k])->shape.at[ROWS + e->choice.columns]);
  return least;
}

static void join(ta_emitter *e, const int32_t *inputs, uint32_t n, int32_t output) {
  ta_draft_op op = {.node = TA_NO_INDEX,
                    .op = TA_OP_CONCATENATION,
                    .padding = TA_DRAFT_AS_WRITTEN,
                    .axis = ROWS + e->choice.columns};
  ta_draft_add(e->to, &op, inputs, n, &output, 1);
}

/* CONCATENATIONs of ten inputs: the first ten parts, that and nine more, ...; the last one makes the output.
 */
static void join_parts(ta_emitter *e, uint32_t which) {
  const int32_t *parts = e->parts[which];
  int32_t output = e->outputs[which], inputs[MOST_JOINED];
  const ta_tensor *whole = tensor_of(e, output);
  ta_range at[2] = {{0, whole->shape.at[ROWS]}, {0, whole->shape.at[ROWS + 1]}};
  uint32_t n = 0, done = 0, strips = e->choice.strips;
  int axis = e->choice.columns;
  while (!e->to->failed) {
    while (n < MOST_JOINED && done < strips) inputs[n++] = parts[done++];
    if (done == strips) break;
    at[axis].to = ta_cut_part(whole->shape.at[ROWS + axis], least_length(e), done - 1, strips).to;
    int32_t piece = ta_draft_add_piece(e->to, (uint32_t)output, at);
    join(e, inputs, n, piece);
    inputs[0] = piece;
    n = 1;
  }
  join(e, inputs, n, output);
}

/* ---- the window ---- */

/* What strip `k` is to give of each output. */
static void set_parts(ta_emitter *e, uint32_t k, ta_range parts[TA_WINDOW_MOST_OUTPUTS][2]) {
  int axis = e->choice.columns;
  for (uint32_t o = 0; o < e->n_outputs; o++) {
    const ta_tensor *tensor = tensor_of(e, e->outputs[o]);
    for (int a = 0; a < 2; a++) parts[o][a] = (ta_range){0, tensor->shape.at[ROWS + a]};
    parts[o][axis] = ta_cut_part(parts[o][axis].to, least_length(e), k, e->choice.strips);
  }
}

bool ta_emit_window(ta_emitter *e, const ta_window_choice *choice, ta_draft *to) {
  uint32_t most = 0;
  bool columns;
  ta_draft_mark mark = ta_draft_here(to);
  e->choice = *choice;
  e->to = to;
  if (!ta_window_read(e, choice->first, choice->last, &columns, &most)) return false;
  if (columns != choice->columns || choice->strips < 2 || choice->strips > most ||
      choice->strips > TA_WINDOW_MOST_STRIPS)
    return false;
  for (uint32_t k = 0; k < choice->strips; k++) {
    ta_range parts[TA_WINDOW_MOST_OUTPUTS][2];
    set_parts(e, k, parts);
    if (ta_emit_strip(e, k, parts) && !to->failed) continue;
    ta_draft_cut_back(to, &mark);
    return false;
  }
  for (uint32_t o = 0; o < e->n_outputs; o++) join_parts(e, o);
  return !to->failed;
}

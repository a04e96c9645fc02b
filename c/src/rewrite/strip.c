#include "rewrite/strip.h"

#include "base/num.h"

enum { ROWS = 1, CHANNELS = 3, MOST_RESTARTS = 24, MOST_GROWTH = 15, MOST_INPUTS = 32 };

typedef enum emitted { DONE, AGAIN, REFUSED } emitted;

/* ---- what is needed, backwards ---- */

static ta_range hull(ta_range a, ta_range b) {
  return (ta_range){ta_min_i32(a.from, b.from), ta_max_i32(a.to, b.to)};
}

static void need(ta_held *held, const ta_range range[2]) {
  for (int a = 0; a < 2; a++) held->need[a] = held->needed ? hull(held->need[a], range[a]) : range[a];
  held->needed = true;
}

static const ta_tensor *tensor_of(const ta_emitter *e, int32_t t) {
  return &e->base->model->subgraphs[0].tensors[t];
}

static bool is_strip(const ta_emitter *e, uint32_t op, uint32_t input) {
  return input < MOST_INPUTS && (e->cuts[op].strips >> input & 1) != 0;
}

static void need_inputs(ta_emitter *e, uint32_t op) {
  const ta_cut *cut = &e->cuts[op];
  const int32_t *inputs = ta_draft_inputs(e->base, op);
  const ta_held *out = &e->held[ta_draft_outputs(e->base, op)[0]];
  if (!out->needed) return;
  for (uint32_t k = 0; k < e->base->ops[op].n_inputs; k++) {
    if (!is_strip(e, op, k)) continue;
    ta_range range[2];
    for (int a = 0; a < 2; a++) {
      range[a] = ta_cut_need(cut, a, out->need[a]);
      if (cut->joined == a) range[a] = (ta_range){0, tensor_of(e, inputs[k])->shape.at[ROWS + a]};
    }
    need(&e->held[inputs[k]], range);
  }
}

/* Forgets the last strip, and works out what this one needs. */
static void start(ta_emitter *e, ta_range parts[TA_WINDOW_MOST_OUTPUTS][2]) {
  for (uint32_t i = e->choice.first; i <= e->choice.last; i++) {
    e->held[ta_draft_outputs(e->base, i)[0]] = (ta_held){.reference = -1, .slice_point = -1};
    for (uint32_t k = 0; k < e->base->ops[i].n_inputs; k++) {
      if (is_strip(e, i, k))
        e->held[ta_draft_inputs(e->base, i)[k]] = (ta_held){.reference = -1, .slice_point = -1};
    }
  }
  for (uint32_t o = 0; o < e->n_outputs; o++) need(&e->held[e->outputs[o]], parts[o]);
  for (uint32_t i = e->choice.last + 1; i-- > e->choice.first;) need_inputs(e, i);
}

/* ---- slices ---- */

/* The pair number `grown` of (0,0), (0,1), (1,0), (0,2), (1,1), (2,0), ...: by sum, then by the first. */
static ta_range growth(uint32_t grown) {
  int32_t sum = 0, top = (int32_t)grown;
  while (top > sum) top -= ++sum;
  return (ta_range){top, sum - top};
}

/* What the SLICE of a tensor takes: its need, grown, of what there is. */
static ta_range grown_need(const ta_held *held, int a, ta_range there) {
  ta_range more = growth(held->grown[a]);
  return (ta_range){ta_max_i32(held->need[a].from - more.from, there.from),
                    ta_min_i32(held->need[a].to + more.to, there.to)};
}

/* A slice of what is held of tensor t: as much of it as is held stays valid. */
static void slice(ta_emitter *e, int32_t t, const ta_range at[2]) {
  ta_held *held = &e->held[t];
  ta_range stored[2] = {held->at[0].stored, held->at[1].stored};
  held->reference = ta_draft_slice(e->to, held->reference, (uint32_t)t, stored, at);
  for (int a = 0; a < 2; a++) {
    ta_held_range *range = &held->at[a];
    range->stored = at[a];
    range->valid.from = ta_max_i32(range->valid.from, at[a].from);
    range->valid.to = ta_min_i32(range->valid.to, at[a].to);
  }
}

static bool is_same(const ta_held *held, const ta_range at[2]) {
  return ta_range_same(held->at[0].stored, at[0]) && ta_range_same(held->at[1].stored, at[1]);
}

/* A window input is held from its first reader on: a SLICE of it, or all of it. */
static void hold_input(ta_emitter *e, int32_t t) {
  ta_held *held = &e->held[t];
  ta_range at[2];
  if (held->reference != -1) return;
  held->reference = t;
  for (int a = 0; a < 2; a++) {
    ta_range whole = {0, tensor_of(e, t)->shape.at[ROWS + a]};
    held->at[a] = (ta_held_range){whole, whole};
    at[a] = grown_need(held, a, whole);
    if (ta_range_same(held->need[a], whole)) at[a] = whole;
  }
  if (is_same(held, at)) return;
  slice(e, t, at);
  held->slice_point = t;
}

static void trim(ta_emitter *e, int32_t t) {
  ta_held *held = &e->held[t];
  ta_range at[2];
  for (int a = 0; a < 2; a++) at[a] = grown_need(held, a, held->at[a].stored);
  if (is_same(held, at)) return;
  slice(e, t, at);
  held->slice_point = t;
}

/* ---- an operator ---- */

/* An operator at work: its inputs as they are in this strip. */
typedef struct work {
  ta_emitter *e;
  uint32_t op;
  const ta_cut *cut;
  int32_t inputs[MOST_INPUTS];
  ta_held_range in[2], out[2]; /* of the first strip input (all have the same when it runs), and the output */
  int32_t slice_point;
} work;

static void load(work *w, ta_emitter *e, uint32_t op) {
  const int32_t *inputs = ta_draft_inputs(e->base, op);
  *w = (work){.e = e, .op = op, .cut = &e->cuts[op], .slice_point = -1};
  for (uint32_t k = 0; k < e->base->ops[op].n_inputs; k++) {
    w->inputs[k] = inputs[k];
    if (!is_strip(e, op, k)) continue;
    hold_input(e, inputs[k]);
    if (w->slice_point == -1) w->slice_point = e->held[inputs[k]].slice_point;
  }
}

/* The strip inputs are cut to `at` where they hold more; each tensor once. Their own strips stay as they are
 * for other readers. Returns whether anything was cut. */
static bool cut_inputs(work *w, const ta_range at[2]) {
  ta_emitter *e = w->e;
  const int32_t *inputs = ta_draft_inputs(e->base, w->op);
  bool any = false;
  for (uint32_t k = 0; k < e->base->ops[w->op].n_inputs; k++) {
    if (!is_strip(e, w->op, k)) continue;
    ta_held before = e->held[inputs[k]];
    w->inputs[k] = before.reference;
    for (uint32_t j = 0; j < k; j++) {
      if (inputs[j] == inputs[k] && is_strip(e, w->op, j)) w->inputs[k] = w->inputs[j];
    }
    ta_range own[2] = {at[0], at[1]};
    if (w->cut->joined >= 0) own[w->cut->joined] = before.at[w->cut->joined].stored;
    if (w->inputs[k] != before.reference || is_same(&before, own)) continue;
    slice(e, inputs[k], own);
    w->inputs[k] = e->held[inputs[k]].reference;
    e->held[inputs[k]] = before;
    any = true;
  }
  return any;
}

/* PAD's new paddings, or -1 where nothing is left to pad. */
static int32_t paddings_of(const work *w) {
  int32_t paddings[8] = {0};
  int32_t any = w->cut->pads_channels;
  ta_bytes written = ta_tensor_data(w->e->base->model, tensor_of(w->e, w->inputs[1]));
  for (int i = 0; i < 2; i++) paddings[6 + i] = ta_load_i32(written.at + 4 * (6 + i));
  for (int a = 0; a < 2; a++) {
    int32_t shift = w->cut->axis[a].pads[0];
    paddings[2 * (ROWS + a)] = w->in[a].stored.from + shift - w->out[a].stored.from;
    paddings[2 * (ROWS + a) + 1] = w->out[a].stored.to - w->in[a].stored.to - shift;
    any |= paddings[2 * (ROWS + a)] | paddings[2 * (ROWS + a) + 1];
  }
  return any ? ta_draft_add_constant(w->e->to, paddings, 8, true) : -1;
}

/* The sizes that an operator has as an input are those of its strip. */
static void set_sizes(work *w) {
  int32_t channels = tensor_of(w->e, ta_draft_outputs(w->e->base, w->op)[0])->shape.at[CHANNELS];
  int32_t rows = ta_range_length(w->out[0].stored), columns = ta_range_length(w->out[1].stored);
  uint8_t reach = w->cut->reach;
  if (reach == TA_REACH_TRANSPOSED)
    w->inputs[0] = ta_draft_add_constant(w->e->to, (int32_t[]){1, rows, columns, channels}, 4, false);
  if (reach == TA_REACH_NEAREST || reach == TA_REACH_BILINEAR)
    w->inputs[1] = ta_draft_add_constant(w->e->to, (int32_t[]){rows, columns}, 2, false);
}

/* Puts the operator down: w->inputs to w->out. */
static void put(work *w, int32_t padding) {
  ta_emitter *e = w->e;
  int32_t t = ta_draft_outputs(e->base, w->op)[0];
  ta_held *held = &e->held[t];
  for (int a = 0; a < 2; a++) held->at[a] = w->out[a];
  held->slice_point = w->slice_point;
  held->reference = w->inputs[0];
  if (w->cut->reach == TA_REACH_PAD) {
    int32_t paddings = paddings_of(w);
    if (paddings == -1) return; /* the strip itself, by other numbers of its rows */
    w->inputs[1] = paddings;
  }
  set_sizes(w);
  ta_range at[2] = {w->out[0].stored, w->out[1].stored};
  held->reference = ta_draft_add_piece(e->to, (uint32_t)t, at);
  ta_draft_op op = e->base->ops[w->op];
  op.padding = padding;
  ta_draft_add(e->to, &op, w->inputs, op.n_inputs, &held->reference, 1);
}

/* PAD: where the strip ends at the border of the whole, as much padding as is needed; elsewhere none. */
static void keep_pad(const work *w, int a, const ta_range *needed, ta_held_range *out) {
  const ta_cut_axis *axis = &w->cut->axis[a];
  ta_held_range in = w->in[a];
  int32_t p = axis->pads[0];
  out->stored.from = in.stored.from == 0 && needed->from < p ? needed->from : in.stored.from + p;
  out->stored.to = in.stored.to == axis->in && needed->to > axis->in + p ? needed->to : in.stored.to + p;
  out->valid.from = in.valid.from == 0 ? out->stored.from : ta_max_i32(out->stored.from, in.valid.from + p);
  out->valid.to = in.valid.to == axis->in ? out->stored.to : ta_min_i32(out->stored.to, in.valid.to + p);
}

/* Whether the operator with its own options makes at least what is needed of axis `a`. */
static bool keeps_axis(work *w, int a) {
  const ta_range *needed = &w->e->held[ta_draft_outputs(w->e->base, w->op)[0]].need[a];
  if (w->cut->joined == a) {
    ta_range whole = {0, w->cut->axis[a].out};
    w->out[a] = (ta_held_range){whole, whole};
  } else if (w->cut->reach == TA_REACH_PAD) {
    keep_pad(w, a, needed, &w->out[a]);
  } else if (!ta_cut_keep(w->cut, a, w->in[a], &w->out[a])) {
    return false;
  }
  return ta_range_holds(w->out[a].valid, *needed);
}

/* What all strip inputs hold. */
static void meet_inputs(work *w) {
  const int32_t *inputs = ta_draft_inputs(w->e->base, w->op);
  bool first = true;
  for (uint32_t k = 0; k < w->e->base->ops[w->op].n_inputs; k++) {
    if (!is_strip(w->e, w->op, k)) continue;
    for (int a = 0; a < 2; a++) {
      ta_held_range held = w->e->held[inputs[k]].at[a], *in = &w->in[a];
      if (first) *in = held;
      in->stored = (ta_range){ta_max_i32(in->stored.from, held.stored.from),
                              ta_min_i32(in->stored.to, held.stored.to)};
      in->valid =
          (ta_range){ta_max_i32(in->valid.from, held.valid.from), ta_min_i32(in->valid.to, held.valid.to)};
    }
    first = false;
  }
}

/* Exactly the rows that are needed from exactly those that they need. A convolution gets its padding by a PAD
 * where its own would be another. */
static emitted put_exact(work *w) {
  ta_emitter *e = w->e;
  const ta_held *held = &e->held[ta_draft_outputs(e->base, w->op)[0]];
  ta_range raw[2], at[2];
  bool padded = false;
  meet_inputs(w);
  for (int a = 0; a < 2; a++) {
    raw[a] = ta_cut_raw(w->cut, a, held->need[a]);
    at[a] = (ta_range){ta_max_i32(raw[a].from, 0), ta_min_i32(raw[a].to, w->cut->axis[a].in)};
    if (w->cut->joined == a) raw[a] = at[a] = w->in[a].stored;
    if (!ta_range_holds(w->in[a].stored, at[a])) return REFUSED;
    padded = padded || !ta_range_same(raw[a], at[a]);
  }
  if (cut_inputs(w, at)) w->slice_point = -1;
  for (int a = 0; a < 2; a++) w->in[a] = (ta_held_range){at[a], at[a]};
  bool keeps = true;
  for (int a = 0; a < 2; a++)
    keeps = keeps && keeps_axis(w, a) && ta_range_same(w->out[a].stored, held->need[a]);
  if (keeps) {
    put(w, e->base->ops[w->op].padding);
    return DONE;
  }
  bool convolution = w->cut->reach == TA_REACH_FILTER;
  if (!convolution && (w->cut->reach != TA_REACH_POOL || padded)) return REFUSED;
  if (padded) {
    uint32_t like = (uint32_t)ta_draft_inputs(e->base, w->op)[0];
    w->inputs[0] = ta_draft_pad(e->to, w->inputs[0], like, at, raw);
    w->slice_point = -1;
  }
  for (int a = 0; a < 2; a++) w->out[a] = (ta_held_range){held->need[a], held->need[a]};
  put(w, 1 /* VALID */);
  return DONE;
}

/* Lets the operator's strip begin or end elsewhere; when no way is left it is exact. */
static emitted realign(const work *w, int a) {
  uint64_t bit = UINT64_C(1) << (w->op - w->e->choice.first);
  if (w->slice_point >= 0) {
    uint8_t *grown = &w->e->held[w->slice_point].grown[a];
    if (*grown < MOST_GROWTH) {
      ++*grown;
      return AGAIN;
    }
    *grown = 0;
  }
  w->e->exact_here |= bit;
  return AGAIN;
}

static emitted put_operator(ta_emitter *e, uint32_t op) {
  work w;
  int32_t t = ta_draft_outputs(e->base, op)[0];
  if (!e->held[t].needed) return DONE;
  load(&w, e, op);
  if (e->exact_here >> (op - e->choice.first) & 1) return put_exact(&w);
  meet_inputs(&w);
  for (int a = 0; a < 2; a++) {
    if (!keeps_axis(&w, a)) return realign(&w, a);
  }
  ta_range at[2] = {w.in[0].stored, w.in[1].stored};
  cut_inputs(&w, at);
  put(&w, e->base->ops[op].padding);
  return DONE;
}

/* ---- the strip ---- */

static bool is_output(const ta_emitter *e, int32_t t) {
  for (uint32_t o = 0; o < e->n_outputs; o++) {
    if (e->outputs[o] == t) return true;
  }
  return false;
}

static emitted put_all(ta_emitter *e) {
  for (uint32_t i = e->choice.first; i <= e->choice.last; i++) {
    int32_t t = ta_draft_outputs(e->base, i)[0];
    emitted result = put_operator(e, i);
    if (result != DONE) return result;
    bool marked = (e->choice.trim >> (i - e->choice.first) & 1) != 0;
    if (marked && e->held[t].needed && !is_output(e, t)) trim(e, t);
  }
  return DONE;
}

/* Gives everything back but how far slices have grown. */
static void forget(ta_emitter *e, const ta_draft_mark *mark) {
  ta_draft_cut_back(e->to, mark);
  for (uint32_t i = e->choice.first; i <= e->choice.last; i++) {
    e->held[ta_draft_outputs(e->base, i)[0]].reference = -1;
    for (uint32_t k = 0; k < e->base->ops[i].n_inputs; k++) {
      ta_held *held = is_strip(e, i, k) ? &e->held[ta_draft_inputs(e->base, i)[k]] : NULL;
      if (!held) continue;
      held->reference = held->slice_point = -1;
    }
  }
}

bool ta_emit_strip(ta_emitter *e, uint32_t k, ta_range parts[TA_WINDOW_MOST_OUTPUTS][2]) {
  ta_draft_mark mark = ta_draft_here(e->to);
  emitted result = AGAIN;
  e->exact_here = e->choice.exact;
  start(e, parts);
  for (uint32_t restarts = 0; result == AGAIN && restarts <= MOST_RESTARTS; restarts++) {
    if (restarts > 0) forget(e, &mark);
    result = put_all(e);
  }
  if (result != DONE || e->to->failed) return false;
  for (uint32_t o = 0; o < e->n_outputs; o++) {
    if (!is_same(&e->held[e->outputs[o]], parts[o])) slice(e, e->outputs[o], parts[o]);
    e->parts[o][k] = e->held[e->outputs[o]].reference;
  }
  return true;
}

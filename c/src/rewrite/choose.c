#include "rewrite/choose.h"

#include <string.h>

#include "base/num.h"

/* Windows in which the live bytes come to at least this part of the model's peak are tried. */
enum { PEAK_PART = 4, MOST_OPS = 40, PATIENCE = 3, PASSES = 4, STEEP_PASSES = 12, ROUNDS = 2, NEAR = 3 };

/* Where improving a window starts: as it was chosen; with other numbers of strips; with all marks, and with
 * none. */
enum { FIRST_START, NEAR_STARTS, EXACT_START = NEAR_STARTS + 2 * NEAR, KEEP_START, STARTS };

static const uint8_t strip_numbers[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32};
enum { STRIP_NUMBERS = sizeof strip_numbers };

bool ta_chooser_init(ta_chooser *c, ta_valuer *valuer, uint64_t most_macs, uint64_t most_nodes,
                     ta_region *region) {
  *c = (ta_chooser){.valuer = valuer,
                    .most_macs = most_macs,
                    .most_cost = TA_NO_OFFSET,
                    .candidates = {.region = region},
                    .most_nodes = most_nodes,
                    .chosen = TA_TAKE(region, valuer->base->n_ops, ta_candidate),
                    .tries = {.reachable = TA_TAKE(region, valuer->base->n_ops, uint64_t)},
                    .cost = valuer->peak};
  if (!c->chosen || !c->tries.reachable) return false;
  for (uint32_t i = 0; i < valuer->base->n_ops; i++) c->tries.reachable[i] = valuer->live[i];
  return true;
}

/* ---- candidates ---- */

static bool is_as_good(const ta_value *a, const ta_value *b) {
  return a->peak <= b->peak && a->tail <= b->tail && a->macs <= b->macs;
}

static bool is_same_window(const ta_window_choice *a, const ta_window_choice *b) {
  return a->first == b->first && a->last == b->last;
}

bool ta_candidates_add(ta_candidates *list, uint32_t first, const ta_candidate *candidate) {
  uint32_t kept = first;
  for (uint32_t k = first; k < list->n; k++) {
    if (is_same_window(&list->at[k].choice, &candidate->choice) &&
        is_as_good(&list->at[k].value, &candidate->value))
      return true;
  }
  for (uint32_t k = first; k < list->n; k++) {
    bool superfluous = is_same_window(&list->at[k].choice, &candidate->choice) &&
                       is_as_good(&candidate->value, &list->at[k].value);
    if (!superfluous) list->at[kept++] = list->at[k];
  }
  list->n = kept;
  if (list->n == list->capacity) {
    uint32_t capacity = list->capacity ? 2 * list->capacity : 256;
    ta_candidate *grown = TA_TAKE(list->region, capacity, ta_candidate);
    if (!grown) return false;
    if (list->n) memcpy(grown, list->at, list->n * sizeof *grown);
    list->at = grown;
    list->capacity = capacity;
  }
  list->at[list->n++] = *candidate;
  return true;
}

static uint64_t cost_of(const ta_value *value) {
  int64_t cost = (int64_t)value->peak + value->tail;
  return cost < 0 ? 0 : (uint64_t)cost;
}

/* Counts a way to cut a window; keeps it when it lowers the window's own peak at a bearable price. *cost:
 * TA_NO_OFFSET when it was refused. False: no memory. */
static bool evaluate(ta_chooser *c, const ta_window_choice *choice, const ta_around *around,
                     uint64_t own_peak, uint32_t first, ta_candidate *out, uint64_t *cost) {
  c->nodes++;
  *cost = TA_NO_OFFSET;
  out->choice = *choice;
  if (!ta_value_window(c->valuer, choice, around, &out->value)) return !c->valuer->scratch.failed;
  *cost = cost_of(&out->value);
  if (out->value.peak >= own_peak || out->value.macs > (int64_t)c->valuer->costs->model_macs) return true;
  return ta_candidates_add(&c->candidates, first, out);
}

/* ---- trying windows ---- */

static uint64_t peak_of(const ta_valuer *v, uint32_t first, uint32_t last) {
  uint64_t peak = 0;
  for (uint32_t i = first; i <= last; i++) peak = ta_max_u64(peak, v->live[i]);
  return peak;
}

/* No cut can do with less than its inputs, nor with less than its outputs while the last one is put together.
 */
static uint64_t least_peak(const ta_chooser *c, const ta_around *around) {
  const ta_emitter *e = &c->valuer->emitter;
  uint64_t sum = 0, least = TA_NO_OFFSET;
  for (uint32_t o = 0; o < e->n_outputs; o++) {
    uint64_t bytes = c->valuer->costs->tensor_bytes[e->outputs[o]];
    sum += bytes;
    least = ta_min_u64(least, bytes);
  }
  return around->through + ta_max_u64(around->dying, sum + least);
}

static uint64_t marks_of_all(const ta_valuer *v, uint32_t first, uint32_t last) {
  uint64_t marks = 0;
  for (uint32_t i = first; i <= last; i++) {
    uint8_t reach = v->emitter.cuts[i].reach;
    if (reach == TA_REACH_FILTER || reach == TA_REACH_TRANSPOSED || reach == TA_REACH_GATHER)
      marks |= UINT64_C(1) << (i - first);
  }
  return marks;
}

/* Whether the window is worth trying; the first time, what it can get down to. */
static bool open_window(ta_chooser *c) {
  ta_tries *t = &c->tries;
  ta_valuer *v = c->valuer;
  if (!ta_window_read(&v->emitter, t->first, t->last, &t->columns, &t->most_strips)) return false;
  t->own_peak = peak_of(v, t->first, t->last);
  if (t->own_peak < (v->peak + PEAK_PART - 1) / PEAK_PART || t->own_peak <= t->bound) return false;
  t->around = ta_value_around(v, t->first, t->last);
  uint64_t least = least_peak(c, &t->around);
  if (!t->bounded) {
    for (uint32_t i = t->first; i <= t->last; i++) t->reachable[i] = ta_min_u64(t->reachable[i], least);
    return false;
  }
  t->exact = marks_of_all(v, t->first, t->last);
  t->strips = t->without = 0;
  t->candidates = c->candidates.n;
  t->best = TA_NO_OFFSET;
  return least < t->own_peak;
}

/* The next window: the same beginning and one more operator; past an operator that ends windows, another
 * beginning. */
static void next_window(ta_chooser *c) {
  ta_tries *t = &c->tries;
  const ta_valuer *v = c->valuer;
  t->open = false;
  t->last++;
  bool ends = t->last >= v->base->n_ops || t->last - t->first >= MOST_OPS ||
              v->emitter.cuts[t->last].reach == TA_REACH_ALL;
  if (!ends) return;
  do t->first++;
  while (t->first < v->base->n_ops && v->emitter.cuts[t->first].reach == TA_REACH_ALL);
  t->last = t->first;
}

static bool try_number(ta_chooser *c) {
  ta_tries *t = &c->tries;
  ta_candidate candidate;
  uint32_t strips = t->strips < STRIP_NUMBERS ? strip_numbers[t->strips] : 0;
  if (strips == 0 || strips > t->most_strips || t->without == PATIENCE) {
    next_window(c);
    return true;
  }
  ta_window_choice choice = {t->first, t->last, strips, t->columns, 0, 0};
  uint64_t best = t->best, cost;
  for (int k = 0; k < 2; k++) {
    choice.exact = k == 0 ? 0 : t->exact;
    if (k > 0 && choice.exact == 0) break;
    if (!evaluate(c, &choice, &t->around, t->own_peak, t->candidates, &candidate, &cost)) return false;
    t->best = ta_min_u64(t->best, cost);
  }
  t->without = t->best < best ? 0 : t->without + 1;
  t->strips++;
  return true;
}

/* All windows have been looked at. */
static void set_bound(ta_chooser *c) {
  ta_tries *t = &c->tries;
  for (uint32_t i = 0; i < c->valuer->base->n_ops; i++) t->bound = ta_max_u64(t->bound, t->reachable[i]);
  t->first = t->last = 0;
  t->bounded = true;
}

static bool try_next(ta_chooser *c) {
  ta_tries *t = &c->tries;
  if (t->first >= c->valuer->base->n_ops) {
    if (t->bounded)
      c->stage = TA_CHOOSE_SELECT;
    else
      set_bound(c);
    return true;
  }
  if (t->open) return try_number(c);
  bool stands = c->valuer->emitter.cuts[t->first].reach != TA_REACH_ALL;
  t->open = stands && open_window(c);
  if (!t->open) next_window(c);
  return true;
}

/* ---- improving those that were chosen ---- */

static uint32_t length_of(const ta_window_choice *choice) {
  return choice->last - choice->first + 1;
}

static void open_improvement(ta_chooser *c) {
  ta_improving *m = &c->improving;
  m->chosen = c->chosen[m->window];
  m->most_macs = (int64_t)c->most_macs;
  for (uint32_t k = 0; k < c->n_chosen; k++) {
    if (k != m->window) m->most_macs -= c->chosen[k].value.macs;
  }
  m->own_peak = peak_of(c->valuer, m->chosen.choice.first, m->chosen.choice.last);
  m->around = ta_value_around(c->valuer, m->chosen.choice.first, m->chosen.choice.last);
  m->start = FIRST_START;
  m->started = false;
  m->open = true;
}

/* The mark number `mark` of a window is of use: exact for what can be, trim for what stays inside. */
static bool has_mark(const ta_chooser *c, const ta_window_choice *choice, uint32_t mark) {
  const ta_emitter *e = &c->valuer->emitter;
  uint32_t n = length_of(choice), op = choice->first + mark % n;
  if (mark < n) return (marks_of_all(c->valuer, op, op) & 1) != 0;
  return e->last[ta_draft_outputs(e->base, op)[0]] <= (int32_t)choice->last;
}

/* Takes a way that costs less than the best so far. */
static bool try_choice(ta_chooser *c, const ta_window_choice *choice) {
  ta_improving *m = &c->improving;
  ta_candidate candidate;
  uint64_t cost;
  if (!evaluate(c, choice, &m->around, m->own_peak, 0, &candidate, &cost)) return false;
  if (cost >= m->least || candidate.value.macs > m->most_macs) return true;
  m->best = candidate;
  m->least = cost;
  m->changed = true;
  return true;
}

/* From no marks the best of all single changes is made, again and again: each of the other starts takes what
 * helps as it comes. */
static bool is_steep(const ta_improving *m) {
  return m->start == KEEP_START;
}

static uint32_t passes_of(const ta_improving *m) {
  return is_steep(m) ? STEEP_PASSES : PASSES;
}

/* Toggles one mark after the other, as long as that helps. */
static bool try_mark(ta_chooser *c) {
  ta_improving *m = &c->improving;
  uint32_t n = length_of(&m->from), mark = m->mark++;
  if (mark == 2 * n) {
    m->pass = m->changed ? m->pass + 1 : passes_of(m);
    m->mark = 0;
    m->changed = false;
    if (m->least != TA_NO_OFFSET) m->from = m->best.choice;
    return true;
  }
  if (!has_mark(c, &m->from, mark)) return true;
  ta_window_choice choice = m->from;
  uint64_t bit = UINT64_C(1) << mark % n;
  if (mark < n)
    choice.exact ^= bit;
  else
    choice.trim ^= bit;
  bool good = try_choice(c, &choice);
  if (!is_steep(m) && m->least != TA_NO_OFFSET) m->from = m->best.choice;
  return good;
}

/* Begins with another number of strips, or with other marks. */
static bool begin(ta_chooser *c) {
  ta_improving *m = &c->improving;
  ta_window_choice *from = &m->from;
  uint32_t offset = m->start - NEAR_STARTS;
  m->pass = m->mark = 0;
  m->changed = false;
  m->started = true;
  m->best = m->chosen;
  *from = m->chosen.choice;
  m->least = m->start == FIRST_START ? cost_of(&m->chosen.value) : TA_NO_OFFSET;
  if (m->start == FIRST_START) return true;
  if (m->start < EXACT_START) {
    if (offset >= NEAR) offset++; /* 0 would be the number that was chosen */
    if (from->strips + offset < NEAR + 2) m->pass = PASSES;
    from->strips += offset - NEAR;
  } else {
    from->exact = m->start == EXACT_START ? marks_of_all(c->valuer, from->first, from->last) : 0;
    from->trim = 0;
  }
  return m->pass == PASSES || try_choice(c, from);
}

static bool improve_window(ta_chooser *c) {
  ta_improving *m = &c->improving;
  if (!m->started) return begin(c);
  if (m->pass < passes_of(m)) return try_mark(c);
  if (m->start == FIRST_START) m->chosen = m->best;
  m->start++;
  m->started = false;
  return true;
}

static bool improve(ta_chooser *c) {
  ta_improving *m = &c->improving;
  if (m->window == c->n_chosen) {
    m->window = 0;
    m->round++;
    c->stage = TA_CHOOSE_SELECT;
  } else if (!m->open) {
    open_improvement(c);
  } else if (m->start < STARTS) {
    return improve_window(c);
  } else {
    m->open = false;
    m->window++;
  }
  return true;
}

/* ---- the steps ---- */

static bool select_best(ta_chooser *c) {
  uint64_t before = c->cost;
  if (!ta_select(c)) return false;
  bool gained = c->improving.round == 0 || c->cost < before;
  bool goes_on = gained && c->improving.round < ROUNDS && c->n_chosen > 0 && c->nodes < c->most_nodes;
  c->stage = goes_on ? TA_CHOOSE_IMPROVE : TA_CHOOSE_DONE;
  return true;
}

bool ta_chooser_step(ta_chooser *c, uint64_t max_nodes) {
  uint64_t end = c->nodes + max_nodes;
  bool good = true;
  while (good && c->stage != TA_CHOOSE_DONE && c->nodes < end) {
    bool spent = c->nodes >= c->most_nodes;
    if (spent && c->stage != TA_CHOOSE_SELECT) {
      c->stage = TA_CHOOSE_SELECT;
      c->improving.round = ROUNDS;
    } else if (c->stage == TA_CHOOSE_TRY) {
      good = try_next(c);
    } else if (c->stage == TA_CHOOSE_SELECT) {
      good = select_best(c);
    } else {
      good = improve(c);
    }
  }
  return good;
}

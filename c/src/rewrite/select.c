/* The best set of windows, exact for the candidates there are: a path over the boundaries between operators,
 * whose steps are single operators and windows in strips. For each bound on the live bytes the paths are
 * those of operators and windows within it; they differ in what the tail and the multiply-accumulates grow
 * by. */
#include "base/num.h"
#include "base/order.h"
#include "rewrite/choose.h"

enum { MOST_LABELS = 12, MOST_BOUNDS = 500 };

/* A way to a boundary. */
typedef struct label {
  int64_t tail, macs;
  uint32_t candidate; /* the last step; TA_NO_INDEX: a single operator */
  uint32_t before;    /* which label of the boundary where the step begins */
} label;

typedef struct labels {
  label at[MOST_LABELS]; /* ascending tail, descending multiply-accumulates */
  uint32_t n;
} labels;

typedef struct selection {
  ta_chooser *chooser;
  labels *boundaries;
  uint32_t *ending, *by_end; /* candidates sorted by where they end; the first of each boundary */
  ta_candidate *path;
  uint32_t n;
} selection;

/* ---- labels ---- */

static void remove_label(labels *to, uint32_t k) {
  to->n--;
  for (; k < to->n; k++) to->at[k] = to->at[k + 1];
}

/* Where a label of that tail goes: behind those of at most as much. */
static uint32_t place_of(const labels *to, int64_t tail) {
  uint32_t k = 0;
  while (k < to->n && to->at[k].tail <= tail) k++;
  return k;
}

/* A label stays as long as no other has less of both. Of too many the ends stay: the smallest tail, and the
 * fewest multiply-accumulates. */
static void add_label(labels *to, const label *added) {
  uint32_t k = place_of(to, added->tail);
  if (k > 0 && to->at[k - 1].macs <= added->macs) return;
  if (k > 0 && to->at[k - 1].tail == added->tail) remove_label(to, --k);
  while (k < to->n && to->at[k].macs >= added->macs) remove_label(to, k);
  if (to->n == MOST_LABELS) {
    remove_label(to, MOST_LABELS - 2);
    k = place_of(to, added->tail);
  }
  for (uint32_t j = to->n++; j > k; j--) to->at[j] = to->at[j - 1];
  to->at[k] = *added;
}

/* Every way to `from`, gone on by one step. */
static void extend(const selection *s, labels *to, const labels *from, uint32_t candidate) {
  const ta_value *value = candidate == TA_NO_INDEX ? NULL : &s->chooser->candidates.at[candidate].value;
  for (uint32_t k = 0; k < from->n; k++) {
    label next = {from->at[k].tail, from->at[k].macs, candidate, k};
    if (value) {
      next.tail += value->tail;
      next.macs += value->macs;
      if (next.macs > (int64_t)s->chooser->most_macs) continue;
    }
    add_label(to, &next);
  }
}

/* All ways whose steps stay within `bound`. */
static void find_paths(selection *s, uint64_t bound) {
  const ta_valuer *v = s->chooser->valuer;
  s->boundaries[0] = (labels){.at = {{.candidate = TA_NO_INDEX}}, .n = 1};
  for (uint32_t b = 1; b <= v->base->n_ops; b++) {
    labels *here = &s->boundaries[b];
    here->n = 0;
    if (v->live[b - 1] <= bound) extend(s, here, &s->boundaries[b - 1], TA_NO_INDEX);
    for (uint32_t k = s->by_end[b]; k < s->by_end[b + 1]; k++) {
      const ta_candidate *candidate = &s->chooser->candidates.at[s->ending[k]];
      if (candidate->value.peak <= bound)
        extend(s, here, &s->boundaries[candidate->choice.first], s->ending[k]);
    }
  }
}

/* ---- paths ---- */

/* Follows a way back from the end; returns its greatest live bytes. Its windows come out last first. */
static uint64_t follow(selection *s, uint32_t end) {
  const ta_valuer *v = s->chooser->valuer;
  uint64_t peak = 0;
  uint32_t b = v->base->n_ops;
  s->n = 0;
  while (b > 0) {
    const label *at = &s->boundaries[b].at[end];
    end = at->before;
    if (at->candidate == TA_NO_INDEX) {
      peak = ta_max_u64(peak, v->live[--b]);
    } else {
      const ta_candidate *candidate = &s->chooser->candidates.at[at->candidate];
      peak = ta_max_u64(peak, candidate->value.peak);
      s->path[s->n++] = *candidate;
      b = candidate->choice.first;
    }
  }
  return peak;
}

static void take(selection *s, uint64_t cost) {
  ta_chooser *c = s->chooser;
  c->cost = cost;
  c->n_chosen = s->n;
  for (uint32_t k = 0; k < s->n; k++) c->chosen[k] = s->path[s->n - 1 - k];
}

static int64_t macs_of(const ta_candidate *list, uint32_t n) {
  int64_t macs = 0;
  for (uint32_t k = 0; k < n; k++) macs += list[k].value.macs;
  return macs;
}

/* Takes a way to the end that is better than what is chosen. */
static void judge(selection *s) {
  ta_chooser *c = s->chooser;
  const labels *last = &s->boundaries[c->valuer->base->n_ops];
  for (uint32_t k = 0; k < last->n; k++) {
    int64_t cost = (int64_t)follow(s, k) + last->at[k].tail, macs = last->at[k].macs;
    int64_t chosen = (int64_t)c->cost, spent = macs_of(c->chosen, c->n_chosen);
    bool better = cost < chosen || (cost == chosen && macs < spent);
    if (c->most_cost != TA_NO_OFFSET) {
      int64_t most = (int64_t)c->most_cost;
      bool fits = cost <= most, fitted = chosen <= most;
      better = fits != fitted ? fits : fits ? macs < spent || (macs == spent && cost < chosen) : better;
    }
    if (better) take(s, cost < 0 ? 0 : (uint64_t)cost);
  }
}

/* ---- bounds ---- */

/* The live values that can be a path's greatest, ascending, each once; of too many an even pick. */
static uint32_t list_bounds(const ta_chooser *c, uint64_t *bounds, uint32_t *order, uint32_t *scratch) {
  const ta_valuer *v = c->valuer;
  uint32_t n = 0, kept = 0;
  for (uint32_t i = 0; i < v->base->n_ops; i++) bounds[n++] = v->live[i];
  for (uint32_t k = 0; k < c->candidates.n; k++) bounds[n++] = c->candidates.at[k].value.peak;
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  ta_order_by_key(order, scratch, n, bounds);
  for (uint32_t i = 0; i < n; i++) {
    if (kept == 0 || bounds[order[i]] != bounds[order[kept - 1]]) order[kept++] = order[i];
  }
  if (kept <= MOST_BOUNDS) return kept;
  for (uint32_t i = 0; i < MOST_BOUNDS; i++) order[i] = order[(uint64_t)i * (kept - 1) / (MOST_BOUNDS - 1)];
  return MOST_BOUNDS;
}

static void sort_by_end(selection *s, uint32_t n_boundaries) {
  const ta_candidates *list = &s->chooser->candidates;
  for (uint32_t k = 0; k < list->n; k++) s->by_end[list->at[k].choice.last + 3]++;
  for (uint32_t b = 1; b < n_boundaries + 2; b++) s->by_end[b] += s->by_end[b - 1];
  /* Now by_end[b + 1] is where those of boundary b begin; filling them moves it to where they end. */
  for (uint32_t k = 0; k < list->n; k++) s->ending[s->by_end[list->at[k].choice.last + 2]++] = k;
}

bool ta_select(ta_chooser *c) {
  uint32_t n_ops = c->valuer->base->n_ops, n = c->candidates.n + n_ops;
  ta_region region;
  ta_region_init(&region, &c->candidates.region->allocator);
  selection s = {.chooser = c,
                 .boundaries = TA_TAKE(&region, (size_t)n_ops + 1, labels),
                 .ending = TA_TAKE(&region, c->candidates.n, uint32_t),
                 .by_end = TA_TAKE(&region, (size_t)n_ops + 3, uint32_t),
                 .path = TA_TAKE(&region, n_ops, ta_candidate)};
  uint64_t *bounds = TA_TAKE(&region, n, uint64_t);
  uint32_t *order = TA_TAKE(&region, n, uint32_t), *scratch = TA_TAKE(&region, n, uint32_t);
  bool taken = s.boundaries && s.ending && s.by_end && s.path && bounds && order && scratch;
  if (taken) {
    sort_by_end(&s, n_ops + 1);
    c->n_chosen = 0;
    c->cost = c->valuer->peak;
    uint32_t n_bounds = list_bounds(c, bounds, order, scratch);
    for (uint32_t i = 0; i < n_bounds; i++) {
      /* A path of a larger peak costs at least that. */
      if (c->most_cost == TA_NO_OFFSET && bounds[order[i]] > c->cost) break;
      find_paths(&s, bounds[order[i]]);
      judge(&s);
    }
  }
  ta_region_free(&region);
  return taken;
}

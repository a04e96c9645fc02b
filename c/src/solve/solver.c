#include "base/error.h"
#include "base/num.h"
#include "solve/heuristics.h"
#include "solve/race.h"

struct ta_solver {
  ta_region region;
  uint64_t capacity; /* TA_NO_OFFSET: minimise */
  uint32_t rules;
  uint32_t n;
  ta_parts parts;
  ta_known *known; /* of each part */
  ta_race **races; /* of each part; NULL: not begun */
  uint32_t *heap;  /* parts, the highest plan on top */
  uint64_t *offsets;
  uint64_t height, bound, nodes;
  bool ended;
};

static bool higher(const ta_solver *solver, uint32_t a, uint32_t b) {
  return solver->known[a].height > solver->known[b].height;
}

static void sink(ta_solver *solver, uint32_t at) {
  uint32_t *heap = solver->heap, part = heap[at];
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= solver->parts.n) break;
    if (child + 1 < solver->parts.n && higher(solver, heap[child + 1], heap[child])) child++;
    if (!higher(solver, heap[child], part)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = part;
}

static void write_offsets(ta_solver *solver, uint32_t part) {
  const ta_part *p = &solver->parts.at[part];
  for (uint32_t i = 0; i < p->n; i++) {
    solver->offsets[p->pieces[i].item] = solver->known[part].levels[i] * p->unit;
  }
}

static void find_state(ta_solver *solver) {
  solver->height = solver->parts.n ? solver->known[solver->heap[0]].height : 0;
  bool decided = solver->capacity != TA_NO_OFFSET &&
                 (solver->height <= solver->capacity || solver->bound > solver->capacity);
  if (solver->height <= solver->bound || decided) solver->ended = true;
}

static ta_status begin_part(ta_solver *solver, uint32_t at, ta_error *error) {
  const ta_part *part = &solver->parts.at[at];
  ta_known *known = &solver->known[at];
  known->bound = part->bound;
  known->levels = TA_TAKE(&solver->region, part->n, uint64_t);
  if (!known->levels) return ta_fail_memory(error);
  ta_status status = ta_place_greedily(part, &solver->region.allocator, known->levels, &known->height, error);
  if (status != TA_OK) return status;
  write_offsets(solver, at);
  solver->bound = ta_max_u64(solver->bound, known->bound);
  return TA_OK;
}

static ta_status begin(ta_solver *solver, const ta_item *items, ta_error *error) {
  uint32_t n = solver->n;
  ta_status status = ta_parts_make(&solver->region, items, n, &solver->parts, error);
  if (status != TA_OK) return status;
  uint32_t parts = solver->parts.n;
  solver->known = TA_TAKE(&solver->region, parts, ta_known);
  solver->races = TA_TAKE(&solver->region, parts, ta_race *);
  solver->heap = TA_TAKE(&solver->region, parts, uint32_t);
  solver->offsets = TA_TAKE(&solver->region, n, uint64_t);
  if (!solver->known || !solver->races || !solver->heap || !solver->offsets) return ta_fail_memory(error);
  for (uint32_t i = 0; i < n; i++) {
    if (items[i].fixed != TA_NO_OFFSET) solver->offsets[i] = items[i].fixed;
  }
  for (uint32_t at = 0; at < parts; at++) {
    solver->heap[at] = at;
    status = begin_part(solver, at, error);
    if (status != TA_OK) return status;
  }
  for (uint32_t at = parts / 2; at-- > 0;) sink(solver, at);
  find_state(solver);
  return TA_OK;
}

ta_status ta_solver_new(const ta_allocator *allocator, const ta_item *items, uint32_t n,
                        const ta_solver_options *options, ta_solver **out, ta_error *error) {
  ta_region region;
  ta_region_init(&region, allocator);
  ta_solver *solver = TA_TAKE(&region, 1, ta_solver);
  if (!solver) {
    ta_region_free(&region);
    return ta_fail_memory(error);
  }
  solver->region = region;
  solver->n = n;
  solver->capacity = options ? options->capacity : TA_NO_OFFSET;
  solver->rules = options ? options->rules : TA_RULES_ALL;
  ta_status status = begin(solver, items, error);
  if (status == TA_OK) {
    *out = solver;
  } else {
    ta_solver_free(solver);
  }
  return status;
}

/* Whether the offsets are a lower plan of the part; then it takes them. */
static bool take_plan(ta_known *known, const ta_part *part, const uint64_t *offsets) {
  uint64_t height = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    if (offsets[p->item] % part->unit != 0) return false; /* finer than plans of the part need to be */
    height = ta_max_u64(height, offsets[p->item] + p->size * part->unit - p->pad);
  }
  if (height >= known->height) return false;
  known->height = height;
  for (uint32_t i = 0; i < part->n; i++) known->levels[i] = offsets[part->pieces[i].item] / part->unit;
  return true;
}

void ta_solver_offer(ta_solver *solver, const uint64_t *offsets) {
  for (uint32_t at = 0; at < solver->parts.n; at++) {
    if (take_plan(&solver->known[at], &solver->parts.at[at], offsets)) write_offsets(solver, at);
  }
  for (uint32_t at = solver->parts.n / 2; at-- > 0;) sink(solver, at);
  find_state(solver);
}

/* One turn of the part whose plan is the highest. */
static ta_status run_part(ta_solver *solver, uint64_t *nodes, ta_error *error) {
  uint32_t at = solver->heap[0];
  const ta_part *part = &solver->parts.at[at];
  ta_known *known = &solver->known[at];
  if (!solver->races[at]) {
    if (!ta_race_can(part)) {
      solver->ended = true;
      return TA_OK;
    }
    solver->races[at] = ta_race_new(&solver->region.allocator, part, solver->rules);
    if (!solver->races[at]) return ta_fail_memory(error);
  }
  bool decide = solver->capacity != TA_NO_OFFSET;
  uint64_t before = known->height, left = *nodes;
  ta_status status =
      ta_race_run(solver->races[at], known, decide ? solver->capacity : solver->bound, decide, &left, error);
  solver->nodes += *nodes - left;
  *nodes = left;
  solver->bound = ta_max_u64(solver->bound, known->bound);
  if (known->height < before) {
    write_offsets(solver, at);
    sink(solver, 0);
  }
  if (known->height <= solver->bound) {
    ta_race_free(solver->races[at]);
    solver->races[at] = NULL;
  }
  find_state(solver);
  return status;
}

ta_status ta_solver_step(ta_solver *solver, uint64_t max_nodes, bool *done, ta_error *error) {
  ta_status status = TA_OK;
  while (!solver->ended && max_nodes > 0 && status == TA_OK) status = run_part(solver, &max_nodes, error);
  *done = solver->ended;
  return status;
}

void ta_solver_solution(const ta_solver *solver, ta_solution *out) {
  *out = (ta_solution){.offsets = solver->offsets,
                       .height = solver->height,
                       .bound = ta_min_u64(solver->bound, solver->height),
                       .nodes = solver->nodes,
                       .ended = solver->ended,
                       .answer = TA_ANSWER_OPEN};
  if (solver->capacity == TA_NO_OFFSET) return;
  if (solver->height <= solver->capacity) out->answer = TA_ANSWER_FITS;
  if (solver->bound > solver->capacity) out->answer = TA_ANSWER_NO_FIT;
}

void ta_solver_free(ta_solver *solver) {
  if (!solver) return;
  for (uint32_t i = 0; solver->races && i < solver->parts.n; i++) ta_race_free(solver->races[i]);
  ta_region region = solver->region;
  ta_region_free(&region);
}

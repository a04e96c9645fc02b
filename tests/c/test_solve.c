/* The solver against brute force, against itself with every rule switched off in turn, and against what must
 * not change its answer. Every plan is checked by the verifier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "solve/solve.h"
#include "support/heap.h"

enum { MOST = 400 };

static uint32_t next(uint32_t *seed) {
  uint32_t z = *seed += 0x9E3779B9u;
  z = (z ^ z >> 16) * 0x21F0AAADu;
  z = (z ^ z >> 15) * 0x735A2D97u;
  return z ^ z >> 15;
}

/* ---- random problems ------------------------------------------------------------------------------------
 */

typedef struct kind {
  uint32_t items, sizes, steps, life;
  bool aligned, fixed;
} kind;

static void place_some_fixed(ta_item *items, uint32_t n, uint32_t *seed) {
  uint64_t at = 0; /* above one another, so that no two clash */
  for (uint32_t i = 0; i < n; i++) {
    if (next(seed) % 4 != 0) continue;
    at += next(seed) % 9;
    at += (items[i].alignment - at % items[i].alignment) % items[i].alignment;
    items[i].fixed = at;
    at += items[i].bytes;
  }
}

static void make_items(ta_item *items, kind what, uint32_t *seed) {
  static const uint64_t alignments[] = {1, 2, 4, 8, 3, 6};
  uint32_t kinds = what.aligned ? 1 + next(seed) % 6 : 1;
  uint32_t only = next(seed) % 6;
  bool mixed = next(seed) % 2;
  for (uint32_t i = 0; i < what.items; i++) {
    int32_t first = (int32_t)(next(seed) % what.steps);
    uint64_t alignment = what.aligned ? alignments[mixed ? next(seed) % kinds : only] : 1;
    items[i] = (ta_item){next(seed) % (what.sizes + 1), alignment, TA_NO_OFFSET, first,
                         first + (int32_t)(next(seed) % what.life)};
  }
  if (what.fixed) place_some_fixed(items, what.items, seed);
}

/* Lists that are full at every step, so that the live bytes are often not enough. Returns how many items. */
static uint32_t make_full(ta_item *items, uint32_t height, uint32_t sizes, uint32_t steps, uint32_t life,
                          uint32_t *seed) {
  uint32_t load[64] = {0}, n = 0;
  for (uint32_t step = 0; step < steps; step++) {
    while (load[step] < height) {
      uint32_t size = 1 + next(seed) % sizes, longest = 1 + next(seed) % life, end = step;
      if (size > height - load[step]) size = height - load[step];
      for (; end < steps && end < step + longest && load[end] + size <= height; end++) load[end] += size;
      items[n++] = (ta_item){size, 1, TA_NO_OFFSET, (int32_t)step, (int32_t)end - 1};
    }
  }
  return n;
}

/* ---- checking -------------------------------------------------------------------------------------------
 */

static void check_sound(const ta_item *items, uint32_t n, const ta_solution *solution) {
  static ta_claim claims[MOST];
  const uint64_t sizes[2] = {solution->height, 0};
  for (uint32_t i = 0; i < n; i++) {
    assert_true(items[i].fixed == TA_NO_OFFSET || solution->offsets[i] == items[i].fixed);
    claims[i] = (ta_claim){(int64_t)solution->offsets[i],
                           items[i].bytes,
                           items[i].alignment,
                           items[i].first,
                           items[i].last,
                           TA_NO_INDEX,
                           0};
  }
  ta_verdict verdict;
  ta_error error;
  assert_int_equal(ta_verify(NULL, claims, n, sizes, NULL, 0, &verdict, &error), TA_OK);
  assert_true(verdict.sound);
  assert_true(solution->bound <= solution->height);
}

typedef struct result {
  uint64_t height, bound, nodes;
  bool ended;
  ta_answer answer;
  uint64_t offsets[MOST];
} result;

static void solve(const ta_item *items, uint32_t n, uint64_t capacity, uint32_t rules, uint64_t slice,
                  uint64_t nodes, result *out) {
  ta_solver_options options = {capacity, rules};
  ta_solver *solver;
  ta_error error;
  ta_solution solution;
  bool done = false;
  assert_int_equal(ta_solver_new(NULL, items, n, &options, &solver, &error), TA_OK);
  while (!done && nodes > 0) {
    uint64_t now = slice < nodes ? slice : nodes;
    nodes -= now;
    assert_int_equal(ta_solver_step(solver, now, &done, &error), TA_OK);
    ta_solver_solution(solver, &solution);
    check_sound(items, n, &solution);
  }
  ta_solver_solution(solver, &solution);
  out->height = solution.height;
  out->bound = solution.bound;
  out->nodes = solution.nodes;
  out->ended = solution.ended;
  out->answer = solution.answer;
  memcpy(out->offsets, solution.offsets, n * sizeof(uint64_t));
  ta_solver_free(solver);
}

static uint64_t optimum(const ta_item *items, uint32_t n, uint32_t rules) {
  static result r;
  solve(items, n, TA_NO_OFFSET, rules, 4000000, 4000000, &r);
  assert_true(r.ended);
  assert_int_equal(r.height, r.bound);
  return r.height;
}

/* ---- brute force ----------------------------------------------------------------------------------------
 */

typedef struct brute {
  const ta_item *items;
  uint32_t n;
  uint64_t offsets[8];
  uint64_t best;
} brute;

static bool live_together(const ta_item *a, const ta_item *b) {
  return a->bytes && b->bytes && a->first <= b->last && b->first <= a->last;
}

static bool fits_at(const brute *b, uint32_t placed, uint32_t item, uint64_t offset) {
  for (uint32_t i = 0; i < b->n; i++) {
    if (!(placed >> i & 1) || !live_together(&b->items[i], &b->items[item])) continue;
    if (offset < b->offsets[i] + b->items[i].bytes && b->offsets[i] < offset + b->items[item].bytes)
      return false;
  }
  return true;
}

/* In every order of placing, each item at every place where it lies on the ground or on a placed one. One of
 * these packings is the smallest. */
static void try_all(brute *b, uint32_t placed, uint64_t height) {
  if (height >= b->best) return;
  if (placed == (1u << b->n) - 1) {
    b->best = height;
    return;
  }
  for (uint32_t item = 0; item < b->n; item++) {
    if (placed >> item & 1) continue;
    const ta_item *it = &b->items[item];
    for (uint32_t below = 0; below <= b->n; below++) {
      if (below < b->n && (!(placed >> below & 1) || !live_together(&b->items[below], it))) continue;
      uint64_t at = below == b->n ? 0 : b->offsets[below] + b->items[below].bytes;
      at += (it->alignment - at % it->alignment) % it->alignment;
      if (!fits_at(b, placed, item, at)) continue;
      b->offsets[item] = at;
      uint64_t end = it->bytes ? at + it->bytes : 0;
      try_all(b, placed | 1u << item, end > height ? end : height);
    }
  }
}

static uint64_t brute_force(const ta_item *items, uint32_t n) {
  brute b = {items, n, {0}, UINT64_MAX};
  uint32_t placed = 0;
  uint64_t height = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (items[i].fixed == TA_NO_OFFSET) continue;
    placed |= 1u << i;
    b.offsets[i] = items[i].fixed;
    uint64_t end = items[i].bytes ? items[i].fixed + items[i].bytes : 0;
    if (end > height) height = end;
  }
  try_all(&b, placed, height);
  return b.best;
}

/* ---- the tests ------------------------------------------------------------------------------------------
 */

static const kind small[] = {
    {5, 9, 5, 4, false, false}, {6, 9, 6, 5, false, false}, {6, 5, 7, 4, true, false},
    {5, 30, 6, 4, true, false}, {6, 9, 6, 5, false, true},  {5, 9, 5, 4, true, true},
    {7, 6, 8, 4, false, false},
};

enum { SMALL = sizeof small / sizeof small[0] };

/* Another random list of at most `most` items. */
static uint32_t make_small(ta_item *items, int round, uint32_t most, uint32_t *seed) {
  if (round % 3 == 0) {
    for (;;) {
      uint32_t height = 3 + next(seed) % 7;
      uint32_t n =
          make_full(items, height, 1 + next(seed) % height, 3 + next(seed) % 8, 1 + next(seed) % 6, seed);
      if (n <= most) return n;
    }
  }
  kind what = small[(uint32_t)round % SMALL];
  what.items = 3 + next(seed) % (most - 2);
  make_items(items, what, seed);
  return what.items;
}

static void agrees_with_brute_force(void **state) {
  (void)state;
  uint32_t seed = 11;
  int above = 0;
  for (int round = 0; round < 6000; round++) {
    ta_item items[MOST];
    uint32_t n = make_small(items, round, round % 10 == 0 ? 7 : 6, &seed);
    uint64_t expected = brute_force(items, n), bound, live;
    int32_t step;
    assert_int_equal(ta_live_bound(NULL, items, n, &bound, &step, &live, NULL), TA_OK);
    assert_true(bound <= expected);
    above += bound < expected;
    assert_int_equal(optimum(items, n, TA_RULES_ALL), expected);
  }
  print_message("%d of 6000 optima above the live bytes\n", above);
  assert_true(above > 100); /* the search, not only the bound, was asked */
}

static void each_rule_only_saves_work(void **state) {
  (void)state;
  uint32_t seed = 12;
  for (int round = 0; round < 900; round++) {
    ta_item items[MOST];
    uint32_t n = make_small(items, round, 9, &seed);
    uint64_t expected = optimum(items, n, TA_RULES_ALL);
    for (uint32_t rule = 1; rule < TA_RULES_ALL; rule <<= 1) {
      assert_int_equal(optimum(items, n, TA_RULES_ALL & ~rule), expected);
    }
    if (n <= 6) assert_int_equal(optimum(items, n, 0), expected);
  }
}

static const kind middling[] = {
    {25, 60, 25, 8, false, false},  {40, 200, 40, 12, false, false}, {30, 40, 20, 10, true, false},
    {60, 20, 60, 20, false, false}, {30, 100, 30, 10, false, true},  {80, 50, 120, 12, true, false},
};

enum { MIDDLING = sizeof middling / sizeof middling[0] };

static void permuting_reversing_scaling(void **state) {
  (void)state;
  uint32_t seed = 13;
  static result a, b;
  for (int round = 0; round < 120; round++) {
    ta_item items[MOST], other[MOST];
    kind what = middling[round % MIDDLING];
    make_items(items, what, &seed);
    uint32_t n = what.items;
    solve(items, n, TA_NO_OFFSET, TA_RULES_ALL, 300000, 300000, &a);
    memcpy(other, items, sizeof items);
    for (uint32_t i = n; i-- > 1;) {
      uint32_t j = next(&seed) % (i + 1);
      ta_item swap = other[i];
      other[i] = other[j];
      other[j] = swap;
    }
    solve(other, n, TA_NO_OFFSET, TA_RULES_ALL, 300000, 300000, &b);
    assert_int_equal(a.height, b.height);
    assert_int_equal(a.bound, b.bound);
    for (uint32_t i = 0; i < n; i++) {
      other[i] = items[i];
      other[i].first = 1000 - items[i].last;
      other[i].last = 1000 - items[i].first;
    }
    solve(other, n, TA_NO_OFFSET, TA_RULES_ALL, 300000, 300000, &b);
    if (a.height == a.bound && b.height == b.bound) assert_int_equal(a.height, b.height);
    assert_true(b.bound <= a.height && a.bound <= b.height);
    for (uint32_t i = 0; i < n; i++) {
      other[i] = items[i];
      other[i].bytes *= 24;
      other[i].alignment *= 24;
      if (other[i].fixed != TA_NO_OFFSET) other[i].fixed *= 24;
    }
    solve(other, n, TA_NO_OFFSET, TA_RULES_ALL, 300000, 300000, &b);
    assert_int_equal(b.height, a.height * 24);
    assert_int_equal(b.bound, a.bound * 24);
  }
}

static void slices_change_nothing(void **state) {
  (void)state;
  uint32_t seed = 14;
  static result a, b;
  for (int round = 0; round < 60; round++) {
    ta_item items[MOST];
    make_items(items, middling[round % MIDDLING], &seed);
    uint32_t n = middling[round % MIDDLING].items;
    solve(items, n, TA_NO_OFFSET, TA_RULES_ALL, 20000, 20000, &a);
    solve(items, n, TA_NO_OFFSET, TA_RULES_ALL, 1 + next(&seed) % 700, 20000, &b);
    assert_int_equal(a.height, b.height);
    assert_int_equal(a.bound, b.bound);
    assert_int_equal(a.nodes, b.nodes);
    assert_memory_equal(a.offsets, b.offsets, n * sizeof(uint64_t));
  }
}

static void decides(void **state) {
  (void)state;
  uint32_t seed = 15;
  static result r;
  int refused_by_search = 0;
  for (int round = 0; round < 1500; round++) {
    ta_item items[16];
    kind what = small[round % SMALL];
    what.items += 4;
    make_items(items, what, &seed);
    uint64_t best = optimum(items, what.items, TA_RULES_ALL), bound, live;
    int32_t step;
    assert_int_equal(ta_live_bound(NULL, items, what.items, &bound, &step, &live, NULL), TA_OK);
    solve(items, what.items, best, TA_RULES_ALL, 1000000, 1000000, &r);
    assert_int_equal(r.answer, TA_ANSWER_FITS);
    assert_true(r.height <= best);
    if (best == 0) continue;
    solve(items, what.items, best - 1, TA_RULES_ALL, 1000000, 1000000, &r);
    assert_int_equal(r.answer, TA_ANSWER_NO_FIT);
    assert_true(r.bound >= best && r.ended); /* the shortfall is known */
    refused_by_search += bound < best;
  }
  assert_true(refused_by_search > 20);
}

/* Problems whose optimum lies above the live bytes are proved, not only solved. */
static void proves_above_the_bound(void **state) {
  (void)state;
  uint32_t seed = 16;
  static result r;
  uint32_t above = 0, items_in_all = 0;
  for (int round = 0; above < 300; round++) {
    assert_true(round < 4000);
    ta_item items[MOST];
    uint32_t height = 10 + next(&seed) % 11, life = 5 + next(&seed) % 4, steps = 260 / height;
    uint32_t n = make_full(items, height, height * 2 / 5, steps, life, &seed);
    uint64_t bound, live;
    int32_t step;
    assert_int_equal(ta_live_bound(NULL, items, n, &bound, &step, &live, NULL), TA_OK);
    solve(items, n, TA_NO_OFFSET, TA_RULES_ALL, 4000000, 4000000, &r);
    assert_int_equal(r.height, r.bound);
    if (r.height == bound) continue;
    above++;
    items_in_all += n;
  }
  print_message("300 optima above the live bytes proved, of %u items on average\n", items_in_all / above);
}

static void items_past_the_limit(void **state) {
  (void)state;
  ta_solver *solver;
  ta_error error;
  ta_item items[2] = {{TA_MAX_BYTES, 1, 1, 0, 1}, {8, 4, 4, 2, 2}};
  assert_int_equal(ta_solver_new(NULL, items, 2, NULL, &solver, &error), TA_E_LIMIT);
  items[0] = items[1] = (ta_item){TA_MAX_BYTES, 1, TA_NO_OFFSET, 0, 0};
  assert_int_equal(ta_solver_new(NULL, items, 2, NULL, &solver, &error), TA_E_LIMIT);
}

static void no_items(void **state) {
  (void)state;
  ta_item items[] = {{0, 4, 8, 0, 3}, {5, 1, TA_NO_OFFSET, 3, 2}};
  static result r;
  solve(items, 0, TA_NO_OFFSET, TA_RULES_ALL, 10, 10, &r);
  assert_true(r.ended && r.height == 0);
  solve(items, 1, TA_NO_OFFSET, TA_RULES_ALL, 10, 10, &r);
  assert_true(r.ended && r.height == 0 && r.offsets[0] == 8);
  ta_solver *solver;
  ta_solution solution;
  assert_int_equal(ta_solver_new(NULL, items, 2, NULL, &solver, NULL), TA_OK);
  ta_solver_solution(solver, &solution);
  assert_true(solution.ended && solution.height == 0);
  ta_solver_free(solver);
}

/* Sizes without a common divisor, up to hundreds of gigabytes. */
static void large_sizes(void **state) {
  (void)state;
  uint32_t seed = 17;
  for (int round = 0; round < 50; round++) {
    ta_item items[8];
    make_items(items, small[round % 2], &seed);
    uint32_t n = small[round % 2].items;
    for (uint32_t i = 0; i < n; i++)
      items[i].bytes = items[i].bytes * UINT64_C(68719476736) + next(&seed) % 1000;
    assert_int_equal(optimum(items, n, TA_RULES_ALL), brute_force(items, n));
  }
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  uint32_t seed = 21;
  ta_item items[MOST];
  make_items(items, (kind){150, 90, 60, 25, true, true}, &seed);
  bool whole = false;
  for (long allowed = 0; !whole; allowed++) {
    assert_true(allowed < 400);
    heap h = {.left = allowed};
    ta_allocator allocator = heap_allocator(&h);
    ta_solver *solver;
    ta_error error;
    ta_status status = ta_solver_new(&allocator, items, 150, NULL, &solver, &error);
    if (status == TA_OK) {
      bool done = false;
      ta_solution solution;
      status = ta_solver_step(solver, 3000, &done, &error);
      whole = status == TA_OK;
      ta_solver_solution(solver, &solution);
      check_sound(items, 150, &solution);
      h.left = 1000; /* there is memory again: it goes on */
      assert_int_equal(ta_solver_step(solver, 3000, &done, &error), TA_OK);
      ta_solver_solution(solver, &solution);
      check_sound(items, 150, &solution);
      ta_solver_free(solver);
    }
    assert_true(status == TA_OK || (status == TA_E_MEMORY && error.status == TA_E_MEMORY));
    assert_int_equal(h.held, 0);
  }
}

static void another_plan_is_taken_where_it_is_lower(void **state) {
  (void)state;
  uint32_t seed = 22;
  ta_item items[MOST];
  static result best;
  make_items(items, (kind){150, 90, 60, 25, false, false}, &seed);
  solve(items, 150, TA_NO_OFFSET, TA_RULES_ALL, 200000, 200000, &best);
  ta_solver *solver;
  ta_solution solution;
  assert_int_equal(ta_solver_new(NULL, items, 150, NULL, &solver, NULL), TA_OK);
  ta_solver_solution(solver, &solution);
  assert_true(solution.height > best.height);
  ta_solver_offer(solver, best.offsets);
  ta_solver_solution(solver, &solution);
  assert_int_equal(solution.height, best.height);
  check_sound(items, 150, &solution);
  ta_solver_free(solver);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_brute_force),
      cmocka_unit_test(each_rule_only_saves_work),
      cmocka_unit_test(permuting_reversing_scaling),
      cmocka_unit_test(slices_change_nothing),
      cmocka_unit_test(decides),
      cmocka_unit_test(proves_above_the_bound),
      cmocka_unit_test(items_past_the_limit),
      cmocka_unit_test(no_items),
      cmocka_unit_test(large_sizes),
      cmocka_unit_test(memory_may_run_out_anywhere),
      cmocka_unit_test(another_plan_is_taken_where_it_is_lower),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

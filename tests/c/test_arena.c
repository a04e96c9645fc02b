/* The online arena against a naive list of the same rules, its backing buffer, and the time-interval index
 * against scans of everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arena/arena.h"
#include "arena/backing.h"
#include "arena/overlaps.h"

static uint32_t seed;

static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

/* ---- the original's rules, on a list --------------------------------------------------------------------
 */

typedef struct naive_entry {
  uint64_t offset, bytes;
} naive_entry;

typedef struct naive {
  naive_entry at[1024];
  uint32_t n;
  uint64_t mark;
} naive;

static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static uint64_t naive_allocate(naive *list, uint64_t bytes, uint64_t alignment) {
  uint64_t end = 0, best = UINT64_MAX, offset = 0;
  uint32_t at = list->n;
  for (uint32_t i = 0; i < list->n; i++) {
    uint64_t gap = list->at[i].offset - end;
    if (align_up(end, alignment) + bytes <= list->at[i].offset && gap < best) {
      best = gap;
      offset = align_up(end, alignment);
      at = i;
    }
    end = list->at[i].offset + list->at[i].bytes;
  }
  if (best == UINT64_MAX) offset = align_up(end, alignment);
  memmove(list->at + at + 1, list->at + at, (list->n - at) * sizeof list->at[0]);
  list->at[at] = (naive_entry){offset, bytes};
  list->n++;
  if (offset + bytes > list->mark) list->mark = offset + bytes;
  return offset;
}

static void naive_deallocate(naive *list, uint64_t offset) {
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].offset != offset) continue;
    list->n--;
    memmove(list->at + i, list->at + i + 1, (list->n - i) * sizeof list->at[0]);
    return;
  }
  fail();
}

/* `most` live entries at most, bytes below `largest`; each arena lives through 20,000 operations. */
static void compare(uint64_t alignment, uint32_t most, uint32_t largest) {
  static naive list;
  ta_region region;
  ta_arena arena;
  ta_entry *live[1024];
  uint32_t n = 0;
  memset(&list, 0, sizeof list);
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, alignment);
  for (int i = 0; i < 20000; i++) {
    if (n == 0 || (n < most && below(100) < 52)) {
      uint64_t bytes = 1 + below(largest);
      assert_int_equal(ta_arena_allocate(&arena, bytes, &live[n], NULL), TA_OK);
      assert_int_equal(live[n]->offset, naive_allocate(&list, bytes, alignment));
      n++;
    } else {
      uint32_t victim = below(n);
      naive_deallocate(&list, live[victim]->offset);
      ta_arena_deallocate(&arena, live[victim]);
      live[victim] = live[--n];
    }
    assert_int_equal(arena.mark, list.mark);
    if (below(5000) == 0) {
      ta_arena_clear(&arena);
      memset(&list, 0, sizeof list);
      n = 0;
    }
  }
  ta_region_free(&region);
}

static void chooses_as_the_naive_list_does(void **state) {
  (void)state;
  seed = 7;
  for (uint64_t alignment = 1; alignment <= 64; alignment *= 2) {
    compare(alignment, 6, 50);
    compare(alignment, 40, 200);
    compare(alignment, 700, 3000);
    compare(alignment, 200, 5);
  }
}

static void smallest_gap_is_judged_unaligned(void **state) {
  (void)state;
  ta_region region;
  ta_arena arena;
  ta_entry *entry, *a, *b;
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, 4);
  const uint64_t bytes[] = {5, 8, 1, 4, 12, 4};
  ta_entry *all[6];
  for (int i = 0; i < 6; i++) assert_int_equal(ta_arena_allocate(&arena, bytes[i], &all[i], NULL), TA_OK);
  a = all[1]; /* 8..16: the gap 5..16 is 11 bytes, 8 of them usable */
  b = all[4]; /* 24..36: the gap is 12 bytes, all usable */
  ta_arena_deallocate(&arena, a);
  ta_arena_deallocate(&arena, b);
  assert_int_equal(ta_arena_allocate(&arena, 9, &entry, NULL), TA_OK);
  assert_int_equal(entry->offset, 24);
  assert_int_equal(ta_arena_allocate(&arena, 7, &entry, NULL), TA_OK);
  assert_int_equal(entry->offset, 8);
  ta_region_free(&region);
}

static void allocate_at_refuses_bytes_in_use(void **state) {
  (void)state;
  ta_region region;
  ta_arena arena;
  ta_entry *entry;
  ta_error error;
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, 4);
  assert_int_equal(ta_arena_allocate_at(&arena, 100, 10, &entry, &error), TA_OK);
  assert_int_equal(ta_arena_allocate_at(&arena, 109, 1, &entry, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_arena_allocate_at(&arena, 95, 6, &entry, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_arena_allocate_at(&arena, 100, 1, &entry, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_arena_allocate_at(&arena, 110, 1, &entry, &error), TA_OK);
  assert_int_equal(ta_arena_allocate_at(&arena, 90, 10, &entry, &error), TA_OK);
  assert_int_equal(arena.mark, 111);
  assert_int_equal(ta_arena_allocate(&arena, 90, &entry, &error), TA_OK);
  assert_int_equal(entry->offset, 0);
  assert_int_equal(ta_arena_allocate(&arena, 1, &entry, &error), TA_OK);
  assert_int_equal(entry->offset, 112);
  ta_region_free(&region);
}

static void offsets_stop_at_the_limit(void **state) {
  (void)state;
  ta_region region;
  ta_arena arena;
  ta_entry *entry;
  ta_error error;
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, 64);
  assert_int_equal(ta_arena_allocate(&arena, TA_MAX_BYTES, &entry, &error), TA_OK);
  assert_int_equal(ta_arena_allocate(&arena, 1, &entry, &error), TA_E_LIMIT);
  assert_int_equal(arena.mark, TA_MAX_BYTES);
  ta_region_free(&region);
}

/* ---- the backing buffer ---------------------------------------------------------------------------------
 */

typedef struct counter {
  int allocations;
  size_t held, limit;
} counter;

static void *counted_alloc(void *context, size_t bytes) {
  counter *count = context;
  if (count->held + bytes > count->limit) return NULL;
  count->held += bytes;
  count->allocations++;
  return malloc(bytes);
}

static void counted_free(void *context, void *pointer, size_t bytes) {
  counter *count = context;
  count->held -= bytes;
  free(pointer);
}

static void backing_grows_geometrically_and_keeps_its_contents(void **state) {
  (void)state;
  counter count = {.limit = SIZE_MAX};
  ta_allocator allocator = {counted_alloc, counted_free, &count};
  ta_region region;
  ta_arena arena;
  ta_backing backing;
  ta_entry *entries[1000];
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, 4);
  ta_backing_init(&backing, &allocator, 64);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(ta_arena_allocate(&arena, 8, &entries[i], NULL), TA_OK);
    assert_int_equal(ta_backing_commit(&backing, &arena, NULL), TA_OK);
    assert_int_equal((uintptr_t)backing.base % 64, 0);
    assert_true(backing.bytes >= arena.mark);
    memset(ta_backing_resolve(&backing, entries[i]), i & 0xFF, 8);
  }
  assert_true(count.allocations <= 12);
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < 8; j++) assert_int_equal(ta_backing_resolve(&backing, entries[i])[j], i & 0xFF);
  }
  assert_int_equal(arena.mark, 8000);
  ta_arena_clear(&arena);
  assert_int_equal(ta_backing_commit(&backing, &arena, NULL), TA_OK);
  assert_true(backing.bytes >= 8000); /* never shrinks */
  ta_backing_release(&backing);
  assert_null(backing.base);
  assert_int_equal(count.held, 0);
  assert_int_equal(ta_arena_allocate(&arena, 8, &entries[0], NULL), TA_OK);
  assert_int_equal(ta_backing_commit(&backing, &arena, NULL), TA_OK);
  assert_int_equal(ta_backing_resolve(&backing, entries[0]) - backing.base, 0);
  ta_backing_release(&backing);
  ta_region_free(&region);
}

static void backing_survives_want_of_memory(void **state) {
  (void)state;
  counter count = {.limit = 1000};
  ta_allocator allocator = {counted_alloc, counted_free, &count};
  ta_region region;
  ta_arena arena;
  ta_backing backing;
  ta_entry *entry;
  ta_error error;
  ta_region_init(&region, NULL);
  ta_arena_init(&arena, &region, 4);
  ta_backing_init(&backing, &allocator, 64);
  assert_int_equal(ta_arena_allocate(&arena, 100, &entry, NULL), TA_OK);
  assert_int_equal(ta_backing_commit(&backing, &arena, &error), TA_OK);
  memset(ta_backing_resolve(&backing, entry), 7, 100);
  ta_entry *large;
  assert_int_equal(ta_arena_allocate(&arena, UINT64_C(1) << 50, &large, NULL), TA_OK);
  assert_int_equal(ta_backing_commit(&backing, &arena, &error), TA_E_MEMORY);
  assert_int_equal(ta_backing_resolve(&backing, entry)[99], 7);
  ta_backing_release(&backing);
  ta_region_free(&region);
}

/* ---- the time-interval index ----------------------------------------------------------------------------
 */

enum { ITEMS = 5000 };

typedef struct placed {
  int32_t first[ITEMS], last[ITEMS];
  uint64_t offset[ITEMS], bytes[ITEMS];
  uint32_t order[ITEMS], n; /* placed items, in offset order */
} placed;

static placed all;

static uint32_t scan_fit(int32_t first, int32_t last, uint64_t bytes, uint64_t alignment, uint64_t *best_fit,
                         uint64_t *first_fit) {
  uint64_t end = 0, best = UINT64_MAX;
  uint32_t overlapping = 0;
  *first_fit = UINT64_MAX;
  for (uint32_t i = 0; i < all.n; i++) {
    uint32_t item = all.order[i];
    if (all.first[item] > last || all.last[item] < first) continue;
    overlapping++;
    uint64_t aligned = align_up(end, alignment), next = all.offset[item];
    if (aligned + bytes <= next) {
      if (*first_fit == UINT64_MAX) *first_fit = aligned;
      if (next - aligned < best) {
        best = next - end;
        *best_fit = aligned;
      }
    }
    if (all.offset[item] + all.bytes[item] > end) end = all.offset[item] + all.bytes[item];
  }
  if (best == UINT64_MAX) *best_fit = align_up(end, alignment);
  if (*first_fit == UINT64_MAX) *first_fit = align_up(end, alignment);
  return overlapping;
}

static void note_placed(uint32_t item, uint64_t offset) {
  uint32_t at = all.n++;
  all.offset[item] = offset;
  for (; at > 0 && all.offset[all.order[at - 1]] > offset; at--) all.order[at] = all.order[at - 1];
  all.order[at] = item;
}

static uint32_t count_overlaps(const ta_overlaps *index, int32_t first, int32_t last) {
  uint32_t n = 0;
  for (uint32_t rank = ta_overlaps_next(index, 0, first, last); rank < index->n_items;
       rank = ta_overlaps_next(index, rank + 1, first, last)) {
    assert_true(index->placed[rank].first <= last && index->last[index->item_at[rank]] >= first);
    n++;
  }
  return n;
}

static void assert_fits(ta_overlaps *index, uint32_t item, uint64_t best, uint64_t lowest) {
  uint64_t offset;
  assert_int_equal(ta_overlaps_best_fit(index, item, all.bytes[item], &offset, NULL), TA_OK);
  assert_int_equal(offset, best);
  assert_int_equal(ta_overlaps_first_fit(index, item, all.bytes[item], &offset, NULL), TA_OK);
  assert_int_equal(offset, lowest);
}

static void make_index(ta_overlaps *index, uint32_t items, int32_t steps, uint64_t alignment,
                       ta_region *region) {
  assert_int_equal(ta_overlaps_init(index, all.first, all.last, items, steps, alignment, region, NULL),
                   TA_OK);
}

static void make_items(uint32_t items, int32_t steps, uint32_t reach) {
  memset(&all, 0, sizeof all);
  for (uint32_t i = 0; i < items; i++) {
    all.first[i] = (int32_t)below((uint32_t)steps);
    all.last[i] = below(50) == 0 ? INT32_MAX : all.first[i] + (int32_t)below(reach);
    all.bytes[i] = 1 + below(500);
  }
}

/* Lives as long as `reach`; `steps` steps; now and then a hundred buffers are taken out again. */
static void compare_index(uint32_t items, int32_t steps, uint32_t reach, uint64_t alignment) {
  ta_region region;
  ta_overlaps index;
  ta_region_init(&region, NULL);
  make_items(items, steps, reach);
  make_index(&index, items, steps, alignment, &region);
  for (uint32_t i = 0; i < items; i++) {
    uint64_t best, lowest;
    uint32_t overlapping = scan_fit(all.first[i], all.last[i], all.bytes[i], alignment, &best, &lowest);
    assert_int_equal(count_overlaps(&index, all.first[i], all.last[i]), overlapping);
    assert_fits(&index, i, best, lowest);
    ta_overlaps_place(&index, i, best, all.bytes[i]);
    note_placed(i, best);
    for (uint32_t out = below(300) == 0 ? 100 : 0; out > 0 && all.n > 0; out--) {
      uint32_t at = below(all.n);
      ta_overlaps_remove(&index, all.order[at]);
      memmove(all.order + at, all.order + at + 1, (--all.n - at) * sizeof all.order[0]);
    }
  }
  ta_overlaps_clear(&index);
  assert_int_equal(count_overlaps(&index, 0, INT32_MAX), 0);
  ta_region_free(&region);
}

/* Questions fail while there are `more` bytes and no more, and are answered as before when there are. */
static void ask_within(size_t more) {
  enum { ITEMS_WITHIN = 2500, STEPS_WITHIN = 3000 };
  counter count = {.limit = SIZE_MAX};
  ta_allocator allocator = {counted_alloc, counted_free, &count};
  ta_region region;
  ta_overlaps index;
  ta_region_init(&region, &allocator);
  make_items(ITEMS_WITHIN, STEPS_WITHIN, STEPS_WITHIN);
  make_index(&index, ITEMS_WITHIN, STEPS_WITHIN, 4, &region);
  count.limit = count.held + more;
  for (uint32_t i = 0; i < ITEMS_WITHIN; i++) {
    uint64_t best, lowest, offset;
    scan_fit(all.first[i], all.last[i], all.bytes[i], 4, &best, &lowest);
    ta_status status = ta_overlaps_best_fit(&index, i, all.bytes[i], &offset, NULL);
    if (status) assert_int_equal(status, TA_E_MEMORY);
    size_t limit = status ? SIZE_MAX : count.limit;
    count.limit = SIZE_MAX; /* asked again, it may take more */
    assert_fits(&index, i, best, lowest);
    count.limit = limit;
    ta_overlaps_place(&index, i, best, all.bytes[i]);
    note_placed(i, best);
  }
  ta_region_free(&region);
  assert_int_equal(count.held, 0);
}

static void index_survives_want_of_memory(void **state) {
  (void)state;
  seed = 3;
  for (size_t more = 0; more <= 4u << 20; more = more * 3 / 2 + 30000) ask_within(more);
}

/* Buffers put over each other on purpose, and empty ones, which end a gap as others do. */
static void index_bears_buffers_that_lie_over_each_other(void **state) {
  (void)state;
  enum { MANY = 3000 };
  ta_region region;
  ta_overlaps index;
  seed = 8;
  ta_region_init(&region, NULL);
  make_items(MANY, 2000, 1500);
  make_index(&index, MANY, 2000, 4, &region);
  for (uint32_t i = 0; i < MANY; i++) {
    uint64_t best, lowest;
    scan_fit(all.first[i], all.last[i], all.bytes[i], 4, &best, &lowest);
    assert_fits(&index, i, best, lowest);
    uint64_t offset = i > 2000 ? below(60000) : best;
    if (below(10) == 0) all.bytes[i] = 0;
    ta_overlaps_place(&index, i, offset, all.bytes[i]);
    note_placed(i, offset);
  }
  ta_region_free(&region);
}

static void index_answers_as_a_scan_does(void **state) {
  (void)state;
  seed = 99;
  compare_index(0, 1, 1, 1);
  compare_index(1, 1, 1, 64);
  compare_index(500, 1, 1, 64);
  for (uint64_t alignment = 1; alignment <= 64; alignment *= 4) {
    compare_index(ITEMS, 3000, 4, alignment);
    compare_index(ITEMS, 3000, 100, alignment);
    compare_index(ITEMS, 3000, 3000, alignment);
    compare_index(ITEMS, 3000, 300, alignment);
    compare_index(ITEMS, 50, 10, alignment);
    compare_index(ITEMS, 100000, 30000, alignment);
  }
}

static uint64_t best_fit(ta_overlaps *index, uint64_t bytes) {
  uint64_t offset;
  assert_int_equal(ta_overlaps_best_fit(index, 6, bytes, &offset, NULL), TA_OK);
  return offset;
}

/* The aligned gap decides, the unaligned one is remembered: of gaps of 12 bytes, a later one wins when 4 of
 * its bytes are lost to alignment, and so does the next like it; one without loss does not. */
static void later_gap_with_more_slack_wins(void **state) {
  (void)state;
  const uint64_t offsets[] = {0, 20, 32, 36, 60, 84, 100};
  const uint64_t bytes[] = {8, 8, 4, 12, 8, 4, 4};
  int32_t first[7] = {0}, last[7] = {0};
  ta_region region;
  ta_overlaps index;
  ta_region_init(&region, NULL);
  assert_int_equal(ta_overlaps_init(&index, first, last, 7, 1, 8, &region, NULL), TA_OK);
  for (uint32_t i = 0; i < 2; i++) ta_overlaps_place(&index, i, offsets[i], bytes[i]);
  assert_int_equal(best_fit(&index, 6), 8); /* 8..20, all 12 usable */
  for (uint32_t i = 2; i < 5; i++) ta_overlaps_place(&index, i, offsets[i], bytes[i]);
  assert_int_equal(best_fit(&index, 8), 8); /* 48..60 is as good and comes later */
  ta_overlaps_remove(&index, 3);
  ta_overlaps_remove(&index, 4);
  ta_overlaps_place(&index, 3, 48, 12); /* 36..48: 8 of 12 usable, at 40 */
  assert_int_equal(best_fit(&index, 8), 40);
  ta_overlaps_place(&index, 4, 72, 8); /* 60..72: likewise, at 64 */
  assert_int_equal(best_fit(&index, 8), 64);
  ta_region_free(&region);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chooses_as_the_naive_list_does),
      cmocka_unit_test(smallest_gap_is_judged_unaligned),
      cmocka_unit_test(allocate_at_refuses_bytes_in_use),
      cmocka_unit_test(offsets_stop_at_the_limit),
      cmocka_unit_test(backing_grows_geometrically_and_keeps_its_contents),
      cmocka_unit_test(backing_survives_want_of_memory),
      cmocka_unit_test(index_answers_as_a_scan_does),
      cmocka_unit_test(index_survives_want_of_memory),
      cmocka_unit_test(index_bears_buffers_that_lie_over_each_other),
      cmocka_unit_test(later_gap_with_more_slack_wins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

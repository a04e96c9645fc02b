#include "planner/greedy.h"

#include "arena/overlaps.h"
#include "base/error.h"
#include "base/sort.h"

/* The index takes lives from 0 on: one step later than TFLM's, which begin at -1. It takes no offsets below 0
 * either: what lies there is left out of it, which changes no other's place (but for empty buffers, see
 * empty_place). */
typedef struct greedy {
  ta_greedy_item *items;
  uint32_t n;
  int32_t *first, *last;
  uint32_t *order; /* in which to place */
  ta_overlaps placed;
  ta_error *error;
} greedy;

/* Fixed ones in the order added, then larger before smaller, of equal ones the later added first. */
static bool placed_before(const void *context, uint32_t a, uint32_t b) {
  const ta_greedy_item *items = context;
  bool a_fixed = items[a].fixed != TA_GREEDY_ONLINE, b_fixed = items[b].fixed != TA_GREEDY_ONLINE;
  if (a_fixed || b_fixed) return a_fixed && b_fixed ? a < b : a_fixed;
  return items[a].bytes != items[b].bytes ? items[a].bytes > items[b].bytes : a > b;
}

static int64_t end_of(const ta_greedy_item *item) {
  return item->offset + (int64_t)item->bytes;
}

/* A placed item that lies over the same bytes during a step of the run (those start at 0). */
static uint32_t find_clash(greedy *g, uint32_t i) {
  const ta_greedy_item *item = &g->items[i];
  const ta_offset_block *block;
  uint64_t slots;
  if (item->last < 0) return TA_NO_INDEX;
  ta_overlap_scan scan = ta_overlap_begin(&g->placed, g->first[i], g->last[i], 0);
  while (ta_overlap_next(&scan, &block, &slots)) {
    for (; slots; slots &= slots - 1) {
      uint32_t other = block->item[ta_lowest_slot(slots)];
      if (g->items[other].offset >= end_of(item)) return TA_NO_INDEX;
      if (g->items[other].last >= 0 && end_of(&g->items[other]) > item->offset) return other;
    }
  }
  return TA_NO_INDEX;
}

/* An empty buffer goes to 0, or, where the file places something below 0, behind that and what it touches. */
static int64_t empty_place(greedy *g, uint32_t i) {
  const ta_offset_block *block;
  uint64_t slots;
  int64_t below = 0;
  ta_overlap_scan scan = ta_overlap_begin(&g->placed, g->first[i], g->last[i], 0);
  while (ta_overlap_next(&scan, &block, &slots)) {
    for (; slots; slots &= slots - 1) {
      const ta_greedy_item *other = &g->items[block->item[ta_lowest_slot(slots)]];
      if (other->offset < 0 && end_of(other) > below) below = end_of(other);
    }
  }
  int64_t place = below;
  scan = ta_overlap_begin(&g->placed, g->first[i], g->last[i], 0);
  while (ta_overlap_next(&scan, &block, &slots)) {
    for (; slots; slots &= slots - 1) {
      const ta_greedy_item *other = &g->items[block->item[ta_lowest_slot(slots)]];
      if (other->offset >= place) return place;
      if (end_of(other) > place) place = end_of(other);
    }
  }
  return place;
}

static ta_status keep(greedy *g, uint32_t i) {
  const ta_greedy_item *item = &g->items[i];
  int64_t from = item->offset < 0 ? 0 : item->offset;
  int64_t to = end_of(item) < from ? from : end_of(item);
  return ta_overlaps_place(&g->placed, i, (uint64_t)from, (uint64_t)(to - from), g->error);
}

static ta_status place(greedy *g, uint32_t i) {
  ta_greedy_item *item = &g->items[i];
  item->clash = TA_NO_INDEX;
  if (item->fixed != TA_GREEDY_ONLINE) {
    item->offset = item->fixed;
    item->clash = find_clash(g, i);
  } else if (item->bytes == 0) {
    item->offset = empty_place(g, i);
  } else {
    item->offset = (int64_t)ta_overlaps_first_fit(&g->placed, g->first[i], g->last[i], item->bytes, 1);
  }
  return keep(g, i);
}

static bool take_memory(greedy *g, ta_region *region) {
  g->first = TA_TAKE(region, g->n, int32_t);
  g->last = TA_TAKE(region, g->n, int32_t);
  g->order = TA_TAKE(region, g->n, uint32_t);
  return g->first && g->last && g->order;
}

static ta_status place_all(greedy *g, ta_region *region, int64_t *top) {
  int32_t steps = 1;
  for (uint32_t i = 0; i < g->n; i++) {
    g->order[i] = i;
    g->first[i] = g->items[i].first + 1;
    g->last[i] = g->items[i].last + 1;
    if (g->first[i] >= steps) steps = g->first[i] + 1;
  }
  ta_sort(g->order, g->n, placed_before, g->items);
  ta_status status = ta_overlaps_init(&g->placed, g->first, g->last, g->n, steps, region, g->error);
  for (uint32_t k = 0; k < g->n && !status; k++) {
    g->items[g->order[k]].turn = k + 1;
    status = place(g, g->order[k]);
    int64_t end = end_of(&g->items[g->order[k]]);
    if (end > *top) *top = end;
  }
  return status;
}

ta_status ta_greedy_place(const ta_allocator *allocator, ta_greedy_item *items, uint32_t n, int64_t *top,
                          ta_error *error) {
  *top = 0;
  if (n == 0) return TA_OK;
  ta_region region;
  ta_region_init(&region, allocator);
  greedy g = {.items = items, .n = n, .error = error};
  ta_status status = take_memory(&g, &region) ? TA_OK : ta_fail_memory(error);
  if (!status) status = place_all(&g, &region, top);
  ta_region_free(&region);
  return status;
}

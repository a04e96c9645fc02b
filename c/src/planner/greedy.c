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
  uint32_t *order;      /* in which to place */
  uint32_t n_ascending; /* how many of these, already placed, are in offset order now */
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

/* Of equal offsets, the one placed first. */
static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const ta_greedy_item *items = context;
  return items[a].offset != items[b].offset ? items[a].offset < items[b].offset
                                            : items[a].turn < items[b].turn;
}

static int64_t end_of(const ta_greedy_item *item) {
  return item->offset + (int64_t)item->bytes;
}

/* Of the placed items that lie over the same bytes during a step, one that it must least lie over; of such
 * the lowest; of equally low ones the one placed first. */
static void find_clash(const greedy *g, uint32_t i) {
  ta_greedy_item *item = &g->items[i];
  for (uint32_t rank = ta_overlaps_next(&g->placed, 0, g->first[i], g->last[i]); rank < g->n;
       rank = ta_overlaps_next(&g->placed, rank + 1, g->first[i], g->last[i])) {
    uint32_t index = g->placed.item_at[rank];
    const ta_greedy_item *other = &g->items[index];
    if (other->offset >= end_of(item) || end_of(other) <= item->offset) continue;
    bool judged = item->party && other->party;
    ta_overlap overlap = judged ? ta_overlap_of(item->party, other->party) : TA_OVERLAP_FAULT;
    bool worse = overlap > item->overlap;
    if (!worse && (overlap < item->overlap || !lies_below(g->items, index, item->clash))) continue;
    item->clash = index;
    item->overlap = overlap;
  }
}

/* An empty buffer goes to 0, or, where the file places something below 0, behind that and what lies over its
 * end. All that are not empty have been placed by then; others do not matter. So these are put into offset
 * order once, in the part of g->order that is done. */
static int64_t empty_place(greedy *g, uint32_t i, uint32_t n_placed) {
  const ta_greedy_item *item = &g->items[i];
  int64_t place = 0;
  if (g->n_ascending == 0) {
    ta_sort(g->order, n_placed, lies_below, g->items);
    g->n_ascending = n_placed;
  }
  for (uint32_t k = 0; k < g->n_ascending && g->items[g->order[k]].offset < place; k++) {
    const ta_greedy_item *other = &g->items[g->order[k]];
    bool meets = other->first <= item->last && other->last >= item->first;
    if (meets && end_of(other) > place) place = end_of(other);
  }
  return place;
}

static void keep(greedy *g, uint32_t i) {
  const ta_greedy_item *item = &g->items[i];
  int64_t from = item->offset < 0 ? 0 : item->offset;
  int64_t to = end_of(item) < from ? from : end_of(item);
  ta_overlaps_place(&g->placed, i, (uint64_t)from, (uint64_t)(to - from));
}

static ta_status place(greedy *g, uint32_t i, uint32_t n_placed) {
  ta_greedy_item *item = &g->items[i];
  item->turn = n_placed + 1;
  item->clash = TA_NO_INDEX;
  item->overlap = TA_OVERLAP_NONE;
  if (item->fixed != TA_GREEDY_ONLINE) {
    item->offset = item->fixed;
    find_clash(g, i);
  } else if (item->bytes == 0) {
    item->offset = empty_place(g, i, n_placed);
  } else {
    uint64_t offset;
    ta_status status = ta_overlaps_first_fit(&g->placed, i, item->bytes, &offset, g->error);
    if (status) return status;
    item->offset = (int64_t)offset;
  }
  keep(g, i);
  return TA_OK;
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
  ta_status status = ta_overlaps_init(&g->placed, g->first, g->last, g->n, steps, 1, region, g->error);
  for (uint32_t k = 0; k < g->n && !status; k++) {
    uint32_t i = g->order[k];
    status = place(g, i, k);
    if (!status && end_of(&g->items[i]) > *top) *top = end_of(&g->items[i]);
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

#include "planner/greedy.h"

#include "base/error.h"
#include "base/sort.h"

/* The placed items that live at the same time as another one are found in a complete binary tree over all
 * items in order of `first`: every node knows the latest `last` below it among those already placed. An item
 * overlaps [f, l] when its first is at most l (a prefix of the leaves) and its last at least f. */
typedef struct greedy {
  ta_greedy_item *items;
  uint32_t n, leaves;   /* leaves: a power of two */
  uint32_t *by_first;   /* leaf -> item */
  uint32_t *leaf_of;    /* item -> leaf */
  int32_t *latest;      /* the tree: children of i are 2 i and 2 i + 1, leaf k is leaves + k */
  uint32_t *order;      /* in which to place */
  uint32_t *neighbours; /* those that live at the same time as the item at hand */
} greedy;

enum { NOTHING_PLACED = INT32_MIN };

static bool first_before(const void *context, uint32_t a, uint32_t b) {
  const ta_greedy_item *items = context;
  return items[a].first != items[b].first ? items[a].first < items[b].first : a < b;
}

/* Fixed ones in the order added, then larger before smaller, of equal ones the later added first. */
static bool placed_before(const void *context, uint32_t a, uint32_t b) {
  const ta_greedy_item *items = context;
  bool a_fixed = items[a].fixed != TA_GREEDY_ONLINE, b_fixed = items[b].fixed != TA_GREEDY_ONLINE;
  if (a_fixed || b_fixed) return a_fixed && b_fixed ? a < b : a_fixed;
  return items[a].bytes != items[b].bytes ? items[a].bytes > items[b].bytes : a > b;
}

static bool offset_before(const void *context, uint32_t a, uint32_t b) {
  const ta_greedy_item *items = context;
  return items[a].offset != items[b].offset ? items[a].offset < items[b].offset : a < b;
}

static void mark_placed(greedy *g, uint32_t item) {
  int32_t last = g->items[item].last;
  for (uint32_t i = g->leaves + g->leaf_of[item]; i >= 1; i /= 2) {
    if (g->latest[i] >= last) return;
    g->latest[i] = last;
  }
}

/* How many leaves have `first` at most `last`. */
static uint32_t leaves_up_to(const greedy *g, int32_t last) {
  uint32_t low = 0, high = g->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->items[g->by_first[middle]].first <= last) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The next leaf at or after `from` whose placed item lasts to `first` or longer; `leaves` when none does.
 * Climbs until a subtree to the right has one, then descends in it. */
static uint32_t next_leaf(const greedy *g, uint32_t from, int32_t first) {
  if (from >= g->leaves) return g->leaves;
  uint32_t i = g->leaves + from;
  while (g->latest[i] < first) {
    while (i % 2 == 1) {
      if (i == 1) return g->leaves;
      i /= 2;
    }
    i++;
  }
  while (i < g->leaves) i = g->latest[2 * i] >= first ? 2 * i : 2 * i + 1;
  return i - g->leaves;
}

static uint32_t find_neighbours(greedy *g, const ta_greedy_item *item) {
  uint32_t end = leaves_up_to(g, item->last), count = 0;
  for (uint32_t leaf = next_leaf(g, 0, item->first); leaf < end; leaf = next_leaf(g, leaf + 1, item->first)) {
    g->neighbours[count++] = g->by_first[leaf];
  }
  return count;
}

/* Lies over the same bytes as a neighbour during a step of the run (those start at 0). */
static uint32_t find_clash(const greedy *g, const ta_greedy_item *item, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    const ta_greedy_item *other = &g->items[g->neighbours[k]];
    if (item->last < 0 || other->last < 0) continue;
    if (other->offset < item->offset + (int64_t)item->bytes &&
        item->offset < other->offset + (int64_t)other->bytes) {
      return g->neighbours[k];
    }
  }
  return TA_NO_INDEX;
}

/* The lowest gap that is large enough. */
static int64_t lowest_gap(greedy *g, const ta_greedy_item *item, uint32_t count) {
  ta_sort(g->neighbours, count, offset_before, g->items);
  int64_t candidate = 0;
  for (uint32_t k = 0; k < count; k++) {
    const ta_greedy_item *entry = &g->items[g->neighbours[k]];
    if (entry->offset - candidate >= (int64_t)item->bytes) break;
    int64_t end = entry->offset + (int64_t)entry->bytes;
    if (end > candidate) candidate = end;
  }
  return candidate;
}

static int64_t place_all(greedy *g) {
  int64_t top = 0;
  for (uint32_t k = 0; k < g->n; k++) {
    ta_greedy_item *item = &g->items[g->order[k]];
    uint32_t count = find_neighbours(g, item);
    item->clash = TA_NO_INDEX;
    if (item->fixed != TA_GREEDY_ONLINE) {
      item->offset = item->fixed;
      item->clash = find_clash(g, item, count);
    } else {
      item->offset = lowest_gap(g, item, count);
    }
    mark_placed(g, g->order[k]);
    if (item->offset + (int64_t)item->bytes > top) top = item->offset + (int64_t)item->bytes;
  }
  return top;
}

static bool take_memory(greedy *g, ta_region *region) {
  g->leaves = 1;
  while (g->leaves < g->n) g->leaves *= 2;
  g->by_first = TA_TAKE(region, g->n, uint32_t);
  g->leaf_of = TA_TAKE(region, g->n, uint32_t);
  g->order = TA_TAKE(region, g->n, uint32_t);
  g->neighbours = TA_TAKE(region, g->n, uint32_t);
  g->latest = TA_TAKE(region, 2 * (size_t)g->leaves, int32_t);
  return g->by_first && g->leaf_of && g->order && g->neighbours && g->latest;
}

static void prepare(greedy *g) {
  for (uint32_t i = 0; i < g->n; i++) g->by_first[i] = g->order[i] = i;
  ta_sort(g->by_first, g->n, first_before, g->items);
  ta_sort(g->order, g->n, placed_before, g->items);
  for (uint32_t leaf = 0; leaf < g->n; leaf++) g->leaf_of[g->by_first[leaf]] = leaf;
  for (uint32_t i = 0; i < 2 * g->leaves; i++) g->latest[i] = NOTHING_PLACED;
}

ta_status ta_greedy_place(const ta_allocator *allocator, ta_greedy_item *items, uint32_t n, int64_t *top,
                          ta_error *error) {
  *top = 0;
  if (n == 0) return TA_OK;
  ta_region region;
  ta_region_init(&region, allocator);
  greedy g = {.items = items, .n = n};
  ta_status status = take_memory(&g, &region) ? TA_OK : ta_fail_memory(error);
  if (!status) {
    prepare(&g);
    *top = place_all(&g);
  }
  ta_region_free(&region);
  return status;
}

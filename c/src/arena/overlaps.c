#include "arena/overlaps.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/sort.h"

enum { FLOOR_BITS = 4, FLOOR_RATIO = 1 << FLOOR_BITS };

static bool begins_before(const void *context, uint32_t a, uint32_t b) {
  const int32_t *first = context;
  return first[a] != first[b] ? first[a] < first[b] : a < b;
}

/* Each floor is filled up to whole groups. */
static bool take_floors(ta_overlaps *index) {
  uint32_t width = index->n_items;
  do {
    width = (width + FLOOR_RATIO - 1) / FLOOR_RATIO;
    index->width[index->n_floors] = width * FLOOR_RATIO;
    index->latest[index->n_floors] = TA_TAKE(index->region, (size_t)width * FLOOR_RATIO, int32_t);
    if (!index->latest[index->n_floors++]) return false;
  } while (width > 1);
  return true;
}

ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, uint64_t alignment, ta_region *region, ta_error *error) {
  memset(index, 0, sizeof *index);
  index->region = region;
  index->born = first;
  index->last = last;
  index->n_items = n;
  index->steps = steps;
  index->alignment = alignment;
  index->rank_of = TA_TAKE(region, n, uint32_t);
  index->item_at = TA_TAKE(region, n, uint32_t);
  index->first = TA_TAKE(region, n, int32_t);
  index->at = TA_TAKE(region, n, ta_extent);
  if (!index->rank_of || !index->item_at || !index->first || !index->at || !take_floors(index))
    return ta_fail_memory(error);
  for (uint32_t i = 0; i < n; i++) index->item_at[i] = i;
  ta_sort(index->item_at, n, begins_before, first);
  for (uint32_t r = 0; r < n; r++) {
    index->rank_of[index->item_at[r]] = r;
    index->first[r] = first[index->item_at[r]];
  }
  ta_overlaps_clear(index);
  return TA_OK;
}

/* ---- placing --------------------------------------------------------------------------------------------
 */

static void set_latest(ta_overlaps *index, uint32_t rank, int32_t last) {
  index->latest[0][rank] = last;
  for (uint32_t floor = 1, at = rank; floor < index->n_floors; floor++) {
    at /= FLOOR_RATIO;
    const int32_t *group = &index->latest[floor - 1][(size_t)at * FLOOR_RATIO];
    int32_t latest = -1;
    for (uint32_t i = 0; i < FLOOR_RATIO; i++) latest = ta_max_i32(latest, group[i]);
    if (index->latest[floor][at] == latest) return;
    index->latest[floor][at] = latest;
  }
}

static ta_placed placed_at(const ta_overlaps *index, uint32_t rank) {
  return (ta_placed){index->at[rank], index->first[rank], index->latest[0][rank]};
}

void ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes) {
  uint32_t rank = index->rank_of[item];
  index->at[rank] = (ta_extent){offset, offset + bytes};
  set_latest(index, rank, index->last[item]);
  if (index->rooms && !index->outdated) ta_rooms_add(index->rooms, placed_at(index, rank));
}

void ta_overlaps_remove(ta_overlaps *index, uint32_t item) {
  set_latest(index, index->rank_of[item], -1);
  index->outdated = true;
}

void ta_overlaps_clear(ta_overlaps *index) {
  for (uint32_t floor = 0; floor < index->n_floors; floor++) {
    for (uint32_t i = 0; i < index->width[floor]; i++) index->latest[floor][i] = -1;
  }
  index->outdated = true;
}

/* ---- what overlaps --------------------------------------------------------------------------------------
 */

/* From that rank on, the first that lives at the step or later; n_items when there is none. Up a floor where
 * a group ends, down where one has such a rank. */
static uint32_t next_alive(const ta_overlaps *index, uint32_t rank, int32_t step) {
  uint32_t floor = 0, at = rank;
  while (at >= index->width[floor] || index->latest[floor][at] < step) {
    if (at >= index->width[floor]) return index->n_items;
    for (at++; at % FLOOR_RATIO == 0 && floor + 1 < index->n_floors; floor++) at /= FLOOR_RATIO;
  }
  for (; floor > 0; floor--) {
    const int32_t *below = index->latest[floor - 1];
    for (at *= FLOOR_RATIO; below[at] < step; at++) {
    }
  }
  return at;
}

uint32_t ta_overlaps_next(const ta_overlaps *index, uint32_t rank, int32_t first, int32_t last) {
  if (rank < index->n_items) rank = next_alive(index, rank, first);
  return rank < index->n_items && index->first[rank] <= last ? rank : index->n_items;
}

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
  index->first = first;
  index->last = last;
  index->n_items = n;
  index->steps = steps;
  index->alignment = alignment;
  index->rank_of = TA_TAKE(region, n, uint32_t);
  index->item_at = TA_TAKE(region, n, uint32_t);
  index->placed = TA_TAKE(region, n, ta_placed);
  if (!index->rank_of || !index->item_at || !index->placed || !take_floors(index))
    return ta_fail_memory(error);
  for (uint32_t i = 0; i < n; i++) index->item_at[i] = i;
  ta_sort(index->item_at, n, begins_before, first);
  for (uint32_t r = 0; r < n; r++) {
    index->rank_of[index->item_at[r]] = r;
    index->placed[r].first = first[index->item_at[r]];
  }
  ta_overlaps_clear(index);
  return TA_OK;
}

/* ---- placing --------------------------------------------------------------------------------------------
 */

void ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes) {
  uint32_t at = index->rank_of[item];
  ta_placed *placed = &index->placed[at];
  placed->at = (ta_extent){offset, offset + bytes};
  placed->last = index->last[item];
  for (uint32_t floor = 0; floor < index->n_floors && index->latest[floor][at] < placed->last; floor++) {
    index->latest[floor][at] = placed->last;
    at /= FLOOR_RATIO;
  }
  if (!index->outdated) ta_rooms_add(index->rooms, *placed);
}

void ta_overlaps_remove(ta_overlaps *index, uint32_t item) {
  uint32_t at = index->rank_of[item];
  index->latest[0][at] = -1;
  for (uint32_t floor = 1; floor < index->n_floors; floor++) {
    at /= FLOOR_RATIO;
    const int32_t *group = &index->latest[floor - 1][(size_t)at * FLOOR_RATIO];
    int32_t latest = -1;
    for (uint32_t i = 0; i < FLOOR_RATIO; i++) latest = ta_max_i32(latest, group[i]);
    index->latest[floor][at] = latest;
  }
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

/* Up a floor where a group ends, down where one has a rank that is alive at `first` or later. */
uint32_t ta_overlaps_next(const ta_overlaps *index, uint32_t rank, int32_t first, int32_t last) {
  uint32_t floor = rank ? 0 : index->n_floors - 1, at = rank;
  while (at < index->width[floor] && index->latest[floor][at] < first) {
    if (++at % FLOOR_RATIO) continue;
    if (floor == 0 && at < index->n_items && index->placed[at].first > last) return index->n_items;
    for (; at % FLOOR_RATIO == 0 && floor + 1 < index->n_floors; floor++) at /= FLOOR_RATIO;
  }
  if (at >= index->width[floor]) return index->n_items;
  for (; floor > 0; floor--) {
    const int32_t *below = index->latest[floor - 1];
    for (at *= FLOOR_RATIO; below[at] < first; at++) {
    }
  }
  return index->placed[at].first <= last ? at : index->n_items;
}

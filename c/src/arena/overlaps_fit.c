/* Where a buffer goes among those that overlap it in time. */
#include "arena/overlaps.h"
#include "base/error.h"
#include "base/num.h"

/* ---- the gaps among those that overlap ------------------------------------------------------------------
 */

enum { FEW = 64 };

/* The gaps that those leave that overlap. False: these are more than a few. */
static bool find_few(const ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                     ta_extent left[FEW + 2]) {
  ta_extent few[FEW + 1];
  uint32_t n = 0;
  for (uint32_t rank = ta_overlaps_next(index, 0, first, last); rank < index->n_items;
       rank = ta_overlaps_next(index, rank + 1, first, last)) {
    if (n == FEW) return false;
    few[n++] = index->placed[rank].at;
  }
  for (uint32_t i = 1; i < n; i++) {
    ta_extent moved = few[i];
    uint32_t at = i;
    for (; at > 0 && few[at - 1].offset > moved.offset; at--) few[at] = few[at - 1];
    few[at] = moved;
  }
  few[n] = (ta_extent){UINT64_MAX, UINT64_MAX};
  ta_subtract(&(ta_extent){0, UINT64_MAX}, few, bytes, left);
  return true;
}

/* Tells the rooms of all that is placed. */
static bool update_rooms(ta_overlaps *index) {
  if (!index->rooms) {
    index->rooms = TA_TAKE(index->region, 1, ta_rooms);
    if (!index->rooms || !ta_rooms_init(index->rooms, index->first, index->last, index->n_items, index->steps,
                                        index->alignment, index->region)) {
      index->rooms = NULL;
      return false;
    }
  }
  ta_rooms_clear(index->rooms);
  for (uint32_t rank = ta_overlaps_next(index, 0, 0, INT32_MAX); rank < index->n_items;
       rank = ta_overlaps_next(index, rank + 1, 0, INT32_MAX))
    ta_rooms_add(index->rooms, index->placed[rank]);
  index->outdated = false;
  return true;
}

/* ---- the rules ------------------------------------------------------------------------------------------
 */

/* Alignments are powers of two, and offsets are far below 2^64. */
static inline uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/* A gap fits when its aligned start and the bytes come no further than its end. The best gap is found by
 * comparing aligned bytes, but the best so far is remembered by its unaligned ones: so a later gap, as wide
 * and with more of it lost to alignment, can still win. */
static uint64_t choose(const ta_extent *gap, uint64_t bytes, uint64_t alignment, bool lowest) {
  uint64_t best = UINT64_MAX, offset = 0, unused;
  for (; gap->end != UINT64_MAX; gap++) {
    uint64_t aligned = align_up(gap->offset, alignment);
    if ((gap->end < aligned + bytes) | (gap->end - aligned >= best)) continue; /* mostly */
    best = gap->end - gap->offset;
    offset = aligned;
    if (lowest || best <= bytes) return offset; /* nothing that comes later can be chosen */
  }
  if (best != UINT64_MAX) return offset;
  /* Behind everything, unless that passes the largest offset. */
  return ta_align_up(gap->offset, alignment, &offset) && ta_add(offset, bytes, &unused) ? offset : UINT64_MAX;
}

static ta_status find(ta_overlaps *index, uint32_t item, uint64_t bytes, bool lowest, uint64_t *offset,
                      ta_error *error) {
  int32_t first = index->placed[index->rank_of[item]].first, last = index->last[item];
  ta_extent left[FEW + 2];
  const ta_extent *gaps = left;
  if (!find_few(index, first, last, bytes, left)) {
    if (index->outdated && !update_rooms(index)) return ta_fail_memory(error);
    gaps = ta_rooms_find(index->rooms, first, last, bytes);
    index->outdated = !gaps;
    if (!gaps) return ta_fail_memory(error);
  }
  *offset = choose(gaps, bytes, index->alignment, lowest);
  return TA_OK;
}

ta_status ta_overlaps_best_fit(ta_overlaps *index, uint32_t item, uint64_t bytes, uint64_t *offset,
                               ta_error *error) {
  return find(index, item, bytes, false, offset, error);
}

ta_status ta_overlaps_first_fit(ta_overlaps *index, uint32_t item, uint64_t bytes, uint64_t *offset,
                                ta_error *error) {
  return find(index, item, bytes, true, offset, error);
}

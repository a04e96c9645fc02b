/* The time-interval index: buffers that have their places, each with its bytes [offset, end) and its life,
 * and the question every static planner asks for each buffer it places: where is there room among those that
 * live at the same time as this one?
 *
 * Buffers are ranked by their first steps, and what is known of each lies by rank: so those that live at the
 * same time as a short-lived one lie close together. A pyramid of latest last steps finds the few that
 * overlap. In most networks every question ends here: they are put into offset order and walked over. Where
 * they are many, the question goes to the rooms (rooms.h), made when that first happens. */
#ifndef TA_ARENA_OVERLAPS_H
#define TA_ARENA_OVERLAPS_H

#include "arena/rooms.h"

enum { TA_MOST_FLOORS = 8 }; /* of 16 to 1 each: enough for every rank there can be */

typedef struct ta_overlaps {
  ta_region *region;
  const int32_t *first, *last; /* lives by item, borrowed */
  uint32_t n_items;
  int32_t steps;
  uint64_t alignment;

  uint32_t *rank_of, *item_at; /* items sorted by (first, index): an item's rank, a rank's item */
  ta_placed *placed;           /* by rank; of what is not placed, only `first` counts */

  /* Floor 0: by rank, last steps; -1: not placed. Above it, the latest of 16 each. */
  int32_t *latest[TA_MOST_FLOORS];
  uint32_t width[TA_MOST_FLOORS]; /* entries of each floor */
  uint32_t n_floors;

  ta_rooms *rooms; /* NULL: not made yet */
  bool outdated;   /* the rooms do not know what is placed */
} ta_overlaps;

/* Items are 0 .. n - 1; item i lives from first[i] to last[i], both included (last may be INT32_MAX: to the
 * end). Negative first: it is never placed. An item's life may change only while it is not placed, and its
 * first never. `steps` is larger than any first. What is found is a multiple of `alignment`, a power of two.
 * Nothing is placed yet. O(n log n). Errors: MEMORY. */
ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, uint64_t alignment, ta_region *region, ta_error *error);

/* The item takes [offset, offset + bytes). It must not be placed yet. O(log n). */
void ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes);

/* Takes a placed item out. O(log n), but rooms have to be made anew. */
void ta_overlaps_remove(ta_overlaps *index, uint32_t item);

/* Takes all out. O(n). */
void ta_overlaps_clear(ta_overlaps *index);

/* The rank of the first placed item, from that rank on, that overlaps first .. last; n_items when there is
 * none. O(log n). */
uint32_t ta_overlaps_next(const ta_overlaps *index, uint32_t rank, int32_t first, int32_t last);

/* Where today's TensorFlow Lite puts `bytes` (1 or more) for an item: of the gaps between the placed buffers
 * that overlap its life, the one that leaves least room, judged as that planner judges it (see
 * overlaps_fit.c), else behind them all. *offset is UINT64_MAX when that passes the largest offset. Errors:
 * MEMORY. */
ta_status ta_overlaps_best_fit(ta_overlaps *index, uint32_t item, uint64_t bytes, uint64_t *offset,
                               ta_error *error);

/* The lowest offset at which they fit. Likewise. */
ta_status ta_overlaps_first_fit(ta_overlaps *index, uint32_t item, uint64_t bytes, uint64_t *offset,
                                ta_error *error);

#endif

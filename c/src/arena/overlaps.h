/* The time-interval index: buffers that have their places, each with its bytes [offset, end) and its life,
 * and the question every static planner asks for each buffer it places: which of them live at the same time
 * as this one, in offset order?
 *
 * Placed buffers lie in offset order in blocks of up to 64 slots. A block knows, for 64 stretches of time,
 * which of its slots have begun and which are over by then: two words give nearly all slots that overlap a
 * life in time, and only slots that begin or end in the life's own stretches are looked at one by one.
 *
 * Where few buffers overlap (most networks), reading every block would be the cost. So a second way in goes
 * by time: buffers sorted by first step, under a tournament tree of the latest last step, give the few that
 * overlap in O(log n) each; marking their slots in a bitmap puts them into offset order.
 *
 * A question costs O(k log n + b / 64) when k, the buffers that overlap, are few, and O(b + k) when they are
 * many; b is the number of blocks. */
#ifndef TA_ARENA_OVERLAPS_H
#define TA_ARENA_OVERLAPS_H

#include <stdbool.h>

#include "base/region.h"

enum { TA_OVERLAP_SLOTS = 64, TA_OVERLAP_STRETCHES = 64 };

/* Slots 0 .. n - 1 are used, in offset order (equal offsets: in the order of placing). */
typedef struct ta_overlap_block {
  uint64_t offset[TA_OVERLAP_SLOTS], end[TA_OVERLAP_SLOTS];
  uint32_t item[TA_OVERLAP_SLOTS];
  uint64_t begun[TA_OVERLAP_STRETCHES]; /* slots whose life begins in that stretch or before */
  uint64_t over[TA_OVERLAP_STRETCHES];  /* slots whose life ends in that stretch or before */
  uint32_t n, ordinal;                  /* its place among the blocks */
} ta_overlap_block;

typedef struct ta_overlaps {
  ta_region *region;
  const int32_t *first, *last; /* lives by item, borrowed */
  uint32_t n_items, n_placed;
  uint32_t shift; /* a step's stretch is step >> shift */

  ta_overlap_block **blocks; /* in offset order */
  uint32_t n_blocks, capacity;
  ta_overlap_block **unused;
  uint32_t n_unused;

  ta_overlap_block **block_of; /* by item; NULL: not placed */
  uint8_t *slot_of;

  uint32_t *rank_of, *item_at; /* items sorted by (first, index): an item's rank, a rank's item */
  uint32_t leaves;             /* a power of two */
  int32_t *latest;             /* the tournament: node 1 is the root, the leaf of rank r is leaves + r */

  uint64_t *marks;    /* by block ordinal: the slots found by time */
  uint64_t *touched;  /* bit o: marks[o] is not 0 */
  uint32_t n_touched; /* words of touched that may not be 0 */
} ta_overlaps;

/* Items are 0 .. n - 1; item i lives from first[i] to last[i], both included (last may be INT32_MAX: to the
 * end). Negative first: it is never placed. Lives are read when an item is placed and must stay. `steps` is
 * larger than any first. Nothing is placed yet. O(n log n). Errors: MEMORY. */
ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, ta_region *region, ta_error *error);

/* The item takes [offset, offset + bytes). It must not be placed yet. O(log n) and the shifting of one block.
 * Errors: MEMORY; the index is then as before. */
ta_status ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes,
                            ta_error *error);

/* Takes a placed item out. */
void ta_overlaps_remove(ta_overlaps *index, uint32_t item);

/* Takes all out. O(n). */
void ta_overlaps_clear(ta_overlaps *index);

/* One question at a time: begin, then next until it is false or the caller has seen enough. Nothing may be
 * placed or removed meanwhile. */
typedef struct ta_overlap_scan {
  ta_overlaps *index;
  int32_t first, last;
  uint32_t ordinal; /* the next block to look at */
  bool by_time;     /* the slots are in marks */
} ta_overlap_scan;

ta_overlap_scan ta_overlap_begin(ta_overlaps *index, int32_t first, int32_t last);

/* The next block with slots that overlap the life; bit i of *slots is slot i. Lower bits are lower offsets.
 */
bool ta_overlap_next(ta_overlap_scan *scan, const ta_overlap_block **block, uint64_t *slots);

/* The lowest slot of a set that is not empty. */
static inline uint32_t ta_lowest_slot(uint64_t slots) {
  return (uint32_t)__builtin_ctzll(slots);
}

/* Where today's TensorFlow Lite puts `bytes` (1 or more) that live from first to last: of the gaps between
 * the placed buffers that overlap in time, the one that leaves least room, judged as that planner judges it
 * (see overlaps_fit.c), else behind them all. UINT64_MAX when that passes the largest offset. */
uint64_t ta_overlaps_best_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                              uint64_t alignment);

/* The lowest offset at which they fit. Likewise. */
uint64_t ta_overlaps_first_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                               uint64_t alignment);

#endif

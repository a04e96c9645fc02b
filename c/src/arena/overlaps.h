/* The time-interval index: buffers that have their places, each with its bytes [offset, end) and its life,
 * and the question every static planner asks for each buffer it places: which of them live at the same time
 * as this one, in offset order?
 *
 * All placed buffers are in one list in offset order (offset_list.h). A question is answered in one of three
 * ways, from few to many:
 *
 *   by time     buffers sorted by first step, under a tournament tree of the latest last step, give the few
 *               that overlap, O(log n) each; marking their slots in a bitmap puts them into offset order. In
 *               most networks every question ends here.
 *   by stretch  time is cut into stretches (stretch.h). A life within one looks at the gaps that the buffers
 *               which live through all of the stretch leave, and at what else lies in these.
 *   by skipping a longer life reads the list of all, but passes over blocks in which no gap is large enough.
 *               That it knows from spans (spans.h).
 *
 * Stretches and spans are made when a question first finds many buffers. They take at most a constant number
 * of bytes a buffer. They are optional: without memory for them, or when buffers lie over each other that
 * live at the same time, questions are answered from the list of all. */
#ifndef TA_ARENA_OVERLAPS_H
#define TA_ARENA_OVERLAPS_H

#include "arena/spans.h"
#include "arena/stretch.h"

typedef struct ta_overlaps {
  ta_region *region;
  const int32_t *first, *last; /* lives by item, borrowed */
  uint32_t n_items, n_placed;
  int32_t steps;

  ta_offset_list all;
  ta_offset_block **block_of; /* by item: its block in `all`; NULL: not placed */
  uint8_t *slot_of;

  uint32_t *rank_of, *item_at; /* items sorted by (first, index): an item's rank, a rank's item */
  uint32_t leaves;             /* a power of two */
  int32_t *latest;             /* the tournament: node 1 is the root, the leaf of rank r is leaves + r */

  uint64_t *marks;    /* by ordinal in `all`: the slots found by time */
  uint64_t *touched;  /* bit o: marks[o] is not 0 */
  uint32_t n_touched; /* words of touched that may not be 0 */

  ta_spans spans;        /* of `all` */
  ta_stretch *stretches; /* spans.cut.n; NULL: neither they nor spans are made */
  ta_extent *scratch;    /* n_items + 1, for a question about a stretch */
  bool given_up;         /* nor will they be */
} ta_overlaps;

/* Items are 0 .. n - 1; item i lives from first[i] to last[i], both included (last may be INT32_MAX: to the
 * end). Negative first: it is never placed. An item's life may change only while it is not placed, and its
 * first never. `steps` is larger than any first. Nothing is placed yet. O(n log n). Errors: MEMORY. */
ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, ta_region *region, ta_error *error);

/* The item takes [offset, offset + bytes). It must not be placed yet. O(log n), and O(n / 64) when a block is
 * split. Errors: MEMORY; the index is then as before. */
ta_status ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes,
                            ta_error *error);

/* Takes a placed item out. */
void ta_overlaps_remove(ta_overlaps *index, uint32_t item);

/* Takes all out. O(n). */
void ta_overlaps_clear(ta_overlaps *index);

/* One question at a time: begin, then next until it is false or the caller has seen enough. Nothing may be
 * placed or removed meanwhile. */
typedef struct ta_overlap_scan {
  uint64_t passed; /* after each next, also the last: the largest end among overlapping buffers passed over */

  ta_overlaps *index;
  bool by_time;
  const ta_stretch *stretch; /* that the life lies in, where that is the better way to find a gap; or NULL */
  int32_t first, last;
  uint32_t ordinal; /* the next block to give */

  uint64_t least;       /* gaps below this do not matter */
  uint32_t nodes[2];    /* whose spans are looked at; 0: none */
  uint32_t ahead;       /* the next block whose span is looked at; blocks before it are to be given */
  uint32_t open;        /* the block that the gap at `ahead` begins in */
  uint64_t high;        /* the largest end of the node's spans before `ahead` */
  uint64_t before_open; /* the same before `open` */
} ta_overlap_scan;

/* Which placed buffers overlap first .. last? Where that is known cheaply, buffers between which there is no
 * gap of `least_gap` bytes or more are passed over; 0 gives them all. */
ta_overlap_scan ta_overlap_begin(ta_overlaps *index, int32_t first, int32_t last, uint64_t least_gap);

/* The next block with slots that overlap the life; bit i of *slots is slot i. Lower bits are lower offsets.
 */
bool ta_overlap_next(ta_overlap_scan *scan, const ta_offset_block **block, uint64_t *slots);

/* Where today's TensorFlow Lite puts `bytes` (1 or more) that live from first to last: of the gaps between
 * the placed buffers that overlap in time, the one that leaves least room, judged as that planner judges it
 * (see overlaps_fit.c), else behind them all. UINT64_MAX when that passes the largest offset. */
uint64_t ta_overlaps_best_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                              uint64_t alignment);

/* The lowest offset at which they fit. Likewise. */
uint64_t ta_overlaps_first_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                               uint64_t alignment);

#endif

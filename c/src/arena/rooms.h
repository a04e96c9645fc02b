/* Where there is room among many buffers, by when they live. Time is cut into stretches, in each of which
 * about as many lives begin or end. They are the leaves of a binary tree. Of each node it is kept which bytes
 * are free throughout all of its stretches, and of each stretch also which bytes its through-living buffers
 * leave, and the others, that live through a part of it. So what is free throughout a life is what is free in
 * each of the few nodes that make it up, and in the stretches that it begins and ends in, among those of
 * their buffers that it meets.
 *
 * All that is kept are sorted lists in one piece each. A list is only brought up to date when a question
 * needs it, from a log of what was placed; one that no question needs costs nothing. Buffers may lie over
 * each other. */
#ifndef TA_ARENA_ROOMS_H
#define TA_ARENA_ROOMS_H

#include <stdbool.h>

#include "base/region.h"

/* Bytes from offset up to end. */
typedef struct ta_extent {
  uint64_t offset, end;
} ta_extent;

/* A buffer with its place and its life. */
typedef struct ta_placed {
  ta_extent at;
  int32_t first, last; /* both included */
} ta_placed;

/* What is free: ascending, the last gap ends at UINT64_MAX. Gaps touch where an empty buffer lies. Gaps that
 * have no aligned byte are left out. */
typedef struct ta_gaps {
  ta_extent *at;
  uint32_t n, capacity; /* n 0: not begun */
  uint32_t seen;        /* entries of the log */
} ta_gaps;

/* Buffers that live through a part of a stretch, in offset order. */
typedef struct ta_room_parts {
  ta_placed *at;
  uint32_t n, capacity, seen;
} ta_room_parts;

typedef struct ta_rooms {
  ta_region *region;
  uint64_t alignment;
  int32_t *start;     /* the stretches' first steps, and the step behind the last */
  uint32_t n, leaves; /* stretches; a power of two that is no less */
  ta_placed *log;     /* of all that is placed, in any order */
  uint32_t n_log;
  ta_gaps *all;         /* by node: 1 is the root, leaves + s is stretch s */
  ta_gaps *through;     /* by stretch: what those leave that live through it */
  ta_room_parts *parts; /* by stretch: the others */
  ta_gaps found, next;  /* for a question: what is free in all that was looked at, and in one more */
  ta_gaps met;          /* and the parts that it meets */
} ta_rooms;

/* For n buffers whose first steps are below `steps`, where time ends. Their lives of now decide how time is
 * cut; they may change. False: no memory. */
bool ta_rooms_init(ta_rooms *rooms, const int32_t *first, const int32_t *last, uint32_t n, int32_t steps,
                   uint64_t alignment, ta_region *region);

/* Nothing is placed. */
void ta_rooms_clear(ta_rooms *rooms);

/* O(1). */
static inline void ta_rooms_add(ta_rooms *rooms, ta_placed placed) {
  rooms->log[rooms->n_log++] = placed;
}

/* The gaps of `bytes` (1 or more) or more that are free from first to last, ascending; the last one ends at
 * UINT64_MAX. They hold until the next call. NULL: no memory; nothing but ta_rooms_clear helps then. */
const ta_extent *ta_rooms_find(ta_rooms *rooms, int32_t first, int32_t last, uint64_t bytes);

/* What buffers leave of the gaps, where it is `bytes` or more; returns how many. Both ascend by offset; the
 * last gap ends at UINT64_MAX, behind the buffers is one that begins there. Empty buffers cut, too. `left`
 * has room for one gap more than there are gaps and buffers. */
uint32_t ta_subtract(const ta_extent *gaps, const ta_extent *buffers, uint64_t bytes, ta_extent *left);

#endif

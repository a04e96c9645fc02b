/* TensorFlow Lite Micro's GreedyMemoryPlanner: largest first, each at the lowest gap in which it fits among
 * the buffers that live at the same time. */
#ifndef TA_PLANNER_GREEDY_H
#define TA_PLANNER_GREEDY_H

#include <stdbool.h>

#include "base/region.h"
#include "graph/ethos_u.h"
#include "tensor_arena.h"

#define TA_GREEDY_ONLINE INT64_MIN

typedef struct ta_greedy_item {
  uint64_t bytes;        /* at most INT32_MAX */
  int64_t fixed;         /* the offset the file gives it (an int32_t, taken unchecked), or TA_GREEDY_ONLINE */
  int32_t first, last;   /* both included; -1 = never */
  const ta_party *party; /* by which an overlap is judged; NULL: each is a fault */
  int64_t offset;        /* filled */
  uint32_t turn;         /* filled: when it was placed, from 1 */
  uint32_t clash;        /* filled: an item that was fixed before it, over the same bytes at the same step (of
                            several one that it must not lie over, if there is one), or TA_NO_INDEX */
  ta_overlap overlap;    /* filled: what that means */
} ta_greedy_item;

/* Places all items. *top is the largest offset + bytes, at least 0. Time: for each item, that of a question
 * to arena/overlaps.h. Memory: O(n), freed before it returns. Errors: MEMORY. */
ta_status ta_greedy_place(const ta_allocator *allocator, ta_greedy_item *items, uint32_t n, int64_t *top,
                          ta_error *error);

#endif

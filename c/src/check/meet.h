/* Which claims share bytes while both live, counted and listed by a sweep over the steps. */
#ifndef TA_CHECK_MEET_H
#define TA_CHECK_MEET_H

#include <stdbool.h>

#include "base/region.h"
#include "tensor_arena.h"

/* A claim that occupies something: bytes [low, high), steps [first, last]. */
typedef struct ta_block_claim {
  uint64_t low, high;
  int32_t first, last;
  uint32_t group; /* claims of one group never clash; no two groups have one number */
  uint32_t claim; /* its index in the caller's list */
} ta_block_claim;

/* How many pairs of different groups meet goes to *pairs; the first `capacity` of them to `clashes`, in the
 * order of the step at which they meet. False when memory ran out. */
bool ta_find_meetings(ta_region *region, const ta_block_claim *blocks, uint32_t n, uint64_t *pairs,
                      ta_clash *clashes, uint32_t capacity, uint32_t *listed);

#endif

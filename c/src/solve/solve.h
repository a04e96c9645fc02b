/* Static allocation: given buffers with sizes and lives, offsets of least height. Knows nothing of models.
 * The caller gives items; the solver gives offsets, a lower bound and whether the two meet. */
#ifndef TA_SOLVE_SOLVE_H
#define TA_SOLVE_SOLVE_H

#include <stdbool.h>

#include "base/region.h"
#include "tensor_arena.h"

typedef struct ta_item {
  uint64_t bytes;      /* 0 is legal: placed at 0, in nobody's way */
  uint64_t alignment;  /* offset must be a multiple; 1 or more, any integer */
  uint64_t fixed;      /* the offset it must have, or TA_NO_OFFSET */
  int32_t first, last; /* both included */
} ta_item;

/* Largest number of live bytes over the steps, alignment taken into account: no plan of these lives is
 * smaller. With one alignment A: max over steps of sum(roundup(bytes, A)) - the largest padding among them.
 * In general the greatest common divisor of the live alignments stands for A. Also at least the end of every
 * fixed item. *peak_step and *peak_live: first step with the most (unrounded) live bytes. O(n log n). Errors:
 * LIMIT, MEMORY. */
ta_status ta_live_bound(const ta_allocator *allocator, const ta_item *items, uint32_t n, uint64_t *bound,
                        int32_t *peak_step, uint64_t *peak_live, ta_error *error);

#endif

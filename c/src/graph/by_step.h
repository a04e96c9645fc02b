/* Tensors grouped by the step at which something happens to them. */
#ifndef TA_GRAPH_BY_STEP_H
#define TA_GRAPH_BY_STEP_H

#include "base/error.h"
#include "base/region.h"

/* Those of step k are at[start[k]] .. at[start[k + 1] - 1]. */
typedef struct ta_by_step {
  uint32_t *start, *at;
} ta_by_step;

/* Groups tensors 0..n - 1 by step[t], each group by index; a tensor whose step is negative is in none. Every
 * other step is below n_steps. O(n + n_steps). Errors: MEMORY. */
ta_status ta_by_step_make(const int32_t *step, uint32_t n, uint32_t n_steps, ta_region *region,
                          ta_by_step *out, ta_error *error);

#endif

#include "graph/by_step.h"

ta_status ta_by_step_make(const int32_t *step, uint32_t n, uint32_t n_steps, ta_region *region,
                          ta_by_step *out, ta_error *error) {
  out->start = TA_TAKE(region, (size_t)n_steps + 2, uint32_t);
  out->at = TA_TAKE(region, n, uint32_t);
  if (!out->start || !out->at) return ta_fail_memory(error);
  /* A counting sort. Counted two places up, so that after the sums start[k + 1] is where group k begins,
   * and after the filling where it ends: which is where group k + 1 begins. */
  uint32_t *next = out->start + 1;
  for (uint32_t t = 0; t < n; t++) {
    if (step[t] >= 0) next[step[t] + 1]++;
  }
  for (uint32_t k = 0; k < n_steps; k++) next[k + 1] += next[k];
  for (uint32_t t = 0; t < n; t++) {
    if (step[t] >= 0) out->at[next[step[t]]++] = t;
  }
  return TA_OK;
}

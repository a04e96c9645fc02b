/* The linear planner: buffers one after the other, in order, each aligned, nothing reused. What any other
 * plan is measured against, and what a host without a planner does. */
#include "planner/append.h"
#include "planner/rows.h"

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  if (!ta_covers_all_steps(planner, first, last)) return ta_fail_partial_range(planner, error);
  ta_status status = ta_check_fixed(planner, error);
  if (status) return status;
  uint32_t turns = planner->n_turns;
  planner->n_turns = 0;
  status = ta_append_buffers(planner, 1 << TA_ARENA_RW_PLACE | 1 << TA_ARENA_PERSISTENT_PLACE, error);
  if (status) {
    planner->n_turns = turns;
    return status;
  }
  ta_place_sharers(planner);
  return TA_OK;
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)planner;
  (void)error;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_linear = {
    .id = TA_PLANNER_LINEAR,
    .turn = "one after the other, in the model's order",
    .execute = execute,
    .reset = reset,
};

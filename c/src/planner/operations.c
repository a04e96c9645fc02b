/* A block's operations, given to the planner's calls one by one. */
#include "base/error.h"
#include "model/block.h"
#include "planner/planner.h"

ta_status ta_planner_apply(ta_planner *planner, uint32_t operation, ta_error *error) {
  uint32_t count = ta_model_operations(planner->model);
  if (operation >= count)
    return ta_fail(error, TA_E_INDEX, "operation %u of %u does not exist", operation, count);
  ta_operation what = ta_block_operation(planner->model, operation);
  switch (what.code) {
  case TA_OPERATION_PLAN:
    return ta_planner_plan(planner, error);
  case TA_OPERATION_EXECUTE:
    return ta_planner_execute(planner, what.first, what.second, error);
  case TA_OPERATION_RESET:
    return ta_planner_reset(planner, error);
  case TA_OPERATION_RESET_AFTER:
    return ta_planner_reset_after(planner, what.first, error);
  case TA_OPERATION_RESIZE:
    return ta_planner_resize(planner, (uint32_t)what.first, what.bytes, error);
  case TA_OPERATION_RETYPE:
    return ta_planner_retype(planner, (uint32_t)what.first, (uint32_t)what.second, error);
  case TA_OPERATION_RELEASE:
    return ta_planner_release(planner, error);
  case TA_OPERATION_ACQUIRE:
    return ta_planner_acquire(planner, error);
  }
  return ta_fail(error, TA_E_ARGUMENT, "operation %u has code %u, which is none", operation,
                 (uint32_t)what.code);
}

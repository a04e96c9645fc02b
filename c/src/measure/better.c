#include "measure/better.h"

#include "base/error.h"

/* The plan that optimal has before it searches: by the heuristics, or the list's own where that is sound and
 * smaller. A list that optimal cannot plan has none. */
static ta_status plan_without_search(const ta_planner *planner, uint64_t *arena_bytes, ta_error *error) {
  ta_planner_options options = planner->options;
  options.planner = TA_PLANNER_OPTIMAL;
  options.budget_bytes = TA_NO_OFFSET;
  ta_planner *other = NULL;
  uint32_t done;
  uint64_t persistent_bytes;
  ta_status status = ta_planner_new(&planner->allocator, planner->model, &options, &other, NULL);
  if (status == TA_OK) status = ta_planner_solve(other, 0, &done, NULL);
  if (status == TA_OK) ta_planner_marks(other, arena_bytes, &persistent_bytes);
  ta_planner_free(other);
  return status == TA_E_MEMORY ? ta_fail_memory(error) : TA_OK;
}

ta_status ta_better_measure(ta_planner *planner, uint64_t *bytes, ta_error *error) {
  bool own = planner->model->kind == TA_KIND_CSV && planner->options.planner == TA_PLANNER_OWN;
  *bytes = TA_NO_OFFSET;
  if (!own || !ta_executed_whole(planner)) return TA_OK;
  if (planner->better_bytes == 0) {
    uint64_t found = TA_NO_OFFSET;
    ta_status status = plan_without_search(planner, &found, error);
    if (status) return status;
    bool better = planner->unsound || found < planner->arena_bytes;
    planner->better_bytes = better ? found : TA_NO_OFFSET;
  }
  *bytes = planner->better_bytes;
  return TA_OK;
}

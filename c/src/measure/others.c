#include "measure/others.h"

#include "base/error.h"
#include "base/num.h"

static ta_status plan_subgraph(const ta_planner *planner, uint32_t subgraph, ta_others *out) {
  ta_planner_options options = planner->options;
  ta_planner *other = NULL;
  options.planner = TA_PLANNER_OWN;
  options.subgraph = subgraph;
  ta_status status = ta_planner_new(&planner->allocator, planner->model, &options, &other, NULL);
  if (!status) status = ta_planner_plan(other, NULL);
  if (!status) status = ta_planner_execute(other, 0, INT32_MAX, NULL);
  if (!status && out->bytes != TA_NO_OFFSET) {
    bool fits = ta_add(out->bytes, other->arena_bytes, &out->bytes) &&
                ta_add(out->bytes, other->persistent_bytes, &out->bytes);
    if (!fits) out->bytes = TA_NO_OFFSET;
  }
  ta_planner_free(other);
  return status;
}

ta_status ta_others_measure(const ta_planner *planner, ta_others *out, ta_error *error) {
  *out = (ta_others){0, 0};
  if (planner->traits->whole_model) return TA_OK;
  for (uint32_t g = 0; g < planner->model->n_subgraphs; g++) {
    if (g == planner->options.subgraph) continue;
    out->subgraphs++;
    ta_status status = plan_subgraph(planner, g, out);
    if (status == TA_E_MEMORY) return ta_fail_memory(error);
    if (status) out->bytes = TA_NO_OFFSET;
  }
  return TA_OK;
}

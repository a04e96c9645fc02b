/* The runtime tflm and its own planner: TensorFlow Lite Micro plans all subgraphs together, at once, and
 * knows no partial ranges. */
#include "base/error.h"
#include "base/num.h"
#include "planner/planner.h"
#include "planner/tflm_plan.h"

extern const ta_runtime ta_runtime_tflm;
extern const ta_planner_kind ta_planner_kind_tflm_own;

static void adopt(ta_planner *planner, const ta_tflm_plan *plan) {
  planner->buffers = plan->buffers;
  planner->n_buffers = plan->n_buffers;
  planner->n_tensors = plan->n_tensors;
  planner->timeline = plan->timeline;
  planner->n_steps = plan->n_steps;
}

static ta_status make_buffers(ta_planner *planner, ta_error *error) {
  ta_tflm_plan *plan = TA_TAKE(&planner->region, 1, ta_tflm_plan);
  if (!plan) return ta_fail_memory(error);
  planner->runtime_state = plan;
  ta_status status = ta_tflm_make_buffers(planner->model, planner->options.target, planner->options.kernels,
                                          &planner->region, plan, error);
  if (!status) adopt(planner, plan);
  return status;
}

/* A variable keeps its value from one invocation to the next. TFLM's own planner lets others overwrite one
 * that the file gives an offset; a plan of ours does not. */
static void keep_variables(ta_planner *planner) {
  for (uint32_t t = 0; t < planner->n_tensors; t++) {
    ta_buffer *buffer = &planner->buffers[t];
    if (!planner->model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable) continue;
    buffer->first = 0;
    buffer->last = ta_max_i32(planner->n_steps - 1, 0);
  }
}

static ta_status make_lives(ta_planner *planner, ta_error *error) {
  ta_tflm_plan *plan = planner->runtime_state;
  ta_status status = ta_tflm_make_lives(plan, &planner->region, error);
  if (status) return status;
  adopt(planner, plan);
  if (planner->kind->id == TA_PLANNER_LINEAR) status = ta_tflm_check_linear(plan, error);
  if (planner->kind->id == TA_PLANNER_OPTIMAL) keep_variables(planner);
  if (!status) status = ta_tflm_report_problems(plan, &planner->problems, &planner->region, error);
  for (uint32_t i = 0; i < planner->n_buffers && status; i++)
    planner->buffers[i].first = planner->buffers[i].last = -1; /* not planned after all */
  return status;
}

static ta_status refresh_lives(ta_planner *planner, ta_error *error) {
  return ta_tflm_refresh(planner->runtime_state, error);
}

const ta_runtime ta_runtime_tflm = {
    .id = TA_RUNTIME_TFLM,
    .make_buffers = make_buffers,
    .make_lives = make_lives,
    .refresh_lives = refresh_lives,
    .check_end = ta_tflm_check_end,
};

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  if (!ta_covers_all_steps(planner, first, last)) return ta_fail_partial_range(planner, error);
  ta_problems before = planner->problems;
  ta_problems *problems = planner->kind_state ? NULL : &planner->problems;
  ta_tflm_plan *plan = planner->runtime_state;
  plan->turns = planner->turns;
  planner->n_turns = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) planner->n_turns += planner->buffers[i].in_plan;
  ta_status status = ta_tflm_place(plan, &planner->allocator, problems, &planner->region,
                                   &planner->arena_bytes, &planner->overlap, error);
  if (status) {
    planner->problems = before;
    if (before.last) before.last->next = NULL;
  } else {
    planner->kind_state = planner->runtime_state; /* overlaps have been listed: not once more */
    planner->unsound = planner->overlap == TA_OVERLAP_FAULT;
  }
  return status;
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)planner;
  (void)error;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_tflm_own = {
    .id = TA_PLANNER_OWN,
    .turn = "largest first, after what the file fixes",
    .execute = execute,
    .reset = reset,
};

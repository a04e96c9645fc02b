/* What TFLM does with a model and does not say. */
#include "base/error.h"
#include "planner/tflm_plan.h"

typedef struct reporter {
  const ta_tflm_plan *plan;
  ta_problems *problems;
  ta_region *region;
  ta_error *error;
} reporter;

static ta_status problem(const reporter *r, const char *code, uint32_t subgraph, uint32_t node,
                         uint32_t tensor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_status status =
      ta_problem_vadd(r->problems, r->region, code, subgraph, node, tensor, r->error, "", format, arguments);
  va_end(arguments);
  return status;
}

/* Operators outside the tables, each name once. */
static ta_status report_missing(const reporter *r) {
  const ta_needs *needs = &r->plan->needs;
  ta_region own;
  ta_missing *missing;
  uint32_t n;
  ta_region_init(&own, &r->region->allocator);
  ta_status status = ta_needs_missing(needs, &own, &missing, &n, r->error);
  for (uint32_t i = 0; i < n && !status; i++) {
    uint32_t g = ta_needs_subgraph(needs, missing[i].first);
    status = problem(r, "operator-not-covered", g, missing[i].first - needs->node_base[g], TA_NO_INDEX,
                     "%T (%u op%s) is none of TFLM's own: what it asks for is not known, so the plan is "
                     "without its scratch buffers",
                     &missing[i].name, missing[i].nodes, missing[i].nodes == 1 ? "" : "s");
  }
  ta_region_free(&own);
  return status;
}

/* Scratch of a subgraph that no invocation comes to. */
static ta_status report_unreached(const reporter *r, uint32_t g, uint32_t i) {
  const ta_tflm_plan *plan = r->plan;
  uint32_t flat = plan->needs.node_base[g] + i;
  if (plan->reached[g] || plan->scratch_of[flat] == plan->scratch_of[flat + 1]) return TA_OK;
  return problem(r, "scratch-never-used", g, i, TA_NO_INDEX,
                 "op %u of subgraph %u asks for scratch, but no op runs that subgraph: TFLM leaves the "
                 "buffer's size to chance; the size asked for is planned here",
                 i, g);
}

static ta_status report_nodes(const reporter *r, uint32_t g) {
  ta_status status = TA_OK;
  for (uint32_t i = 0; i < r->plan->model->subgraphs[g].n_nodes && !status; i++) {
    status = report_unreached(r, g, i);
  }
  return status;
}

/* The offset that the file gives a planned tensor: TFLM takes it as it is. */
static ta_status report_offset(const reporter *r, const ta_buffer *buffer, int32_t offset) {
  const ta_tensor *tensor = &r->plan->model->subgraphs[buffer->subgraph].tensors[buffer->index];
  ta_status status = TA_OK;
  if (offset < 0) {
    status = problem(r, "offline-negative", buffer->subgraph, TA_NO_INDEX, buffer->index,
                     "the offline plan places tensor %u of subgraph %u at %i, before the arena's start; "
                     "TFLM would write there",
                     buffer->index, buffer->subgraph, offset);
  } else if (offset % (int32_t)TA_TFLM_ALIGNMENT != 0) {
    status = problem(r, "offline-misaligned", buffer->subgraph, TA_NO_INDEX, buffer->index,
                     "the offline plan places tensor %u of subgraph %u at %i, no multiple of 16; TFLM "
                     "does not check this",
                     buffer->index, buffer->subgraph, offset);
  }
  if (status || !tensor->is_variable) return status;
  return problem(r, "offline-variable", buffer->subgraph, TA_NO_INDEX, buffer->index,
                 "the offline plan gives the variable tensor %u of subgraph %u an offset: TFLM then "
                 "lets other buffers overwrite its state after its last use",
                 buffer->index, buffer->subgraph);
}

/* TFLM's list of variables to allocate starts again at offset 0 for each subgraph, its plan does not. */
static ta_status report_variable(const reporter *r, const ta_buffer *buffer, uint32_t flat) {
  const ta_model *model = r->plan->model;
  bool planned = ta_tflm_offline_offset(model, flat) != -1;
  bool allocated = ta_tflm_offline_offset(model, buffer->index) == -1;
  if (planned != allocated) return TA_OK;
  return problem(r, "offline-variable-confused", buffer->subgraph, TA_NO_INDEX, buffer->index,
                 "the variable tensor %u of subgraph %u is %s: TFLM looks its offset up as if it were "
                 "tensor %u of subgraph 0",
                 buffer->index, buffer->subgraph,
                 planned ? "placed twice, by the offline plan and in the tail"
                         : "placed nowhere, neither by the offline plan nor in the tail",
                 buffer->index);
}

static ta_status report_tensors(const reporter *r) {
  const ta_model *model = r->plan->model;
  ta_status status = TA_OK;
  for (uint32_t t = 0; t < r->plan->n_tensors && !status; t++) {
    const ta_buffer *buffer = &r->plan->buffers[t];
    int32_t offset = ta_tflm_offline_offset(model, t);
    if (offset != -1 && buffer->in_plan) status = report_offset(r, buffer, offset);
    if (!status && model->has_offline_plan &&
        model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable) {
      status = report_variable(r, buffer, t);
    }
  }
  return status;
}

/* Buffers that no step touches: TFLM places them all the same. */
static ta_status report_unused(const reporter *r) {
  uint64_t bytes = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->plan->n_buffers; i++) {
    const ta_buffer *buffer = &r->plan->buffers[i];
    if (!buffer->in_plan || buffer->last >= 0) continue;
    bytes += buffer->bytes;
    count++;
  }
  if (count == 0) return TA_OK;
  return problem(r, "never-used", TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX,
                 "no step of an invocation touches %u of the buffers; TFLM still gives them %G bytes of "
                 "the arena, none shared among them",
                 count, bytes);
}

static ta_status report_ports(const reporter *r, uint32_t g, const ta_list *ports, const char *what) {
  ta_status status = TA_OK;
  for (uint32_t k = 0; k < ports->n && !status; k++) {
    if (ports->at[k] >= 0) continue;
    status =
        problem(r, "port-omitted", g, TA_NO_INDEX, TA_NO_INDEX,
                "%s %u of subgraph %u is -1, which TFLM does not expect; it is skipped here", what, k, g);
  }
  return status;
}

ta_status ta_tflm_report_problems(const ta_tflm_plan *plan, ta_problems *problems, ta_region *region,
                                  ta_error *error) {
  reporter r = {plan, problems, region, error};
  ta_status status = report_tensors(&r);
  if (!status) status = report_unused(&r);
  if (!status) status = report_missing(&r);
  for (uint32_t g = 0; g < plan->model->n_subgraphs && !status; g++) {
    status = report_ports(&r, g, &plan->model->subgraphs[g].inputs, "input");
    if (!status) status = report_ports(&r, g, &plan->model->subgraphs[g].outputs, "output");
    if (!status) status = report_nodes(&r, g);
  }
  return status;
}

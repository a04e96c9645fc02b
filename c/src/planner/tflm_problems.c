/* What TFLM does with a model and does not say. */
#include "base/error.h"
#include "planner/tflm_plan.h"

typedef struct reporter {
  const ta_tflm_plan *plan;
  ta_problems *problems;
  ta_region *region;
  ta_error *error;
  ta_status status; /* after a failure nothing more is reported */
} reporter;

static void vreport(reporter *r, const char *code, uint32_t subgraph, uint32_t node, uint32_t tensor,
                    const ta_text *where, const char *format, va_list arguments) {
  if (r->status) return;
  r->status = ta_problem_vadd(r->problems, r->region, code, subgraph, node, tensor, r->error, where, format,
                              arguments);
}

static void report(reporter *r, const char *code, uint32_t subgraph, uint32_t node, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vreport(r, code, subgraph, node, TA_NO_INDEX, NULL, format, arguments);
  va_end(arguments);
}

/* The sentence begins with the tensor. */
static void report_tensor(reporter *r, const char *code, const ta_buffer *buffer, const char *format, ...) {
  char storage[64];
  ta_text where;
  ta_text_init_fixed(&where, storage, sizeof storage);
  ta_text_format(&where, "tensor %u of subgraph %u is ", buffer->index, buffer->subgraph);
  va_list arguments;
  va_start(arguments, format);
  vreport(r, code, buffer->subgraph, TA_NO_INDEX, buffer->index, &where, format, arguments);
  va_end(arguments);
}

/* Operators outside the tables, each name once. */
static void report_missing(reporter *r) {
  const ta_needs *needs = &r->plan->needs;
  ta_region own;
  ta_missing *missing;
  uint32_t n;
  ta_region_init(&own, &r->region->allocator);
  if (!r->status) r->status = ta_needs_missing(needs, &own, &missing, &n, r->error);
  for (uint32_t i = 0; !r->status && i < n; i++) {
    uint32_t g = ta_needs_subgraph(needs, missing[i].first);
    report(r, "operator-not-covered", g, missing[i].first - needs->node_base[g],
           "%T (%u op%s) is none of TFLM's own: what it asks for is not known, so the plan is without its "
           "scratch buffers",
           &missing[i].name, missing[i].nodes, missing[i].nodes == 1 ? "" : "s");
  }
  ta_region_free(&own);
}

/* Scratch of a subgraph that no invocation comes to. */
static void report_unreached(reporter *r, uint32_t g) {
  const ta_tflm_plan *plan = r->plan;
  const uint32_t *scratch_of = plan->scratch_of + plan->needs.node_base[g];
  for (uint32_t i = 0; i < plan->model->subgraphs[g].n_nodes && !plan->reached[g]; i++) {
    if (scratch_of[i] == scratch_of[i + 1]) continue;
    report(
        r, "scratch-never-used", g, i,
        "op %u of subgraph %u asks for scratch, but no op runs that subgraph: TFLM leaves the buffer's size "
        "to chance; the size asked for is planned here",
        i, g);
  }
}

/* The offset that the file gives a planned tensor: TFLM takes it as it is. */
static void report_offset(reporter *r, const ta_buffer *buffer, int32_t offset) {
  if (offset < 0) {
    report_tensor(r, "offline-negative", buffer,
                  "placed at %i by the offline plan, before the arena's start; TFLM would write there",
                  offset);
  } else if (offset % (int32_t)TA_TFLM_ALIGNMENT != 0) {
    report_tensor(r, "offline-misaligned", buffer,
                  "placed at %i by the offline plan, no multiple of 16; TFLM does not check this", offset);
  }
}

/* TFLM's list of variables to allocate starts again at offset 0 for each subgraph, its plan does not. */
static void report_variable(reporter *r, const ta_buffer *buffer, uint32_t flat) {
  const ta_model *model = r->plan->model;
  bool planned = ta_tflm_offline_offset(model, flat) != -1;
  bool allocated = ta_tflm_offline_offset(model, buffer->index) == -1;
  if (planned != allocated) return;
  report_tensor(r, "offline-variable-confused", buffer,
                "a variable and placed %s: TFLM looks its offset up as if it were tensor %u of subgraph 0",
                planned ? "twice, by the offline plan and in the tail"
                        : "nowhere, neither by the offline plan nor in the tail",
                buffer->index);
}

static void report_tensors(reporter *r) {
  const ta_model *model = r->plan->model;
  for (uint32_t t = 0; t < r->plan->n_tensors && model->has_offline_plan; t++) {
    const ta_buffer *buffer = &r->plan->buffers[t];
    int32_t offset = ta_tflm_offline_offset(model, t);
    bool is_variable = model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable;
    if (offset != -1 && buffer->in_plan) report_offset(r, buffer, offset);
    if (is_variable) report_variable(r, buffer, t);
  }
}

/* Buffers that no step touches: TFLM places them all the same. */
static void report_unused(reporter *r) {
  uint64_t bytes = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->plan->n_buffers; i++) {
    const ta_buffer *buffer = &r->plan->buffers[i];
    if (!buffer->in_plan || buffer->last >= 0) continue;
    bytes += buffer->bytes;
    count++;
  }
  if (count == 0) return;
  report(
      r, "never-used", TA_NO_INDEX, TA_NO_INDEX,
      "no step of an invocation touches %u of the buffers; TFLM still keeps %G bytes for them, side by side "
      "unless an offline plan says where",
      count, bytes);
}

static void report_ports(reporter *r, uint32_t g, const ta_list *ports, const char *what) {
  for (uint32_t k = 0; k < ports->n; k++) {
    if (ports->at[k] >= 0) continue;
    report(r, "port-omitted", g, TA_NO_INDEX,
           "%s %u of subgraph %u is -1, which TFLM does not expect; it is skipped here", what, k, g);
  }
}

ta_status ta_tflm_report_problems(const ta_tflm_plan *plan, ta_problems *problems, ta_region *region,
                                  ta_error *error) {
  reporter r = {plan, problems, region, error, TA_OK};
  report_tensors(&r);
  report_unused(&r);
  report_missing(&r);
  for (uint32_t g = 0; g < plan->model->n_subgraphs; g++) {
    report_ports(&r, g, &plan->model->subgraphs[g].inputs, "input");
    report_ports(&r, g, &plan->model->subgraphs[g].outputs, "output");
    report_unreached(&r, g);
  }
  return r.status;
}

/* The plan as JSON, "tensor-arena-plan" version 1. Keys keep their order; the shape may grow, never shrink.
 */
#include "report/json.h"
#include "report/problems_json.h"
#include "report/report.h"

static const char *const kind_names[] = {
    [TA_KIND_TFLITE] = "tflite", [TA_KIND_GRAPH] = "graph", [TA_KIND_CSV] = "csv"};

static const char *const status_names[] = {[TA_UNPLANNED] = "unplanned",
                                           [TA_FEASIBLE] = "feasible",
                                           [TA_OPTIMAL] = "optimal",
                                           [TA_OVERLAPPING] = "overlapping"};

static void u64(ta_json *json, const char *key, uint64_t value) {
  ta_json_key(json, key);
  ta_json_u64(json, value);
}

static void i32(ta_json *json, const char *key, int32_t value) {
  ta_json_key(json, key);
  ta_json_i32(json, value);
}

static void word(ta_json *json, const char *key, const char *value) {
  ta_json_key(json, key);
  ta_json_literal(json, value);
}

static void write_head(ta_json *json, const ta_report *report) {
  const ta_planner *planner = report->planner;
  word(json, "format", "tensor-arena-plan");
  i32(json, "version", 1);
  ta_json_key(json, "source");
  ta_json_object(json);
  word(json, "kind", kind_names[planner->model->kind]);
  ta_json_key(json, "name");
  ta_json_str(json, planner->model->name);
  ta_json_end(json);
  word(json, "runtime", planner->runtime->name);
  word(json, "planner", planner->method->name);
  ta_json_key(json, "subgraph");
  bool one_subgraph = planner->model->kind != TA_KIND_CSV && planner->options.runtime != TA_RUNTIME_TFLM;
  ta_json_index(json, one_subgraph ? planner->options.subgraph : TA_NO_INDEX);
  ta_json_key(json, "alignment");
  ta_json_object(json);
  u64(json, "arena", report->summary.arena_alignment);
  u64(json, "tensor", report->summary.tensor_alignment);
  ta_json_end(json);
}

static void write_figures(ta_json *json, const ta_report *report) {
  const ta_summary *s = &report->summary;
  word(json, "status", status_names[s->status]);
  u64(json, "arena_bytes", s->arena_bytes);
  u64(json, "persistent_bytes", s->persistent_bytes);
  u64(json, "lower_bound_bytes", s->lower_bound_bytes);
  u64(json, "constant_bytes", s->constant_bytes);
  ta_json_key(json, "peak");
  ta_json_object(json);
  i32(json, "step", s->peak_step);
  u64(json, "live_bytes", s->peak_live_bytes);
  ta_json_end(json);
  i32(json, "steps", s->steps);
}

static void write_timeline(ta_json *json, const ta_planner *planner) {
  ta_json_key(json, "timeline");
  ta_json_array(json);
  for (int32_t i = 0; planner->timeline && i < planner->n_steps; i++) {
    ta_json_object(json);
    u64(json, "subgraph", planner->timeline[i].subgraph);
    ta_json_key(json, "node");
    ta_json_index(json, planner->timeline[i].node);
    ta_json_end(json);
  }
  ta_json_end(json);
}

/* What the buffer is: a tensor by its index, a scratch buffer by its node, a row by its id. */
static void write_identity(ta_json *json, const ta_planner *planner, const ta_buffer *buffer) {
  switch (buffer->kind) {
  case TA_BUFFER_TENSOR:
    u64(json, "tensor", buffer->index);
    break;
  case TA_BUFFER_SCRATCH:
    u64(json, "node", buffer->index);
    break;
  default:
    ta_json_key(json, "id");
    ta_json_str(json, planner->model->rows[buffer->index].id);
    break;
  }
  ta_json_key(json, "subgraph");
  ta_json_index(json, buffer->kind == TA_BUFFER_ROW ? TA_NO_INDEX : buffer->subgraph);
  word(json, "kind", buffer->kind == TA_BUFFER_SCRATCH ? "scratch" : "tensor");
  ta_json_key(json, "name");
  ta_json_str(json, ta_buffer_name(planner->model, buffer));
}

static void write_buffer(ta_json *json, const ta_report *report, const ta_buffer *buffer) {
  ta_json_object(json);
  write_identity(json, report->planner, buffer);
  u64(json, "bytes", buffer->bytes);
  ta_json_key(json, "arena");
  if (buffer->arena == TA_ARENA_NOT)
    ta_json_null(json);
  else
    ta_json_literal(json, buffer->arena == TA_ARENA_PERSISTENT_PLACE ? "persistent" : "rw");
  i32(json, "first", buffer->first);
  i32(json, "last", buffer->last);
  ta_json_key(json, "offset");
  ta_json_offset(json, buffer->offset);
  if (buffer->shares != TA_NO_INDEX) u64(json, "shares", buffer->shares);
  if (ta_buffer_alignment(report, buffer) != report->summary.tensor_alignment) {
    u64(json, "alignment", ta_buffer_alignment(report, buffer));
  }
  ta_json_end(json);
}

static void write_budget(ta_json *json, const ta_report *report) {
  uint64_t budget = report->planner->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return;
  u64(json, "budget_bytes", budget);
  ta_json_key(json, "fits");
  if (report->summary.fits == 0)
    ta_json_null(json);
  else
    ta_json_bool(json, report->summary.fits == 1);
  if (report->summary.fits == 2) u64(json, "shortfall_bytes", ta_shortfall(report));
}

void ta_write_plan_json(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  ta_json json = ta_json_start(out);
  ta_json_object(&json);
  write_head(&json, report);
  write_figures(&json, report);
  write_timeline(&json, planner);
  ta_json_key(&json, "buffers");
  ta_json_array(&json);
  for (uint32_t i = 0; i < planner->n_buffers; i++) write_buffer(&json, report, &planner->buffers[i]);
  ta_json_end(&json);
  ta_json_key(&json, "problems");
  ta_json_array(&json);
  ta_json_problems(&json, &planner->model->problems);
  ta_json_problems(&json, &planner->problems);
  ta_json_end(&json);
  write_budget(&json, report);
  ta_json_end(&json);
  ta_text_bytes(out, "\n", 1);
}

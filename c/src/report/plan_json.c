/* The plan as JSON, "tensor-arena-plan" version 1. Keys keep their order; the shape may grow, never shrink.
 */
#include "report/json.h"
#include "report/report.h"

static const char *const arena_names[] = {
    [TA_ARENA_NOT] = "null", [TA_ARENA_RW_PLACE] = "\"rw\"", [TA_ARENA_PERSISTENT_PLACE] = "\"persistent\""};

static void write_head(ta_text *out, const ta_report *report) {
  const ta_planner *planner = report->planner;
  const ta_summary *s = &report->summary;
  bool one_subgraph = planner->model->kind != TA_KIND_CSV && !planner->traits->whole_model;
  ta_text_format(
      out,
      "{\"format\":\"tensor-arena-plan\",\"version\":1,\"source\":{\"kind\":\"%s\",\"name\":\"%T\"},"
      "\"runtime\":\"%s\",\"planner\":\"%s\",\"subgraph\":%I,\"alignment\":{\"arena\":%u,\"tensor\":%u},",
      ta_word_name(TA_WORDS_KIND, planner->model->kind), &planner->model->name,
      ta_word_name(TA_WORDS_RUNTIME, planner->options.runtime),
      ta_word_name(TA_WORDS_PLANNER, planner->options.planner),
      one_subgraph ? planner->options.subgraph : TA_NO_INDEX, s->arena_alignment, s->tensor_alignment);
  ta_text_format(out,
                 "\"status\":\"%s\",\"arena_bytes\":%U,\"persistent_bytes\":%U,\"lower_bound_bytes\":%U,"
                 "\"constant_bytes\":%U,\"peak\":{\"step\":%i,\"live_bytes\":%U},\"steps\":%i",
                 ta_word_name(TA_WORDS_PLAN_STATUS, s->status), s->arena_bytes, s->persistent_bytes,
                 s->lower_bound_bytes, s->constant_bytes, s->peak_step, s->peak_live_bytes, s->steps);
  uint64_t tenths = ta_tenths_above_bound(s);
  if (tenths != TA_NO_OFFSET) ta_text_format(out, ",\"above_bound_percent\":%U.%U", tenths / 10, tenths % 10);
  ta_text_format(out, ",\"unknown\":{\"tensors\":%u,\"operators\":%u}", s->unknown_tensors,
                 s->unknown_operators);
}

/* tflm: what the whole arena comes to, and what it depends on. */
static void write_whole(ta_text *out, const ta_report *report) {
  const ta_planner_options *options = &report->planner->options;
  const ta_summary *s = &report->summary;
  if (!report->planner->traits->whole_model) return;
  ta_text_format(
      out, ",\"target\":\"%s\",\"kernels\":\"%s\",\"head_bytes\":%O,\"tail_bytes\":%O,\"min_arena_bytes\":%O",
      ta_word_name(TA_WORDS_TARGET, options->target), ta_word_name(TA_WORDS_KERNELS, options->kernels),
      s->head_bytes, s->tail_bytes, s->min_arena_bytes);
}

/* What the runtime takes beside it. */
static void write_not_counted(ta_text *out, const ta_report *report) {
  size_t before = out->len;
  ta_text_format(out, ",\"not_counted\":{\"text\":\"");
  if (!ta_put_not_counted(out, report)) {
    out->len = before;
    return;
  }
  ta_text_format(out, "\",\"other_subgraphs\":%u,\"other_arena_bytes\":%O}", report->others.subgraphs,
                 report->others.bytes);
}

/* What the buffer is: a tensor by its index, a scratch buffer by its node, a row by its id. */
static void write_identity(ta_text *out, const ta_planner *planner, const ta_buffer *buffer) {
  bool row = buffer->kind == TA_BUFFER_ROW, scratch = buffer->kind == TA_BUFFER_SCRATCH;
  ta_str name = ta_buffer_name(planner->model, buffer);
  if (row) {
    ta_text_format(out, "{\"id\":\"%T\"", &name);
  } else {
    ta_text_format(out, scratch ? "{\"node\":%u" : "{\"tensor\":%u", buffer->index);
  }
  ta_text_format(out, ",\"subgraph\":%I,\"kind\":\"%s\",\"name\":\"%T\"",
                 row ? TA_NO_INDEX : buffer->subgraph, scratch ? "scratch" : "tensor", &name);
}

static void write_buffer(ta_text *out, const ta_report *report, const ta_buffer *buffer) {
  uint64_t alignment = ta_planned_alignment(report->planner, buffer);
  write_identity(out, report->planner, buffer);
  ta_text_format(out, ",\"bytes\":%U,\"arena\":%s,\"first\":%i,\"last\":%i,\"offset\":%O", buffer->bytes,
                 arena_names[buffer->arena], buffer->first, buffer->last, buffer->offset);
  if (buffer->shares != TA_NO_INDEX) ta_text_format(out, ",\"shares\":%u", buffer->shares);
  if (alignment != report->summary.tensor_alignment) ta_text_format(out, ",\"alignment\":%U", alignment);
  if (ta_is_bound(report->planner, buffer)) ta_text_format(out, ",\"fixed\":true");
  ta_text_format(out, "}");
}

void ta_write_plan_json(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  out->escape = ta_escape_json;
  write_head(out, report);
  write_whole(out, report);
  write_not_counted(out, report);
  ta_text_format(out, ",\"tool_version\":\"" TA_VERSION "\",\"timeline\":[");
  for (int32_t i = 0; planner->timeline && i < planner->n_steps; i++) {
    ta_text_format(out, "%,{\"subgraph\":%u,\"node\":%I}", planner->timeline[i].subgraph,
                   planner->timeline[i].node);
  }
  ta_text_format(out, "],\"buffers\":[");
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_text_format(out, "%,");
    write_buffer(out, report, &planner->buffers[i]);
  }
  ta_text_format(out, "],\"problems\":[");
  ta_json_problems(out, &planner->model->problems);
  ta_json_problems(out, &planner->problems);
  ta_text_format(out, "]");
  if (report->summary.better_bytes != TA_NO_OFFSET)
    ta_text_format(out, ",\"better_bytes\":%U", report->summary.better_bytes);
  ta_json_budget(out, planner->options.budget_bytes, report->summary.fits, ta_shortfall(report));
  ta_text_format(out, "}\n");
}

#include "report/report.h"

#include "base/error.h"

typedef void (*plan_writer)(const ta_report *report, ta_text *out);

static const plan_writer writers[] = {
    [TA_FORMAT_JSON] = ta_write_plan_json, [TA_FORMAT_TEXT] = ta_write_plan_text,
    [TA_FORMAT_CSV] = ta_write_plan_csv,   [TA_FORMAT_C] = ta_write_plan_c,
    [TA_FORMAT_SVG] = ta_write_plan_svg,
};

const ta_node *ta_step_node(const ta_planner *planner, int32_t step, uint32_t *index) {
  return ta_timeline_node(planner->model, planner->timeline, planner->n_steps, step, index);
}

uint64_t ta_shortfall(const ta_report *report) {
  const ta_summary *s = &report->summary;
  uint64_t budget = report->planner->options.budget_bytes;
  bool placed = report->planner->options.planner != TA_PLANNER_OPTIMAL && s->arena_bytes > budget;
  return (placed ? s->arena_bytes : s->lower_bound_bytes) - budget;
}

uint32_t ta_highest_buffer(const ta_report *report) {
  const ta_planner *planner = report->planner;
  uint32_t highest = TA_NO_INDEX;
  uint64_t top = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (!ta_in_rw_arena(buffer) || buffer->offset == TA_NO_OFFSET || buffer->offset + buffer->bytes <= top)
      continue;
    highest = i;
    top = buffer->offset + buffer->bytes;
  }
  return highest;
}

static ta_status find_peak(ta_report *report, ta_region *region, ta_error *error) {
  const ta_planner *planner = report->planner;
  ta_peak *peak = &report->peak;
  *peak = (ta_peak){.model = planner->model,
                    .buffers = planner->buffers,
                    .step = report->summary.peak_step,
                    .live_bytes = report->summary.peak_live_bytes};
  peak->node = ta_step_node(planner, peak->step, &peak->node_index);
  return ta_peak_list(peak, planner->n_buffers, region, error);
}

void ta_put_verdict(ta_text *out, const ta_summary *s) {
  switch (s->status) {
  case TA_UNPLANNED:
    ta_text_format(out, "not placed yet with the present sizes");
    return;
  case TA_OVERLAPPING:
    ta_text_format(out, "the file's offline plan lays live tensors over each other on purpose");
    return;
  case TA_UNSOUND:
    ta_text_format(out, "not sound, as the problems say");
    return;
  case TA_OPTIMAL:
    ta_text_format(out, "smallest possible, no plan of these lifetimes is smaller");
    return;
  default:
    break;
  }
  uint64_t bound = s->lower_bound_bytes;
  uint64_t above = s->arena_bytes > bound ? s->arena_bytes - bound : 0;
  uint64_t tenths = bound ? above / bound * 1000 + above % bound * 1000 / bound : 0;
  ta_text_format(out, "%G bytes (%U.%U %%) above the lower bound of %G", above, tenths / 10, tenths % 10,
                 bound);
}

ta_status ta_planner_report(ta_planner *planner, uint32_t format, const char **text, size_t *len,
                            ta_error *error) {
  if (format >= sizeof writers / sizeof writers[0]) {
    return ta_fail(error, TA_E_ARGUMENT, "there is no report format %u: use json, text, csv, c or svg",
                   format);
  }
  ta_report report = {.planner = planner};
  ta_status status = ta_planner_summary(planner, &report.summary, error);
  if (status != TA_OK) return status;

  ta_region region;
  ta_region_init(&region, &planner->allocator);
  status = find_peak(&report, &region, error);
  if (status == TA_OK) {
    ta_text written;
    ta_text_init(&written, &planner->allocator);
    writers[format](&report, &written);
    if (written.failed) {
      ta_text_free(&written);
      status = ta_fail_memory(error);
    } else {
      ta_text_free(&planner->report_text);
      planner->report_text = written;
      *text = written.at;
      *len = written.len;
    }
  }
  ta_region_free(&region);
  return status;
}

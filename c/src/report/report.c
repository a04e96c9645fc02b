#include "report/report.h"

#include "base/error.h"
#include "base/sort.h"

typedef void (*plan_writer)(const ta_report *report, ta_text *out);

static const plan_writer writers[] = {
    [TA_FORMAT_JSON] = ta_write_plan_json, [TA_FORMAT_TEXT] = ta_write_plan_text,
    [TA_FORMAT_CSV] = ta_write_plan_csv,   [TA_FORMAT_C] = ta_write_plan_c,
    [TA_FORMAT_SVG] = ta_write_plan_svg,
};

bool ta_in_rw_arena(const ta_buffer *buffer) {
  return buffer->in_plan && buffer->arena == TA_ARENA_RW_PLACE;
}

static bool larger_first(const void *context, uint32_t a, uint32_t b) {
  const ta_buffer *buffers = context;
  if (buffers[a].bytes != buffers[b].bytes) return buffers[a].bytes > buffers[b].bytes;
  return a < b;
}

static bool makes_the_peak(const ta_report *report, const ta_buffer *buffer) {
  int32_t step = report->summary.peak_step;
  return ta_in_rw_arena(buffer) && buffer->shares == TA_NO_INDEX && buffer->bytes > 0 &&
         buffer->first <= step && step <= buffer->last;
}

static ta_status find_peak(ta_report *report, ta_region *region, ta_error *error) {
  const ta_planner *planner = report->planner;
  uint32_t count = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) count += makes_the_peak(report, &planner->buffers[i]);
  report->at_peak = TA_TAKE(region, count, uint32_t);
  if (!report->at_peak) return ta_fail_memory(error);
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (makes_the_peak(report, &planner->buffers[i])) report->at_peak[report->n_at_peak++] = i;
  }
  ta_sort(report->at_peak, count, larger_first, planner->buffers);
  return TA_OK;
}

ta_status ta_planner_report(ta_planner *planner, uint32_t format, const char **text, size_t *len,
                            ta_error *error) {
  if (format >= sizeof writers / sizeof writers[0]) {
    return ta_fail(error, TA_E_ARGUMENT, TA_NOWHERE,
                   "there is no report format %u: use json, text, csv, c or svg", format);
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

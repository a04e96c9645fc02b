#include "report/report.h"

#include "base/error.h"
#include "planner/rows.h"

typedef void (*plan_writer)(const ta_report *report, ta_text *out);

static const plan_writer writers[] = {
    [TA_FORMAT_JSON] = ta_write_plan_json, [TA_FORMAT_TEXT] = ta_write_plan_text,
    [TA_FORMAT_CSV] = ta_write_plan_csv,   [TA_FORMAT_C] = ta_write_plan_c,
    [TA_FORMAT_SVG] = ta_write_plan_svg,
};

bool ta_is_bound(const ta_planner *planner, const ta_buffer *buffer) {
  return buffer->offset != TA_NO_OFFSET &&
         buffer->offset == ta_fixed_place(planner, (uint32_t)(buffer - planner->buffers));
}

const ta_node *ta_step_node(const ta_planner *planner, int32_t step, uint32_t *index) {
  return ta_timeline_node(planner->model, planner->timeline, planner->n_steps, step, index);
}

uint64_t ta_shortfall(const ta_report *report) {
  const ta_summary *s = &report->summary;
  uint64_t budget = report->planner->options.budget_bytes;
  bool searched = ta_planner_searches(report->planner->options.planner);
  return (searched || s->needed_bytes <= budget ? s->least_needed_bytes : s->needed_bytes) - budget;
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

bool ta_is_lower_bound(const ta_summary *summary) {
  return summary->unknown_tensors + summary->unknown_operators > 0;
}

const char *ta_at_least(const ta_summary *summary) {
  return ta_is_lower_bound(summary) ? "at least " : "";
}

void ta_put_unknown(ta_text *out, const ta_summary *s) {
  if (s->unknown_tensors)
    ta_text_format(out, "%u tensor%s without a known size", s->unknown_tensors,
                   s->unknown_tensors == 1 ? "" : "s");
  if (s->unknown_tensors && s->unknown_operators) ta_text_format(out, " and ");
  if (s->unknown_operators)
    ta_text_format(out, "%u operator%s not covered", s->unknown_operators,
                   s->unknown_operators == 1 ? "" : "s");
}

uint64_t ta_tenths_above_bound(const ta_summary *s) {
  uint64_t bound = s->lower_bound_bytes, above = s->arena_bytes > bound ? s->arena_bytes - bound : 0;
  if (s->status == TA_UNPLANNED || !ta_is_bounded(s)) return TA_NO_OFFSET;
  return bound ? (above / bound) * 1000 + (above % bound * 1000 + bound / 2) / bound : 0;
}

void ta_put_verdict(ta_text *out, const ta_summary *s) {
  switch (s->status) {
  case TA_UNPLANNED:
    ta_text_format(out, "not placed yet with the present sizes");
    return;
  case TA_OVERLAPPING:
    ta_text_format(out, "the file's offline plan lays live tensors over each other on purpose");
    return;
  case TA_UNDECIDED:
    ta_text_format(out, "the file's offline plan lays live tensors over each other, and whether any lose "
                        "bytes cannot be told");
    return;
  case TA_UNSOUND:
    ta_text_format(out, "not sound, as the problems say");
    return;
  case TA_OPTIMAL:
    ta_text_format(out, "smallest possible, no plan of these lifetimes %sis smaller",
                   s->fixed_places ? "and fixed places " : "");
    return;
  default:
    break;
  }
  if (s->better_bytes != TA_NO_OFFSET) {
    bool known = s->better_bytes == s->lower_bound_bytes;
    ta_text_format(out, "not the smallest possible, %s%G bytes more than needed", known ? "" : "at least ",
                   s->arena_bytes - s->better_bytes);
    return;
  }
  uint64_t bound = s->lower_bound_bytes, tenths = ta_tenths_above_bound(s);
  ta_text_format(out, "%G bytes (%U.%U %%) above the lower bound of %s%G",
                 s->arena_bytes > bound ? s->arena_bytes - bound : 0, tenths / 10, tenths % 10,
                 ta_is_lower_bound(s) ? "what is known, " : "", bound);
}

void ta_put_basis(ta_text *out, const ta_report *report) {
  const ta_planner_options *options = &report->planner->options;
  ta_text_format(out, "runtime %s, ", ta_word_name(TA_WORDS_RUNTIME, options->runtime));
  if (report->planner->traits->whole_model)
    ta_text_format(out, "target %s, kernels %s, ", ta_word_name(TA_WORDS_TARGET, options->target),
                   ta_word_name(TA_WORDS_KERNELS, options->kernels));
  ta_text_format(out, "planner %s, tensor-arena " TA_VERSION,
                 ta_word_name(TA_WORDS_PLANNER, options->planner));
}

bool ta_put_not_counted(ta_text *out, const ta_report *report) {
  const ta_planner *planner = report->planner;
  if (planner->model->kind != TA_KIND_TFLITE || planner->traits->whole_model) return false;
  ta_text_format(out,
                 "kernels' temporaries (im2col and the like) and tensors that the runtime makes dynamic");
  const ta_others *others = &report->others;
  if (others->subgraphs == 0) return true;
  ta_text_format(out, ", and the arena%s of %u other subgraph%s", others->subgraphs == 1 ? "" : "s",
                 others->subgraphs, others->subgraphs == 1 ? "" : "s");
  if (others->bytes != TA_NO_OFFSET) ta_text_format(out, ", %G bytes", others->bytes);
  return true;
}

ta_status ta_planner_report(ta_planner *planner, uint32_t format, const char **text, size_t *len,
                            ta_error *error) {
  if (format >= sizeof writers / sizeof writers[0]) {
    return ta_fail(error, TA_E_ARGUMENT, "there is no report format number %u: see ta_format", format);
  }
  ta_report report = {.planner = planner};
  ta_status status = ta_planner_summary(planner, &report.summary, error);
  if (status != TA_OK) return status;

  ta_region region;
  ta_region_init(&region, &planner->allocator);
  status = find_peak(&report, &region, error);
  if (status == TA_OK) status = ta_others_measure(planner, &report.others, error);
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

#include "report/size.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "solve/solve.h"

_Static_assert(sizeof(ta_size_options) == 24, "ta_size_options has 24 bytes");
_Static_assert(sizeof(ta_size) == 40, "ta_size has 40 bytes");

/* ---- the head -------------------------------------------------------------------------------------------
 */

static ta_status check_known(const ta_tflm_plan *plan, ta_error *error) {
  for (uint32_t i = 0; i < plan->n_tensors; i++) {
    const ta_shape *shape = &plan->needs.shapes[i];
    if (shape->state != TA_SHAPE_UNKNOWN) continue;
    uint32_t g = plan->buffers[i].subgraph, tensor = plan->buffers[i].index, d = 0;
    while (shape->dims.at[d] >= 0) d++;
    return ta_fail_at(
        error, TA_E_REFUSED, g, TA_NO_INDEX, tensor,
        "TFLM cannot size tensor %u%M of subgraph %u: dimension %u is not known; give it a value in "
        "the file",
        tensor, &plan->model->subgraphs[g].tensors[tensor].name, g, d);
  }
  return TA_OK;
}

/* The step of a run at which the head's buffers are largest together. */
static ta_status find_peak(ta_size_report *report, ta_region *region, ta_error *error) {
  const ta_tflm_plan *plan = &report->plan;
  ta_peak *peak = &report->peak;
  ta_item *items = TA_TAKE(region, plan->n_buffers, ta_item);
  if (!items) return ta_fail_memory(error);
  uint32_t n = 0;
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    if (!buffer->in_plan || buffer->last < 0) continue;
    items[n++] = (ta_item){.bytes = buffer->bytes,
                           .alignment = TA_TFLM_ALIGNMENT,
                           .fixed = TA_NO_OFFSET,
                           .first = ta_max_i32(buffer->first, 0),
                           .last = buffer->last};
  }
  *peak = (ta_peak){.model = report->model, .buffers = plan->buffers};
  uint64_t bound;
  ta_status status =
      ta_live_bound(&region->allocator, items, n, &bound, &peak->step, &peak->live_bytes, error);
  if (status) return status;
  peak->node = ta_timeline_node(report->model, plan->timeline, plan->n_steps, peak->step, &peak->node_index);
  return ta_peak_list(peak, plan->n_buffers, region, error);
}

static ta_status place_linear(ta_tflm_plan *plan, uint64_t *head, ta_error *error) {
  ta_status status = ta_tflm_check_linear(plan, error);
  *head = 0;
  for (uint32_t i = 0; i < plan->n_buffers && !status; i++) {
    if (plan->buffers[i].in_plan) *head += plan->buffers[i].bytes;
  }
  return status;
}

static ta_status make_head(ta_size_report *report, const ta_allocator *allocator, ta_region *region,
                           uint64_t *head, ta_error *error) {
  ta_overlap overlaps;
  ta_tflm_plan *plan = &report->plan;
  const ta_size_options *options = &report->options;
  ta_status status =
      ta_tflm_make_buffers(report->model, options->target, options->kernels, region, plan, error);
  if (!status) status = check_known(plan, error);
  if (!status) status = ta_tflm_make_lives(plan, region, error);
  if (!status) status = find_peak(report, region, error);
  if (status) return status;
  if (options->planner == TA_PLANNER_LINEAR) return place_linear(plan, head, error);
  return ta_tflm_place(plan, allocator, NULL, NULL, head, &overlaps, error);
}

/* ---- the call -------------------------------------------------------------------------------------------
 */

void ta_size_options_init(ta_size_options *options) {
  *options = (ta_size_options){TA_TARGET_CORTEX_M, TA_KERNELS_REFERENCE, TA_PLANNER_OWN, TA_FORMAT_JSON,
                               TA_NO_OFFSET};
}

uint64_t ta_size_needed(const ta_size *size) {
  return size->min_arena_bytes == TA_NO_OFFSET ? size->arena_used_bytes : size->min_arena_bytes;
}

/* A lower bound that fits decides nothing. */
static uint32_t fits_budget(const ta_size_report *report) {
  const ta_size *size = &report->size;
  uint64_t budget = report->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return 0;
  bool known = size->min_arena_bytes != TA_NO_OFFSET;
  if (ta_size_needed(size) > budget) return 2;
  return known && size->covered ? 1 : 0;
}

static ta_status measure(ta_size_report *report, const ta_allocator *allocator, ta_region *region,
                         ta_error *error) {
  uint64_t head = 0;
  ta_whole *whole = &report->whole;
  ta_status status = make_head(report, allocator, region, &head, error);
  if (!status) status = ta_whole_measure(&report->plan, report->options.planner, head, region, whole, error);
  if (!status) {
    status = ta_needs_missing(&report->plan.needs, region, &report->missing, &report->n_missing, error);
  }
  report->size = (ta_size){.head_bytes = whole->head_bytes,
                           .tail_bytes = whole->tail_bytes,
                           .arena_used_bytes = whole->used_bytes,
                           .min_arena_bytes = whole->min_bytes,
                           .covered = report->n_missing == 0};
  report->size.fits = fits_budget(report);
  return status;
}

static ta_status check_options(const ta_model *model, const ta_size_options *options, ta_error *error) {
  if (model->kind != TA_KIND_TFLITE) {
    return ta_fail(error, TA_E_UNSUPPORTED,
                   "only a .tflite file has an arena of TensorFlow Lite Micro: open one");
  }
  if (options->planner > TA_PLANNER_LINEAR) {
    return ta_fail(error, TA_E_ARGUMENT,
                   "the whole arena is known for the planners own (0) and linear (1), not %u",
                   options->planner);
  }
  if (options->format > TA_FORMAT_TEXT) {
    return ta_fail(error, TA_E_ARGUMENT, "a size is written as json (0) or text (1), not %u",
                   options->format);
  }
  if (options->budget_bytes > TA_MAX_BYTES && options->budget_bytes != TA_NO_OFFSET) {
    return ta_fail(error, TA_E_ARGUMENT, "a budget of %U bytes is larger than any arena",
                   options->budget_bytes);
  }
  return TA_OK;
}

static ta_status write(ta_model *model, const ta_size_report *report, ta_error *error) {
  ta_text written;
  ta_text_init(&written, &model->region.allocator);
  if (report->options.format == TA_FORMAT_JSON) {
    ta_write_size_json(report, &written);
  } else {
    ta_write_size_text(report, &written);
  }
  if (written.failed) {
    ta_text_free(&written);
    return ta_fail_memory(error);
  }
  ta_text_free(&model->size_text);
  model->size_text = written;
  return TA_OK;
}

ta_status ta_model_size(ta_model *model, const ta_size_options *options, ta_size *out, const char **text,
                        size_t *len, ta_error *error) {
  ta_size_report report;
  memset(&report, 0, sizeof report);
  report.model = model;
  if (options) {
    report.options = *options;
  } else {
    ta_size_options_init(&report.options);
  }
  ta_status status = check_options(model, &report.options, error);
  if (status) return status;
  ta_region region;
  ta_region_init(&region, &model->region.allocator);
  status = measure(&report, &model->region.allocator, &region, error);
  if (!status) status = write(model, &report, error);
  ta_region_free(&region);
  if (status) return status;
  if (out) *out = report.size;
  *text = model->size_text.at;
  *len = model->size_text.len;
  return TA_OK;
}

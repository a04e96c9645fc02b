/* A plan in numbers: totals, peak, lower bound, and what is proved about them. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "measure/better.h"
#include "measure/whole.h"
#include "planner/planner.h"
#include "planner/rows.h"
#include "solve/solve.h"

/* What the public structs promise to be on every target. */
_Static_assert(sizeof(ta_buffer) == 40, "ta_buffer has 40 bytes");
_Static_assert(offsetof(ta_buffer, offset) == 8, "ta_buffer.offset");
_Static_assert(offsetof(ta_buffer, first) == 16, "ta_buffer.first");
_Static_assert(offsetof(ta_buffer, subgraph) == 24, "ta_buffer.subgraph");
_Static_assert(offsetof(ta_buffer, shares) == 32, "ta_buffer.shares");
_Static_assert(offsetof(ta_buffer, in_plan) == 39, "ta_buffer.in_plan");
_Static_assert(sizeof(ta_summary) == 136, "ta_summary has 136 bytes");
_Static_assert(offsetof(ta_summary, peak_step) == 88, "ta_summary.peak_step");
_Static_assert(offsetof(ta_summary, fits) == 120, "ta_summary.fits");
_Static_assert(sizeof(ta_planner_options) == 56, "ta_planner_options has 56 bytes");
_Static_assert(offsetof(ta_planner_options, budget_bytes) == 40, "ta_planner_options.budget_bytes");

/* The peak is of a step of the run. Buffers that tflm gives a life from -1 on meet before it, which counts
 * for the bound only. */
static ta_status find_peak_in_run(const ta_planner *planner, ta_item *items, uint32_t n, ta_summary *out,
                                  ta_error *error) {
  uint32_t live = 0;
  uint64_t bound;
  for (uint32_t i = 0; i < n; i++) {
    if (items[i].last < 0) continue;
    items[live] = items[i];
    items[live].first = ta_max_i32(items[i].first, 0);
    live++;
  }
  return ta_live_bound(&planner->allocator, items, live, &bound, &out->peak_step, &out->peak_live_bytes,
                       error);
}

/* Those of `buffers`, the planner's own or what they could be, that take bytes of their own. */
static uint32_t list_items(const ta_planner *planner, const ta_buffer *buffers, ta_item *items) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &buffers[i];
    if (!ta_takes_rw_bytes(buffer)) continue;
    items[n++] = (ta_item){.bytes = buffer->bytes,
                           .alignment = ta_placing_alignment(planner, i),
                           .fixed = ta_placing_fixed(planner, i),
                           .first = buffer->first,
                           .last = buffer->last};
  }
  return n;
}

/* Where the planner lets tensors overwrite each other, its own lives bound nothing that could be used. */
static ta_status find_sound_bound(const ta_planner *planner, ta_region *work, ta_item *items, ta_summary *out,
                                  ta_error *error) {
  ta_buffer *sound = TA_TAKE(work, planner->n_buffers, ta_buffer);
  if (!sound) return ta_fail_memory(error);
  if (planner->n_buffers) memcpy(sound, planner->buffers, planner->n_buffers * sizeof *sound);
  planner->runtime->set_sound_lives(planner, sound);
  int32_t step;
  uint64_t live_bytes;
  return ta_live_bound(&planner->allocator, items, list_items(planner, sound, items), &out->lower_bound_bytes,
                       &step, &live_bytes, error);
}

static ta_status find_bound(const ta_planner *planner, ta_summary *out, ta_error *error) {
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  ta_item *items = TA_TAKE(&work, planner->n_buffers, ta_item);
  ta_status status = items ? TA_OK : ta_fail_memory(error);
  uint32_t n = items ? list_items(planner, planner->buffers, items) : 0;
  if (!status) {
    status = ta_live_bound(&planner->allocator, items, n, &out->lower_bound_bytes, &out->peak_step,
                           &out->peak_live_bytes, error);
  }
  if (!status && n > 0 && out->peak_step < 0) status = find_peak_in_run(planner, items, n, out, error);
  if (!status && planner->unsound && planner->runtime->set_sound_lives)
    status = find_sound_bound(planner, &work, items, out, error);
  ta_region_free(&work);
  return status;
}

static bool all_placed(const ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (buffer->arena != TA_ARENA_NOT && buffer->bytes > 0 && buffer->offset == TA_NO_OFFSET) return false;
  }
  return true;
}

/* Whether a place was given for fewer bytes than are there by now. */
static bool has_outgrown(const ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    uint64_t placed = planner->placed_bytes[buffer->shares == TA_NO_INDEX ? i : buffer->shares];
    if (buffer->offset != TA_NO_OFFSET && placed > 0 && buffer->bytes > placed) return true;
  }
  return false;
}

/* TFLM takes the offsets of an offline plan as they are. One before the arena is none of ours, so after its
 * planner, which places all or nothing, a buffer without a place has such a one. */
static bool is_misplaced(const ta_planner *planner, bool whole) {
  if (planner->runtime->id != TA_RUNTIME_TFLM || planner->kind->id != TA_PLANNER_OWN) return false;
  for (uint32_t i = 0; i < planner->n_buffers && whole; i++) {
    uint64_t offset = planner->buffers[i].offset;
    if (offset != TA_NO_OFFSET && offset % planner->options.alignment != 0) return true;
  }
  return !whole;
}

static bool is_unknown(const ta_summary *summary) {
  return summary->unknown_tensors + summary->unknown_operators > 0;
}

/* Of what is not all known nothing is proved. */
static ta_plan_status status_of(const ta_planner *planner, const ta_summary *summary, bool whole) {
  if (!ta_executed_whole(planner) || has_outgrown(planner)) return TA_UNPLANNED;
  if (planner->unsound || is_misplaced(planner, whole)) return TA_UNSOUND;
  if (planner->overlap == TA_OVERLAP_UNDECIDED) return TA_UNDECIDED;
  if (planner->overlap == TA_OVERLAP_ON_PURPOSE) return TA_OVERLAPPING;
  bool optimal = planner->proved || summary->arena_bytes == summary->lower_bound_bytes;
  return whole && optimal && !is_unknown(summary) ? TA_OPTIMAL : TA_FEASIBLE;
}

/* 0 not decided, 1 yes, 2 no. A runtime's own plan is what it is; of a search's, only what any plan needs
 * says no. */
static uint32_t fits_budget(const ta_planner *planner, const ta_summary *summary) {
  uint64_t budget = planner->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return 0;
  bool placed = summary->status != TA_UNPLANNED;
  bool known =
      !is_unknown(summary) && (!planner->traits->whole_model || summary->min_arena_bytes != TA_NO_OFFSET);
  if (placed && summary->needed_bytes <= budget) return known ? 1 : 0;
  if (placed && !ta_planner_searches(planner->options.planner)) return 2;
  return summary->least_needed_bytes > budget ? 2 : 0;
}

static uint32_t count_fixed(const ta_planner *planner) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    count += planner->buffers[i].in_plan && ta_fixed_place(planner, i) != TA_NO_OFFSET;
  }
  return count;
}

/* A shape that the file leaves open and only a run fixes. TFLM takes it as it is written. */
static bool is_open(const ta_planner *planner, const ta_buffer *buffer, const ta_tensor *tensor) {
  bool open = false;
  for (uint32_t d = 0; d < tensor->signature.n; d++) open = open || tensor->signature.at[d] < 0;
  return open && buffer->in_plan && !planner->traits->whole_model;
}

static uint32_t count_unknown_tensors(const ta_planner *planner) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < planner->n_tensors; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    const ta_tensor *tensor = &planner->model->subgraphs[buffer->subgraph].tensors[buffer->index];
    if ((tensor->unknown_size && buffer->bytes == 0) || is_open(planner, buffer, tensor)) count++;
  }
  return count;
}

/* Offsets are aligned only if the base is. */
static uint32_t find_arena_alignment(const ta_planner *planner) {
  uint64_t largest = ta_max_u64(planner->traits->arena_alignment, planner->options.alignment);
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (buffer->in_plan && buffer->shares == TA_NO_INDEX)
      largest = ta_max_u64(largest, ta_placing_alignment(planner, i));
  }
  return (uint32_t)largest;
}

/* ---- the whole arena ------------------------------------------------------------------------------------
 */

static void keep_whole(const ta_whole *whole, ta_summary *out) {
  out->head_bytes = whole->head_bytes;
  out->tail_bytes = whole->tail_bytes;
  out->min_arena_bytes = whole->min_bytes;
  out->needed_bytes = whole->min_bytes == TA_NO_OFFSET ? whole->used_bytes : whole->min_bytes;
  /* Where the lists that AllocateTensors makes decide, no smaller head helps. */
  uint64_t used = (whole->used_bytes + TA_TFLM_ALIGNMENT - 1) / TA_TFLM_ALIGNMENT * TA_TFLM_ALIGNMENT;
  bool head_decides = whole->min_bytes == TA_NO_OFFSET || whole->min_bytes == used;
  uint64_t least = whole->tail_bytes + ta_min_u64(out->lower_bound_bytes, whole->head_bytes);
  least = (least + TA_TFLM_ALIGNMENT - 1) / TA_TFLM_ALIGNMENT * TA_TFLM_ALIGNMENT;
  out->least_needed_bytes = head_decides ? ta_min_u64(least, out->needed_bytes) : out->needed_bytes;
}

/* What the search's plan needs is known once it is in the file. One that cannot be written there has no
 * arena. */
static ta_status measure_searched(const ta_planner *planner, ta_summary *out, ta_error *error) {
  uint8_t *file;
  size_t len;
  ta_whole whole;
  ta_status status = ta_plan_to_file(planner, &file, &len, error);
  if (status == TA_E_UNSUPPORTED) return TA_OK;
  if (status) return status;
  status = ta_file_measure(&planner->allocator, file, len, planner->options.target, planner->options.kernels,
                           &whole, error);
  planner->allocator.free(planner->allocator.context, file, len);
  if (!status) keep_whole(&whole, out);
  return status;
}

static ta_status measure_tflm(ta_planner *planner, ta_summary *out, ta_error *error) {
  const ta_tflm_plan *plan = planner->runtime_state;
  if (out->status == TA_UNPLANNED) return TA_OK;
  if (ta_planner_searches(planner->options.planner)) return measure_searched(planner, out, error);
  ta_region work;
  ta_whole whole;
  ta_region_init(&work, &planner->allocator);
  ta_status status =
      ta_whole_measure(plan, planner->options.planner, planner->arena_bytes, &work, &whole, error);
  ta_region_free(&work);
  if (!status) keep_whole(&whole, out);
  return status;
}

ta_status ta_planner_summary(ta_planner *planner, ta_summary *out, ta_error *error) {
  if (!planner->planned) return ta_fail(error, TA_E_STATE, "nothing is planned yet: call plan first");
  ta_status status = planner->runtime->refresh_lives(planner, error);
  if (status) return status;
  ta_summary summary;
  memset(&summary, 0, sizeof summary);
  status = find_bound(planner, &summary, error);
  if (!status) status = ta_better_measure(planner, &summary.better_bytes, error);
  if (status) return status;
  bool tflm = planner->traits->whole_model;
  summary.lower_bound_bytes = ta_max_u64(summary.lower_bound_bytes, planner->bound_bytes);
  summary.arena_bytes = summary.needed_bytes = planner->arena_bytes;
  summary.least_needed_bytes = summary.lower_bound_bytes;
  summary.head_bytes = summary.tail_bytes = summary.min_arena_bytes = TA_NO_OFFSET;
  summary.persistent_bytes = planner->persistent_bytes;
  summary.constant_bytes = planner->model->constant_bytes;
  summary.steps = planner->n_steps;
  summary.arena_alignment = find_arena_alignment(planner);
  summary.tensor_alignment = planner->options.alignment;
  summary.search_nodes = planner->search_nodes;
  summary.search_ended = planner->search_ended;
  summary.fixed_places = count_fixed(planner);
  if (planner->model->kind != TA_KIND_CSV) summary.unknown_tensors = count_unknown_tensors(planner);
  if (tflm) summary.unknown_operators = ((const ta_tflm_plan *)planner->runtime_state)->needs.n_missing;
  summary.status = status_of(planner, &summary, all_placed(planner));
  if (tflm) status = measure_tflm(planner, &summary, error);
  if (status) return status;
  summary.fits = fits_budget(planner, &summary);
  *out = summary;
  return TA_OK;
}

#include "rewrite/attempt.h"

#include "base/error.h"
#include "base/num.h"
#include "measure/whole.h"
#include "rewrite/write.h"

uint64_t ta_attempt_needs(const ta_size *size) {
  return size->min_arena_bytes == TA_NO_OFFSET ? size->arena_used_bytes : size->min_arena_bytes;
}

ta_status ta_measure_file(const ta_allocator *allocator, ta_bytes file, const ta_attempt_options *options,
                          ta_size *out, ta_error *error) {
  ta_whole whole;
  ta_status status =
      ta_file_measure(allocator, file.at, file.len, options->target, options->kernels, &whole, error);
  if (status) return status;
  *out = (ta_size){.head_bytes = whole.head_bytes,
                   .tail_bytes = whole.tail_bytes,
                   .arena_used_bytes = whole.used_bytes,
                   .min_arena_bytes = whole.min_bytes,
                   .covered = options->covered};
  return TA_OK;
}

static ta_status start_search(ta_attempt *attempt, ta_error *error) {
  ta_planner_options planner;
  ta_planner_options_init(&planner);
  planner.runtime = TA_RUNTIME_TFLM;
  planner.planner = TA_PLANNER_OPTIMAL;
  planner.kernels = attempt->options.kernels;
  ta_status status =
      ta_model_open(&attempt->allocator, attempt->file, attempt->file_len, NULL, &attempt->model, error);
  if (!status)
    status = ta_planner_new(&attempt->allocator, attempt->model, &planner, &attempt->planner, error);
  return status ? status : ta_planner_plan(attempt->planner, error);
}

ta_status ta_attempt_start(ta_attempt *attempt, const ta_allocator *allocator,
                           const ta_attempt_options *options, const ta_draft *draft, ta_error *error) {
  *attempt = (ta_attempt){.allocator = ta_allocator_or_libc(allocator), .options = *options};
  ta_status status = ta_draft_write(&attempt->allocator, draft, &attempt->file, &attempt->file_len, error);
  ta_bytes file = {attempt->file, attempt->file_len};
  if (!status) status = ta_measure_file(&attempt->allocator, file, options, &attempt->size, error);
  return status || options->plan_nodes == 0 ? status : start_search(attempt, error);
}

static void free_file(const ta_attempt *attempt, uint8_t *file, size_t len) {
  if (file) attempt->allocator.free(attempt->allocator.context, file, len);
}

static void end_search(ta_attempt *attempt) {
  ta_planner_free(attempt->planner);
  ta_model_free(attempt->model);
  attempt->planner = NULL;
  attempt->model = NULL;
}

/* Takes the file with the plan where it needs less. */
static ta_status take_plan(ta_attempt *attempt, ta_error *error) {
  uint8_t *file = NULL;
  size_t len = 0;
  ta_size size = {0};
  ta_summary summary;
  ta_status status = ta_planner_summary(attempt->planner, &summary, error);
  if (!status) status = ta_plan_to_file(attempt->planner, &file, &len, error);
  if (!status)
    status = ta_measure_file(&attempt->allocator, (ta_bytes){file, len}, &attempt->options, &size, error);
  if (status || ta_attempt_needs(&size) >= ta_attempt_needs(&attempt->size)) {
    free_file(attempt, file, len);
    return status;
  }
  end_search(attempt);
  free_file(attempt, attempt->file, attempt->file_len);
  attempt->file = file;
  attempt->file_len = len;
  attempt->size = size;
  attempt->planned = true;
  attempt->proved = size.head_bytes <= summary.lower_bound_bytes;
  return TA_OK;
}

ta_status ta_attempt_step(ta_attempt *attempt, uint64_t max_nodes, bool *done, ta_error *error) {
  *done = true;
  if (!attempt->planner) return TA_OK;
  uint32_t solved = 0;
  uint64_t left = attempt->options.plan_nodes - attempt->nodes, slice = ta_min_u64(max_nodes, left);
  ta_status status = ta_planner_solve(attempt->planner, slice, &solved, error);
  if (status) return status;
  attempt->nodes += slice;
  *done = solved || attempt->nodes == attempt->options.plan_nodes;
  if (!*done) return TA_OK;
  status = take_plan(attempt, error);
  if (!status) end_search(attempt);
  return status;
}

void ta_attempt_free(ta_attempt *attempt) {
  end_search(attempt);
  free_file(attempt, attempt->file, attempt->file_len);
  attempt->file = NULL;
}

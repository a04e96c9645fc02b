/* The public planner calls: they check arguments and state, find the rows of the table, and keep what all
 * planners have in common. */
#include "planner/planner.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "planner/rows.h"

void ta_planner_options_init(ta_planner_options *options) {
  memset(options, 0, sizeof *options);
  options->runtime = TA_RUNTIME_DEFAULT;
  options->planner = TA_PLANNER_DEFAULT;
  options->budget_bytes = TA_NO_OFFSET;
}

/* ---- options --------------------------------------------------------------------------------------------
 */

static void fill_defaults(const ta_model *model, const ta_runtime_traits *traits,
                          ta_planner_options *options) {
  bool is_a_plan = model->has_offsets && !options->keep_offsets;
  if (options->planner == TA_PLANNER_DEFAULT)
    options->planner = is_a_plan ? (uint32_t)TA_PLANNER_OWN : traits->planner;
  if (options->alignment == 0 && !traits->fixed_alignment) options->alignment = model->alignment;
  if (model->preserve_all) options->preserve_all = 1;
  if (options->max_nodes == 0) options->max_nodes = TA_DEFAULT_NODES;
}

static ta_status check_numbers(const ta_planner_options *options, const ta_runtime_traits *traits,
                               ta_error *error) {
  uint32_t alignment = options->alignment;
  if (alignment && !ta_is_alignment(alignment))
    return ta_fail(error, TA_E_ARGUMENT, "alignment is %u; " TA_ALIGNMENT_RULE ", or leave it out",
                   alignment);
  if (traits->fixed_alignment && alignment && alignment != traits->alignment)
    return ta_fail(error, TA_E_ARGUMENT,
                   "%s aligns every buffer to %u bytes: leave the alignment out, or say %u, not %u",
                   ta_word_name(TA_WORDS_RUNTIME, options->runtime), traits->alignment, traits->alignment,
                   alignment);
  if (!ta_word_name(TA_WORDS_KERNELS, options->kernels))
    return ta_fail(error, TA_E_ARGUMENT, "there are no kernels number %u: see ta_kernels", options->kernels);
  if (options->preserve_all > 1)
    return ta_fail(error, TA_E_ARGUMENT, "preserve_all is 0 or 1, not %u", options->preserve_all);
  if (!ta_word_name(TA_WORDS_TARGET, options->target))
    return ta_fail(error, TA_E_ARGUMENT, "there is no target number %u: see ta_target", options->target);
  if (options->keep_offsets > 1)
    return ta_fail(error, TA_E_ARGUMENT, "keep_offsets is 0 or 1, not %u", options->keep_offsets);
  if (options->budget_bytes > TA_MAX_BYTES && options->budget_bytes != TA_NO_OFFSET)
    return ta_fail(error, TA_E_ARGUMENT, "a budget of %U bytes is larger than any arena, %L",
                   options->budget_bytes);
  return TA_OK;
}

/* A runtime takes the kinds of model that have what it plans. */
static ta_status check_runtime(const ta_model *model, const ta_planner_options *options,
                               const ta_runtime_traits *traits, ta_error *error) {
  const char *runtime = ta_word_name(TA_WORDS_RUNTIME, options->runtime);
  if (!(traits->takes >> (uint32_t)model->kind & 1))
    return ta_fail(error, TA_E_UNSUPPORTED, "the runtime \"%s\" does not plan a %s: choose \"%s\"", runtime,
                   ta_word_for_people(TA_WORDS_KIND, model->kind),
                   ta_word_name(TA_WORDS_RUNTIME, ta_default_runtime(model->kind)));
  bool for_rows = model->kind == TA_KIND_CSV;
  if (options->keep_offsets && !for_rows)
    return ta_fail(error, TA_E_UNSUPPORTED,
                   "keep_offsets is for buffer lists, whose rows have offsets: leave it out");
  if (options->keep_offsets && options->planner == TA_PLANNER_OWN)
    return ta_fail(
        error, TA_E_ARGUMENT,
        "the planner \"own\" changes no offset of a list: leave keep_offsets out, or choose linear or "
        "optimal");
  if (for_rows || traits->whole_model) {
    if (options->subgraph == 0) return TA_OK;
    if (for_rows)
      return ta_fail(error, TA_E_ARGUMENT, "a buffer list has no subgraphs: leave the subgraph out");
    return ta_fail(error, TA_E_ARGUMENT, "%s plans all subgraphs together: leave the subgraph out", runtime);
  }
  if (model->n_subgraphs == 0) return ta_fail(error, TA_E_NO_SUBGRAPH, "the model has no subgraph to plan");
  if (options->subgraph >= model->n_subgraphs)
    return ta_fail(error, TA_E_INDEX, "there is no subgraph %u: the model has %u", options->subgraph,
                   model->n_subgraphs);
  return TA_OK;
}

static ta_status find_rows(ta_planner *planner, ta_error *error) {
  ta_planner_options *options = &planner->options;
  if (options->runtime == TA_RUNTIME_DEFAULT) options->runtime = ta_default_runtime(planner->model->kind);
  planner->runtime = ta_runtime_find(options->runtime);
  planner->traits = ta_runtime_traits_of(options->runtime);
  if (!planner->runtime)
    return ta_fail(error, TA_E_ARGUMENT, "there is no runtime number %u: see ta_runtime_id",
                   options->runtime);
  fill_defaults(planner->model, planner->traits, options);
  planner->kind = ta_planner_kind_find(options->planner, options->runtime);
  if (planner->kind) return TA_OK;
  return ta_fail(error, TA_E_ARGUMENT, "there is no planner number %u", options->planner);
}

/* ---- making and freeing ---------------------------------------------------------------------------------
 */

static ta_status set_up(ta_planner *planner, ta_error *error) {
  ta_status status = find_rows(planner, error);
  if (!status) status = check_numbers(&planner->options, planner->traits, error);
  if (!status) status = check_runtime(planner->model, &planner->options, planner->traits, error);
  if (status) return status;
  if (planner->options.alignment == 0) planner->options.alignment = planner->traits->alignment;
  return planner->runtime->make_buffers(planner, error);
}

ta_status ta_planner_new(const ta_allocator *allocator, const ta_model *model,
                         const ta_planner_options *options, ta_planner **out, ta_error *error) {
  ta_region region;
  ta_region_init(&region, allocator);
  ta_planner *planner = TA_TAKE(&region, 1, ta_planner);
  if (!planner) return ta_fail_memory(error);
  planner->region = region;
  planner->allocator = region.allocator;
  planner->model = model;
  planner->executed_to = -1;
  if (options) {
    planner->options = *options;
  } else {
    ta_planner_options_init(&planner->options);
  }
  ta_status status = set_up(planner, error);
  if (status) {
    ta_planner_free(planner);
    return status;
  }
  *out = planner;
  return TA_OK;
}

void ta_planner_free(ta_planner *planner) {
  if (!planner) return;
  if (planner->kind && planner->kind->dispose) planner->kind->dispose(planner);
  ta_text_free(&planner->report_text);
  ta_region region = planner->region; /* the planner lies in it */
  ta_region_free(&region);
}

/* ---- plan, execute, reset -------------------------------------------------------------------------------
 */

static ta_status need_plan(const ta_planner *planner, ta_error *error) {
  if (planner->planned) return TA_OK;
  return ta_fail(error, TA_E_STATE, "nothing is planned yet: call plan first");
}

static ta_status fail_unsupported(const ta_planner *planner, const char *call, ta_error *error) {
  return ta_fail(error, TA_E_UNSUPPORTED,
                 "%s is not for the planner \"%s\" of the runtime \"%s\": choose another, or use reset", call,
                 ta_word_name(TA_WORDS_PLANNER, planner->options.planner),
                 ta_word_name(TA_WORDS_RUNTIME, planner->options.runtime));
}

ta_status ta_planner_plan(ta_planner *planner, ta_error *error) {
  if (planner->planned) return TA_OK;
  memset(&planner->problems, 0, sizeof planner->problems); /* of an attempt that ran out of memory */
  ta_status status = planner->runtime->make_lives(planner, error);
  if (!status) status = planner->runtime->refresh_lives(planner, error);
  if (status) return status;
  planner->turns = TA_TAKE(&planner->region, planner->n_buffers, uint32_t);
  planner->placed_bytes = TA_TAKE(&planner->region, planner->n_buffers, uint64_t);
  if (!planner->turns || !planner->placed_bytes) return ta_fail_memory(error);
  planner->planned = true;
  return TA_OK;
}

/* What `last` is when all is executed. Without nodes there is still 0. Steps of a whole model are no nodes:
 * its range is one of the main subgraph's nodes, which run the others. */
static int32_t last_to_execute(const ta_planner *planner) {
  int32_t count =
      planner->traits->whole_model ? (int32_t)planner->model->subgraphs[0].n_nodes : planner->n_steps;
  return ta_max_i32(count - 1, 0);
}

bool ta_covers_all_steps(const ta_planner *planner, int32_t first, int32_t last) {
  return first <= 0 && last >= last_to_execute(planner);
}

bool ta_executed_whole(const ta_planner *planner) {
  return planner->executed_to >= last_to_execute(planner);
}

ta_status ta_fail_partial_range(const ta_planner *planner, ta_error *error) {
  return ta_fail(error, TA_E_UNSUPPORTED,
                 "the planner \"%s\" places whole graphs only: execute nodes 0 to %i",
                 ta_word_name(TA_WORDS_PLANNER, planner->options.planner), last_to_execute(planner));
}

static void forget_places(ta_planner *planner);

/* Places that the runtime cannot hold are none: they all go, as one plan. */
static ta_status check_ends(ta_planner *planner, ta_error *error) {
  ta_status status = TA_OK;
  for (uint32_t i = 0; planner->runtime->check_end && i < planner->n_buffers && !status; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (buffer->offset == TA_NO_OFFSET) continue;
    status = planner->runtime->check_end(buffer, buffer->offset + buffer->bytes, error);
  }
  if (status) forget_places(planner);
  return status;
}

ta_status ta_planner_execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  ta_status status = need_plan(planner, error);
  if (status) return status;
  int32_t end = last_to_execute(planner);
  first = ta_max_i32(first, 0);
  last = ta_min_i32(last, end);
  if (first > last) return TA_OK;
  if (first == 0 && last == end) status = planner->runtime->refresh_lives(planner, error);
  if (!status) status = planner->kind->execute(planner, first, last, error);
  if (!status) status = check_ends(planner, error);
  if (!status && first <= planner->executed_to + 1)
    planner->executed_to = ta_max_i32(planner->executed_to, last);
  return status;
}

static void forget_places(ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    planner->buffers[i].offset = TA_NO_OFFSET;
    planner->placed_bytes[i] = 0;
    planner->turns[i] = 0;
  }
  planner->n_turns = 0;
  planner->arena_bytes = planner->persistent_bytes = 0;
  planner->bound_bytes = planner->search_nodes = 0;
  planner->executed_to = -1;
  planner->proved = planner->search_ended = planner->unsound = false;
  planner->overlap = TA_OVERLAP_NONE;
  planner->better_bytes = 0;
}

ta_status ta_planner_reset(ta_planner *planner, ta_error *error) {
  if (!planner->planned) return TA_OK;
  ta_status status = planner->kind->reset(planner, error);
  if (!status) forget_places(planner);
  return status;
}

ta_status ta_planner_reset_after(ta_planner *planner, int32_t node, ta_error *error) {
  ta_status status = need_plan(planner, error);
  if (status) return status;
  if (!planner->kind->reset_after) return fail_unsupported(planner, "reset_after", error);
  node = ta_max_i32(node, -1);
  status = planner->kind->reset_after(planner, node, error);
  if (!status) planner->executed_to = ta_min_i32(planner->executed_to, node);
  return status;
}

ta_status ta_planner_release(ta_planner *planner, ta_error *error) {
  ta_status status = need_plan(planner, error);
  if (status) return status;
  if (!planner->kind->release) return fail_unsupported(planner, "release", error);
  return planner->kind->release(planner, error);
}

ta_status ta_planner_acquire(ta_planner *planner, ta_error *error) {
  ta_status status = need_plan(planner, error);
  if (status) return status;
  if (!planner->kind->acquire) return fail_unsupported(planner, "acquire", error);
  return planner->kind->acquire(planner, error);
}

ta_status ta_planner_solve(ta_planner *planner, uint64_t max_nodes, uint32_t *done, ta_error *error) {
  ta_status status = ta_planner_plan(planner, error);
  if (status) return status;
  if (!planner->kind->solve) {
    *done = 1;
    return ta_planner_execute(planner, 0, INT32_MAX, error);
  }
  bool ended = false;
  status = planner->runtime->refresh_lives(planner, error);
  if (!status) status = planner->kind->solve(planner, max_nodes, &ended, error);
  if (!status) status = check_ends(planner, error);
  if (status) return status;
  planner->executed_to = last_to_execute(planner);
  *done = ended;
  return TA_OK;
}

/* ---- changes --------------------------------------------------------------------------------------------
 */

static ta_status check_tensor(const ta_planner *planner, uint32_t tensor, ta_error *error) {
  if (tensor < planner->n_tensors) return TA_OK;
  return ta_fail(error, TA_E_INDEX, "there is no tensor %u: the planner has %u", tensor, planner->n_tensors);
}

/* Places of planners that take whole graphs only are of one piece: with a change they all go. */
static ta_status tell_changed(ta_planner *planner, uint32_t tensor, ta_error *error) {
  bool step_by_step = planner->kind->id == TA_PLANNER_OWN && planner->traits->in_steps;
  if (planner->planned && !step_by_step) forget_places(planner);
  return planner->runtime->changed ? planner->runtime->changed(planner, tensor, error) : TA_OK;
}

ta_status ta_planner_resize(ta_planner *planner, uint32_t tensor, uint64_t bytes, ta_error *error) {
  ta_status status = check_tensor(planner, tensor, error);
  if (status) return status;
  if (bytes > TA_MAX_BYTES)
    return ta_fail_at(error, TA_E_LIMIT, planner->buffers[tensor].subgraph, TA_NO_INDEX, tensor,
                      "%U bytes are more than the largest size, %L", bytes);
  if (planner->buffers[tensor].bytes == bytes) return TA_OK;
  planner->buffers[tensor].bytes = bytes;
  return tell_changed(planner, tensor, error);
}

ta_status ta_planner_retype(ta_planner *planner, uint32_t tensor, uint32_t type, ta_error *error) {
  ta_status status = check_tensor(planner, tensor, error);
  if (status) return status;
  if (type > TA_CUSTOM)
    return ta_fail_at(error, TA_E_ARGUMENT, planner->buffers[tensor].subgraph, TA_NO_INDEX, tensor,
                      "there is no allocation type %u: 0 to %u", type, (uint32_t)TA_CUSTOM);
  if (planner->buffers[tensor].type == type) return TA_OK;
  planner->buffers[tensor].type = (uint8_t)type;
  return tell_changed(planner, tensor, error);
}

const ta_buffer *ta_planner_buffers(const ta_planner *planner, uint32_t *count) {
  *count = planner->n_buffers;
  return planner->buffers;
}

uint64_t ta_planned_alignment(const ta_planner *planner, const ta_buffer *buffer) {
  return ta_placing_alignment(planner, (uint32_t)(buffer - planner->buffers));
}

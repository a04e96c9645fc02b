#include "report/size.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/sort.h"

_Static_assert(sizeof(ta_size_options) == 24, "ta_size_options has 24 bytes");
_Static_assert(sizeof(ta_size) == 40, "ta_size has 40 bytes");

/* The tail while it grows. Its end is 16-aligned and it grows downwards, so that taking `bytes` aligned to
 * `align` makes it roundup(tail + bytes, align). */
typedef struct tail {
  ta_size_report *report;
  const ta_tflm_target *target;
  ta_region *region;
  ta_error *error;
  uint64_t bytes;
  uint64_t planning; /* after step 7: when the plan is made */
} tail;

static ta_status fail_too_large(ta_error *error) {
  return ta_fail(error, TA_E_LIMIT, TA_NOWHERE,
                 "the arena would be larger than 9007199254740991 bytes; check the model's shapes");
}

static ta_status add_item(tail *t, const ta_size_item *item) {
  ta_size_report *report = t->report;
  if (item->bytes == 0) return TA_OK;
  if (report->n_items == report->capacity) {
    uint32_t capacity = report->capacity ? 2 * report->capacity : 64;
    ta_size_item *grown = TA_TAKE(t->region, capacity, ta_size_item);
    if (!grown) return ta_fail_memory(t->error);
    if (report->n_items) memcpy(grown, report->items, report->n_items * sizeof *grown);
    report->items = grown;
    report->capacity = capacity;
  }
  report->items[report->n_items++] = *item;
  return TA_OK;
}

/* `count` objects one after the other, which make one item. */
static ta_status take_each(tail *t, ta_size_item item, uint64_t bytes, uint64_t align, uint64_t count) {
  uint64_t before = t->bytes, rounded = 0, others = 0, after = 0;
  if (count == 0) return TA_OK;
  bool fits = ta_add(before, bytes, &after) && ta_align_up(after, align, &after) &&
              ta_align_up(bytes, align, &rounded) && ta_mul(rounded, count - 1, &others) &&
              ta_add(after, others, &after);
  if (!fits) return fail_too_large(t->error);
  t->bytes = after;
  item.bytes = after - before;
  return add_item(t, &item);
}

static ta_size_item about(ta_size_what what) {
  return (ta_size_item){0, TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX, what};
}

/* An array of `count` objects. */
static ta_status take(tail *t, ta_size_what what, ta_object object, uint64_t count) {
  uint64_t bytes = 0;
  if (!ta_mul(object.bytes, count, &bytes)) return fail_too_large(t->error);
  return take_each(t, about(what), bytes, object.align, 1);
}

/* The same, of one subgraph. */
static ta_status take_of(tail *t, ta_size_what what, uint32_t subgraph, ta_object object, uint64_t count) {
  ta_size_item item = about(what);
  uint64_t bytes = 0;
  item.subgraph = subgraph;
  if (!ta_mul(object.bytes, count, &bytes)) return fail_too_large(t->error);
  return take_each(t, item, bytes, object.align, 1);
}

/* Step 1: the runtime's own objects. */
static ta_status take_runtime(tail *t) {
  const ta_tflm_target *target = t->target;
  uint32_t variables = t->report->plan.needs.n_handles;
  bool linear = t->report->options.method == TA_METHOD_LINEAR;
  ta_status status = take(t, TA_SIZE_ALLOCATOR, target->single_arena_allocator, 1);
  if (!status) status = take(t, TA_SIZE_PLANNER, linear ? target->linear_planner : target->greedy_planner, 1);
  if (!status) status = take(t, TA_SIZE_MICRO_ALLOCATOR, target->micro_allocator, 1);
  if (!status && variables) status = take(t, TA_SIZE_RESOURCE_VARIABLES, target->resource_variables, 1);
  if (!status && variables) {
    status = take(t, TA_SIZE_RESOURCE_VARIABLES, target->resource_variable, variables);
  }
  if (!status) status = take(t, TA_SIZE_BUILTIN_ALLOCATOR, target->builtin_data_allocator, 1);
  if (status) return status;
  return take(t, TA_SIZE_SUBGRAPHS, target->subgraph_allocations, t->report->model->n_subgraphs);
}

/* Step 2: a struct for each tensor, then one for each operator. */
static ta_status take_graph(tail *t) {
  const ta_model *model = t->report->model;
  ta_status status = TA_OK;
  for (uint32_t g = 0; g < model->n_subgraphs && !status; g++) {
    status = take_of(t, TA_SIZE_EVAL_TENSORS, g, t->target->eval_tensor, model->subgraphs[g].n_tensors);
  }
  for (uint32_t g = 0; g < model->n_subgraphs && !status; g++) {
    status = take_of(t, TA_SIZE_NODES, g, t->target->node_and_registration, model->subgraphs[g].n_nodes);
  }
  return status;
}

static ta_status take_request(tail *t, ta_size_what what, const ta_request *request) {
  ta_size_item item = {0, request->subgraph, request->node, TA_NO_INDEX, what};
  return take_each(t, item, request->bytes, request->align, request->count);
}

/* Steps 3 and 4: one pass over all operators each. */
static ta_status take_requests(tail *t, ta_size_what what, const ta_requests *requests) {
  ta_status status = TA_OK;
  for (uint32_t r = 0; r < requests->n && !status; r++) status = take_request(t, what, &requests->at[r]);
  return status;
}

/* The scratch requests that TFLM has room for before it must take more. */
enum { SPARE_SCRATCH_REQUESTS = 12 };

static bool scratch_list_bytes(const tail *t, uint64_t requests, uint64_t *out) {
  return ta_mul(t->target->scratch_request, requests + SPARE_SCRATCH_REQUESTS, out);
}

/* Step 5. *peak: the most that is in use inside an operator's Prepare: scratch requests so far, then its
 * temporaries, and the tail. */
static ta_status take_prepare(tail *t, uint64_t *peak) {
  const ta_tflm_plan *plan = &t->report->plan;
  const ta_needs *needs = &plan->needs;
  for (uint32_t i = 0; i < needs->n_nodes; i++) {
    uint64_t used = 0;
    for (uint32_t r = needs->nodes[i].prepare; r < needs->nodes[i + 1].prepare; r++) {
      ta_status status = take_request(t, TA_SIZE_PREPARE, &needs->prepare.at[r]);
      if (status) return status;
    }
    if (!scratch_list_bytes(t, plan->scratch_of[i], &used) ||
        !ta_add(used, needs->nodes[i].temporaries, &used) || !ta_add(used, t->bytes, &used)) {
      return fail_too_large(t->error);
    }
    *peak = ta_max_u64(*peak, used);
  }
  return TA_OK;
}

/* Steps 6 and 7: scratch handles, and the variables that no offline plan places. TFLM looks a variable's
 * offset up by its index within its own subgraph. */
static ta_status take_variables(tail *t) {
  const ta_tflm_plan *plan = &t->report->plan;
  uint32_t scratch = plan->n_buffers - plan->n_tensors;
  ta_status status = scratch ? take(t, TA_SIZE_SCRATCH_HANDLES, t->target->scratch_handle, scratch) : TA_OK;
  for (uint32_t i = 0; i < plan->n_tensors && !status; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    if (!plan->model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable) continue;
    if (ta_tflm_offline_offset(plan->model, buffer->index) != -1) continue;
    ta_size_item item = {0, buffer->subgraph, TA_NO_INDEX, buffer->index, TA_SIZE_VARIABLE};
    status = take_each(t, item, plan->needs.shapes[i].bytes, TA_TFLM_ALIGNMENT, 1);
  }
  t->planning = t->bytes;
  return status;
}

static ta_status take_port(tail *t, ta_size_what what, uint32_t tensor) {
  const ta_tensor *of = &t->report->model->subgraphs[0].tensors[tensor];
  ta_size_item item = {0, 0, TA_NO_INDEX, tensor, what};
  ta_status status = take_each(t, item, t->target->tensor.bytes, t->target->tensor.align, 1);
  if (status || of->scales == 0 || of->zero_points == 0) return status;
  status = take_each(t, item, t->target->quantization.bytes, t->target->quantization.align, 1);
  return status ? status : take_each(t, item, 4 + 4 * (uint64_t)of->scales, 4, 1);
}

/* Step 8: the TfLiteTensors of the model's inputs, or outputs. The array is aligned even when it is empty. */
static ta_status take_ports(tail *t, ta_size_what array, ta_size_what each, ta_list ports) {
  ta_object pointers = {t->target->pointer.bytes, TA_TFLM_ALIGNMENT};
  ta_status status = take(t, array, pointers, ports.n);
  for (uint32_t k = 0; k < ports.n && !status; k++) {
    if (ports.at[k] >= 0) status = take_port(t, each, (uint32_t)ports.at[k]);
  }
  return status;
}

static ta_status take_all(tail *t, uint64_t *prepare_peak) {
  const ta_needs *needs = &t->report->plan.needs;
  const ta_subgraph *main_subgraph = &t->report->model->subgraphs[0];
  ta_status status = take_runtime(t);
  if (!status) status = take_graph(t);
  if (!status) status = take_requests(t, TA_SIZE_BUILTIN, &needs->builtin);
  if (!status) status = take_requests(t, TA_SIZE_INIT, &needs->init);
  if (!status) status = take_prepare(t, prepare_peak);
  if (!status) status = take_variables(t);
  if (!status) status = take_ports(t, TA_SIZE_INPUTS, TA_SIZE_INPUT, main_subgraph->inputs);
  if (!status) status = take_ports(t, TA_SIZE_OUTPUTS, TA_SIZE_OUTPUT, main_subgraph->outputs);
  return status;
}

/* ---- the smallest arena ---------------------------------------------------------------------------------
 */

enum { GREEDY_BYTES_PER_BUFFER = 40 };

/* What is in use while the plan is made: the tail so far, the planner's own list, and the lists of scratch
 * requests, scratch buffers of each subgraph, and buffers to plan. */
static ta_status plan_peak(const tail *t, uint64_t *out) {
  const ta_tflm_plan *plan = &t->report->plan;
  uint64_t pointer = t->target->pointer.bytes, buffers = 0, lists = 0, infos = 0, peak = 0;
  uint64_t subgraphs = pointer * plan->model->n_subgraphs;
  for (uint32_t i = 0; i < plan->n_buffers; i++) buffers += plan->buffers[i].in_plan;
  bool fits = scratch_list_bytes(t, plan->n_buffers - plan->n_tensors, &lists);
  if (plan->n_buffers == 0) {
    fits = fits && ta_add(t->planning, lists, &peak) && ta_add(peak, subgraphs, &peak);
  } else {
    fits = fits && ta_align_up(lists, pointer, &lists) && ta_add(lists, subgraphs, &lists) &&
           ta_align_up(lists, pointer, &lists) &&
           ta_mul(t->target->allocation_info, plan->n_buffers, &infos) && ta_add(lists, infos, &lists) &&
           ta_align_up(lists, TA_TFLM_ALIGNMENT, &lists) &&
           ta_align_up(t->planning, TA_TFLM_ALIGNMENT, &peak) &&
           ta_add(peak, GREEDY_BYTES_PER_BUFFER * buffers, &peak) && ta_add(peak, lists, &peak);
  }
  *out = peak;
  return fits ? TA_OK : fail_too_large(t->error);
}

static ta_status smallest_arena(const tail *t, uint64_t prepare_peak, uint64_t *out) {
  uint64_t peak = 0;
  ta_status status = plan_peak(t, &peak);
  if (status) return status;
  peak = ta_max_u64(ta_max_u64(peak, prepare_peak), t->report->size.arena_used_bytes);
  return ta_align_up(peak, TA_TFLM_ALIGNMENT, out) ? TA_OK : fail_too_large(t->error);
}

/* ---- the head -------------------------------------------------------------------------------------------
 */

static ta_status check_known(const ta_tflm_plan *plan, ta_error *error) {
  for (uint32_t i = 0; i < plan->n_tensors; i++) {
    const ta_shape *shape = &plan->needs.shapes[i];
    if (shape->state != TA_SHAPE_UNKNOWN) continue;
    uint32_t g = plan->buffers[i].subgraph, tensor = plan->buffers[i].index, d = 0;
    while (shape->dims.at[d] >= 0) d++;
    return ta_fail(
        error, TA_E_REFUSED, ta_at_tensor(g, tensor),
        "TFLM cannot size tensor %u (%S) of subgraph %u: dimension %u is not known; give it a value in "
        "the file",
        tensor, plan->model->subgraphs[g].tensors[tensor].name, g, d);
  }
  return TA_OK;
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
                           ta_error *error) {
  bool overlaps = false;
  ta_tflm_plan *plan = &report->plan;
  const ta_size_options *options = &report->options;
  ta_status status =
      ta_tflm_make_buffers(report->model, options->target, options->kernels, region, plan, error);
  if (!status) status = check_known(plan, error);
  if (!status) status = ta_tflm_make_lives(plan, region, error);
  if (status) return status;
  if (options->method == TA_METHOD_LINEAR) return place_linear(plan, &report->size.head_bytes, error);
  return ta_tflm_place(plan, allocator, NULL, NULL, &report->size.head_bytes, &overlaps, error);
}

/* ---- operators outside the tables -----------------------------------------------------------------------
 */

const ta_node *ta_size_node(const ta_size_report *report, uint32_t flat) {
  const uint32_t *base = report->plan.needs.node_base;
  uint32_t low = 0, high = report->model->n_subgraphs;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (base[middle] <= flat) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return &report->model->subgraphs[low].nodes[flat - base[low]];
}

/* Names are compared n log n times: only this much of each. */
enum { NAME_COMPARED_BYTES = 256 };

static int compare_names(const ta_size_report *report, uint32_t a, uint32_t b) {
  ta_str x = ta_size_node(report, a)->name, y = ta_size_node(report, b)->name;
  size_t most = ta_min_u64(x.len, y.len) < NAME_COMPARED_BYTES ? (size_t)ta_min_u64(x.len, y.len)
                                                               : (size_t)NAME_COMPARED_BYTES;
  int order = most == 0 || x.at == y.at ? 0 : memcmp(x.at, y.at, most);
  if (order != 0) return order;
  return x.len < y.len ? -1 : x.len > y.len;
}

static bool name_before(const void *context, uint32_t a, uint32_t b) {
  int order = compare_names(context, a, b);
  return order != 0 ? order < 0 : a < b;
}

/* One node for each different name, in order of the names. */
static ta_status find_missing(ta_size_report *report, ta_region *region, ta_error *error) {
  const ta_needs *needs = &report->plan.needs;
  uint32_t *missing = TA_TAKE(region, needs->n_missing, uint32_t), n = 0;
  if (!missing) return ta_fail_memory(error);
  for (uint32_t i = 0; i < needs->n_nodes; i++) {
    if (!needs->nodes[i].row) missing[n++] = i;
  }
  ta_sort(missing, n, name_before, report);
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0 && compare_names(report, missing[i - 1], missing[i]) == 0) continue;
    missing[report->n_missing++] = missing[i];
  }
  report->missing = missing;
  return TA_OK;
}

/* ---- the call -------------------------------------------------------------------------------------------
 */

void ta_size_options_init(ta_size_options *options) {
  *options = (ta_size_options){TA_TARGET_CORTEX_M, TA_KERNELS_REFERENCE, TA_METHOD_OWN, TA_FORMAT_JSON,
                               TA_NO_OFFSET};
}

/* A lower bound that fits decides nothing. */
static uint32_t fits_budget(const ta_size_report *report) {
  const ta_size *size = &report->size;
  uint64_t budget = report->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return 0;
  bool known = size->min_arena_bytes != TA_NO_OFFSET;
  if ((known ? size->min_arena_bytes : size->arena_used_bytes) > budget) return 2;
  return known && size->covered ? 1 : 0;
}

static ta_status measure(ta_size_report *report, const ta_allocator *allocator, ta_region *region,
                         ta_error *error) {
  uint64_t prepare_peak = 0;
  ta_size *size = &report->size;
  ta_status status = make_head(report, allocator, region, error);
  if (status) return status;
  tail t = {.report = report, .target = report->plan.needs.target, .region = region, .error = error};
  status = take_all(&t, &prepare_peak);
  if (!status) status = find_missing(report, region, error);
  if (status) return status;
  size->tail_bytes = t.bytes;
  if (!ta_add(size->head_bytes, size->tail_bytes, &size->arena_used_bytes)) return fail_too_large(error);
  size->covered = report->n_missing == 0;
  size->min_arena_bytes = TA_NO_OFFSET;
  if (report->options.method == TA_METHOD_OWN) {
    status = smallest_arena(&t, prepare_peak, &size->min_arena_bytes);
  }
  size->fits = fits_budget(report);
  return status;
}

static ta_status check_options(const ta_model *model, const ta_size_options *options, ta_error *error) {
  if (model->kind != TA_KIND_TFLITE) {
    return ta_fail(error, TA_E_UNSUPPORTED, TA_NOWHERE,
                   "only a .tflite file has an arena of TensorFlow Lite Micro: open one");
  }
  if (options->method > TA_METHOD_LINEAR) {
    return ta_fail(error, TA_E_ARGUMENT, TA_NOWHERE,
                   "the whole arena is known for the planners own (0) and linear (1), not %u",
                   options->method);
  }
  if (options->format > TA_FORMAT_TEXT) {
    return ta_fail(error, TA_E_ARGUMENT, TA_NOWHERE, "a size is written as json (0) or text (1), not %u",
                   options->format);
  }
  if (options->budget_bytes > TA_MAX_BYTES && options->budget_bytes != TA_NO_OFFSET) {
    return ta_fail(error, TA_E_ARGUMENT, TA_NOWHERE, "a budget of %U bytes is larger than any arena",
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

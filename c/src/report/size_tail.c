/* The tail, as TFLM takes it, and what it must have free while it does. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "report/size.h"

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

/* `count` objects one after the other. */
static ta_status grow(tail *t, uint64_t bytes, uint64_t align, uint64_t count) {
  uint64_t rounded = 0, others = 0, after = 0;
  if (count == 0) return TA_OK;
  bool fits = ta_add(t->bytes, bytes, &after) && ta_align_up(after, align, &after) &&
              ta_align_up(bytes, align, &rounded) && ta_mul(rounded, count - 1, &others) &&
              ta_add(after, others, &after);
  if (!fits) return fail_too_large(t->error);
  t->bytes = after;
  return TA_OK;
}

/* ... which make one item. */
static ta_status take_each(tail *t, ta_size_item item, uint64_t bytes, uint64_t align, uint64_t count) {
  uint64_t before = t->bytes;
  ta_status status = grow(t, bytes, align, count);
  item.bytes = t->bytes - before;
  return status ? status : add_item(t, &item);
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
  ta_status status = take(t, TA_SIZE_ALLOCATOR, target->single_arena_allocator, 1);
  if (!status && t->report->options.method == TA_METHOD_LINEAR) {
    status = take(t, TA_SIZE_LINEAR_PLANNER, target->linear_planner, 1);
  } else if (!status) {
    status = take(t, TA_SIZE_GREEDY_PLANNER, target->greedy_planner, 1);
  }
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

/* A TfLiteTensor, and its quantization where it has scales and zero points. */
static ta_status take_port(tail *t, ta_size_what what, uint32_t tensor) {
  const ta_tensor *of = &t->report->model->subgraphs[0].tensors[tensor];
  ta_object quantization = t->target->quantization;
  uint64_t before = t->bytes;
  ta_status status = grow(t, t->target->tensor.bytes, t->target->tensor.align, 1);
  if (of->scales > 0 && of->zero_points > 0) {
    if (!status) status = grow(t, quantization.bytes, quantization.align, 1);
    if (!status) status = grow(t, 4 + 4 * (uint64_t)of->scales, 4, 1);
  }
  ta_size_item item = {t->bytes - before, 0, TA_NO_INDEX, tensor, what};
  return status ? status : add_item(t, &item);
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

ta_status ta_size_measure(ta_size_report *report, ta_region *region, ta_error *error) {
  uint64_t prepare_peak = 0;
  ta_size *size = &report->size;
  tail t = {.report = report, .target = report->plan.needs.target, .region = region, .error = error};
  ta_status status = take_all(&t, &prepare_peak);
  if (status) return status;
  size->tail_bytes = t.bytes;
  if (!ta_add(size->head_bytes, size->tail_bytes, &size->arena_used_bytes)) return fail_too_large(error);
  size->min_arena_bytes = TA_NO_OFFSET;
  if (report->options.method == TA_METHOD_LINEAR) return TA_OK;
  return smallest_arena(&t, prepare_peak, &size->min_arena_bytes);
}

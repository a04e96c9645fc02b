/* The tail, as TFLM takes it, and what it must have free while it does. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "measure/whole.h"

/* The tail while it grows. Its end is 16-aligned and it grows downwards, so that taking `bytes` aligned to
 * `align` makes it roundup(tail + bytes, align). After a failure nothing more is taken. */
typedef struct tail {
  const ta_tflm_plan *plan;
  uint32_t planner;
  ta_whole *whole;
  const ta_tflm_target *target;
  ta_region *region;
  ta_error *error;
  ta_status status;
  uint64_t bytes;
  uint64_t planning;     /* after step 7: when the plan is made */
  uint64_t prepare_peak; /* the most that is in use inside an operator's Prepare */
} tail;

static void need(tail *t, bool fits) {
  if (fits || t->status) return;
  t->status = ta_fail(t->error, TA_E_LIMIT,
                      "the arena would be larger than 9007199254740991 bytes; check the model's shapes");
}

static bool has_room(tail *t) {
  ta_whole *whole = t->whole;
  if (whole->n_items < whole->capacity) return true;
  uint32_t capacity = whole->capacity ? 2 * whole->capacity : 64;
  ta_size_item *grown = TA_TAKE(t->region, capacity, ta_size_item);
  if (!grown) return false;
  if (whole->n_items) memcpy(grown, whole->items, whole->n_items * sizeof *grown);
  whole->items = grown;
  whole->capacity = capacity;
  return true;
}

/* `count` objects one after the other. */
static void grow(tail *t, uint64_t bytes, uint64_t align, uint64_t count) {
  uint64_t rounded, others, after;
  if (count == 0 || t->status) return;
  bool fits = ta_add(t->bytes, bytes, &after) && ta_align_up(after, align, &after) &&
              ta_align_up(bytes, align, &rounded) && ta_mul(rounded, count - 1, &others) &&
              ta_add(after, others, &t->bytes);
  need(t, fits);
}

/* What has been taken since the tail had `before` bytes is an item. */
static void add_item(tail *t, uint64_t before, ta_size_item_id what, uint32_t subgraph, uint32_t node,
                     uint32_t tensor) {
  if (t->status || t->bytes == before) return;
  if (!has_room(t)) {
    t->status = ta_fail_memory(t->error);
    return;
  }
  t->whole->items[t->whole->n_items++] = (ta_size_item){t->bytes - before, subgraph, node, tensor, what};
}

/* An array of `count` objects, of one subgraph or (TA_NO_INDEX) of none. */
static void take_of(tail *t, ta_size_item_id what, uint32_t subgraph, const ta_object *object,
                    uint64_t count) {
  uint64_t bytes = 0, before = t->bytes;
  need(t, ta_mul(object->bytes, count, &bytes));
  grow(t, bytes, object->align, 1);
  add_item(t, before, what, subgraph, TA_NO_INDEX, TA_NO_INDEX);
}

static void take(tail *t, ta_size_item_id what, const ta_object *object, uint64_t count) {
  take_of(t, what, TA_NO_INDEX, object, count);
}

/* Step 1: the runtime's own objects. */
static void take_runtime(tail *t) {
  const ta_tflm_target *target = t->target;
  uint32_t variables = t->plan->needs.n_handles;
  take(t, TA_SIZE_ALLOCATOR, &target->single_arena_allocator, 1);
  if (t->planner == TA_PLANNER_LINEAR) {
    take(t, TA_SIZE_LINEAR_PLANNER, &target->linear_planner, 1);
  } else {
    take(t, TA_SIZE_GREEDY_PLANNER, &target->greedy_planner, 1);
  }
  take(t, TA_SIZE_MICRO_ALLOCATOR, &target->micro_allocator, 1);
  if (variables) {
    take(t, TA_SIZE_RESOURCE_VARIABLES, &target->resource_variables, 1);
    take(t, TA_SIZE_RESOURCE_VARIABLES, &target->resource_variable, variables);
  }
  take(t, TA_SIZE_BUILTIN_ALLOCATOR, &target->builtin_data_allocator, 1);
  take(t, TA_SIZE_SUBGRAPHS, &target->subgraph_allocations, t->plan->model->n_subgraphs);
}

/* Step 2: a struct for each tensor, then one for each operator. */
static void take_graph(tail *t) {
  const ta_model *model = t->plan->model;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    take_of(t, TA_SIZE_EVAL_TENSORS, g, &t->target->eval_tensor, model->subgraphs[g].n_tensors);
  }
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    take_of(t, TA_SIZE_NODES, g, &t->target->node_and_registration, model->subgraphs[g].n_nodes);
  }
}

/* Steps 3 to 5: one pass over all operators each. */
static void take_requests(tail *t, ta_size_item_id what, const ta_requests *requests, uint32_t from,
                          uint32_t to) {
  for (uint32_t r = from; r < to; r++) {
    const ta_request *request = &requests->at[r];
    uint64_t before = t->bytes;
    grow(t, request->bytes, request->align, request->count);
    add_item(t, before, what, request->subgraph, request->node, TA_NO_INDEX);
  }
}

/* The scratch requests that TFLM has room for before it must take more. */
enum { SPARE_SCRATCH_REQUESTS = 12 };

static bool scratch_list_bytes(const tail *t, uint64_t requests, uint64_t *out) {
  return ta_mul(t->target->scratch_request, requests + SPARE_SCRATCH_REQUESTS, out);
}

/* Step 5. Inside an operator's Prepare are in use: scratch requests so far, its temporaries, and the tail. */
static void take_prepare(tail *t) {
  const ta_tflm_plan *plan = t->plan;
  const ta_needs *needs = &plan->needs;
  for (uint32_t i = 0; i < needs->n_nodes; i++) {
    uint64_t used = 0;
    take_requests(t, TA_SIZE_PREPARE, &needs->prepare, needs->nodes[i].prepare, needs->nodes[i + 1].prepare);
    need(t, scratch_list_bytes(t, plan->scratch_of[i], &used) &&
                ta_add(used, needs->nodes[i].temporaries, &used) && ta_add(used, t->bytes, &used));
    t->prepare_peak = ta_max_u64(t->prepare_peak, used);
  }
}

/* Steps 6 and 7: scratch handles, and the variables that no offline plan places. TFLM looks a variable's
 * offset up by its index within its own subgraph. */
static void take_variables(tail *t) {
  const ta_tflm_plan *plan = t->plan;
  uint32_t scratch = plan->n_buffers - plan->n_tensors;
  if (scratch) take(t, TA_SIZE_SCRATCH_HANDLES, &t->target->scratch_handle, scratch);
  for (uint32_t i = 0; i < plan->n_tensors; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    uint64_t before = t->bytes;
    if (!plan->model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable) continue;
    if (ta_tflm_offline_offset(plan->model, buffer->index) != -1) continue;
    grow(t, plan->needs.shapes[i].bytes, TA_TFLM_ALIGNMENT, 1);
    add_item(t, before, TA_SIZE_VARIABLE, buffer->subgraph, TA_NO_INDEX, buffer->index);
  }
  t->planning = t->bytes;
}

/* A TfLiteTensor, and its quantization where it has scales and zero points. */
static void take_port(tail *t, ta_size_item_id what, uint32_t tensor) {
  const ta_tensor *of = &t->plan->model->subgraphs[0].tensors[tensor];
  ta_object quantization = t->target->quantization;
  uint64_t before = t->bytes;
  grow(t, t->target->tensor.bytes, t->target->tensor.align, 1);
  if (of->scales > 0 && of->zero_points > 0) {
    grow(t, quantization.bytes, quantization.align, 1);
    grow(t, 4 + 4 * (uint64_t)of->scales, 4, 1);
  }
  add_item(t, before, what, 0, TA_NO_INDEX, tensor);
}

/* Step 8: the TfLiteTensors of the model's inputs, or outputs. The array is aligned even when it is empty. */
static void take_ports(tail *t, ta_size_item_id array, ta_size_item_id each, const ta_list *ports) {
  ta_object pointers = {t->target->pointer.bytes, TA_TFLM_ALIGNMENT};
  take(t, array, &pointers, ports->n);
  for (uint32_t k = 0; k < ports->n; k++) {
    if (ports->at[k] >= 0) take_port(t, each, (uint32_t)ports->at[k]);
  }
}

static void take_all(tail *t) {
  const ta_needs *needs = &t->plan->needs;
  const ta_subgraph *main_subgraph = &t->plan->model->subgraphs[0];
  take_runtime(t);
  take_graph(t);
  take_requests(t, TA_SIZE_BUILTIN, &needs->builtin, 0, needs->builtin.n);
  take_requests(t, TA_SIZE_INIT, &needs->init, 0, needs->init.n);
  take_prepare(t);
  take_variables(t);
  take_ports(t, TA_SIZE_INPUTS, TA_SIZE_INPUT, &main_subgraph->inputs);
  take_ports(t, TA_SIZE_OUTPUTS, TA_SIZE_OUTPUT, &main_subgraph->outputs);
}

/* ---- the smallest arena ---------------------------------------------------------------------------------
 */

enum { GREEDY_BYTES_PER_BUFFER = 40 };

/* What is in use while the plan is made: the tail so far, the planner's own list, and the lists of scratch
 * requests, scratch buffers of each subgraph, and buffers to plan. */
static uint64_t plan_peak(tail *t) {
  const ta_tflm_plan *plan = t->plan;
  uint64_t pointer = t->target->pointer.bytes, buffers = 0, lists = 0, infos = 0, peak = t->planning;
  uint64_t subgraphs = pointer * plan->model->n_subgraphs;
  for (uint32_t i = 0; i < plan->n_buffers; i++) buffers += plan->buffers[i].in_plan;
  bool fits = scratch_list_bytes(t, plan->n_buffers - plan->n_tensors, &lists);
  if (plan->n_buffers == 0) {
    fits = fits && ta_add(lists, subgraphs, &lists);
  } else {
    fits = fits && ta_align_up(lists, pointer, &lists) && ta_add(lists, subgraphs, &lists) &&
           ta_align_up(lists, pointer, &lists) &&
           ta_mul(t->target->allocation_info, plan->n_buffers, &infos) && ta_add(lists, infos, &lists) &&
           ta_align_up(lists, TA_TFLM_ALIGNMENT, &lists) && ta_align_up(peak, TA_TFLM_ALIGNMENT, &peak) &&
           ta_add(peak, GREEDY_BYTES_PER_BUFFER * buffers, &peak);
  }
  need(t, fits && ta_add(peak, lists, &peak));
  return peak;
}

ta_status ta_whole_measure(const ta_tflm_plan *plan, uint32_t planner, uint64_t head_bytes, ta_region *region,
                           ta_whole *out, ta_error *error) {
  *out = (ta_whole){.head_bytes = head_bytes, .min_bytes = TA_NO_OFFSET};
  tail t = {.plan = plan,
            .planner = planner,
            .whole = out,
            .target = plan->needs.target,
            .region = region,
            .error = error};
  take_all(&t);
  out->tail_bytes = t.bytes;
  need(&t, ta_add(out->head_bytes, out->tail_bytes, &out->used_bytes));
  if (planner == TA_PLANNER_LINEAR) return t.status;
  uint64_t peak = ta_max_u64(ta_max_u64(plan_peak(&t), t.prepare_peak), out->used_bytes);
  need(&t, ta_align_up(peak, TA_TFLM_ALIGNMENT, &out->min_bytes));
  return t.status;
}

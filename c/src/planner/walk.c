/* The interpreter's walk over a graph with dynamic tensors. */
#include "base/error.h"
#include "base/num.h"
#include "planner/subgraph.h"

_Static_assert(sizeof(ta_walk_step) == 16, "ta_walk_step has 16 bytes");

struct ta_walk {
  ta_region region; /* the walk's memory, this struct too; the planner has its own */
  ta_planner *planner;
  const ta_subgraph *graph;
  bool *is_input;     /* by tensor: a graph input */
  bool stale;         /* nothing is allocated, or a graph input has other bytes since */
  int32_t at;         /* the node that the next step takes */
  int32_t running;    /* the node of the step before, or -1 */
  int32_t to_prepare; /* the first node that is not prepared */
};

/* ---- making and freeing ---------------------------------------------------------------------------------
 */

static ta_status check_options(const ta_model *model, ta_planner_options *options, ta_error *error) {
  if (options->runtime == TA_RUNTIME_DEFAULT)
    options->runtime = model->kind == TA_KIND_TFLITE ? TA_RUNTIME_TFLITE : TA_RUNTIME_TFLITE_2018;
  if (options->planner == TA_PLANNER_DEFAULT) options->planner = TA_PLANNER_OWN;
  const ta_runtime_traits *traits = ta_runtime_traits_of(options->runtime);
  bool walks = traits && traits->in_steps;
  if (walks && options->planner == TA_PLANNER_OWN) return TA_OK;
  return ta_fail(error, TA_E_UNSUPPORTED,
                 "only the runtimes tflite-2018 and tflite, with their own planners, plan a graph in parts");
}

static ta_status set_up(ta_walk *walk, ta_error *error) {
  ta_status status = ta_planner_plan(walk->planner, error);
  if (status) return status;
  walk->graph = ta_planned_subgraph(walk->planner);
  walk->is_input = TA_TAKE(&walk->region, walk->graph->n_tensors, bool);
  if (!walk->is_input) return ta_fail_memory(error);
  ta_list inputs = walk->graph->inputs;
  for (uint32_t i = 0; i < inputs.n; i++) {
    if (inputs.at[i] >= 0) walk->is_input[inputs.at[i]] = true;
  }
  walk->stale = true;
  walk->running = -1;
  return TA_OK;
}

ta_status ta_walk_new(const ta_allocator *allocator, const ta_model *model, const ta_planner_options *options,
                      ta_walk **out, ta_error *error) {
  ta_planner_options filled;
  if (options) {
    filled = *options;
  } else {
    ta_planner_options_init(&filled);
  }
  ta_status status = check_options(model, &filled, error);
  if (status) return status;
  ta_region region;
  ta_region_init(&region, allocator);
  ta_walk *walk = TA_TAKE(&region, 1, ta_walk);
  if (!walk) return ta_fail_memory(error);
  walk->region = region;
  status = ta_planner_new(allocator, model, &filled, &walk->planner, error);
  if (!status) status = set_up(walk, error);
  if (status) {
    ta_walk_free(walk);
    return status;
  }
  *out = walk;
  return TA_OK;
}

void ta_walk_free(ta_walk *walk) {
  if (!walk) return;
  ta_planner_free(walk->planner);
  ta_region region = walk->region; /* the walk lies in it */
  ta_region_free(&region);
}

ta_planner *ta_walk_planner(const ta_walk *walk) {
  return walk->planner;
}

/* ---- preparing ------------------------------------------------------------------------------------------
 */

/* Temporaries do not count: they decide no other tensor's bytes. */
static bool has_dynamic_output(const ta_walk *walk, int32_t node) {
  ta_list outputs = walk->graph->nodes[node].outputs;
  for (uint32_t i = 0; i < outputs.n; i++) {
    if (outputs.at[i] >= 0 && walk->planner->buffers[outputs.at[i]].type == TA_DYNAMIC) return true;
  }
  return false;
}

/* Gives places to the first nodes that have none, up to one whose output's bytes nobody knows yet. */
static ta_status prepare(ta_walk *walk, ta_walk_step *out, ta_error *error) {
  int32_t first = walk->to_prepare, end = ta_max_i32((int32_t)walk->graph->n_nodes, 1);
  int32_t last = first;
  while (last + 1 < end && !has_dynamic_output(walk, last)) last++;
  ta_status status = ta_planner_execute(walk->planner, first, last, error);
  if (status) return status;
  walk->to_prepare = last + 1;
  out->planned_first = first;
  out->planned_last = last;
  return TA_OK;
}

ta_status ta_walk_allocate(ta_walk *walk, ta_walk_step *out, ta_error *error) {
  ta_walk_step step = {-1, -1, -1, walk->graph->n_nodes == 0};
  walk->stale = true;
  walk->at = walk->to_prepare = 0;
  walk->running = -1;
  ta_status status = ta_planner_reset(walk->planner, error);
  if (!status) status = prepare(walk, &step, error);
  if (status) return status;
  walk->stale = false;
  if (out) *out = step;
  return TA_OK;
}

ta_status ta_walk_next(ta_walk *walk, ta_walk_step *out, ta_error *error) {
  ta_walk_step step = {-1, -1, -1, 1};
  ta_status status = TA_OK;
  if (walk->stale) status = ta_walk_allocate(walk, &step, error);
  int32_t nodes = (int32_t)walk->graph->n_nodes;
  if (!status && walk->at == walk->to_prepare && walk->at < nodes) status = prepare(walk, &step, error);
  if (status) return status;
  if (nodes > 0) {
    step.node = walk->running = walk->at;
    walk->at = (walk->at + 1) % nodes;
    step.done = walk->at == 0;
  }
  if (out) *out = step;
  return TA_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------------------
 */

static bool is_output_of(const ta_walk *walk, int32_t node, uint32_t tensor) {
  if (node < 0) return false;
  ta_list outputs = walk->graph->nodes[node].outputs;
  for (uint32_t i = 0; i < outputs.n; i++) {
    if (outputs.at[i] == (int32_t)tensor) return true;
  }
  return false;
}

/* Today's runtime prepares what follows a node again when the node resized a dynamic output. */
static ta_status prepare_again(ta_walk *walk, uint32_t tensor, ta_error *error) {
  int32_t node = walk->running;
  if (walk->planner->options.runtime != TA_RUNTIME_TFLITE) return TA_OK;
  if (!is_output_of(walk, node, tensor) || walk->to_prepare <= node + 1) return TA_OK;
  walk->to_prepare = node + 1;
  return ta_planner_reset_after(walk->planner, node, error);
}

ta_status ta_walk_set_bytes(ta_walk *walk, uint32_t tensor, uint64_t bytes, ta_error *error) {
  ta_planner *planner = walk->planner;
  if (tensor >= planner->n_tensors)
    return ta_planner_resize(planner, tensor, bytes, error); /* which says so */
  const ta_buffer *buffer = &planner->buffers[tensor];
  bool other = buffer->bytes != bytes;
  bool dynamic = buffer->type == TA_DYNAMIC;
  if (other && !dynamic && !walk->is_input[tensor] && ta_is_placed(buffer))
    return ta_fail_at(error, TA_E_STATE, planner->options.subgraph, TA_NO_INDEX, tensor,
                      "tensor %u%M has its place already: only dynamic tensors, graph inputs and tensors of "
                      "nodes not yet prepared can be given other bytes",
                      tensor, &walk->graph->tensors[tensor].name);
  ta_status status = ta_planner_resize(planner, tensor, bytes, error);
  if (status || !other) return status;
  if (walk->is_input[tensor]) {
    walk->stale = true;
    return TA_OK;
  }
  return dynamic ? prepare_again(walk, tensor, error) : TA_OK;
}

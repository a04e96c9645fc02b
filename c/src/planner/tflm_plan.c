#include "planner/tflm_plan.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "graph/dtype.h"
#include "planner/tflm_overlaps.h"

int32_t ta_tflm_offline_offset(const ta_model *model, uint32_t tensor) {
  if (!model->has_offline_plan || tensor >= model->offline_offsets.n) return -1;
  return model->offline_offsets.at[tensor];
}

/* ---- buffers --------------------------------------------------------------------------------------------
 */

/* Whether TFLM hands the tensor to its planner, and otherwise who keeps it. */
static uint8_t type_of(const ta_tflm_plan *plan, const ta_tensor *tensor, uint32_t flat) {
  const ta_shape *shape = &plan->needs.shapes[flat];
  if (tensor->is_variable) {
    bool fixed = ta_tflm_offline_offset(plan->model, flat) != -1;
    return fixed ? TA_ARENA_RW : TA_ARENA_RW_PERSISTENT;
  }
  if (tensor->has_data) return TA_MMAP_RO;
  if (shape->in_operator) return TA_CUSTOM;
  return shape->state == TA_SHAPE_UNKNOWN ? TA_DYNAMIC : TA_ARENA_RW;
}

static ta_status make_tensors(ta_tflm_plan *plan, ta_error *error) {
  const ta_model *model = plan->model;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    const ta_subgraph *subgraph = &model->subgraphs[g];
    for (uint32_t t = 0; t < subgraph->n_tensors; t++) {
      uint32_t flat = plan->needs.tensor_base[g] + t;
      const ta_tensor *tensor = &subgraph->tensors[t];
      if (plan->needs.shapes[flat].state == TA_SHAPE_NO_TYPE) {
        const char *type = ta_dtype_name(tensor->dtype);
        return ta_fail_at(error, TA_E_REFUSED, g, TA_NO_INDEX, t,
                          "TFLM refuses tensor %u%M of subgraph %u: it has no size for the type %s; "
                          "LiteRT (tflite) may take the model",
                          t, &tensor->name, g, type ? type : "of that number");
      }
      plan->buffers[flat] = (ta_buffer){.bytes = plan->needs.shapes[flat].bytes,
                                        .offset = TA_NO_OFFSET,
                                        .first = -1,
                                        .last = -1,
                                        .subgraph = g,
                                        .index = t,
                                        .shares = TA_NO_INDEX,
                                        .kind = TA_BUFFER_TENSOR,
                                        .type = type_of(plan, tensor, flat)};
    }
  }
  return TA_OK;
}

static void make_scratch(ta_tflm_plan *plan) {
  const ta_needs *needs = &plan->needs;
  uint32_t n = 0;
  for (uint32_t i = 0; i <= needs->n_nodes; i++) {
    plan->scratch_of[i] = n;
    if (i == needs->n_nodes) break;
    for (uint32_t r = needs->nodes[i].scratch; r < needs->nodes[i + 1].scratch; r++) {
      const ta_request *request = &needs->scratch.at[r];
      for (uint64_t k = 0; k < request->count; k++) {
        plan->buffers[plan->n_tensors + n++] = (ta_buffer){.bytes = request->bytes,
                                                           .offset = TA_NO_OFFSET,
                                                           .first = -1,
                                                           .last = -1,
                                                           .subgraph = request->subgraph,
                                                           .index = request->node,
                                                           .shares = TA_NO_INDEX,
                                                           .kind = TA_BUFFER_SCRATCH,
                                                           .type = TA_ARENA_RW};
      }
    }
  }
}

ta_status ta_tflm_make_buffers(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                               ta_tflm_plan *out, ta_error *error) {
  memset(out, 0, sizeof *out);
  out->model = model;
  ta_status status = ta_needs_run(model, target, kernels, region, &out->needs, error);
  if (status) return status;
  uint64_t scratch = 0;
  for (uint32_t r = 0; r < out->needs.scratch.n; r++) scratch += out->needs.scratch.at[r].count;
  if (scratch + out->needs.n_tensors >= INT32_MAX) {
    return ta_fail(error, TA_E_LIMIT, "the model needs more buffers than TFLM counts");
  }
  out->n_tensors = out->needs.n_tensors;
  out->n_buffers = out->n_tensors + (uint32_t)scratch;
  out->buffers = TA_TAKE(region, out->n_buffers, ta_buffer);
  out->scratch_of = TA_TAKE(region, (size_t)out->needs.n_nodes + 1, uint32_t);
  out->reached = TA_TAKE(region, model->n_subgraphs, bool);
  if (!out->buffers || !out->scratch_of || !out->reached) return ta_fail_memory(error);
  status = make_tensors(out, error);
  if (status) return status;
  make_scratch(out);
  return ta_tflm_refresh(out, error);
}

static ta_status fail_too_large(const ta_buffer *buffer, uint64_t bytes, ta_error *error) {
  bool tensor = buffer->kind == TA_BUFFER_TENSOR;
  return ta_fail_at(error, TA_E_LIMIT, buffer->subgraph, tensor ? TA_NO_INDEX : buffer->index,
                    tensor ? buffer->index : TA_NO_INDEX,
                    "%s %u of subgraph %u needs %U bytes, larger than the limit of TFLM's 32-bit offsets, "
                    "2147483647; make it smaller, or plan under tflite",
                    tensor ? "tensor" : "a scratch buffer of op", buffer->index, buffer->subgraph, bytes);
}

ta_status ta_tflm_refresh(ta_tflm_plan *plan, ta_error *error) {
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    ta_buffer *buffer = &plan->buffers[i];
    bool planned = buffer->type == TA_ARENA_RW && (buffer->kind == TA_BUFFER_SCRATCH || buffer->bytes > 0);
    buffer->in_plan = planned;
    buffer->arena = planned ? TA_ARENA_RW_PLACE : TA_ARENA_NOT;
    if (!planned) buffer->offset = TA_NO_OFFSET;
    if (!planned) continue;
    uint64_t rounded = 0;
    if (!ta_align_up(buffer->bytes, TA_TFLM_ALIGNMENT, &rounded) || rounded > INT32_MAX) {
      return fail_too_large(buffer, buffer->bytes, error);
    }
    buffer->bytes = rounded;
  }
  return TA_OK;
}

/* ---- lives ----------------------------------------------------------------------------------------------
 */

static void keep_lives(ta_tflm_plan *plan, const ta_tflm_walk *walk) {
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    ta_life life = i < plan->n_tensors ? walk->tensors[i] : walk->scratch[i - plan->n_tensors];
    plan->buffers[i].first = life.first;
    plan->buffers[i].last = life.last;
  }
  plan->timeline = walk->steps;
  plan->n_steps = walk->n_steps;
}

ta_status ta_tflm_make_lives(ta_tflm_plan *plan, ta_region *region, ta_error *error) {
  ta_region own;
  ta_region_init(&own, &region->allocator);
  ta_tflm_walk walk = {.model = plan->model,
                       .tensor_base = plan->needs.tensor_base,
                       .node_base = plan->needs.node_base,
                       .scratch_of = plan->scratch_of,
                       .tensors = TA_TAKE(&own, plan->n_tensors, ta_life),
                       .scratch = TA_TAKE(&own, plan->n_buffers - plan->n_tensors, ta_life),
                       .reached = plan->reached};
  ta_status status = walk.tensors && walk.scratch ? TA_OK : ta_fail_memory(error);
  if (!status) status = ta_tflm_lives(&walk, region, error);
  if (!status) keep_lives(plan, &walk);
  ta_region_free(&own);
  return status;
}

/* ---- places ---------------------------------------------------------------------------------------------
 */

enum { LINEAR_MOST_BUFFERS = 1024 };

ta_status ta_tflm_check_end(const ta_buffer *buffer, uint64_t end, ta_error *error) {
  if (end <= INT32_MAX) return TA_OK;
  bool tensor = buffer->kind == TA_BUFFER_TENSOR;
  return ta_fail_at(
      error, TA_E_LIMIT, buffer->subgraph, tensor ? TA_NO_INDEX : buffer->index,
      tensor ? buffer->index : TA_NO_INDEX,
      "the place of %s %u of subgraph %u, which needs %U bytes, would end at byte %U, past TFLM's 32-bit "
      "offsets, 2147483647; make the tensors smaller, or plan under tflite",
      tensor ? "tensor" : "a scratch buffer of op", buffer->index, buffer->subgraph, buffer->bytes, end);
}

ta_status ta_tflm_check_linear(const ta_tflm_plan *plan, ta_error *error) {
  uint64_t sum = 0, planned = 0;
  for (uint32_t t = 0; t < plan->n_tensors; t++) {
    if (ta_tflm_offline_offset(plan->model, t) != -1) {
      return ta_fail_at(
          error, TA_E_REFUSED, plan->buffers[t].subgraph, TA_NO_INDEX, plan->buffers[t].index,
          "TFLM's linear planner refuses a file with an offline plan, and this one gives tensor %u "
          "of subgraph %u an offset; choose the planner own or optimal",
          plan->buffers[t].index, plan->buffers[t].subgraph);
    }
  }
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    if (!plan->buffers[i].in_plan) continue;
    planned++;
    if (!ta_add(sum, plan->buffers[i].bytes, &sum)) sum = TA_MAX_BYTES;
    ta_status status = ta_tflm_check_end(&plan->buffers[i], sum, error);
    if (status) return status;
  }
  if (planned > LINEAR_MOST_BUFFERS) {
    return ta_fail(
        error, TA_E_REFUSED,
        "TFLM's linear planner takes 1024 buffers, and this model needs %U; choose the planner own", planned);
  }
  return TA_OK;
}

static uint32_t make_items(const ta_tflm_plan *plan, ta_greedy_item *items, uint32_t *buffer_of,
                           const ta_party *parties) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    if (!buffer->in_plan) continue;
    int32_t offset = i < plan->n_tensors ? ta_tflm_offline_offset(plan->model, i) : -1;
    buffer_of[n] = i;
    items[n++] = (ta_greedy_item){.bytes = buffer->bytes,
                                  .fixed = offset == -1 ? TA_GREEDY_ONLINE : offset,
                                  .first = buffer->first,
                                  .last = buffer->last,
                                  .party = &parties[i]};
  }
  return n;
}

static ta_status check_ends(const ta_tflm_plan *plan, const ta_greedy_item *items, const uint32_t *buffer_of,
                            uint32_t n, ta_error *error) {
  for (uint32_t k = 0; k < n; k++) {
    int64_t end = items[k].offset + (int64_t)items[k].bytes;
    ta_status status = ta_tflm_check_end(&plan->buffers[buffer_of[k]], end < 0 ? 0 : (uint64_t)end, error);
    if (status) return status;
  }
  return TA_OK;
}

static void keep_places(ta_tflm_plan *plan, const ta_greedy_item *items, const uint32_t *buffer_of,
                        uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    if (plan->turns) plan->turns[buffer_of[k]] = items[k].turn;
    plan->buffers[buffer_of[k]].offset = items[k].offset < 0 ? TA_NO_OFFSET : (uint64_t)items[k].offset;
  }
}

/* What can fail comes first. */
ta_status ta_tflm_place(ta_tflm_plan *plan, const ta_allocator *allocator, ta_problems *problems,
                        ta_region *region, uint64_t *arena_bytes, ta_overlap *worst, ta_error *error) {
  ta_region own;
  ta_region_init(&own, allocator);
  ta_greedy_item *items = TA_TAKE(&own, plan->n_buffers, ta_greedy_item);
  uint32_t *buffer_of = TA_TAKE(&own, plan->n_buffers, uint32_t);
  ta_party *parties = TA_TAKE(&own, plan->n_buffers, ta_party);
  int64_t top = 0;
  ta_status status = items && buffer_of && parties ? TA_OK : ta_fail_memory(error);
  if (!status) status = ta_tflm_make_parties(plan, parties, allocator, error);
  if (!status) {
    uint32_t n = make_items(plan, items, buffer_of, parties);
    status = ta_greedy_place(allocator, items, n, &top, error);
    if (!status) status = check_ends(plan, items, buffer_of, n, error);
    const ta_tflm_placed placed = {plan, items, buffer_of, n, parties};
    if (!status) status = ta_tflm_find_overlaps(&placed, allocator, problems, region, worst, error);
    if (!status) keep_places(plan, items, buffer_of, n);
  }
  if (!status) *arena_bytes = (uint64_t)top;
  ta_region_free(&own);
  return status;
}

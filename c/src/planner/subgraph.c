#include "planner/subgraph.h"

ta_status ta_make_subgraph_buffers(ta_planner *planner, ta_error *error) {
  const ta_subgraph *graph = ta_planned_subgraph(planner);
  uint32_t subgraph = planner->options.subgraph;
  ta_buffer *buffers = TA_TAKE(&planner->region, graph->n_tensors, ta_buffer);
  ta_step *timeline = TA_TAKE(&planner->region, graph->n_nodes, ta_step);
  if (!buffers || !timeline) return ta_fail_memory(error);
  for (uint32_t t = 0; t < graph->n_tensors; t++) {
    buffers[t] = (ta_buffer){.bytes = graph->tensors[t].bytes,
                             .offset = TA_NO_OFFSET,
                             .first = -1,
                             .last = -1,
                             .subgraph = subgraph,
                             .index = t,
                             .shares = TA_NO_INDEX,
                             .kind = TA_BUFFER_TENSOR,
                             .type = graph->tensors[t].type};
  }
  for (uint32_t k = 0; k < graph->n_nodes; k++) timeline[k] = (ta_step){subgraph, k};
  planner->buffers = buffers;
  planner->n_buffers = planner->n_tensors = graph->n_tensors;
  planner->timeline = timeline;
  planner->n_steps = (int32_t)graph->n_nodes;
  return TA_OK;
}

ta_status ta_report_unproduced(ta_planner *planner, const int32_t *first, const int32_t *reader,
                               ta_error *error) {
  const ta_subgraph *graph = ta_planned_subgraph(planner);
  uint32_t subgraph = planner->options.subgraph;
  for (uint32_t t = 0; t < graph->n_tensors; t++) {
    if (reader[t] < 0 || !ta_is_arena_type(planner->buffers[t].type)) continue;
    ta_status status = TA_OK;
    if (first[t] < 0) {
      status = ta_problem_add(&planner->problems, &planner->region, "read-but-never-produced", subgraph,
                              (uint32_t)reader[t], t, error,
                              "node %i%M reads tensor %u%M, which no node writes and which is no graph "
                              "input: it is never placed",
                              reader[t], &graph->nodes[reader[t]].name, t, &graph->tensors[t].name);
    } else if (reader[t] < first[t]) {
      status = ta_problem_add(&planner->problems, &planner->region, "read-before-produced", subgraph,
                              (uint32_t)reader[t], t, error,
                              "node %i%M reads tensor %u%M before node %i, the first that writes it: it "
                              "has no place until then",
                              reader[t], &graph->nodes[reader[t]].name, t, &graph->tensors[t].name, first[t]);
    }
    if (status) return status;
  }
  return TA_OK;
}

ta_status ta_fail_grew(const ta_planner *planner, uint32_t tensor, uint64_t placed, ta_error *error) {
  const ta_buffer *buffer = &planner->buffers[tensor];
  return ta_fail_at(error, TA_E_GREW, planner->options.subgraph, TA_NO_INDEX, tensor,
                    "tensor %u%M was placed with %U bytes and has %U now: call reset_after (or reset) before "
                    "executing node %i, its first, again",
                    tensor, &ta_planned_subgraph(planner)->tensors[tensor].name, placed, buffer->bytes,
                    buffer->first);
}

ta_status ta_fail_past_limit(const ta_planner *planner, uint32_t tensor, ta_error *error) {
  return ta_fail_at(error, TA_E_LIMIT, planner->options.subgraph, TA_NO_INDEX, tensor,
                    "tensor %u%M of %U bytes would end past the largest offset, %L: make the tensors smaller",
                    tensor, &ta_planned_subgraph(planner)->tensors[tensor].name,
                    planner->buffers[tensor].bytes);
}

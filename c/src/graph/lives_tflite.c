#include "graph/lives_tflite.h"

#include "base/num.h"
#include "graph/present.h"

static ta_status check_lists(const ta_subgraph *graph, uint32_t subgraph, ta_error *error) {
  ta_status status = ta_check_present(&graph->variables, "variable", subgraph, TA_NO_INDEX, error);
  for (uint32_t k = 0; k < graph->n_nodes && !status; k++)
    status = ta_check_present(&graph->nodes[k].temporaries, "temporary", subgraph, k, error);
  return status;
}

static void bear(ta_lives_tflite *lives, const ta_list *tensors, int32_t step) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    int32_t t = tensors->at[i];
    if (t >= 0 && lives->first[t] < 0) lives->first[t] = step;
  }
}

static void count_uses(ta_uses *uses, const ta_list *tensors, bool *flags) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    int32_t t = tensors->at[i];
    if (t < 0) continue;
    uses->count[t]++;
    if (flags) flags[t] = true;
  }
}

static void count_writes(ta_uses *uses, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] >= 0) uses->writes[tensors->at[i]]++;
  }
}

/* first, reader, writer, the uses; and in last the last node that reads or borrows a tensor. */
static void walk_nodes(const ta_subgraph *graph, ta_lives_tflite *lives, ta_uses *uses) {
  count_uses(uses, &graph->inputs, uses->graph_input);
  count_uses(uses, &graph->outputs, uses->graph_output);
  count_uses(uses, &graph->variables, uses->held);
  count_writes(uses, &graph->inputs);
  count_writes(uses, &graph->variables);
  bear(lives, &graph->inputs, 0);
  bear(lives, &graph->variables, 0);
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    const ta_node *node = &graph->nodes[k];
    bear(lives, &node->temporaries, (int32_t)k);
    bear(lives, &node->outputs, (int32_t)k);
    count_uses(uses, &node->inputs, NULL);
    count_writes(uses, &node->temporaries);
    count_writes(uses, &node->outputs);
    for (uint32_t i = 0; i < node->inputs.n; i++) {
      int32_t t = node->inputs.at[i];
      if (t < 0) continue;
      lives->last[t] = uses->needed[t] = (int32_t)k;
      if (lives->reader[t] < 0) lives->reader[t] = (int32_t)k;
    }
    for (uint32_t i = 0; i < node->outputs.n; i++) {
      if (node->outputs.at[i] >= 0) lives->writer[node->outputs.at[i]] = (int32_t)k;
    }
    for (uint32_t i = 0; i < node->temporaries.n; i++) lives->last[node->temporaries.at[i]] = (int32_t)k;
  }
}

/* Turns the last use into the end of the life. */
static void end_lives(uint32_t n, bool preserve_all, ta_lives_tflite *lives, ta_uses *uses) {
  for (uint32_t t = 0; t < n; t++) {
    bool unread = lives->reader[t] < 0 && lives->writer[t] >= 0;
    bool port = uses->graph_input[t] || uses->graph_output[t] || uses->held[t];
    if (port) uses->needed[t] = TA_TO_THE_END;
    if (lives->first[t] < 0) {
      lives->last[t] = -1;
    } else if (preserve_all || unread || port) {
      lives->last[t] = TA_TO_THE_END;
    } else {
      lives->last[t] = ta_max_i32(lives->last[t], lives->first[t]);
    }
    lives->alone[t] = lives->last[t];
  }
}

/* A root lives until its sharers have been read for the last time; one that nobody reads keeps nothing alive.
 */
static void extend_roots(uint32_t n, const int32_t *reader, const uint32_t *root, int32_t *last) {
  for (uint32_t t = 0; t < n; t++) {
    if (root[t] == TA_NO_INDEX || reader[t] < 0) continue;
    last[root[t]] = ta_max_i32(last[root[t]], last[t]);
  }
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

static ta_status take_all(uint32_t n, ta_region *region, ta_lives_tflite *lives, ta_error *error) {
  static const ta_array of_lives[] = {
      TA_ARRAY(ta_lives_tflite, first, 0),  TA_ARRAY(ta_lives_tflite, last, 0),
      TA_ARRAY(ta_lives_tflite, alone, 0),  TA_ARRAY(ta_lives_tflite, reader, 0),
      TA_ARRAY(ta_lives_tflite, writer, 0), TA_ARRAY(ta_lives_tflite, root, 0),
  };
  static const ta_array of_uses[] = {
      TA_ARRAY(ta_uses, needed, 0),      TA_ARRAY(ta_uses, count, 0),        TA_ARRAY(ta_uses, writes, 0),
      TA_ARRAY(ta_uses, graph_input, 0), TA_ARRAY(ta_uses, graph_output, 0), TA_ARRAY(ta_uses, held, 0),
  };
  const size_t counts[] = {n};
  if (!ta_region_take_arrays(region, lives, of_lives, sizeof of_lives / sizeof of_lives[0], counts) ||
      !ta_region_take_arrays(region, &lives->uses, of_uses, sizeof of_uses / sizeof of_uses[0], counts))
    return ta_fail_memory(error);
  lives->uses.first = lives->first;
  for (uint32_t t = 0; t < n; t++) {
    lives->first[t] = lives->last[t] = lives->reader[t] = lives->writer[t] = lives->uses.needed[t] = -1;
    lives->root[t] = TA_NO_INDEX;
  }
  return TA_OK;
}

ta_status ta_lives_tflite_make(const ta_subgraph *graph, uint32_t subgraph, const ta_buffer *buffers,
                               bool preserve_all, ta_region *region, ta_lives_tflite *out, ta_error *error) {
  ta_lives_tflite lives = {.n_steps = graph->n_nodes ? graph->n_nodes : 1};
  ta_status status = check_lists(graph, subgraph, error);
  if (!status) status = take_all(graph->n_tensors, region, &lives, error);
  if (status) return status;
  walk_nodes(graph, &lives, &lives.uses);
  end_lives(graph->n_tensors, preserve_all, &lives, &lives.uses);
  if (!preserve_all) {
    ta_share_as_litert(graph, buffers, &lives.uses, lives.root);
    extend_roots(graph->n_tensors, lives.reader, lives.root, lives.last);
  }
  status = ta_by_step_make(lives.first, graph->n_tensors, lives.n_steps, region, &lives.born, error);
  if (status) return status;
  *out = lives;
  return TA_OK;
}

ta_status ta_sound_lives_take(uint32_t n, ta_region *region, ta_sound_lives *out, ta_error *error) {
  static const ta_array arrays[] = {TA_ARRAY(ta_sound_lives, last, 0), TA_ARRAY(ta_sound_lives, root, 0),
                                    TA_ARRAY(ta_sound_lives, until, 0)};
  const size_t counts[] = {n};
  bool taken = ta_region_take_arrays(region, out, arrays, sizeof arrays / sizeof arrays[0], counts);
  return taken ? TA_OK : ta_fail_memory(error);
}

void ta_sound_lives_make(const ta_subgraph *graph, const ta_lives_tflite *lives, const ta_buffer *buffers,
                         bool preserve_all, ta_sound_lives *out) {
  uint32_t n = graph->n_tensors;
  for (uint32_t t = 0; t < n; t++) out->root[t] = TA_NO_INDEX;
  if (!preserve_all) ta_share_soundly(graph, buffers, &lives->uses, out->root, out->until);
  for (uint32_t t = 0; t < n; t++) {
    bool kept_by_nobody = out->root[t] != TA_NO_INDEX && lives->reader[t] < 0;
    out->last[t] = kept_by_nobody ? lives->first[t] : ta_max_i32(lives->alone[t], lives->writer[t]);
  }
  extend_roots(n, lives->reader, out->root, out->last);
}

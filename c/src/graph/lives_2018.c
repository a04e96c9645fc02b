#include "graph/lives_2018.h"

#include "graph/present.h"

/* What is gathered about the tensors while the nodes are walked, beside first and reader. */
typedef struct tensor_uses {
  int32_t *last; /* the last node that reads, writes or borrows it; -1 */
  bool *kept;    /* a graph output, or produced and read by nobody: never freed */
} tensor_uses;

/* The step places these, in this order; a tensor that an earlier step or listing placed stays as it is. */
static void bear(ta_lives_2018 *lives, uint32_t *count, uint32_t step, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    int32_t t = tensors->at[i];
    if (t < 0 || lives->first[t] >= 0) continue;
    lives->first[t] = (int32_t)step;
    lives->born.at[(*count)++] = (uint32_t)t;
  }
}

static void find_births(const ta_subgraph *graph, ta_lives_2018 *lives) {
  uint32_t count = 0;
  for (uint32_t step = 0; step < lives->n_steps; step++) {
    const ta_node *node = step < graph->n_nodes ? &graph->nodes[step] : NULL;
    lives->born.start[step] = count;
    if (node) bear(lives, &count, step, &node->temporaries);
    if (step == 0) bear(lives, &count, step, &graph->inputs);
    if (node) bear(lives, &count, step, &node->outputs);
  }
  lives->born.start[lives->n_steps] = count;
}

static void note_use(tensor_uses *uses, const ta_list *tensors, int32_t node) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] >= 0) uses->last[tensors->at[i]] = node;
  }
}

static void keep_unread(const ta_lives_2018 *lives, tensor_uses *uses, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    int32_t t = tensors->at[i];
    if (t >= 0 && lives->reader[t] < 0) uses->kept[t] = true;
  }
}

static void find_uses(const ta_subgraph *graph, ta_lives_2018 *lives, tensor_uses *uses) {
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    const ta_node *node = &graph->nodes[k];
    note_use(uses, &node->temporaries, (int32_t)k);
    note_use(uses, &node->inputs, (int32_t)k);
    note_use(uses, &node->outputs, (int32_t)k);
    for (uint32_t i = 0; i < node->inputs.n; i++) {
      int32_t t = node->inputs.at[i];
      if (t >= 0 && lives->reader[t] < 0) lives->reader[t] = (int32_t)k;
    }
  }
  keep_unread(lives, uses, &graph->inputs);
  for (uint32_t k = 0; k < graph->n_nodes; k++) keep_unread(lives, uses, &graph->nodes[k].outputs);
  for (uint32_t i = 0; i < graph->outputs.n; i++) {
    if (graph->outputs.at[i] >= 0) uses->kept[graph->outputs.at[i]] = true;
  }
}

ta_status ta_lives_2018_make(const ta_subgraph *graph, uint32_t subgraph, ta_region *region,
                             ta_lives_2018 *out, ta_error *error) {
  ta_status status = TA_OK;
  for (uint32_t k = 0; k < graph->n_nodes && !status; k++)
    status = ta_check_present(&graph->nodes[k].temporaries, "temporary", subgraph, k, error);
  if (status) return status;
  uint32_t n = graph->n_tensors;
  ta_lives_2018 lives = {.n_steps = graph->n_nodes ? graph->n_nodes : 1};
  tensor_uses uses;
  lives.first = TA_TAKE(region, n, int32_t);
  lives.last = uses.last = TA_TAKE(region, n, int32_t);
  lives.reader = TA_TAKE(region, n, int32_t);
  lives.born.start = TA_TAKE(region, (size_t)lives.n_steps + 1, uint32_t);
  lives.born.at = TA_TAKE(region, n, uint32_t);
  uses.kept = TA_TAKE(region, n, bool);
  if (!lives.first || !lives.last || !lives.reader || !lives.born.start || !lives.born.at || !uses.kept)
    return ta_fail_memory(error);
  for (uint32_t t = 0; t < n; t++) lives.first[t] = lives.last[t] = lives.reader[t] = -1;

  find_births(graph, &lives);
  find_uses(graph, &lives, &uses);
  for (uint32_t t = 0; t < n; t++) {
    if (lives.first[t] < 0) {
      lives.last[t] = -1;
    } else if (uses.kept[t]) {
      lives.last[t] = (int32_t)lives.n_steps - 1;
    }
  }
  status = ta_by_step_make(lives.last, n, lives.n_steps, region, &lives.dying, error);
  if (status) return status;
  *out = lives;
  return TA_OK;
}

#include "graph/lives_tflite.h"

#include "base/num.h"
#include "graph/present.h"

/* The bits of ta_node.inplace: what an operator allows to be done with its first output. */
enum { DATA_UNMODIFIED = 1, INPUT_0_SHARED = 4, SHARABLE_INPUTS = 3, LARGEST_UNSHARED_BYTES = 4 };

/* What is gathered beside the lives. */
typedef struct tensor_uses {
  uint32_t *count;                         /* listings as node input, graph input, graph output or variable */
  bool *graph_input, *graph_output, *held; /* held: a variable */
} tensor_uses;

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

static void count_uses(tensor_uses *uses, const ta_list *tensors, bool *flags) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    int32_t t = tensors->at[i];
    if (t < 0) continue;
    uses->count[t]++;
    if (flags) flags[t] = true;
  }
}

/* first, reader, writer, the uses; and in last the last node that reads or borrows a tensor. */
static void walk_nodes(const ta_subgraph *graph, ta_lives_tflite *lives, tensor_uses *uses) {
  count_uses(uses, &graph->inputs, uses->graph_input);
  count_uses(uses, &graph->outputs, uses->graph_output);
  count_uses(uses, &graph->variables, uses->held);
  bear(lives, &graph->inputs, 0);
  bear(lives, &graph->variables, 0);
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    const ta_node *node = &graph->nodes[k];
    bear(lives, &node->temporaries, (int32_t)k);
    bear(lives, &node->outputs, (int32_t)k);
    count_uses(uses, &node->inputs, NULL);
    for (uint32_t i = 0; i < node->inputs.n; i++) {
      int32_t t = node->inputs.at[i];
      if (t < 0) continue;
      lives->last[t] = (int32_t)k;
      if (lives->reader[t] < 0) lives->reader[t] = (int32_t)k;
    }
    for (uint32_t i = 0; i < node->outputs.n; i++) {
      if (node->outputs.at[i] >= 0) lives->writer[node->outputs.at[i]] = (int32_t)k;
    }
    for (uint32_t i = 0; i < node->temporaries.n; i++) lives->last[node->temporaries.at[i]] = (int32_t)k;
  }
}

/* Turns the last use into the end of the life. */
static void end_lives(uint32_t n, bool preserve_all, ta_lives_tflite *lives, const tensor_uses *uses) {
  for (uint32_t t = 0; t < n; t++) {
    bool unread = lives->reader[t] < 0 && lives->writer[t] >= 0;
    if (lives->first[t] < 0) {
      lives->last[t] = -1;
    } else if (preserve_all || unread || uses->graph_input[t] || uses->graph_output[t] || uses->held[t]) {
      lives->last[t] = TA_TO_THE_END;
    } else {
      lives->last[t] = ta_max_i32(lives->last[t], lives->first[t]);
    }
  }
}

/* ---- in-place sharing -----------------------------------------------------------------------------------
 */

typedef struct share_context {
  const ta_subgraph *graph;
  const ta_buffer *buffers;
  const tensor_uses *uses;
} share_context;

static bool can_share(const share_context *sharing, uint32_t input, uint32_t output, bool modified) {
  const ta_buffer *in = &sharing->buffers[input], *out = &sharing->buffers[output];
  if (modified) {
    if (in->bytes != out->bytes || in->bytes <= LARGEST_UNSHARED_BYTES) return false;
    if (sharing->uses->count[input] > 1) return false;
  }
  if (sharing->uses->graph_input[input] || sharing->uses->graph_output[output]) return false;
  return in->type == out->type || in->type == TA_ARENA_RW;
}

/* The first input whose bit is set and that passes, or TA_NO_INDEX. */
static uint32_t choose_input(const share_context *sharing, const ta_node *node, uint32_t output,
                             bool modified) {
  for (uint32_t i = 0; i < SHARABLE_INPUTS && i < node->inputs.n; i++) {
    int32_t input = node->inputs.at[i];
    if (input < 0 || !(node->inplace & INPUT_0_SHARED << i)) continue;
    if (can_share(sharing, (uint32_t)input, output, modified)) return (uint32_t)input;
  }
  return TA_NO_INDEX;
}

static uint32_t root_of(const ta_lives_tflite *lives, uint32_t tensor) {
  return lives->root[tensor] == TA_NO_INDEX ? tensor : lives->root[tensor];
}

/* A node's first output takes the bytes of an input, if this node is what brings it into the world. (An
 * output that exists already may have bytes of its own, or lend them.) */
static void share(const share_context *sharing, ta_lives_tflite *lives, uint32_t k) {
  const ta_node *node = &sharing->graph->nodes[k];
  if (node->inplace == 0 || node->outputs.n == 0 || node->outputs.at[0] < 0) return;
  uint32_t output = (uint32_t)node->outputs.at[0];
  bool known = lives->first[output] != (int32_t)k || sharing->uses->graph_input[output] ||
               sharing->uses->held[output] || lives->root[output] != TA_NO_INDEX;
  if (known) return;
  bool modified = !(node->inplace & DATA_UNMODIFIED);
  uint32_t input = choose_input(sharing, node, output, modified);
  if (input == TA_NO_INDEX) return;
  uint32_t root = root_of(lives, input);
  bool unborn = lives->first[root] < 0 || lives->first[root] > (int32_t)k;
  if (root == output || unborn || (modified && sharing->uses->count[root] > 1)) return;
  lives->root[output] = root;
}

/* A root lives until its sharers have been read for the last time; one that nobody reads keeps nothing alive.
 */
static void extend_roots(uint32_t n, ta_lives_tflite *lives) {
  for (uint32_t t = 0; t < n; t++) {
    if (lives->root[t] == TA_NO_INDEX || lives->reader[t] < 0) continue;
    int32_t *last = &lives->last[lives->root[t]];
    *last = ta_max_i32(*last, lives->last[t]);
  }
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

static ta_status take_all(uint32_t n, ta_region *region, ta_lives_tflite *lives, tensor_uses *uses,
                          ta_error *error) {
  lives->first = TA_TAKE(region, n, int32_t);
  lives->last = TA_TAKE(region, n, int32_t);
  lives->reader = TA_TAKE(region, n, int32_t);
  lives->writer = TA_TAKE(region, n, int32_t);
  lives->root = TA_TAKE(region, n, uint32_t);
  uses->count = TA_TAKE(region, n, uint32_t);
  uses->graph_input = TA_TAKE(region, n, bool);
  uses->graph_output = TA_TAKE(region, n, bool);
  uses->held = TA_TAKE(region, n, bool);
  if (!lives->first || !lives->last || !lives->reader || !lives->writer || !lives->root || !uses->count ||
      !uses->graph_input || !uses->graph_output || !uses->held)
    return ta_fail_memory(error);
  for (uint32_t t = 0; t < n; t++) {
    lives->first[t] = lives->last[t] = lives->reader[t] = lives->writer[t] = -1;
    lives->root[t] = TA_NO_INDEX;
  }
  return TA_OK;
}

ta_status ta_lives_tflite_make(const ta_subgraph *graph, uint32_t subgraph, const ta_buffer *buffers,
                               bool preserve_all, ta_region *region, ta_lives_tflite *out, ta_error *error) {
  ta_lives_tflite lives = {.n_steps = graph->n_nodes ? graph->n_nodes : 1};
  tensor_uses uses;
  ta_status status = check_lists(graph, subgraph, error);
  if (!status) status = take_all(graph->n_tensors, region, &lives, &uses, error);
  if (status) return status;
  walk_nodes(graph, &lives, &uses);
  end_lives(graph->n_tensors, preserve_all, &lives, &uses);
  if (!preserve_all) {
    share_context sharing = {graph, buffers, &uses};
    for (uint32_t k = 0; k < graph->n_nodes; k++) share(&sharing, &lives, k);
    extend_roots(graph->n_tensors, &lives);
  }
  status = ta_by_step_make(lives.first, graph->n_tensors, lives.n_steps, region, &lives.born, error);
  if (status) return status;
  *out = lives;
  return TA_OK;
}

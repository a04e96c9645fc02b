#include "graph/lives_tflm.h"

#include <string.h>

#include "base/error.h"
#include "graph/ops.h"

/* A subgraph being walked. */
typedef struct frame {
  uint32_t subgraph, node;
  uint32_t calls_done; /* of the node's calls */
  int32_t entered;     /* the step of the node; -1: not yet at it */
} frame;

typedef struct walker {
  ta_tflm_walk *walk;
  ta_region *region;
  frame *stack; /* a subgraph is in it at most once */
  bool *on_stack;
  uint32_t depth, capacity; /* of steps */
  uint64_t visits, most_visits;
  int32_t now;
  ta_error *error;
} walker;

static ta_list calls_of(const ta_node *node) {
  bool runs = node->op == TA_OP_IF || node->op == TA_OP_WHILE || node->op == TA_OP_CALL_ONCE;
  return runs ? node->calls : (ta_list){NULL, 0};
}

static ta_status visit(walker *w, uint32_t subgraph, uint32_t count) {
  w->visits += count;
  if (w->visits <= w->most_visits) return TA_OK;
  return ta_fail_at(
      w->error, TA_E_LIMIT, subgraph, TA_NO_INDEX, TA_NO_INDEX,
      "following the calls between subgraphs takes more than %U steps; are they nested too deeply?",
      w->most_visits);
}

/* What a walk over each subgraph once would touch. */
static uint64_t visits_of_all(const ta_tflm_walk *walk) {
  const ta_model *model = walk->model;
  uint64_t visits = walk->scratch_of[walk->node_base[model->n_subgraphs]];
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    const ta_subgraph *subgraph = &model->subgraphs[g];
    visits += 1 + (uint64_t)subgraph->inputs.n + subgraph->outputs.n + subgraph->n_nodes;
    for (uint32_t i = 0; i < subgraph->n_nodes; i++) {
      visits += (uint64_t)subgraph->nodes[i].inputs.n + subgraph->nodes[i].outputs.n;
    }
  }
  return visits;
}

/* A step of the counter. */
static ta_status tick(walker *w, uint32_t subgraph, uint32_t node) {
  ta_tflm_walk *walk = w->walk;
  uint32_t n = (uint32_t)walk->n_steps;
  if (n == w->capacity) {
    uint32_t capacity = w->capacity ? 2 * w->capacity : 256;
    ta_step *grown = TA_TAKE(w->region, capacity, ta_step);
    if (!grown) return ta_fail_memory(w->error);
    if (n > 0) memcpy(grown, walk->steps, n * sizeof *grown);
    walk->steps = grown;
    w->capacity = capacity;
  }
  walk->steps[n] = (ta_step){subgraph, node};
  w->now = walk->n_steps++;
  return visit(w, subgraph, 1);
}

static ta_life *life(walker *w, uint32_t subgraph, int32_t tensor) {
  return &w->walk->tensors[w->walk->tensor_base[subgraph] + (uint32_t)tensor];
}

static void begin(ta_life *of, int32_t step) {
  if (of->first == -1) of->first = step;
}

/* The tensors that a subgraph gets or gives: alive now. An absent one is skipped. */
static ta_status mark_ports(walker *w, uint32_t subgraph, const ta_list *ports) {
  for (uint32_t k = 0; k < ports->n; k++) {
    if (ports->at[k] < 0) continue;
    begin(life(w, subgraph, ports->at[k]), w->now);
    life(w, subgraph, ports->at[k])->last = w->now;
  }
  return visit(w, subgraph, ports->n);
}

static ta_status enter(walker *w, uint32_t subgraph) {
  if (w->on_stack[subgraph]) {
    return ta_fail_at(w->error, TA_E_REFUSED, subgraph, TA_NO_INDEX, TA_NO_INDEX,
                      "subgraph %u runs itself, directly or through others: TFLM would never come back",
                      subgraph);
  }
  ta_status status = tick(w, subgraph, TA_NO_INDEX);
  if (status) return status;
  w->on_stack[subgraph] = true;
  w->walk->reached[subgraph] = true;
  w->stack[w->depth++] = (frame){subgraph, 0, 0, -1};
  return mark_ports(w, subgraph, &w->walk->model->subgraphs[subgraph].inputs);
}

static ta_status leave(walker *w, uint32_t subgraph) {
  w->on_stack[subgraph] = false;
  w->depth--;
  return mark_ports(w, subgraph, &w->walk->model->subgraphs[subgraph].outputs);
}

static ta_status begin_node(walker *w, frame *f, const ta_node *node) {
  ta_status status = tick(w, f->subgraph, f->node);
  f->entered = w->now;
  f->calls_done = 0;
  for (uint32_t k = 0; k < node->outputs.n && !status; k++) {
    if (node->outputs.at[k] < 0) {
      return ta_fail_at(w->error, TA_E_INDEX, f->subgraph, f->node, TA_NO_INDEX,
                        "op %u output %u of subgraph %u is -1: only inputs may be omitted", f->node, k,
                        f->subgraph);
    }
    begin(life(w, f->subgraph, node->outputs.at[k]), w->now);
  }
  return status;
}

/* What the node has read, written and used lives up to here. Being read does not begin a life. */
static ta_status end_node(walker *w, frame *f, const ta_node *node) {
  const ta_tflm_walk *walk = w->walk;
  for (uint32_t k = 0; k < node->inputs.n; k++) {
    if (node->inputs.at[k] >= 0) life(w, f->subgraph, node->inputs.at[k])->last = w->now;
  }
  for (uint32_t k = 0; k < node->outputs.n; k++) life(w, f->subgraph, node->outputs.at[k])->last = w->now;
  uint32_t flat = walk->node_base[f->subgraph] + f->node;
  for (uint32_t k = walk->scratch_of[flat]; k < walk->scratch_of[flat + 1]; k++) {
    begin(&walk->scratch[k], f->entered);
    walk->scratch[k].last = w->now;
  }
  uint32_t scratch = walk->scratch_of[flat + 1] - walk->scratch_of[flat];
  ta_status status = visit(w, f->subgraph, node->inputs.n);
  if (!status) status = visit(w, f->subgraph, node->outputs.n);
  if (!status) status = visit(w, f->subgraph, scratch);
  f->node++;
  f->entered = -1;
  return status;
}

/* One move of the topmost frame. */
static ta_status advance(walker *w) {
  frame *f = &w->stack[w->depth - 1];
  const ta_subgraph *subgraph = &w->walk->model->subgraphs[f->subgraph];
  if (f->node == subgraph->n_nodes) return leave(w, f->subgraph);
  const ta_node *node = &subgraph->nodes[f->node];
  ta_list calls = calls_of(node);
  ta_status status = f->entered < 0 ? begin_node(w, f, node) : TA_OK;
  if (status) return status;
  if (f->calls_done == calls.n) return end_node(w, f, node);
  return enter(w, (uint32_t)calls.at[f->calls_done++]);
}

ta_status ta_tflm_lives(ta_tflm_walk *walk, ta_region *region, ta_error *error) {
  const ta_model *model = walk->model;
  uint32_t n_tensors = walk->tensor_base[model->n_subgraphs];
  uint32_t n_scratch = walk->scratch_of[walk->node_base[model->n_subgraphs]];
  for (uint32_t t = 0; t < n_tensors; t++) walk->tensors[t] = (ta_life){-1, -1};
  for (uint32_t k = 0; k < n_scratch; k++) walk->scratch[k] = (ta_life){-1, -1};
  memset(walk->reached, 0, model->n_subgraphs * sizeof *walk->reached);
  walk->steps = NULL;
  walk->n_steps = 0;

  ta_region own;
  ta_region_init(&own, &region->allocator);
  walker w = {.walk = walk, .region = region, .error = error};
  w.most_visits = TA_TFLM_SPARE_VISITS + TA_TFLM_WALKS * visits_of_all(walk);
  w.stack = TA_TAKE(&own, model->n_subgraphs, frame);
  w.on_stack = TA_TAKE(&own, model->n_subgraphs, bool);
  ta_status status = w.stack && w.on_stack ? enter(&w, 0) : ta_fail_memory(error);
  while (!status && w.depth > 0) status = advance(&w);
  ta_region_free(&own);
  return status;
}

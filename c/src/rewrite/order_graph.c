/* What waits for what, and what each operator reads and makes. */
#include "base/num.h"
#include "rewrite/order_graph.h"

static const ta_subgraph *subgraph_of(const ta_order_search *o) {
  return &o->costs->model->subgraphs[0];
}

/* Whether the operator must keep its place among others of its kind: it has a state, an effect without
 * outputs, or reads a variable. */
static bool is_stateful(const ta_order_search *o, uint32_t i) {
  const ta_node *node = &subgraph_of(o)->nodes[i];
  if (ta_op_reach(node->op) == TA_REACH_STATE || node->outputs.n == 0) return true;
  for (uint32_t k = 0; k < node->inputs.n; k++) {
    int32_t t = node->inputs.at[k];
    if (t >= 0 && subgraph_of(o)->tensors[t].is_variable) return true;
  }
  return false;
}

/* An edge: `after` waits for `before`. Counted first, then written. */
typedef struct edges {
  ta_order_search *order;
  bool writing;
} edges;

static void add_edge(edges *e, uint32_t before, uint32_t after) {
  if (e->writing) {
    e->order->waiting[e->order->waiting_of[before + 1]++] = after;
    e->order->blocked[after]++;
  } else {
    e->order->waiting_of[before + 2]++;
  }
}

/* Edges by data, and between one stateful operator and the next. */
static void walk_edges(edges *e, const int32_t *maker) {
  const ta_subgraph *subgraph = subgraph_of(e->order);
  uint32_t stateful = TA_NO_INDEX;
  for (uint32_t i = 0; i < e->order->n; i++) {
    const ta_list *inputs = &subgraph->nodes[i].inputs;
    for (uint32_t k = 0; k < inputs->n; k++) {
      if (inputs->at[k] >= 0 && maker[inputs->at[k]] >= 0) add_edge(e, (uint32_t)maker[inputs->at[k]], i);
    }
    if (!is_stateful(e->order, i)) continue;
    if (stateful != TA_NO_INDEX) add_edge(e, stateful, i);
    stateful = i;
  }
}

static bool make_edges(ta_order_search *o, const int32_t *maker, ta_region *region) {
  o->waiting_of = TA_TAKE(region, (size_t)o->n + 2, uint32_t);
  o->blocked = TA_TAKE(region, o->n, uint32_t);
  if (!o->waiting_of || !o->blocked) return false;
  edges e = {o, false};
  walk_edges(&e, maker);
  for (uint32_t i = 2; i < o->n + 2; i++) o->waiting_of[i] += o->waiting_of[i - 1];
  o->waiting = TA_TAKE(region, o->waiting_of[o->n + 1], uint32_t);
  if (!o->waiting) return false;
  e.writing = true;
  walk_edges(&e, maker);
  return true;
}

/* Who makes each tensor; false when one is made twice, or read before it is made: the order then stays. */
static bool find_makers(const ta_order_search *o, int32_t *maker) {
  const ta_subgraph *subgraph = subgraph_of(o);
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) maker[t] = -1;
  for (uint32_t i = 0; i < o->n; i++) {
    for (uint32_t k = 0; k < subgraph->nodes[i].outputs.n; k++) {
      int32_t t = subgraph->nodes[i].outputs.at[k];
      if (maker[t] >= 0) return false;
      maker[t] = (int32_t)i;
    }
  }
  for (uint32_t i = 0; i < o->n; i++) {
    for (uint32_t k = 0; k < subgraph->nodes[i].inputs.n; k++) {
      int32_t t = subgraph->nodes[i].inputs.at[k];
      if (t >= 0 && maker[t] >= (int32_t)i) return false;
    }
  }
  for (uint32_t k = 0; k < subgraph->inputs.n; k++) {
    if (subgraph->inputs.at[k] >= 0 && maker[subgraph->inputs.at[k]] >= 0) return false;
  }
  return true;
}

/* Copies a list without its absent and repeated entries; `seen` has the operator that came last to each
 * tensor. */
static uint32_t copy_once(ta_order_search *o, const ta_list *from, uint32_t at, uint32_t *seen,
                          uint32_t stamp) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < from->n; k++) {
    int32_t t = from->at[k];
    if (t < 0 || seen[t] == stamp) continue;
    seen[t] = stamp;
    o->lists[at + n++] = t;
  }
  return n;
}

static bool make_lists(ta_order_search *o, ta_region *region) {
  const ta_subgraph *subgraph = subgraph_of(o);
  size_t total = 0;
  for (uint32_t i = 0; i < o->n; i++)
    total += (size_t)subgraph->nodes[i].inputs.n + subgraph->nodes[i].outputs.n;
  uint32_t *seen = TA_TAKE(region, subgraph->n_tensors, uint32_t);
  o->lists = TA_TAKE(region, total, int32_t);
  o->lists_of = TA_TAKE(region, (size_t)o->n + 1, uint32_t);
  o->n_reads = TA_TAKE(region, o->n, uint32_t);
  o->readers = TA_TAKE(region, subgraph->n_tensors, uint32_t);
  o->leaves = TA_TAKE(region, subgraph->n_tensors, bool);
  if (!seen || !o->lists || !o->lists_of || !o->n_reads || !o->readers || !o->leaves) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < o->n; i++) {
    o->lists_of[i] = at;
    o->n_reads[i] = copy_once(o, &subgraph->nodes[i].inputs, at, seen, 2 * i + 1);
    for (uint32_t k = 0; k < o->n_reads[i]; k++) o->readers[o->lists[at + k]]++;
    at += o->n_reads[i];
    at += copy_once(o, &subgraph->nodes[i].outputs, at, seen, 2 * i + 2);
  }
  o->lists_of[o->n] = at;
  for (uint32_t k = 0; k < subgraph->outputs.n; k++) o->leaves[subgraph->outputs.at[k]] = true;
  return true;
}

bool ta_order_graph(ta_order_search *o, ta_region *region, bool *orderly) {
  int32_t *maker = TA_TAKE(region, subgraph_of(o)->n_tensors, int32_t);
  if (!maker) return false;
  *orderly = find_makers(o, maker);
  return !*orderly || (make_edges(o, maker, region) && make_lists(o, region));
}

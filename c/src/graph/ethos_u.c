#include "graph/ethos_u.h"

#include "base/num.h"

typedef struct standings {
  const ta_model *model;
  const ta_step *timeline;
  uint32_t n_steps;
  uint32_t *base;       /* the flat index of each subgraph's tensor 0 */
  uint32_t *party;      /* by flat tensor: the party that is it, or TA_NO_INDEX */
  bool *lent, *touched; /* by flat tensor: an ethos-u reads it; anybody else has to do with it */
  uint32_t *taken;      /* by party: ethos-u steps of its life that have it as an operand */
  int32_t *as_of;       /* by flat tensor: the step counted last */
  uint32_t *before;     /* by step: how many ethos-u steps come before it; one more entry than steps */
} standings;

static bool is_ethos_u(const ta_node *node) {
  return node->op == TA_OP_CUSTOM && ta_str_equal(&node->name, &TA_STR("ethos-u"));
}

static const ta_node *node_of(const standings *s, uint32_t k) {
  const ta_step *step = &s->timeline[k];
  return step->node == TA_NO_INDEX ? NULL : &s->model->subgraphs[step->subgraph].nodes[step->node];
}

static void mark(bool *flags, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] >= 0) flags[tensors->at[i]] = true;
  }
}

/* Whose tensors are an ethos-u's alone. Returns whether there is one. */
static bool find_lent(const standings *s) {
  bool any = false;
  for (uint32_t g = 0; g < s->model->n_subgraphs; g++) {
    const ta_subgraph *graph = &s->model->subgraphs[g];
    bool *lent = s->lent + s->base[g], *touched = s->touched + s->base[g];
    mark(touched, &graph->inputs);
    mark(touched, &graph->outputs);
    mark(touched, &graph->variables);
    for (uint32_t t = 0; t < graph->n_tensors; t++) {
      if (graph->tensors[t].has_data || graph->tensors[t].is_variable) touched[t] = true;
    }
    for (uint32_t k = 0; k < graph->n_nodes; k++) {
      bool ours = is_ethos_u(&graph->nodes[k]);
      mark(ours ? lent : touched, &graph->nodes[k].inputs);
      mark(touched, &graph->nodes[k].outputs);
      any = any || ours;
    }
  }
  return any;
}

static void take_operands(const standings *s, ta_party *parties, uint32_t g, const ta_list *operands,
                          int32_t step) {
  for (uint32_t i = 0; i < operands->n; i++) {
    if (operands->at[i] < 0) continue;
    uint32_t flat = s->base[g] + (uint32_t)operands->at[i], party = s->party[flat];
    if (party == TA_NO_INDEX || s->as_of[flat] == step) continue;
    s->as_of[flat] = step;
    if (step < parties[party].first || step > parties[party].last) continue;
    s->taken[party]++;
    if (step == parties[party].last) parties[party].taken_last = true;
  }
}

static void count_taken(const standings *s, ta_party *parties) {
  for (uint32_t k = 0; k < s->n_steps; k++) {
    const ta_node *node = node_of(s, k);
    bool ours = node && is_ethos_u(node);
    s->before[k + 1] = s->before[k] + ours;
    if (!ours) continue;
    take_operands(s, parties, s->timeline[k].subgraph, &node->inputs, (int32_t)k);
    take_operands(s, parties, s->timeline[k].subgraph, &node->outputs, (int32_t)k);
  }
}

static uint8_t standing_of(const standings *s, const ta_party *party, uint32_t i) {
  uint32_t flat = party->tensor == TA_NO_INDEX ? TA_NO_INDEX : s->base[party->subgraph] + party->tensor;
  if (flat != TA_NO_INDEX && s->lent[flat] && !s->touched[flat]) return TA_STANDING_REGION;
  int32_t end = (int32_t)s->n_steps, first = ta_min_i32(ta_max_i32(party->first, 0), end);
  int32_t after = ta_max_i32(ta_min_i32(party->last, end - 1) + 1, first);
  return s->before[after] - s->before[first] > s->taken[i] ? TA_STANDING_ACROSS : TA_STANDING_ASIDE;
}

static bool take_all(standings *s, ta_region *work, uint32_t n) {
  static const ta_array arrays[] = {
      TA_ARRAY(standings, party, 0), TA_ARRAY(standings, lent, 0),  TA_ARRAY(standings, touched, 0),
      TA_ARRAY(standings, as_of, 0), TA_ARRAY(standings, taken, 1), TA_ARRAY(standings, before, 2),
  };
  uint32_t n_tensors = 0;
  s->base = TA_TAKE(work, s->model->n_subgraphs, uint32_t);
  for (uint32_t g = 0; s->base && g < s->model->n_subgraphs; g++) {
    s->base[g] = n_tensors;
    n_tensors += s->model->subgraphs[g].n_tensors;
  }
  const size_t counts[] = {n_tensors, n, (size_t)s->n_steps + 1};
  if (!s->base || !ta_region_take_arrays(work, s, arrays, sizeof arrays / sizeof arrays[0], counts))
    return false;
  for (uint32_t t = 0; t < n_tensors; t++) {
    s->party[t] = TA_NO_INDEX;
    s->as_of[t] = -1;
  }
  return true;
}

ta_status ta_find_standings(const ta_model *model, const ta_step *timeline, uint32_t n_steps,
                            ta_party *parties, uint32_t n, const ta_allocator *allocator, ta_error *error) {
  standings s = {.model = model, .timeline = timeline, .n_steps = n_steps};
  ta_region work;
  ta_region_init(&work, allocator);
  bool taken = take_all(&s, &work, n);
  for (uint32_t i = 0; i < n && taken; i++) {
    parties[i].standing = TA_STANDING_ASIDE;
    parties[i].taken_last = false;
    if (parties[i].tensor != TA_NO_INDEX) s.party[s.base[parties[i].subgraph] + parties[i].tensor] = i;
  }
  if (taken && find_lent(&s)) {
    count_taken(&s, parties);
    for (uint32_t i = 0; i < n; i++) parties[i].standing = standing_of(&s, &parties[i], i);
  }
  ta_region_free(&work);
  return taken ? TA_OK : ta_fail_memory(error);
}

int32_t ta_party_kept_until(const ta_party *party) {
  return party->taken_last && party->first < party->last ? party->last - 1 : party->last;
}

ta_overlap ta_overlap_of(const ta_party *a, const ta_party *b) {
  bool lends = a->standing == TA_STANDING_REGION, takes = b->standing == TA_STANDING_REGION;
  if (lends || takes) {
    bool across = a->standing == TA_STANDING_ACROSS || b->standing == TA_STANDING_ACROSS;
    return across ? TA_OVERLAP_UNDECIDED : TA_OVERLAP_ON_PURPOSE;
  }
  bool apart = ta_party_kept_until(a) < b->first || ta_party_kept_until(b) < a->first;
  return apart ? TA_OVERLAP_ON_PURPOSE : TA_OVERLAP_FAULT;
}

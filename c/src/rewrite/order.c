/* Is there an order within B bytes? Executed operators form a set; from each set all that are ready are
 * tried, those that raise the live bytes least first. What is ready, fits and raises them not at all goes at
 * once: that never hurts. Sets that have failed are remembered with what they need. The least B is found by
 * bisection. */
#include "rewrite/order.h"

#include "base/num.h"
#include "base/sort.h"
#include "rewrite/order_graph.h"

enum { FAILED_SETS = 1 << 15, READY_A_NODE = 16 };

/* ---- an operator ---- */

typedef struct effect {
  uint64_t made, freed, during; /* bytes that appear and that die with it; beside its tensors */
} effect;

static bool dies(const ta_order_search *o, int32_t t, uint32_t readers) {
  return o->readers[t] == readers && !o->leaves[t];
}

static effect effect_of(const ta_order_search *o, uint32_t op) {
  effect e = {.during = o->costs->extra[op]};
  uint32_t reads = o->lists_of[op] + o->n_reads[op];
  for (uint32_t k = o->lists_of[op]; k < o->lists_of[op + 1]; k++) {
    int32_t t = o->lists[k];
    uint64_t bytes = o->costs->tensor_bytes[t];
    if (k >= reads) e.made += bytes;
    if (dies(o, t, k < reads ? 1 : 0)) e.freed += bytes;
  }
  return e;
}

static uint64_t peak_of(const ta_order_search *o, const effect *e) {
  return o->live + e->made + e->during;
}

static void change_readers(ta_order_search *o, uint32_t op, bool executes) {
  for (uint32_t k = 0; k < o->n_reads[op]; k++) {
    uint32_t *readers = &o->readers[o->lists[o->lists_of[op] + k]];
    *readers = executes ? *readers - 1 : *readers + 1;
  }
}

static void change_key(ta_order_search *o, uint32_t op, bool executes) {
  o->key[0] = executes ? o->key[0] + o->keys[op][0] : o->key[0] - o->keys[op][0];
  o->key[1] ^= o->keys[op][1];
}

static void add_ready(ta_order_search *o, uint32_t op) {
  o->ready_at[op] = o->n_ready;
  o->ready[o->n_ready++] = op;
}

static void remove_ready(ta_order_search *o, uint32_t op) {
  uint32_t last = o->ready[--o->n_ready];
  o->ready[o->ready_at[op]] = last;
  o->ready_at[last] = o->ready_at[op];
}

static void execute(ta_order_search *o, uint32_t op) {
  effect e = effect_of(o, op);
  o->live = o->live + e.made - e.freed;
  change_readers(o, op, true);
  change_key(o, op, true);
  remove_ready(o, op);
  for (uint32_t k = o->waiting_of[op]; k < o->waiting_of[op + 1]; k++) {
    if (--o->blocked[o->waiting[k]] == 0) add_ready(o, o->waiting[k]);
  }
  o->sequence[o->n_executed++] = op;
}

static void take_back(ta_order_search *o) {
  uint32_t op = o->sequence[--o->n_executed];
  for (uint32_t k = o->waiting_of[op]; k < o->waiting_of[op + 1]; k++) {
    if (o->blocked[o->waiting[k]]++ == 0) remove_ready(o, o->waiting[k]);
  }
  add_ready(o, op);
  change_readers(o, op, false);
  change_key(o, op, false);
  effect e = effect_of(o, op);
  o->live = o->live - e.made + e.freed;
}

static void take_back_to(ta_order_search *o, uint32_t executed) {
  while (o->n_executed > executed) take_back(o);
}

/* ---- a set ---- */

/* Executes what may go at once. */
static void run_free(ta_order_search *o) {
  bool found = true;
  while (found && o->nodes < TA_ORDER_NODES) {
    uint32_t lowest = TA_NO_INDEX;
    for (uint32_t k = 0; k < o->n_ready; k++) {
      effect e = effect_of(o, o->ready[k]);
      if (e.made <= e.freed && peak_of(o, &e) <= o->bound && o->ready[k] < lowest) lowest = o->ready[k];
    }
    o->nodes += o->n_ready / READY_A_NODE;
    found = lowest != TA_NO_INDEX;
    if (found) execute(o, lowest);
  }
}

static bool raises_less(const void *context, uint32_t a, uint32_t b) {
  effect x = effect_of(context, a), y = effect_of(context, b);
  int64_t p = (int64_t)x.made - (int64_t)x.freed, q = (int64_t)y.made - (int64_t)y.freed;
  return p != q ? p < q : a < b;
}

/* From here on all ways are tried; a set that is known to fail gets none. At most n sets lie on one another,
 * with n choices each in the worst case: the list of choices is bounded, and what does not fit is not tried.
 */
static void open_state(ta_order_search *o) {
  ta_order_state *state = &o->states[o->n_states++];
  *state = (ta_order_state){.executed = o->n_executed, .choices = o->n_choices, .needs = TA_NO_OFFSET};
  state->next = state->end = o->n_choices;
  o->nodes += 1 + o->n_ready / READY_A_NODE;
  uint64_t known = ta_nogoods_find(&o->failed, o->key);
  if (known > o->bound) {
    state->needs = known;
    return;
  }
  for (uint32_t k = 0; k < o->n_ready; k++) {
    effect e = effect_of(o, o->ready[k]);
    uint64_t peak = peak_of(o, &e);
    if (peak > o->bound)
      state->needs = ta_min_u64(state->needs, peak);
    else if (state->end < o->most_choices)
      o->choices[state->end++] = o->ready[k];
    else
      o->gave_up = true;
  }
  ta_sort(o->choices + state->choices, state->end - state->choices, raises_less, o);
  o->n_choices = state->end;
}

/* All ways on from the set have failed: so has the one that led to it. */
static void close_state(ta_order_search *o) {
  const ta_order_state *state = &o->states[--o->n_states];
  ta_nogoods_add(&o->failed, o->key, state->needs);
  o->n_choices = state->choices;
  if (o->n_states == 0) return;
  ta_order_state *before = &o->states[o->n_states - 1];
  before->needs = ta_min_u64(before->needs, state->needs);
  take_back_to(o, before->executed);
}

/* ---- a test ---- */

static void start_test(ta_order_search *o) {
  o->bound = o->bottom + (o->peak - o->bottom) / 2;
  o->nodes = 0;
  o->n_states = o->n_choices = 0;
  o->testing = true;
  take_back_to(o, 0);
  run_free(o);
  open_state(o);
}

static uint64_t peak_of_sequence(ta_order_search *o) {
  uint64_t peak = 0;
  uint32_t n = o->n_executed;
  take_back_to(o, 0);
  for (uint32_t k = 0; k < n; k++) {
    effect e = effect_of(o, o->sequence[k]);
    peak = ta_max_u64(peak, peak_of(o, &e));
    execute(o, o->sequence[k]);
  }
  return peak;
}

static void end_test(ta_order_search *o, bool found) {
  o->testing = false;
  if (found) {
    o->peak = ta_max_u64(peak_of_sequence(o), o->bottom);
    for (uint32_t k = 0; k < o->n; k++) o->best[k] = o->sequence[k];
    o->changed = true;
  } else {
    o->bottom = ta_min_u64(o->peak, ta_max_u64(o->states[0].needs, o->bound + 1));
  }
  o->searching = o->bottom < o->peak;
  o->proved = !o->searching && !o->gave_up;
}

/* The test has run out of nodes: what it leaves open counts as failed, and nothing is proved. */
static void give_up(ta_order_search *o) {
  uint64_t needs = TA_NO_OFFSET;
  for (uint32_t k = 0; k < o->n_states; k++) needs = ta_min_u64(needs, o->states[k].needs);
  o->states[0].needs = needs;
  o->gave_up = true;
  end_test(o, false);
}

static void advance(ta_order_search *o) {
  ta_order_state *state = &o->states[o->n_states - 1];
  if (o->n_executed == o->n) {
    end_test(o, true);
  } else if (o->nodes >= TA_ORDER_NODES) {
    give_up(o);
  } else if (state->next < state->end) {
    execute(o, o->choices[state->next++]);
    run_free(o);
    open_state(o);
  } else if (o->n_states > 1) {
    close_state(o);
  } else {
    end_test(o, false);
  }
}

void ta_order_step(ta_order_search *o, uint64_t max_nodes) {
  uint64_t spent = 0;
  while (o->searching && spent < max_nodes) {
    uint64_t before = o->testing ? o->nodes : 0;
    if (o->testing)
      advance(o);
    else
      start_test(o);
    spent += o->testing && o->nodes > before ? o->nodes - before : 0;
  }
}

/* ---- beginning ---- */

static uint64_t largest_operator(const ta_order_search *o) {
  uint64_t largest = 0;
  for (uint32_t i = 0; i < o->n; i++) {
    uint64_t bytes = o->costs->extra[i];
    for (uint32_t k = o->lists_of[i]; k < o->lists_of[i + 1]; k++)
      bytes += o->costs->tensor_bytes[o->lists[k]];
    largest = ta_max_u64(largest, bytes);
  }
  return largest;
}

/* Live before the first operator: the inputs that somebody reads. Returns what all of them take. */
static uint64_t take_inputs(ta_order_search *o) {
  const ta_list *inputs = &o->costs->model->subgraphs[0].inputs;
  uint64_t all = 0;
  for (uint32_t k = 0; k < inputs->n; k++) {
    int32_t t = inputs->at[k];
    bool again = false;
    for (uint32_t j = 0; j < k; j++) again = again || inputs->at[j] == t;
    if (t < 0 || again) continue;
    all += o->costs->tensor_bytes[t];
    if (o->readers[t] > 0 || o->leaves[t]) o->live += o->costs->tensor_bytes[t];
  }
  return all;
}

static bool take_memory(ta_order_search *o, ta_region *region) {
  /* No more choices than that lie on one another in orders that are worth finding. */
  size_t choices = (size_t)ta_min_u64((uint64_t)o->n * o->n, ta_max_u64(o->n, UINT64_C(1) << 18));
  o->most_choices = (uint32_t)choices;
  o->keys = ta_region_take(region, o->n, sizeof *o->keys);
  o->ready = TA_TAKE(region, o->n, uint32_t);
  o->ready_at = TA_TAKE(region, o->n, uint32_t);
  o->sequence = TA_TAKE(region, o->n, uint32_t);
  o->best = TA_TAKE(region, o->n, uint32_t);
  o->states = TA_TAKE(region, (size_t)o->n + 1, ta_order_state);
  o->choices = TA_TAKE(region, choices, uint32_t);
  return o->keys && o->ready && o->ready_at && o->sequence && o->best && o->states && o->choices &&
         ta_nogoods_new(&o->failed, region, FAILED_SETS);
}

bool ta_order_init(ta_order_search *o, const ta_costs *costs, ta_region *region) {
  bool orderly = false;
  *o = (ta_order_search){.costs = costs, .n = costs->model->subgraphs[0].n_nodes};
  if (!ta_order_graph(o, region, &orderly)) return false;
  if (!orderly || o->n == 0) return true;
  if (!take_memory(o, region)) return false;
  for (uint32_t i = 0; i < o->n; i++) {
    ta_nogood_mix(o->keys[i], i, 0);
    if (o->blocked[i] == 0) add_ready(o, i);
    o->best[i] = i;
  }
  uint64_t inputs = take_inputs(o);
  for (uint32_t i = 0; i < o->n; i++) {
    effect e = effect_of(o, i);
    o->peak = ta_max_u64(o->peak, peak_of(o, &e));
    execute(o, i);
  }
  o->file_peak = o->peak = ta_max_u64(o->peak, inputs);
  take_back_to(o, 0);
  o->bottom = ta_min_u64(o->peak, ta_max_u64(inputs, largest_operator(o)));
  o->searching = o->bottom < o->peak;
  o->proved = !o->searching;
  return true;
}

#include "rewrite/shrink.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "rewrite/fold.h"
#include "rewrite/window_text.h"
#include "rewrite/write.h"

_Static_assert(sizeof(ta_shrink_options) == 48, "ta_shrink_options has 48 bytes");
_Static_assert(sizeof(ta_shrink_outcome) == 112, "ta_shrink_outcome has 112 bytes");

enum { DEFAULT_MACS = 100, THOUSAND = 1000 };

void ta_shrink_options_init(ta_shrink_options *options) {
  *options = (ta_shrink_options){.budget_bytes = TA_NO_OFFSET,
                                 .target = TA_TARGET_CORTEX_M,
                                 .kernels = TA_KERNELS_REFERENCE,
                                 .steps = TA_SHRINK_ALL,
                                 .macs = DEFAULT_MACS};
}

/* ---- what is asked for ---- */

/* Operators that stand for what a compiler has made of a whole graph. */
static const char *const compiled[] = {"ethos-u", "edgetpu-custom-op", "DISPATCH_OP"};

static ta_status check_uncompiled(const ta_model *model, ta_error *error) {
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    for (uint32_t i = 0; i < model->subgraphs[g].n_nodes; i++) {
      const ta_node *node = &model->subgraphs[g].nodes[i];
      for (size_t k = 0; node->op == TA_OP_CUSTOM && k < sizeof compiled / sizeof *compiled; k++) {
        if (ta_str_equal(&node->name, &(ta_str){compiled[k], strlen(compiled[k])}))
          return ta_fail_at(
              error, TA_E_UNSUPPORTED, g, i, TA_NO_INDEX,
              "the model has been compiled for an accelerator (op %u is %s), and what is in there "
              "cannot be rewritten: it must see the original, so give it the one it was made from",
              i, compiled[k]);
      }
    }
  }
  return TA_OK;
}

static ta_status check_model(const ta_shrink *s, ta_error *error) {
  const ta_model *model = s->model;
  if (model->kind != TA_KIND_TFLITE)
    return ta_fail(error, TA_E_UNSUPPORTED, "only a .tflite model can be rewritten: open one");
  if (s->options.steps == 0 || s->options.steps > TA_SHRINK_ALL)
    return ta_fail(error, TA_E_ARGUMENT, "the steps are a set of 1 to 15, not %u", s->options.steps);
  if (s->options.budget_bytes > TA_MAX_BYTES && s->options.budget_bytes != TA_NO_OFFSET)
    return ta_fail(error, TA_E_ARGUMENT, "a budget of %U bytes is larger than any arena",
                   s->options.budget_bytes);
  ta_status status = check_uncompiled(model, error);
  if (status) return status;
  if (model->has_offline_plan && !s->options.force)
    return ta_fail(
        error, TA_E_UNSUPPORTED,
        "the file has an offline plan already, which rewriting would drop: rewrite the file it was "
        "made from, or ask for it with force");
  return ta_check_rewritable(model, error);
}

static ta_attempt_options attempt_options(const ta_shrink *s) {
  bool plan = (s->options.steps & TA_SHRINK_PLAN) != 0;
  return (ta_attempt_options){s->options.target, s->options.kernels, plan ? s->options.plan_nodes : 0,
                              s->costs.needs.n_missing == 0};
}

static ta_status start(ta_shrink *s, const char *windows, ta_error *error) {
  ta_status status = check_model(s, error);
  if (!status)
    status = ta_costs_make(s->model, s->options.target, s->options.kernels, &s->region, &s->costs, error);
  ta_attempt_options options = attempt_options(s);
  if (!status) status = ta_measure_file(&s->region.allocator, s->model->file, &options, &s->before, error);
  if (status) return status;
  status = ta_needs_missing(&s->costs.needs, &s->region, &s->missing, &s->n_missing, error);
  if (status) return status;
  if (!ta_order_init(&s->order, &s->costs, &s->region)) return ta_fail_memory(error);
  size_t len = windows ? strlen(windows) : 0;
  char *copy = TA_TAKE(&s->region, len + 1, char);
  s->folded = TA_TAKE(&s->region, s->model->subgraphs[0].n_nodes, bool);
  if (!copy || !s->folded) return ta_fail_memory(error);
  if (len) memcpy(copy, windows, len);
  s->windows_text = windows ? copy : NULL;
  return TA_OK;
}

ta_status ta_shrink_new(const ta_allocator *allocator, const ta_model *model,
                        const ta_shrink_options *options, const char *windows, ta_shrink **out,
                        ta_error *error) {
  ta_region region;
  *out = NULL;
  ta_error_clear(error);
  ta_region_init(&region, allocator);
  ta_shrink *s = TA_TAKE(&region, 1, ta_shrink);
  if (!s) {
    ta_region_free(&region);
    return ta_fail_memory(error);
  }
  s->region = region;
  s->model = model;
  if (options)
    s->options = *options;
  else
    ta_shrink_options_init(&s->options);
  if (s->options.nodes == 0) s->options.nodes = TA_DEFAULT_SHRINK_NODES;
  if (s->options.plan_nodes == 0) s->options.plan_nodes = TA_DEFAULT_NODES;
  s->best_way = TA_NO_INDEX;
  ta_text_init(&s->report, &s->region.allocator);
  ta_status status = start(s, windows, error);
  if (status)
    ta_shrink_free(s);
  else
    *out = s;
  return status;
}

void ta_shrink_free(ta_shrink *s) {
  if (!s) return;
  ta_attempt_free(&s->attempt);
  ta_attempt_free(&s->best);
  ta_text_free(&s->report);
  ta_region region = s->region;
  ta_region_free(&region);
}

void ta_shrink_hurry(ta_shrink *s) {
  s->hurried = true;
}

/* ---- order and fold ---- */

static ta_status make_base(ta_shrink *s, ta_error *error) {
  ta_draft_init(&s->base, s->model, &s->region);
  ta_draft_of_model(&s->base, s->order.changed ? s->order.best : NULL);
  if (s->options.steps & TA_SHRINK_FOLD) s->n_folded = ta_fold(&s->base, s->folded, &s->region);
  s->cuts = TA_TAKE(&s->region, s->base.n_ops, ta_cut);
  if (!s->cuts || s->base.failed) return ta_fail_memory(error);
  for (uint32_t i = 0; i < s->base.n_ops; i++) ta_cut_read(&s->base, i, s->options.kernels, &s->cuts[i]);
  bool taken = ta_valuer_init(&s->valuer, &s->costs, &s->base, s->cuts, &s->region);
  s->stage = TA_STAGE_SEARCH;
  return taken ? TA_OK : ta_fail_memory(error);
}

/* A set of operators is looked at far faster than a window is cut. */
enum { SETS_A_NODE = 64 };

static ta_status find_order(ta_shrink *s, uint64_t max_nodes, ta_error *error) {
  bool wanted = (s->options.steps & TA_SHRINK_ORDER) != 0 && !s->hurried;
  if (wanted) ta_order_step(&s->order, ta_min_u64(max_nodes, UINT32_MAX) * SETS_A_NODE);
  return wanted && s->order.searching ? TA_OK : make_base(s, error);
}

/* ---- windows ---- */

static ta_status take_given(ta_shrink *s, ta_error *error) {
  ta_window_choice *given;
  uint32_t n;
  ta_status status = ta_windows_read(s->windows_text, &s->base, &s->region, &given, &n, error);
  if (status) return status;
  ta_candidate *list = TA_TAKE(&s->region, n, ta_candidate);
  if (!list) return ta_fail_memory(error);
  s->taken = list;
  for (uint32_t k = 0; k < n; k++) {
    ta_candidate *taken = &list[s->n_taken];
    uint32_t most = 0;
    taken->choice = given[k];
    ta_window_read(&s->valuer.emitter, given[k].first, given[k].last, &taken->choice.columns, &most);
    ta_around around = ta_value_around(&s->valuer, given[k].first, given[k].last);
    if (!ta_value_window(&s->valuer, &taken->choice, &around, &taken->value)) {
      if (s->valuer.scratch.failed) return ta_fail_memory(error);
      return ta_fail(error, TA_E_ARGUMENT, "the operators %u-%u cannot be cut into %u strips", given[k].first,
                     given[k].last, given[k].strips);
    }
    s->n_taken++;
  }
  return TA_OK;
}

static ta_status start_search(ta_shrink *s, ta_error *error) {
  uint64_t macs = 0;
  if (!ta_mul(s->costs.model_macs, s->options.macs, &macs)) macs = TA_MAX_BYTES;
  s->searching = true;
  bool taken = ta_chooser_init(&s->chooser, &s->valuer, macs / THOUSAND, s->options.nodes, &s->region);
  return taken ? TA_OK : ta_fail_memory(error);
}

static bool has_budget(const ta_shrink *s) {
  return s->options.budget_bytes != TA_NO_OFFSET;
}

/* What peak and tail may grow to for the arena to stay within the budget, by the count, which knows nothing
 * of alignment. */
static uint64_t most_cost(const ta_shrink *s) {
  uint64_t tail = s->before.tail_bytes;
  return s->options.budget_bytes > tail ? s->options.budget_bytes - tail : 0;
}

/* Takes the windows that the search has chosen: with a budget, those that add the fewest
 * multiply-accumulates. */
static bool pick(ta_shrink *s) {
  if (has_budget(s)) {
    if (s->chooser.most_cost == TA_NO_OFFSET) s->chooser.most_cost = most_cost(s);
    if (!ta_select(&s->chooser)) return false;
  }
  s->taken = s->chooser.chosen;
  s->n_taken = s->chooser.n_chosen;
  return true;
}

static ta_status search(ta_shrink *s, uint64_t max_nodes, ta_error *error) {
  ta_status status = TA_OK;
  bool strips = (s->options.steps & TA_SHRINK_STRIPS) != 0;
  if (!strips || s->windows_text) {
    if (strips) status = take_given(s, error);
    s->stage = TA_STAGE_WRITE;
    return status;
  }
  if (!s->searching) status = start_search(s, error);
  if (status) return status;
  if (s->hurried) s->chooser.most_nodes = ta_min_u64(s->chooser.most_nodes, s->chooser.nodes);
  if (!ta_chooser_step(&s->chooser, max_nodes)) return ta_fail_memory(error);
  if (s->chooser.stage != TA_CHOOSE_DONE) return TA_OK;
  if (!pick(s)) return ta_fail_memory(error);
  s->stage = TA_STAGE_WRITE;
  return TA_OK;
}

/* ---- what is tried ---- */

/* The base with the windows that were taken in strips. */
static ta_status add_strips(ta_shrink *s, ta_error *error) {
  ta_way *way = &s->ways[s->n_ways++];
  uint32_t i = 0;
  ta_draft_init(&way->draft, s->model, &s->region);
  way->windows = TA_TAKE(&s->region, s->n_taken, ta_candidate);
  if (!way->windows) return ta_fail_memory(error);
  for (uint32_t k = 0; k < s->n_taken; k++) {
    const ta_window_choice *choice = &s->taken[k].choice;
    for (; i < choice->first; i++) ta_draft_add_same(&way->draft, &s->base, i);
    if (!ta_emit_window(&s->valuer.emitter, choice, &way->draft)) return ta_fail_memory(error);
    i = choice->last + 1;
    way->windows[way->n_windows++] = s->taken[k];
    way->extra_macs += (uint64_t)ta_max_i64(s->taken[k].value.macs, 0);
  }
  for (; i < s->base.n_ops; i++) ta_draft_add_same(&way->draft, &s->base, i);
  return way->draft.failed ? ta_fail_memory(error) : TA_OK;
}

/* Strips; without them; without anything but a plan. Only what differs from the one before, and of windows
 * given by hand only these. */
static ta_status list_ways(ta_shrink *s, ta_error *error) {
  s->listed = true;
  ta_status status = s->n_taken ? add_strips(s, error) : TA_OK;
  if (status || (s->windows_text && s->n_taken)) return status;
  s->ways[s->n_ways++].draft = s->base;
  if (s->n_folded == 0 && !s->order.changed) return TA_OK;
  ta_draft *plain = &s->ways[s->n_ways++].draft;
  ta_draft_init(plain, s->model, &s->region);
  ta_draft_of_model(plain, NULL);
  return plain->failed ? ta_fail_memory(error) : TA_OK;
}

/* The count was too low for the budget: windows for a little less are tried, too. */
static ta_status retry(ta_shrink *s, uint64_t needs, ta_error *error) {
  uint64_t over = needs - s->options.budget_bytes;
  if (s->n_ways == TA_SHRINK_MOST_WAYS || s->chooser.most_cost < over) return TA_OK;
  s->chooser.most_cost -= over;
  if (!pick(s)) return ta_fail_memory(error);
  bool fits = s->n_taken > 0 && s->chooser.cost <= s->chooser.most_cost;
  return fits ? add_strips(s, error) : TA_OK;
}

/* Nothing leaves unproved: a model that computes something else would be worse than a large one. *same:
 * whether it is proved; otherwise a problem says what is not. */
static ta_status prove(ta_shrink *s, bool *same, ta_error *error) {
  ta_model *model = NULL;
  ta_same proof = {0};
  ta_status status =
      ta_model_open(&s->region.allocator, s->attempt.file, s->attempt.file_len, NULL, &model, error);
  if (!status) status = ta_verify_same(&s->region.allocator, model, s->model, &proof, error);
  ta_model_free(model);
  if (status) return status;
  *same = proof.answer == TA_SAME;
  if (*same) return TA_OK;
  return ta_problem_add(&s->problems, &s->region, "not-proved", TA_NO_INDEX, proof.old_node, TA_NO_INDEX,
                        error, "a rewriting is not proved to compute the same, so it is not written: %s",
                        proof.text);
}

/* Whether an arena is better than the best: smaller; with a budget, one that fits it before one that does
 * not, and of those that fit the one that adds fewer multiply-accumulates. */
static bool is_better(const ta_shrink *s) {
  bool first = s->best_way == TA_NO_INDEX;
  uint64_t needs = ta_attempt_needs(&s->attempt.size);
  uint64_t best = ta_attempt_needs(first ? &s->before : &s->best.size);
  uint64_t macs = s->ways[s->next_way].extra_macs, best_macs = first ? 0 : s->ways[s->best_way].extra_macs;
  if (first && s->options.force) return true;
  if (first && needs >= best) return false;
  if (!has_budget(s)) return needs < best;
  bool fits = needs <= s->options.budget_bytes, fitted = best <= s->options.budget_bytes;
  if (fits != fitted) return fits;
  return fits && macs != best_macs ? macs < best_macs : needs < best;
}

/* The attempt becomes the best one where it is better than that, and than the model. */
static ta_status judge(ta_shrink *s, ta_error *error) {
  bool same = false;
  uint64_t needs = ta_attempt_needs(&s->attempt.size);
  bool over = has_budget(s) && !s->windows_text && s->ways[s->next_way].n_windows > 0 &&
              needs > s->options.budget_bytes;
  ta_status status = is_better(s) ? prove(s, &same, error) : TA_OK;
  if (status) return status;
  if (same) {
    ta_attempt_free(&s->best);
    s->best = s->attempt;
    s->best_way = s->next_way;
    s->attempt = (ta_attempt){0};
  } else {
    ta_attempt_free(&s->attempt);
  }
  s->next_way++;
  return over ? retry(s, needs, error) : TA_OK;
}

static ta_status write_next(ta_shrink *s, uint64_t max_nodes, ta_error *error) {
  bool done = false;
  ta_status status = TA_OK;
  if (!s->listed) status = list_ways(s, error);
  if (!status && s->next_way == s->n_ways) s->stage = TA_STAGE_DONE;
  if (status || s->stage == TA_STAGE_DONE) return status;
  if (!s->attempt.file) {
    ta_attempt_options options = attempt_options(s);
    status =
        ta_attempt_start(&s->attempt, &s->region.allocator, &options, &s->ways[s->next_way].draft, error);
  }
  if (!status) status = ta_attempt_step(&s->attempt, max_nodes, &done, error);
  return !status && done ? judge(s, error) : status;
}

/* ---- the steps ---- */

ta_status ta_shrink_step(ta_shrink *s, uint64_t max_nodes, uint32_t *done, ta_error *error) {
  ta_status status = TA_OK;
  switch (s->stage) {
  case TA_STAGE_ORDER:
    status = find_order(s, max_nodes, error);
    break;
  case TA_STAGE_SEARCH:
    status = search(s, max_nodes, error);
    break;
  case TA_STAGE_WRITE:
    status = write_next(s, max_nodes, error);
    break;
  case TA_STAGE_DONE:
    break;
  }
  *done = s->stage == TA_STAGE_DONE;
  return status;
}

/* ---- what came of it ---- */

const uint8_t *ta_shrink_file(const ta_shrink *s, size_t *len) {
  bool written = s->stage == TA_STAGE_DONE && s->best_way != TA_NO_INDEX;
  *len = written ? s->best.file_len : 0;
  return written ? s->best.file : NULL;
}

uint64_t ta_copied_bytes(const ta_shrink *s) {
  if (s->best_way == TA_NO_INDEX) return 0;
  const ta_draft *draft = &s->ways[s->best_way].draft;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    if (draft->ops[i].node != TA_NO_INDEX) continue;
    bytes += ta_draft_bytes(draft, ta_draft_outputs(draft, i)[0]);
  }
  return bytes;
}

void ta_shrink_figures(const ta_shrink *s, ta_shrink_outcome *out) {
  bool written = s->best_way != TA_NO_INDEX;
  *out = (ta_shrink_outcome){.before = s->before,
                             .after = written ? s->best.size : s->before,
                             .nodes = s->chooser.nodes,
                             .macs = s->costs.model_macs,
                             .copied_bytes = ta_copied_bytes(s)};
  if (written) out->extra_macs = s->ways[s->best_way].extra_macs;
}

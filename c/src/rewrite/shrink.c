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

static ta_status check_model(const ta_shrink *s, ta_error *error) {
  const ta_model *model = s->model;
  if (model->kind != TA_KIND_TFLITE)
    return ta_fail(error, TA_E_UNSUPPORTED, "only a .tflite model can be rewritten: open one");
  if (s->options.steps == 0 || s->options.steps > TA_SHRINK_ALL)
    return ta_fail(error, TA_E_ARGUMENT, "the steps are a set of 1 to 15, not %u", s->options.steps);
  if (s->options.budget_bytes > TA_MAX_BYTES && s->options.budget_bytes != TA_NO_OFFSET)
    return ta_fail(error, TA_E_ARGUMENT, "a budget of %U bytes is larger than any arena",
                   s->options.budget_bytes);
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
  s->best_draft = TA_NO_INDEX;
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
  ta_draft_of_model(&s->base, NULL);
  if (s->options.steps & TA_SHRINK_FOLD) s->n_folded = ta_fold(&s->base, s->folded, &s->region);
  s->cuts = TA_TAKE(&s->region, s->base.n_ops, ta_cut);
  if (!s->cuts || s->base.failed) return ta_fail_memory(error);
  for (uint32_t i = 0; i < s->base.n_ops; i++) ta_cut_read(&s->base, i, s->options.kernels, &s->cuts[i]);
  bool taken = ta_valuer_init(&s->valuer, &s->costs, &s->base, s->cuts, &s->region);
  s->stage = TA_STAGE_SEARCH;
  return taken ? TA_OK : ta_fail_memory(error);
}

/* ---- windows ---- */

static ta_status take_given(ta_shrink *s, ta_error *error) {
  ta_window_choice *given;
  uint32_t n;
  ta_status status = ta_windows_read(s->windows_text, &s->base, &s->region, &given, &n, error);
  if (status) return status;
  s->taken = TA_TAKE(&s->region, n, ta_candidate);
  if (!s->taken) return ta_fail_memory(error);
  for (uint32_t k = 0; k < n; k++) {
    ta_candidate *taken = &s->taken[s->n_taken];
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
  s->taken = s->chooser.chosen;
  s->n_taken = s->chooser.n_chosen;
  s->stage = TA_STAGE_WRITE;
  return TA_OK;
}

/* ---- what is tried ---- */

/* The base with the windows that were taken in strips. */
static bool make_strips(ta_shrink *s, ta_draft *draft) {
  uint32_t i = 0;
  ta_draft_init(draft, s->model, &s->region);
  for (uint32_t k = 0; k < s->n_taken; k++) {
    const ta_window_choice *choice = &s->taken[k].choice;
    for (; i < choice->first; i++) ta_draft_add_same(draft, &s->base, i);
    if (!ta_emit_window(&s->valuer.emitter, choice, draft)) return false;
    i = choice->last + 1;
  }
  for (; i < s->base.n_ops; i++) ta_draft_add_same(draft, &s->base, i);
  return !draft->failed;
}

/* Strips; without them; without anything but a plan. Only what differs from the one before. */
static ta_status make_drafts(ta_shrink *s, ta_error *error) {
  if (s->n_taken) {
    s->has_strips = true;
    if (!make_strips(s, &s->drafts[s->n_drafts++])) return ta_fail_memory(error);
  }
  if (s->windows_text) return TA_OK;
  s->drafts[s->n_drafts++] = s->base;
  if (s->n_folded == 0 && !s->order_changed) return TA_OK;
  ta_draft *plain = &s->drafts[s->n_drafts++];
  ta_draft_init(plain, s->model, &s->region);
  ta_draft_of_model(plain, NULL);
  return plain->failed ? ta_fail_memory(error) : TA_OK;
}

/* The attempt becomes the best one where it needs less than the best, and than the model. */
static void judge(ta_shrink *s) {
  bool first = s->best_draft == TA_NO_INDEX;
  uint64_t most = ta_attempt_needs(first ? &s->before : &s->best.size);
  bool gains = ta_attempt_needs(&s->attempt.size) < most || (first && s->options.force);
  if (gains) {
    ta_attempt_free(&s->best);
    s->best = s->attempt;
    s->best_draft = s->next_draft;
    s->attempt = (ta_attempt){0};
  } else {
    ta_attempt_free(&s->attempt);
  }
  s->next_draft++;
}

/* Nothing leaves unproved: another model than the old one in strips would be worse than none. */
static ta_status prove(const ta_shrink *s, ta_error *error) {
  ta_model *model = NULL;
  ta_same same;
  if (s->best_draft == TA_NO_INDEX) return TA_OK;
  ta_status status = ta_model_open(&s->region.allocator, s->best.file, s->best.file_len, NULL, &model, error);
  if (!status) status = ta_verify_same(&s->region.allocator, model, s->model, &same, error);
  ta_model_free(model);
  if (status || same.answer == TA_SAME) return status;
  return ta_fail_at(error, TA_E_UNSUPPORTED, same.subgraph, same.node, TA_NO_INDEX,
                    "the rewritten model cannot be proved to compute the same, so it is not written: %s",
                    same.text);
}

static ta_status write_next(ta_shrink *s, uint64_t max_nodes, ta_error *error) {
  bool done = false;
  ta_status status = TA_OK;
  if (s->n_drafts == 0) status = make_drafts(s, error);
  if (!status && s->next_draft == s->n_drafts) {
    status = prove(s, error);
    s->stage = TA_STAGE_DONE;
  }
  if (status || s->stage == TA_STAGE_DONE) return status;
  if (!s->attempt.file) {
    ta_attempt_options options = attempt_options(s);
    status = ta_attempt_start(&s->attempt, &s->region.allocator, &options, &s->drafts[s->next_draft], error);
  }
  if (!status) status = ta_attempt_step(&s->attempt, max_nodes, &done, error);
  if (!status && done) judge(s);
  return status;
}

/* ---- the steps ---- */

ta_status ta_shrink_step(ta_shrink *s, uint64_t max_nodes, uint32_t *done, ta_error *error) {
  ta_status status = TA_OK;
  switch (s->stage) {
  case TA_STAGE_ORDER:
    status = make_base(s, error);
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
  bool written = s->stage == TA_STAGE_DONE && s->best_draft != TA_NO_INDEX;
  *len = written ? s->best.file_len : 0;
  return written ? s->best.file : NULL;
}

uint64_t ta_copied_bytes(const ta_shrink *s) {
  if (s->best_draft == TA_NO_INDEX) return 0;
  const ta_draft *draft = &s->drafts[s->best_draft];
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    if (draft->ops[i].node != TA_NO_INDEX) continue;
    bytes += ta_draft_bytes(draft, ta_draft_outputs(draft, i)[0]);
  }
  return bytes;
}

void ta_shrink_figures(const ta_shrink *s, ta_shrink_outcome *out) {
  bool written = s->best_draft != TA_NO_INDEX;
  *out = (ta_shrink_outcome){.before = s->before,
                             .after = written ? s->best.size : s->before,
                             .nodes = s->chooser.nodes,
                             .macs = s->costs.model_macs,
                             .copied_bytes = ta_copied_bytes(s)};
  if (!written || !s->has_strips || s->best_draft != 0) return;
  for (uint32_t k = 0; k < s->n_taken; k++) out->extra_macs += (uint64_t)s->taken[k].value.macs;
}

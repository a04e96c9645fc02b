/* The short human answer: what, how much, which step and tensors make the peak, how far from the lower bound.
 */
#include "base/num.h"
#include "report/report.h"

enum { LISTED_PROBLEMS = 5 };

/* What is in the way: the peak, named above, or what TFLM keeps, where they are too large by themselves;
 * otherwise the buffer that the planner has put highest. Where the file gives places that break the rules,
 * the peak decides nothing. */
static void put_cause(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  uint32_t highest = ta_highest_buffer(report);
  uint64_t budget = report->planner->options.budget_bytes;
  uint64_t beside = s->head_bytes == TA_NO_OFFSET ? 0 : s->needed_bytes - s->head_bytes;
  bool given = !ta_is_bounded(s);
  if (beside > budget) {
    ta_text_format(out, "            Its cause is what TFLM keeps for good: no placing helps; see size\n");
    return;
  }
  bool peak_fits = report->peak.live_bytes + beside <= budget;
  if ((!peak_fits && !given) || highest == TA_NO_INDEX) {
    ta_text_format(out, "            Its cause is the peak at step %i: those tensors must lie side by side\n",
                   report->peak.step);
    return;
  }
  const ta_buffer *buffer = &report->planner->buffers[highest];
  ta_text_format(out, given ? "            Its cause is the file's own plan: "
                            : "            Its cause is the placing: ");
  ta_put_buffer_label(out, report->planner->model, buffer);
  ta_text_format(out, " reaches byte %G in steps %i to %i%s%s\n", buffer->offset + buffer->bytes,
                 ta_max_i32(buffer->first, 0), buffer->last, given ? "" : ", though the peak fits",
                 given || ta_planner_searches(report->planner->options.planner) ? ""
                                                                                : "; try --planner optimal");
}

static void put_undecided(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  uint64_t budget = report->planner->options.budget_bytes;
  if (s->status == TA_UNPLANNED) {
    ta_text_format(out, "not decided, nothing is placed yet\n");
  } else if (s->needed_bytes <= budget) {
    ta_text_format(out, "not decided, the figures above are %s\n",
                   ta_is_lower_bound(s) ? "lower bounds" : "not all that the runtime needs");
  } else {
    ta_text_format(
        out,
        "not decided within the node budget; the best plan so far is %G bytes too large. Give more --nodes\n",
        s->needed_bytes - budget);
    put_cause(out, report);
  }
}

static void put_budget(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  uint64_t budget = report->planner->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return;
  ta_text_format(out, "Budget      %G bytes: ", budget);
  if (s->fits == 0) {
    put_undecided(out, report);
  } else if (s->fits == 1) {
    ta_text_format(out, "fits, %G bytes left\n", budget - s->needed_bytes);
  } else {
    bool proved = ta_planner_searches(report->planner->options.planner);
    ta_text_format(out, "%s %G bytes short%s\n", proved ? "no plan fits, at least" : "does not fit,",
                   ta_shortfall(report), ta_is_lower_bound(s) && !proved ? " or more" : "");
    put_cause(out, report);
  }
}

/* What a list's own plan could be instead. */
static void put_better(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  if (s->better_bytes == TA_NO_OFFSET) return;
  const char *or_fewer = s->better_bytes == s->lower_bound_bytes ? "" : " or fewer";
  ta_text_format(out, "Optimal     %G bytes%s", s->better_bytes, or_fewer);
  if (s->status == TA_UNSOUND) {
    ta_text_format(out, ", and sound");
  } else {
    ta_text_format(out, "; yours %G", s->arena_bytes);
  }
  ta_text_format(out, ": --planner optimal plans anew\n");
}

static void put_problems(ta_text *out, const ta_problems *problems, uint32_t *listed) {
  for (const ta_problem *p = problems->first; p && *listed < LISTED_PROBLEMS; p = p->next, (*listed)++) {
    ta_text_format(out, "Problem     %T\n", &p->text);
  }
}

static void put_title(ta_text *out, const ta_report *report) {
  const ta_planner *planner = report->planner;
  bool own_offsets = planner->model->kind == TA_KIND_CSV && planner->options.planner == TA_PLANNER_OWN;
  ta_text_format(
      out, "%T  (%s, %s", &planner->model->name, ta_word_name(TA_WORDS_RUNTIME, planner->options.runtime),
      own_offsets ? "its own offsets" : ta_word_for_people(TA_WORDS_PLANNER, planner->options.planner));
  if (planner->traits->whole_model) {
    ta_text_format(out, "; %s, %s kernels", ta_word_name(TA_WORDS_TARGET, planner->options.target),
                   ta_word_name(TA_WORDS_KERNELS, planner->options.kernels));
  } else if (planner->model->n_subgraphs > 1) {
    ta_text_format(out, ", subgraph %u of %u", planner->options.subgraph, planner->model->n_subgraphs);
  }
  ta_text_format(out, ")\n");
}

/* TFLM: all that its arena must hold. */
static void put_whole(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  bool searched = ta_planner_searches(report->planner->options.planner);
  if (s->status == TA_UNPLANNED) {
    ta_text_format(out, "Arena       not known before the plan is executed\n");
  } else if (s->head_bytes == TA_NO_OFFSET) {
    ta_text_format(out, "Arena       not known: this plan cannot be written into the file\n");
  } else if (s->min_arena_bytes == TA_NO_OFFSET) {
    ta_text_format(
        out,
        "Arena       %s%G bytes are in use; the smallest arena that AllocateTensors accepts is not known "
        "for the linear planner\n",
        ta_at_least(s), s->needed_bytes);
  } else {
    ta_text_format(out, "Arena       %s%G bytes, aligned to %u%s%s\n", ta_at_least(s), s->min_arena_bytes,
                   s->arena_alignment,
                   ta_is_lower_bound(s) ? ", and what is not known"
                                        : ": the smallest that AllocateTensors accepts",
                   searched ? ", once this plan is in the file" : "");
  }
}

/* The planned part: under tflm the head, for the others the whole. */
static void put_planned(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  bool tflm = report->planner->traits->whole_model;
  ta_text_format(out, "%s       %s%G bytes", tflm ? "Head " : "Arena", ta_at_least(s), s->arena_bytes);
  if (!tflm) ta_text_format(out, ", aligned to %u", s->arena_alignment);
  ta_text_format(out, ": ");
  ta_put_verdict(out, s);
  ta_text_format(out, "\n            ");
  ta_put_peak_sentence(out, &report->peak);
  ta_text_format(out, "\n");
  if (tflm && s->head_bytes != TA_NO_OFFSET && s->head_bytes != s->arena_bytes)
    ta_text_format(out,
                   "            In the file the head is %G bytes: TFLM places the scratch buffers itself\n",
                   s->head_bytes);
  if (tflm && s->tail_bytes != TA_NO_OFFSET)
    ta_text_format(out, "Tail        %s%G bytes: what TFLM keeps for good; size itemises it\n",
                   ta_at_least(s), s->tail_bytes);
}

void ta_write_plan_text(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  const ta_summary *s = &report->summary;
  out->escape = ta_escape_hidden;
  put_title(out, report);
  if (planner->traits->whole_model) put_whole(out, report);
  put_planned(out, report);
  if (s->persistent_bytes)
    ta_text_format(out, "Persistent  %G bytes in an arena of their own\n", s->persistent_bytes);
  if (s->constant_bytes)
    ta_text_format(out, "Constants   %G bytes, kept in the model and not in the arena\n", s->constant_bytes);
  put_better(out, report);
  put_budget(out, report);
  if (ta_is_lower_bound(s)) {
    ta_text_format(out, "Unknown     ");
    ta_put_unknown(out, s);
    ta_text_format(out, ": what they need is in no figure\n");
  }
  size_t before = out->len;
  ta_text_format(out, "Not counted ");
  if (ta_put_not_counted(out, report)) {
    ta_text_format(out, "\n");
  } else {
    out->len = before;
  }
  uint32_t listed = 0;
  put_problems(out, &planner->model->problems, &listed);
  put_problems(out, &planner->problems, &listed);
  uint32_t all = planner->model->problems.count + planner->model->problems.more + planner->problems.count +
                 planner->problems.more;
  if (all > listed) ta_text_format(out, "            and %u more: see --format json\n", all - listed);
}

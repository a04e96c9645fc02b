/* The short human answer: what, how much, which step and tensors make the peak, how far from the lower bound.
 */
#include "base/num.h"
#include "report/report.h"

enum { LISTED_PROBLEMS = 5 };

/* What is in the way: the peak, named above, where it is too large by itself; otherwise the buffer that the
 * planner has put highest. Where the file gives places that break the rules, the peak decides nothing. */
static void put_cause(ta_text *out, const ta_report *report) {
  uint32_t highest = ta_highest_buffer(report);
  bool given = !ta_is_bounded(&report->summary);
  bool peak_fits = report->peak.live_bytes <= report->planner->options.budget_bytes;
  if ((!peak_fits && !given) || highest == TA_NO_INDEX) {
    ta_text_format(out, "            Its cause is the peak at step %i: those tensors must lie side by side\n",
                   report->peak.step);
    return;
  }
  const ta_buffer *buffer = &report->planner->buffers[highest];
  ta_text_format(out, given ? "            Its cause is the file's offline plan: "
                            : "            Its cause is the placing: ");
  ta_put_buffer_label(out, report->planner->model, buffer);
  bool optimal = report->planner->options.planner == TA_PLANNER_OPTIMAL;
  ta_text_format(out, " reaches byte %G in steps %i to %i%s%s\n", buffer->offset + buffer->bytes,
                 ta_max_i32(buffer->first, 0), buffer->last, given ? "" : ", though the peak fits",
                 given || optimal ? "" : "; try --planner optimal");
}

static void put_budget(ta_text *out, const ta_report *report) {
  uint64_t budget = report->planner->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return;
  const ta_summary *s = &report->summary;
  ta_text_format(out, "Budget      %G bytes: ", budget);
  if (s->fits == 0) {
    ta_text_format(
        out,
        "not decided within the node budget; the best plan so far is %G bytes too large. Give more --nodes\n",
        s->arena_bytes > budget ? s->arena_bytes - budget : 0);
    put_cause(out, report);
  } else if (s->fits == 1) {
    ta_text_format(out, "fits, %G bytes left\n", budget - s->arena_bytes);
  } else {
    bool proved = report->planner->options.planner == TA_PLANNER_OPTIMAL;
    ta_text_format(out, "%s %G bytes short\n", proved ? "no plan fits, at least" : "does not fit,",
                   ta_shortfall(report));
    put_cause(out, report);
  }
}

static void put_problems(ta_text *out, const ta_problems *problems, uint32_t *listed) {
  for (const ta_problem *p = problems->first; p && *listed < LISTED_PROBLEMS; p = p->next, (*listed)++) {
    ta_text_format(out, "Problem     %T\n", &p->text);
  }
}

void ta_write_plan_text(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  const ta_summary *s = &report->summary;

  ta_text_format(out, "%T  (%s, %s", &planner->model->name,
                 ta_word_name(TA_WORDS_RUNTIME, planner->options.runtime),
                 ta_word_for_people(TA_WORDS_PLANNER, planner->options.planner));
  bool tflm = planner->traits->whole_model;
  if (planner->model->n_subgraphs > 1 && !tflm) {
    ta_text_format(out, ", subgraph %u of %u", planner->options.subgraph, planner->model->n_subgraphs);
  }
  ta_text_format(out, ")\n%s       %s%G bytes, aligned to %u: ", tflm ? "Head " : "Arena",
                 s->unknown_sizes ? "at least " : "", s->arena_bytes, s->arena_alignment);
  ta_put_verdict(out, s);
  ta_text_format(out, "\n            ");
  ta_put_peak_sentence(out, &report->peak);
  ta_text_format(out, "\n");
  if (tflm) {
    ta_text_format(out,
                   "Tail        not counted here: what TFLM keeps for good; size tells the whole arena\n");
  }
  if (s->persistent_bytes)
    ta_text_format(out, "Persistent  %G bytes in an arena of their own\n", s->persistent_bytes);
  if (s->constant_bytes)
    ta_text_format(out, "Constants   %G bytes, kept in the model and not in the arena\n", s->constant_bytes);
  put_budget(out, report);
  if (s->unknown_sizes) {
    ta_text_format(out, "Unknown     %u tensor%s without a known size: the figures are lower bounds\n",
                   s->unknown_sizes, s->unknown_sizes == 1 ? "" : "s");
  }
  uint32_t listed = 0;
  put_problems(out, &planner->model->problems, &listed);
  put_problems(out, &planner->problems, &listed);
  uint32_t all = planner->model->problems.count + planner->model->problems.more + planner->problems.count +
                 planner->problems.more;
  if (all > listed) ta_text_format(out, "            and %u more: see --format json\n", all - listed);
}

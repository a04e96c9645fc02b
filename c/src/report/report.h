/* What the writers of a plan share: the plan with its summary at hand, the names of buffers and steps, and
 * the buffers that make the peak. A format is a file with one function and its row in report.c. */
#ifndef TA_REPORT_REPORT_H
#define TA_REPORT_REPORT_H

#include "measure/others.h"
#include "planner/planner.h"
#include "report/peak.h"

typedef struct ta_report {
  const ta_planner *planner;
  ta_summary summary;
  ta_peak peak;
  ta_others others; /* arenas that the runtime has beside this one */
} ta_report;

void ta_write_plan_json(const ta_report *report, ta_text *out);
void ta_write_plan_text(const ta_report *report, ta_text *out);
void ta_write_plan_csv(const ta_report *report, ta_text *out);
void ta_write_plan_c(const ta_report *report, ta_text *out);
void ta_write_plan_svg(const ta_report *report, ta_text *out);

/* Whether the buffer has its place because it was given, by the list or by a call. */
bool ta_is_bound(const ta_planner *planner, const ta_buffer *buffer);

/* The node a step executes, or NULL where the step is no node. */
const ta_node *ta_step_node(const ta_planner *planner, int32_t step, uint32_t *index);

/* How many bytes a plan that does not fit the budget (summary.fits is 2) has too many: at least so many, when
 * it is optimal's. */
uint64_t ta_shortfall(const ta_report *report);

/* The placed buffer that reaches highest (equal: lowest index first); TA_NO_INDEX when none does. */
uint32_t ta_highest_buffer(const ta_report *report);

/* Whether the lower bound bounds this plan: one that the file gives may break the rules. */
static inline bool ta_is_bounded(const ta_summary *summary) {
  return summary->status != TA_OVERLAPPING && summary->status != TA_UNDECIDED &&
         summary->status != TA_UNSOUND;
}

/* Whether the figures are lower bounds, and the words for it: "at least " or nothing. */
bool ta_is_lower_bound(const ta_summary *summary);
const char *ta_at_least(const ta_summary *summary);

/* What makes them so: "2 tensors without a known size and 1 operator that is not covered". */
void ta_put_unknown(ta_text *out, const ta_summary *summary);

/* How far the plan is above the lower bound, in tenths of a per cent, rounded half up; TA_NO_OFFSET where
 * nothing is claimed. */
uint64_t ta_tenths_above_bound(const ta_summary *summary);

/* How the plan stands to the smallest possible one: "smallest possible: ...", "1,024 bytes (1.9 %) above
 * ...". */
void ta_put_verdict(ta_text *out, const ta_summary *summary);

/* What the figures depend on: "runtime tflm, target cortex-m, kernels reference, planner own, tensor-arena
 * 0.2.0". */
void ta_put_basis(ta_text *out, const ta_report *report);

/* What the runtime takes that is in no figure: one sentence, without a full stop; nothing where all is
 * counted. */
bool ta_put_not_counted(ta_text *out, const ta_report *report);

#endif

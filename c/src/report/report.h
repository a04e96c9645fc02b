/* What the writers of a plan share: the plan with its summary at hand, the names of buffers and steps, and
 * the buffers that make the peak. A format is a file with one function and its row in report.c. */
#ifndef TA_REPORT_REPORT_H
#define TA_REPORT_REPORT_H

#include "planner/planner.h"

typedef struct ta_report {
  const ta_planner *planner;
  ta_summary summary;
  uint32_t *at_peak; /* rw buffers live at the peak step, largest first (equal: lower index first) */
  uint32_t n_at_peak;
} ta_report;

void ta_write_plan_json(const ta_report *report, ta_text *out);
void ta_write_plan_text(const ta_report *report, ta_text *out);
void ta_write_plan_csv(const ta_report *report, ta_text *out);
void ta_write_plan_c(const ta_report *report, ta_text *out);
void ta_write_plan_svg(const ta_report *report, ta_text *out);

/* Whether the buffer takes bytes of the rw arena (it may not have its place yet). */
bool ta_in_rw_arena(const ta_buffer *buffer);

/* The alignment of the buffer's offset, bytes. */
uint64_t ta_buffer_alignment(const ta_report *report, const ta_buffer *buffer);

/* The tensor's name or the row's id; empty for scratch. */
ta_str ta_buffer_name(const ta_planner *planner, const ta_buffer *buffer);

/* "conv1/out" (shortened when long), "tensor 14" when it has no name, "scratch of CONV_2D #2". */
void ta_put_buffer_label(ta_text *out, const ta_planner *planner, const ta_buffer *buffer);

/* The node a step executes, or NULL where the step is no node. */
const ta_node *ta_step_node(const ta_planner *planner, int32_t step, uint32_t *index);

/* " (CONV_2D #2)", or nothing where the step is no node. */
void ta_put_step_operator(ta_text *out, const ta_planner *planner, int32_t step);

/* Digits in groups of three: 55,296. */
void ta_put_grouped(ta_text *out, uint64_t value);

/* One sentence that can be pasted into a ticket: what the peak is made of and at which step. */
void ta_put_peak_sentence(ta_text *out, const ta_report *report);

/* How the plan stands to the smallest possible one: "smallest possible: ...", "1,024 bytes (1.9 %) above
 * ...". */
void ta_put_verdict(ta_text *out, const ta_summary *summary);

#endif

/* The step at which the most bytes are live, and what they belong to. */
#ifndef TA_REPORT_PEAK_H
#define TA_REPORT_PEAK_H

#include "report/names.h"

typedef struct ta_peak {
  const ta_model *model;
  const ta_buffer *buffers;
  const ta_node *node; /* what the step executes; NULL: no node */
  uint32_t node_index;
  int32_t step;
  uint64_t live_bytes;
  uint32_t *at; /* rw buffers live at the step, largest first (equal: lower index first) */
  uint32_t n;
} ta_peak;

/* The node that a step executes; NULL where it is none. `timeline` may be NULL (buffer lists). */
const ta_node *ta_timeline_node(const ta_model *model, const ta_step *timeline, int32_t n_steps, int32_t step,
                                uint32_t *index);

/* Fills `at` and `n` from the rest of *peak; from `region`. Errors: MEMORY. */
ta_status ta_peak_list(ta_peak *peak, uint32_t n_buffers, ta_region *region, ta_error *error);

/* One sentence that can be pasted into a ticket: what the peak is made of and at which step. */
void ta_put_peak_sentence(ta_text *out, const ta_peak *peak);

#endif

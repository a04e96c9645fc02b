/* What an offline plan lays over each other, which TFLM does not check. */
#ifndef TA_PLANNER_TFLM_OVERLAPS_H
#define TA_PLANNER_TFLM_OVERLAPS_H

#include "planner/greedy.h"
#include "planner/tflm_plan.h"

/* The buffers of a plan as parties, one each. A variable lives always, whatever life TFLM gives it. Errors:
 * MEMORY. */
ta_status ta_tflm_make_parties(const ta_tflm_plan *plan, ta_party *parties, const ta_allocator *allocator,
                               ta_error *error);

/* Items that have been placed: item k is buffer buffer_of[k]. */
typedef struct ta_tflm_placed {
  const ta_tflm_plan *plan;
  const ta_greedy_item *items;
  const uint32_t *buffer_of;
  uint32_t n;
  const ta_party *parties; /* by buffer */
} ta_tflm_placed;

/* *worst: what the overlaps mean, those of a variable with what comes before and after its uses among them.
 * `problems` (with their region; may be NULL) gets for each item the worst one. O(n log n). Errors: MEMORY.
 */
ta_status ta_tflm_find_overlaps(const ta_tflm_placed *placed, const ta_allocator *allocator,
                                ta_problems *problems, ta_region *region, ta_overlap *worst, ta_error *error);

#endif

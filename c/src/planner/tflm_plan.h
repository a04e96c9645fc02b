/* What TensorFlow Lite Micro hands its memory planner: every tensor that needs a place and every scratch
 * buffer, of all subgraphs together. The planner rows and the size report both stand on it. */
#ifndef TA_PLANNER_TFLM_PLAN_H
#define TA_PLANNER_TFLM_PLAN_H

#include "graph/ethos_u.h"
#include "graph/lives_tflm.h"
#include "kernels/kernels.h"

#define TA_TFLM_ALIGNMENT 16u

typedef struct ta_tflm_plan {
  const ta_model *model;
  ta_needs needs;
  ta_buffer *buffers; /* tensors, flat, then scratch in the order of the requests */
  uint32_t n_buffers, n_tensors;
  uint32_t *scratch_of; /* flat node i's scratch buffers: scratch_of[i] .. scratch_of[i + 1], from 0 */
  bool *reached;        /* per subgraph: an invocation can come to it */
  uint32_t *turns;      /* by buffer: ta_tflm_place fills in when each was placed, from 1; may be NULL */
  const ta_step *timeline;
  int32_t n_steps;
} ta_tflm_plan;

/* The buffers: bytes, kind, type, arena, in_plan. From `region`, like all that *out holds. Errors: those of
 * ta_needs_run; REFUSED (a type that TFLM has no size for). */
ta_status ta_tflm_make_buffers(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                               ta_tflm_plan *out, ta_error *error);

/* The buffers' lives, and the timeline. Errors: those of ta_tflm_lives. */
ta_status ta_tflm_make_lives(ta_tflm_plan *plan, ta_region *region, ta_error *error);

/* Rounds bytes up and decides which buffers are planned, from their present bytes and types. Errors: LIMIT (a
 * buffer past TFLM's 32-bit offsets). */
ta_status ta_tflm_refresh(ta_tflm_plan *plan, ta_error *error);

/* The offset that the file's offline plan gives a flat tensor; -1: none, it is placed at run time. */
int32_t ta_tflm_offline_offset(const ta_model *model, uint32_t tensor);

/* LIMIT where a buffer's place ends past TFLM's 32-bit offsets. */
ta_status ta_tflm_check_end(const ta_buffer *buffer, uint64_t end, ta_error *error);

/* REFUSED when the linear planner meets an offline plan or more than 1024 buffers; LIMIT past 32 bits. */
ta_status ta_tflm_check_linear(const ta_tflm_plan *plan, ta_error *error);

/* Places all buffers as TFLM's own planner does. An offset below 0 is left out of the buffer, which then has
 * none. *worst: what it means that an offline plan lays buffers over each other while both live, or over a
 * variable. `problems` (with their region; may be NULL) gets what TFLM does not check. Errors: LIMIT, MEMORY.
 */
ta_status ta_tflm_place(ta_tflm_plan *plan, const ta_allocator *allocator, ta_problems *problems,
                        ta_region *region, uint64_t *arena_bytes, ta_overlap *worst, ta_error *error);

/* Lists what the user should know about the model under TFLM. After ta_tflm_make_lives. */
ta_status ta_tflm_report_problems(const ta_tflm_plan *plan, ta_problems *problems, ta_region *region,
                                  ta_error *error);

#endif

/* What a model's operators and tensors cost under TFLM, for whoever weighs rewritings against each other. */
#ifndef TA_REWRITE_COSTS_H
#define TA_REWRITE_COSTS_H

#include "planner/tflm_plan.h"
#include "rewrite/draft.h"

typedef struct ta_costs {
  const ta_model *model;
  ta_needs needs;
  uint64_t *tensor_bytes; /* of each tensor of subgraph 0, rounded up; 0 where it is not planned */
  uint64_t *extra;        /* while a node runs: scratch, and what the subgraphs hold that it calls */
  uint64_t *tail;         /* what a node takes for good */
  uint64_t *macs;         /* multiply-accumulates of a node ... */
  uint64_t *pixel_macs;   /* ... and for one pixel of the output (TRANSPOSE_CONV: of the input) */
  uint64_t model_macs;    /* of subgraph 0 */
  uint64_t slice_tail, pad_tail, concatenation_tail; /* of an added operator */
  uint64_t tensor_tail;                              /* of any tensor, constants too */
} ta_costs;

/* From `region`. Errors: those of ta_tflm_make_buffers and ta_tflm_make_lives. */
ta_status ta_costs_make(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                        ta_costs *out, ta_error *error);

/* Bytes of a file's tensor or a piece of a draft, before they are rounded up. */
uint64_t ta_draft_bytes(const ta_draft *draft, int32_t reference);

/* Bytes of a piece, as TFLM plans them. */
uint64_t ta_piece_bytes(const ta_model *model, const ta_draft_piece *piece);

/* A draft's operator: what it takes for good (its tensors aside), and its multiply-accumulates. */
uint64_t ta_draft_op_tail(const ta_costs *costs, const ta_draft_op *op);
uint64_t ta_draft_op_macs(const ta_costs *costs, const ta_draft *draft, uint32_t op);
/* While it runs, beside its tensors. */
uint64_t ta_draft_op_extra(const ta_costs *costs, const ta_draft *draft, uint32_t op);

#endif

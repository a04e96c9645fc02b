/* A draft as a file, and what it needs: with TFLM's own planner, and with the smallest plan in the file. */
#ifndef TA_REWRITE_ATTEMPT_H
#define TA_REWRITE_ATTEMPT_H

#include "rewrite/draft.h"

typedef struct ta_attempt_options {
  uint32_t target, kernels;
  uint64_t plan_nodes; /* 0: no plan is tried */
  bool covered;        /* the bookkeeping of all operators is known */
} ta_attempt_options;

typedef struct ta_attempt {
  ta_allocator allocator;
  ta_attempt_options options;
  uint8_t *file; /* the file, and what it needs */
  size_t file_len;
  ta_size size;
  bool planned, proved; /* a plan is in it; no head can be smaller */

  ta_model *model; /* of the file without a plan, while one is searched for */
  ta_planner *planner;
  uint64_t nodes;
} ta_attempt;

/* Writes and measures the draft's file. To be given to ta_attempt_free whatever comes. */
ta_status ta_attempt_start(ta_attempt *attempt, const ta_allocator *allocator,
                           const ta_attempt_options *options, const ta_draft *draft, ta_error *error);

/* Searches for the smallest plan, at most `max_nodes` nodes of it; *done: the attempt is what it can be. */
ta_status ta_attempt_step(ta_attempt *attempt, uint64_t max_nodes, bool *done, ta_error *error);

void ta_attempt_free(ta_attempt *attempt);

/* What an arena must have at least. */
uint64_t ta_attempt_needs(const ta_size *size);

/* Measures a file that is there. */
ta_status ta_measure_file(const ta_allocator *allocator, ta_bytes file, const ta_attempt_options *options,
                          ta_size *out, ta_error *error);

#endif

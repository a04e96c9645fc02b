/* Lifetimes as TensorFlow Lite Micro counts them: one counter over all subgraphs, in the order in which an
 * invocation enters them. */
#ifndef TA_GRAPH_LIVES_TFLM_H
#define TA_GRAPH_LIVES_TFLM_H

#include "graph/graph.h"

/* What one walk may touch, steps and entries of tensor lists together: this much, and so many times what a
 * walk over each subgraph once would. TFLM walks a subgraph again at every call, so that a small file in
 * which each subgraph calls the next one twice needs 2^n steps. */
#define TA_TFLM_SPARE_VISITS (UINT64_C(1) << 20)
#define TA_TFLM_WALKS        UINT64_C(16)

typedef struct ta_life {
  int32_t first, last; /* both included; -1: never */
} ta_life;

/* What to walk: flat tensor t of subgraph g is tensor_base[g] + t; scratch buffers of flat node i are
 * scratch_of[i] .. scratch_of[i + 1]. */
typedef struct ta_tflm_walk {
  const ta_model *model;
  const uint32_t *tensor_base, *node_base;
  const uint32_t *scratch_of;
  ta_life *tensors; /* filled */
  ta_life *scratch; /* filled */
  bool *reached;    /* per subgraph, filled */
  /* The timeline, in the region: n_steps entries. */
  ta_step *steps;
  int32_t n_steps;
} ta_tflm_walk;

/* Works from subgraph 0. Tensors and scratch nobody touches stay [-1, -1]. Memory from `region` (results) and
 * a temporary region of `region`'s allocator. Errors: REFUSED (a subgraph that runs itself), INDEX (an absent
 * output), LIMIT (too many visits), MEMORY. */
ta_status ta_tflm_lives(ta_tflm_walk *walk, ta_region *region, ta_error *error);

#endif

/* When each tensor of a subgraph must have its place, under TensorFlow Lite's planner of January 2018. */
#ifndef TA_GRAPH_LIVES_2018_H
#define TA_GRAPH_LIVES_2018_H

#include "graph/by_step.h"
#include "graph/graph.h"

typedef struct ta_lives_2018 {
  uint32_t n_steps; /* the nodes; 1 when there are none, for the graph inputs */
  int32_t *first;   /* by tensor: the step that places it; -1: none does */
  int32_t *last;    /* the step that frees it; n_steps - 1 when none does; -1 with first */
  int32_t *reader;  /* the first node that reads it, or -1 */
  ta_by_step born;  /* what each step places, in the order of placing */
  ta_by_step dying; /* what each step frees, by index */
} ta_lives_2018;

/* A tensor is placed once, by the first step that has it as a temporary, as a graph input (step 0) or as an
 * output, in this order within a step; it is freed after the last step that uses it. Graph outputs, and what
 * no node reads, are never freed; temporaries always are. -1 is skipped everywhere but among temporaries.
 * Sizes and types are not looked at. All memory is the region's. O(tensors + listings).
 * Errors: INDEX (-1 among temporaries), MEMORY. */
ta_status ta_lives_2018_make(const ta_subgraph *graph, uint32_t subgraph, ta_region *region,
                             ta_lives_2018 *out, ta_error *error);

#endif

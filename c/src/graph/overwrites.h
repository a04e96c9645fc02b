/* What is lost where tensors use one another's bytes: a read that finds what another tensor has left there.
 */
#ifndef TA_GRAPH_OVERWRITES_H
#define TA_GRAPH_OVERWRITES_H

#include "base/error.h"
#include "graph/graph.h"

typedef struct ta_overwrite {
  uint32_t tensor; /* whose bytes are gone */
  uint32_t by;     /* the tensor that was written over them */
  int32_t written; /* the step that did */
  int32_t read;    /* the step that needs them; the number of steps: what comes after the run */
} ta_overwrite;

/* A run of one subgraph's nodes, step by step. */
typedef struct ta_shared_run {
  const ta_subgraph *graph;
  uint32_t subgraph;       /* its index: other steps touch nothing of it */
  const ta_step *timeline; /* n_steps entries */
  uint32_t n_steps;
  const uint32_t *root; /* by tensor: whose bytes it uses, or TA_NO_INDEX; a root has none */
  /* By tensor, all false before; NULL: every sharer is taken at its word. Set for one that comes into its
   * root's bytes in another way than by a node that works in place on them: it then counts as having bytes of
   * its own. */
  bool *apart;
} ta_shared_run;

/* Follows what each tensor's bytes hold: the graph's inputs and variables before the run, each node's inputs
 * read, then its temporaries and outputs written, outputs and variables read after the run. A view changes
 * nothing; what a node overwrites in place, it may itself read in operands over which it works in place.
 * Lists for each tensor the first read that finds it gone, in order of the steps; *losses has room for one a
 * tensor. O(tensors + listings). Errors: MEMORY. */
ta_status ta_find_overwrites(const ta_shared_run *run, const ta_allocator *allocator, ta_overwrite *losses,
                             uint32_t *count, ta_error *error);

#endif

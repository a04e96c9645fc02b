/* Whose bytes a node's output takes when its operator works in place. LiteRT's own rule lets a tensor be
 * overwritten that is still read; the sound rule shares where LiteRT does, less what would lose a byte. */
#ifndef TA_GRAPH_INPLACE_H
#define TA_GRAPH_INPLACE_H

#include "graph/graph.h"

#define TA_TO_THE_END INT32_MAX

/* What the rules look at, by tensor. */
typedef struct ta_uses {
  int32_t *first;   /* the first node that writes it; 0 for inputs and variables; -1 */
  int32_t *needed;  /* the last node that reads it, or TA_TO_THE_END; -1: nobody does */
  uint32_t *count;  /* listings as node input, graph input, graph output or variable */
  uint32_t *writes; /* listings as node output, temporary, graph input or variable */
  bool *graph_input, *graph_output, *held; /* held: a variable */
} ta_uses;

/* root[t] gets the tensor whose bytes t uses, or TA_NO_INDEX; roots have none. Where LiteRT shares, with
 * `buffers`' bytes and types as they are now. O(listings). */
void ta_share_as_litert(const ta_subgraph *graph, const ta_buffer *buffers, const ta_uses *uses,
                        uint32_t *root);

/* Likewise, but only where root and sharer have equal bytes in the rw arena, each is written by one node, and
 * nobody reads what the node overwrites, neither later nor in another operand at the same time. `until` (one
 * entry a tensor) is working space. */
void ta_share_soundly(const ta_subgraph *graph, const ta_buffer *buffers, const ta_uses *uses, uint32_t *root,
                      int32_t *until);

/* Whether the operator lets input number `input` lie in the bytes of output 0. */
static inline bool ta_works_in_place(const ta_node *node, uint32_t input) {
  return input < TA_SHARABLE_INPUTS && (node->inplace & TA_SHARE_0 << input) != 0;
}

#endif

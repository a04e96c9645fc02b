/* What buffers cover of a block of the list in offset order, by when they live. Stretches of time are the
 * leaves of a binary tree; for each of its nodes, a span says where the block's buffers that overlap one of
 * the node's stretches begin and end, and how large a gap there can be between them. A life that contains all
 * of a node's stretches has at least these buffers in its way: so its gaps in the block are no larger.
 *
 * Adding a buffer can only make gaps smaller or open one outside the span, so a span is kept an upper bound
 * in O(1), and worked out exactly only when a question is not content with it. */
#ifndef TA_ARENA_SPANS_H
#define TA_ARENA_SPANS_H

#include "arena/offset_list.h"

typedef struct ta_span {
  uint64_t low, high; /* the lowest offset and the largest end; low > high: no buffer */
  uint64_t gap;       /* no gap between low and high is larger */
  bool loose;         /* it may be smaller */
} ta_span;

/* Node 1 is the root, the leaf of stretch s is n_stretches + s. */
typedef struct ta_spans {
  ta_span at[1]; /* 2 * n_stretches */
} ta_spans;

/* NULL when there is no memory. */
ta_spans *ta_spans_take(ta_region *region, uint32_t n_stretches);

/* Works all nodes out from the block. */
void ta_spans_make(ta_spans *spans, const ta_offset_block *block, uint32_t n_stretches, uint32_t shift);

/* A buffer was added to the block. */
void ta_spans_add(ta_spans *spans, uint64_t offset, uint64_t end, int32_t first, int32_t last,
                  uint32_t n_stretches, uint32_t shift);

/* Works one node out from the block. */
void ta_span_tighten(ta_span *span, uint32_t node, const ta_offset_block *block, uint32_t n_stretches,
                     uint32_t shift);

/* The stretch of a step; the last one for all steps from there on. */
static inline uint32_t ta_stretch_of(int32_t step, uint32_t n_stretches, uint32_t shift) {
  uint32_t stretch = (uint32_t)step >> shift;
  return stretch < n_stretches ? stretch : n_stretches - 1;
}

/* A node all of whose stretches lie in first .. last, as large as there is; 0 when there is none. */
uint32_t ta_largest_node_within(int32_t first, int32_t last, uint32_t n_stretches, uint32_t shift);

#endif

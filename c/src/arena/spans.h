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

enum { TA_MOST_STRETCHES = 64 };

/* How steps fall into stretches: step >> shift, and the last stretch for all steps from there on. */
typedef struct ta_stretches {
  uint32_t n, shift;
} ta_stretches;

typedef struct ta_span {
  uint64_t low, high; /* the lowest offset and the largest end; low > high: no buffer */
  uint64_t gap;       /* no gap between low and high is larger */
  bool loose;         /* gap may be smaller than that */
} ta_span;

/* For one list. A question looks at one node, or at a few stretches, of all blocks: so these lie together.
 * Node 1 is the root, the leaf of stretch s is cut.n + s. */
typedef struct ta_spans {
  ta_region *region;
  ta_stretches cut;
  uint32_t capacity; /* block ids */
  ta_span *at;       /* node * capacity + id */
  uint64_t *begun;   /* stretch * capacity + id: the block's slots whose lives begin in it or before */
  uint64_t *over;    /* the slots whose lives end in it or before */
} ta_spans;

static inline ta_span *ta_span_at(const ta_spans *spans, uint32_t node, uint32_t id) {
  return &spans->at[(size_t)node * spans->capacity + id];
}

void ta_spans_init(ta_spans *spans, ta_stretches cut, ta_region *region);

/* Works everything out from the block, of which nothing need be known yet. O(slots * stretches). False: no
 * memory. */
bool ta_spans_make(ta_spans *spans, const ta_offset_block *block);

/* A buffer was added to a known block as that slot. */
void ta_spans_add(ta_spans *spans, const ta_offset_block *block, uint32_t slot);

/* Works one node's span out from the block. */
void ta_span_tighten(ta_spans *spans, uint32_t node, const ta_offset_block *block);

/* The slots whose lives overlap first .. last, with few of them looked at one by one. `id` is the block's. */
uint64_t ta_spans_live_slots(const ta_spans *spans, const ta_offset_block *block, uint32_t id, int32_t first,
                             int32_t last);

/* As few steps a stretch as at most `most` stretches (a power of two) allow. */
ta_stretches ta_stretches_for(int32_t steps, uint32_t most);

static inline uint32_t ta_stretch_of(ta_stretches stretches, int32_t step) {
  uint32_t stretch = (uint32_t)step >> stretches.shift;
  return stretch < stretches.n ? stretch : stretches.n - 1;
}

static inline int32_t ta_stretch_first(ta_stretches stretches, uint32_t stretch) {
  return (int32_t)(stretch << stretches.shift);
}

static inline int32_t ta_stretch_last(ta_stretches stretches, uint32_t stretch) {
  return stretch + 1 < stretches.n ? (int32_t)((stretch + 1) << stretches.shift) - 1 : INT32_MAX;
}

/* Nodes all of whose stretches lie in first .. last: as large a one as there is, and another as large as
 * there is among those without a stretch in common; 0 where there is none. */
void ta_largest_nodes_within(int32_t first, int32_t last, ta_stretches stretches, uint32_t nodes[2]);

#endif

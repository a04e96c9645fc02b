#include "arena/spans.h"

#include "base/num.h"

ta_spans *ta_spans_take(ta_region *region, uint32_t n_stretches) {
  return ta_region_take(region, 2 * (size_t)n_stretches, sizeof(ta_span));
}

static void clear(ta_span *span) {
  *span = (ta_span){UINT64_MAX, 0, 0, false};
}

static void add(ta_span *span, uint64_t offset, uint64_t end) {
  if (span->low > span->high) {
    *span = (ta_span){offset, end, 0, false};
    return;
  }
  if (end < span->low) span->gap = ta_max_u64(span->gap, span->low - end);
  if (offset > span->high) span->gap = ta_max_u64(span->gap, offset - span->high);
  span->low = ta_min_u64(span->low, offset);
  span->high = ta_max_u64(span->high, end);
}

/* Adds to every node that has a stretch of the life. */
static void add_to_all(ta_spans *spans, uint64_t offset, uint64_t end, int32_t first, int32_t last,
                       uint32_t n_stretches, uint32_t shift, bool loose) {
  uint32_t from = n_stretches + ta_stretch_of(first, n_stretches, shift);
  uint32_t to = n_stretches + ta_stretch_of(last, n_stretches, shift);
  for (; from >= 1; from /= 2, to /= 2) {
    for (uint32_t node = from; node <= to; node++) {
      add(&spans->at[node], offset, end);
      spans->at[node].loose |= loose;
    }
  }
}

void ta_spans_make(ta_spans *spans, const ta_offset_block *block, uint32_t n_stretches, uint32_t shift) {
  for (uint32_t node = 1; node < 2 * n_stretches; node++) clear(&spans->at[node]);
  for (uint32_t i = 0; i < block->n; i++) /* in offset order, so the gaps come out exactly */
    add_to_all(spans, block->offset[i], block->end[i], block->first[i], block->last[i], n_stretches, shift,
               false);
}

void ta_spans_add(ta_spans *spans, uint64_t offset, uint64_t end, int32_t first, int32_t last,
                  uint32_t n_stretches, uint32_t shift) {
  add_to_all(spans, offset, end, first, last, n_stretches, shift, true);
}

/* The first step and the last of a node's stretches. */
static void steps_of(uint32_t node, uint32_t n_stretches, uint32_t shift, int32_t *first, int32_t *last) {
  uint32_t from = node, to = node;
  while (from < n_stretches) {
    from = 2 * from;
    to = 2 * to + 1;
  }
  *first = (int32_t)((from - n_stretches) << shift);
  bool open = to - n_stretches == n_stretches - 1;
  *last = open ? INT32_MAX : (int32_t)((to - n_stretches + 1) << shift) - 1;
}

void ta_span_tighten(ta_span *span, uint32_t node, const ta_offset_block *block, uint32_t n_stretches,
                     uint32_t shift) {
  int32_t first, last;
  steps_of(node, n_stretches, shift, &first, &last);
  clear(span);
  for (uint64_t slots = ta_live_slots(block, first, last); slots; slots &= slots - 1)
    add(span, block->offset[ta_lowest_slot(slots)], block->end[ta_lowest_slot(slots)]);
}

uint32_t ta_largest_node_within(int32_t first, int32_t last, uint32_t n_stretches, uint32_t shift) {
  /* The stretches from `from` up to but not including `to` lie within. */
  uint32_t from = (uint32_t)(((uint64_t)(uint32_t)first + (UINT64_C(1) << shift) - 1) >> shift);
  uint32_t to = (uint32_t)(((uint64_t)(uint32_t)last + 1) >> shift);
  if (last == INT32_MAX || to > n_stretches) to = n_stretches;
  if (from >= to) return 0;
  /* The nodes that together make up the range, smallest first: the last one found is the largest. */
  uint32_t largest = 0;
  for (uint32_t low = n_stretches + from, high = n_stretches + to; low < high; low /= 2, high /= 2) {
    if (low & 1) largest = low++;
    if (high & 1) largest = --high;
  }
  return largest;
}

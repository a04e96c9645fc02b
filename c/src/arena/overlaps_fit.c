/* Where a buffer goes among those that overlap it in time. */
#include "arena/overlaps.h"
#include "base/num.h"

/* Alignments are powers of two, and offsets are far below 2^64. */
static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/* Behind everything, unless that passes the largest offset. */
static uint64_t at_the_end(uint64_t end, uint64_t bytes, uint64_t alignment) {
  uint64_t offset, unused;
  return ta_align_up(end, alignment, &offset) && ta_add(offset, bytes, &unused) ? offset : UINT64_MAX;
}

/* Buffers in offset order, `end` the largest end so far. The gap in front of one fits when the aligned end
 * and the bytes come no further than its offset. It is compared by its aligned bytes, but remembered by its
 * unaligned ones: so a later gap, as wide and with more of it lost to alignment, can still win. */
uint64_t ta_overlaps_best_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                              uint64_t alignment) {
  ta_overlap_scan scan = ta_overlap_begin(index, first, last, bytes);
  const ta_offset_block *block;
  uint64_t slots, end = 0, best = UINT64_MAX, offset = UINT64_MAX;
  while (ta_overlap_next(&scan, &block, &slots)) {
    end = ta_max_u64(end, scan.passed);
    for (; slots; slots &= slots - 1) {
      uint32_t slot = ta_lowest_slot(slots);
      uint64_t next = block->offset[slot], aligned = align_up(end, alignment);
      if (next >= aligned + bytes && next - aligned < best) {
        best = next - end;
        offset = aligned;
        if (best <= bytes) return offset; /* nothing that fits is below it */
      }
      end = ta_max_u64(end, block->end[slot]);
    }
  }
  end = ta_max_u64(end, scan.passed);
  return offset != UINT64_MAX ? offset : at_the_end(end, bytes, alignment);
}

uint64_t ta_overlaps_first_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                               uint64_t alignment) {
  ta_overlap_scan scan = ta_overlap_begin(index, first, last, bytes);
  const ta_offset_block *block;
  uint64_t slots, end = 0;
  while (ta_overlap_next(&scan, &block, &slots)) {
    end = ta_max_u64(end, scan.passed);
    for (; slots; slots &= slots - 1) {
      uint32_t slot = ta_lowest_slot(slots);
      uint64_t aligned = align_up(end, alignment);
      if (block->offset[slot] >= aligned + bytes) return aligned;
      end = ta_max_u64(end, block->end[slot]);
    }
  }
  end = ta_max_u64(end, scan.passed);
  return at_the_end(end, bytes, alignment);
}

/* Where a buffer goes among those that overlap it in time. */
#include "arena/overlaps.h"
#include "base/num.h"

/* The rules walk over the overlapping buffers in offset order, and `end` is the largest end so far. */
typedef struct fit_state {
  uint64_t bytes, alignment;
  bool lowest; /* the lowest gap; else the best */
  uint64_t end, best, offset;
} fit_state;

/* Alignments are powers of two, and offsets are far below 2^64. */
static inline uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/* There is a gap from fit->end to `next`. True: nothing that comes later can be chosen.
 *
 * It fits when the aligned end and the bytes come no further than `next`. The best gap is found by comparing
 * aligned bytes, but the best so far is remembered by its unaligned ones: so a later gap, as wide and with
 * more of it lost to alignment, can still win. */
static inline bool meet(fit_state *fit, uint64_t next) {
  uint64_t aligned = align_up(fit->end, fit->alignment);
  if ((next < aligned + fit->bytes) | (next - aligned >= fit->best)) return false; /* mostly */
  fit->best = next - fit->end;
  fit->offset = aligned;
  return fit->lowest || fit->best <= fit->bytes;
}

/* Through the live slots of a block. */
static inline bool walk_slots(fit_state *fit, const ta_offset_block *block, uint64_t slots) {
  uint64_t end = fit->end, bytes = fit->bytes;
  for (; slots; slots &= slots - 1) {
    uint32_t slot = ta_lowest_slot(slots);
    if (block->at[slot].offset >= end + bytes) {
      fit->end = end;
      if (meet(fit, block->at[slot].offset)) return true;
    }
    end = ta_max_u64(end, block->at[slot].end);
  }
  fit->end = end;
  return false;
}

/* Through the blocks of a scan. */
static bool walk_blocks(fit_state *fit, ta_overlap_scan *scan) {
  const ta_offset_block *block;
  uint64_t slots;
  while (ta_overlap_next(scan, &block, &slots)) {
    fit->end = ta_max_u64(fit->end, scan->passed);
    if (walk_slots(fit, block, slots)) return true;
  }
  fit->end = ta_max_u64(fit->end, scan->passed);
  return false;
}

/* The others of a stretch that overlap the life, copied to `out` in offset order, and UINT64_MAX behind.
 * Written without branches that depend on the lives: they would be guessed wrong half of the time. */
static void gather_others(const ta_stretch *stretch, int32_t first, int32_t last, ta_extent *out) {
  uint32_t n = 0;
  for (uint32_t o = 0; o < stretch->others.n_blocks; o++) {
    const ta_offset_block *block = stretch->others.blocks[o];
    for (uint32_t i = 0; i < block->n; i++) {
      out[n] = block->at[i];
      n += (block->life[i].first <= last) & (block->life[i].last >= first);
    }
  }
  out[n] = (ta_extent){UINT64_MAX, UINT64_MAX};
}

/* Through the gaps of a stretch, and what lies in those that are large enough. */
static bool walk_gaps(fit_state *fit, const ta_stretch *stretch, int32_t first, int32_t last,
                      ta_extent *scratch) {
  const ta_extent *other = scratch;
  gather_others(stretch, first, last, scratch);
  for (uint32_t o = 0; o < stretch->gaps.n_blocks; o++) {
    const ta_offset_block *gaps = stretch->gaps.blocks[o];
    for (uint32_t i = 0; i < gaps->n; i++) {
      uint64_t to = gaps->at[i].end;
      fit->end = gaps->at[i].offset;
      bool large = to - fit->end >= fit->bytes;
      for (; other->offset < to; other++) {
        if (!large) continue;
        if (meet(fit, other->offset)) return true;
        fit->end = ta_max_u64(fit->end, other->end);
      }
      if (to != UINT64_MAX && meet(fit, to)) return true;
    }
  }
  return false;
}

static uint64_t find(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes, uint64_t alignment,
                     bool lowest) {
  fit_state fit = {
      .bytes = bytes, .alignment = alignment, .lowest = lowest, .best = UINT64_MAX, .offset = UINT64_MAX};
  ta_overlap_scan scan = ta_overlap_begin(index, first, last, bytes);
  bool decided =
      scan.stretch ? walk_gaps(&fit, scan.stretch, first, last, index->scratch) : walk_blocks(&fit, &scan);
  if (decided || fit.offset != UINT64_MAX) return fit.offset;
  /* Behind everything, unless that passes the largest offset. */
  uint64_t offset, unused;
  return ta_align_up(fit.end, alignment, &offset) && ta_add(offset, bytes, &unused) ? offset : UINT64_MAX;
}

uint64_t ta_overlaps_best_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                              uint64_t alignment) {
  return find(index, first, last, bytes, alignment, false);
}

uint64_t ta_overlaps_first_fit(ta_overlaps *index, int32_t first, int32_t last, uint64_t bytes,
                               uint64_t alignment) {
  return find(index, first, last, bytes, alignment, true);
}

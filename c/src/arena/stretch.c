#include "arena/stretch.h"

static bool add_gap(ta_stretch *stretch, uint64_t from, uint64_t to) {
  ta_placed gap = {.offset = from, .end = to};
  ta_offset_block *block, *split;
  uint32_t slot;
  return ta_offset_list_add(&stretch->gaps, &gap, &block, &slot, &split);
}

bool ta_stretch_init(ta_stretch *stretch, int32_t first, int32_t last, ta_region *region) {
  stretch->first = first;
  stretch->last = last;
  ta_offset_list_init(&stretch->gaps, region);
  ta_offset_list_init(&stretch->others, region);
  return add_gap(stretch, 0, UINT64_MAX);
}

static bool lives_through(const ta_stretch *stretch, const ta_placed *placed) {
  return placed->first <= stretch->first && placed->last >= stretch->last;
}

/* Whether one of the others has bytes of the buffer. */
static bool meets_others(const ta_stretch *stretch, const ta_placed *placed) {
  const ta_offset_list *others = &stretch->others;
  if (others->n_blocks == 0) return false;
  ta_offset_block *block;
  uint32_t slot;
  ta_offset_list_last_up_to(others, placed->end - 1, &block, &slot);
  for (uint32_t o = block->ordinal + 1; o-- > 0 && others->blocks[o]->reach > placed->offset;) {
    block = others->blocks[o];
    for (uint32_t i = 0; i < block->n; i++) {
      if (block->at[i].offset < placed->end && block->at[i].end > placed->offset) return true;
    }
  }
  return false;
}

/* Takes a buffer's bytes out of the gap that they lie in. */
static bool close_gap(ta_stretch *stretch, ta_offset_block *block, uint32_t slot, const ta_placed *placed) {
  uint64_t from = block->at[slot].offset, to = block->at[slot].end;
  if (from < placed->offset && placed->end < to) {
    block->at[slot].end = placed->offset;
    return add_gap(stretch, placed->end, to);
  }
  if (from < placed->offset) {
    block->at[slot].end = placed->offset;
  } else if (placed->end < to) {
    ta_offset_list_move(&stretch->gaps, block, slot, placed->end);
  } else {
    ta_offset_list_remove(&stretch->gaps, block, slot);
  }
  return true;
}

bool ta_stretch_add(ta_stretch *stretch, const ta_placed *placed) {
  ta_offset_block *block, *split;
  uint32_t slot;
  ta_offset_list_last_up_to(&stretch->gaps, placed->offset, &block, &slot);
  if (block->at[slot].offset > placed->offset || block->at[slot].end < placed->end) return false;
  if (!lives_through(stretch, placed))
    return ta_offset_list_add(&stretch->others, placed, &block, &slot, &split);
  return !meets_others(stretch, placed) && close_gap(stretch, block, slot, placed);
}

/* Gives a buffer's bytes back, as one gap with those that end and begin there. */
static bool open_gap(ta_stretch *stretch, const ta_placed *placed) {
  ta_offset_list *gaps = &stretch->gaps;
  ta_offset_block *block;
  uint32_t slot;
  uint64_t from = placed->offset, to = placed->end;
  ta_offset_list_last_up_to(gaps, to, &block, &slot);
  if (block->at[slot].offset == to) {
    to = block->at[slot].end;
    ta_offset_list_remove(gaps, block, slot);
  }
  if (from > 0 && gaps->n_blocks > 0) {
    ta_offset_list_last_up_to(gaps, from - 1, &block, &slot);
    if (block->at[slot].offset < from && block->at[slot].end == from) {
      from = block->at[slot].offset;
      ta_offset_list_remove(gaps, block, slot);
    }
  }
  return add_gap(stretch, from, to);
}

bool ta_stretch_remove(ta_stretch *stretch, const ta_placed *placed) {
  if (lives_through(stretch, placed)) return open_gap(stretch, placed);
  ta_offset_block *block;
  uint32_t slot;
  ta_offset_list_find(&stretch->others, placed->offset, placed->item, &block, &slot);
  ta_offset_list_remove(&stretch->others, block, slot);
  return true;
}

void ta_stretch_clear(ta_stretch *stretch) {
  ta_offset_list_clear(&stretch->gaps);
  ta_offset_list_clear(&stretch->others);
  add_gap(stretch, 0, UINT64_MAX); /* in the block that it had before */
}

#include "arena/overlaps.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/sort.h"

/* ---- setting up -----------------------------------------------------------------------------------------
 */

static bool begins_before(const void *context, uint32_t a, uint32_t b) {
  const int32_t *first = context;
  return first[a] != first[b] ? first[a] < first[b] : a < b;
}

static uint32_t stretch_shift(int32_t steps) {
  uint32_t shift = 0;
  while (((steps > 0 ? steps - 1 : 0) >> shift) >= TA_OVERLAP_STRETCHES) shift++;
  return shift;
}

ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, ta_region *region, ta_error *error) {
  memset(index, 0, sizeof *index);
  index->region = region;
  index->first = first;
  index->last = last;
  index->n_items = n;
  index->shift = stretch_shift(steps);
  index->leaves = 1;
  while (index->leaves < n) index->leaves *= 2;
  /* A block is split when it is full, so all blocks but the last few are at least half full. Removals can
   * leave emptier ones, but never more blocks than items. */
  index->capacity = n;
  index->blocks = TA_TAKE(region, index->capacity, ta_overlap_block *);
  index->unused = TA_TAKE(region, index->capacity, ta_overlap_block *);
  index->block_of = TA_TAKE(region, n, ta_overlap_block *);
  index->slot_of = TA_TAKE(region, n, uint8_t);
  index->rank_of = TA_TAKE(region, n, uint32_t);
  index->item_at = TA_TAKE(region, n, uint32_t);
  index->latest = TA_TAKE(region, 2 * (size_t)index->leaves, int32_t);
  index->marks = TA_TAKE(region, index->capacity, uint64_t);
  index->touched = TA_TAKE(region, (size_t)index->capacity / 64 + 1, uint64_t);
  if (!index->blocks || !index->unused || !index->block_of || !index->slot_of || !index->rank_of ||
      !index->item_at || !index->latest || !index->marks || !index->touched)
    return ta_fail_memory(error);
  for (uint32_t i = 0; i < n; i++) index->item_at[i] = i;
  ta_sort(index->item_at, n, begins_before, first);
  for (uint32_t r = 0; r < n; r++) index->rank_of[index->item_at[r]] = r;
  for (size_t i = 0; i < 2 * (size_t)index->leaves; i++) index->latest[i] = -1;
  return TA_OK;
}

/* ---- the tournament -------------------------------------------------------------------------------------
 */

static void set_latest(ta_overlaps *index, uint32_t item, int32_t last) {
  uint32_t node = index->leaves + index->rank_of[item];
  index->latest[node] = last;
  for (node /= 2; node >= 1; node /= 2) {
    int32_t latest = ta_max_i32(index->latest[2 * node], index->latest[2 * node + 1]);
    if (index->latest[node] == latest) break;
    index->latest[node] = latest;
  }
}

/* The first leaf node from `node` (a leaf) on whose item lives at `step` or later; 0 when there is none. */
static uint32_t next_leaf(const ta_overlaps *index, uint32_t node, int32_t step) {
  while (index->latest[node] < step) {
    while (node & 1) node /= 2; /* up from right children: all to the left is done */
    if (node == 0) return 0;
    node++;
  }
  while (node < index->leaves) {
    node *= 2;
    if (index->latest[node] < step) node++;
  }
  return node;
}

/* ---- blocks ---------------------------------------------------------------------------------------------
 */

static uint32_t stretch_of(const ta_overlaps *index, int32_t step) {
  uint32_t stretch = (uint32_t)step >> index->shift;
  return stretch < TA_OVERLAP_STRETCHES ? stretch : TA_OVERLAP_STRETCHES - 1;
}

static void renumber(ta_overlaps *index, uint32_t from) {
  for (uint32_t o = from; o < index->n_blocks; o++) index->blocks[o]->ordinal = o;
}

/* An empty block at that place among the blocks. */
static ta_overlap_block *add_block(ta_overlaps *index, uint32_t ordinal) {
  ta_overlap_block *block;
  if (index->n_unused) {
    block = index->unused[--index->n_unused];
    memset(block, 0, sizeof *block);
  } else {
    block = TA_TAKE(index->region, 1, ta_overlap_block);
    if (!block) return NULL;
  }
  memmove(index->blocks + ordinal + 1, index->blocks + ordinal,
          (index->n_blocks - ordinal) * sizeof index->blocks[0]);
  index->blocks[ordinal] = block;
  index->n_blocks++;
  renumber(index, ordinal);
  return block;
}

/* The upper half of a full block moves to a new one behind it. */
static bool split(ta_overlaps *index, ta_overlap_block *block) {
  enum { KEPT = TA_OVERLAP_SLOTS / 2, MOVED = TA_OVERLAP_SLOTS - KEPT };
  ta_overlap_block *upper = add_block(index, block->ordinal + 1);
  if (!upper) return false;
  memcpy(upper->offset, block->offset + KEPT, MOVED * sizeof upper->offset[0]);
  memcpy(upper->end, block->end + KEPT, MOVED * sizeof upper->end[0]);
  memcpy(upper->item, block->item + KEPT, MOVED * sizeof upper->item[0]);
  for (uint32_t s = 0; s < TA_OVERLAP_STRETCHES; s++) {
    upper->begun[s] = block->begun[s] >> KEPT;
    upper->over[s] = block->over[s] >> KEPT;
    block->begun[s] &= (UINT64_C(1) << KEPT) - 1;
    block->over[s] &= (UINT64_C(1) << KEPT) - 1;
  }
  block->n = KEPT;
  upper->n = MOVED;
  for (uint32_t i = 0; i < MOVED; i++) {
    index->block_of[upper->item[i]] = upper;
    index->slot_of[upper->item[i]] = (uint8_t)i;
  }
  return true;
}

/* The ordinal of the last block that starts at or below the offset (0 when none does). */
static uint32_t block_for(const ta_overlaps *index, uint64_t offset) {
  uint32_t low = 0, high = index->n_blocks;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (index->blocks[middle]->offset[0] <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static uint64_t open_bit(uint64_t word, uint32_t slot) {
  uint64_t below = (UINT64_C(1) << slot) - 1;
  return (word & below) | (word & ~below) << 1;
}

static uint64_t close_bit(uint64_t word, uint32_t slot) {
  uint64_t below = (UINT64_C(1) << slot) - 1;
  return (word & below) | ((word >> 1) & ~below);
}

/* Moves the slots from `slot` on by one and leaves that one free, with no bit set. */
static void open_slot(ta_overlaps *index, ta_overlap_block *block, uint32_t slot) {
  uint32_t moved = block->n - slot;
  memmove(block->offset + slot + 1, block->offset + slot, moved * sizeof block->offset[0]);
  memmove(block->end + slot + 1, block->end + slot, moved * sizeof block->end[0]);
  memmove(block->item + slot + 1, block->item + slot, moved * sizeof block->item[0]);
  for (uint32_t s = 0; s < TA_OVERLAP_STRETCHES; s++) {
    block->begun[s] = open_bit(block->begun[s], slot);
    block->over[s] = open_bit(block->over[s], slot);
  }
  block->n++;
  for (uint32_t i = slot + 1; i < block->n; i++) index->slot_of[block->item[i]] = (uint8_t)i;
}

static void close_slot(ta_overlaps *index, ta_overlap_block *block, uint32_t slot) {
  block->n--;
  uint32_t moved = block->n - slot;
  memmove(block->offset + slot, block->offset + slot + 1, moved * sizeof block->offset[0]);
  memmove(block->end + slot, block->end + slot + 1, moved * sizeof block->end[0]);
  memmove(block->item + slot, block->item + slot + 1, moved * sizeof block->item[0]);
  for (uint32_t s = 0; s < TA_OVERLAP_STRETCHES; s++) {
    block->begun[s] = close_bit(block->begun[s], slot);
    block->over[s] = close_bit(block->over[s], slot);
  }
  for (uint32_t i = slot; i < block->n; i++) index->slot_of[block->item[i]] = (uint8_t)i;
}

ta_status ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes,
                            ta_error *error) {
  if (index->n_blocks == 0 && !add_block(index, 0)) return ta_fail_memory(error);
  ta_overlap_block *block = index->blocks[block_for(index, offset)];
  if (block->n == TA_OVERLAP_SLOTS) {
    if (!split(index, block)) return ta_fail_memory(error);
    block = index->blocks[block_for(index, offset)];
  }
  uint32_t slot = block->n;
  while (slot > 0 && block->offset[slot - 1] > offset) slot--;
  open_slot(index, block, slot);
  block->offset[slot] = offset;
  block->end[slot] = offset + bytes;
  block->item[slot] = item;
  uint64_t bit = UINT64_C(1) << slot;
  for (uint32_t s = stretch_of(index, index->first[item]); s < TA_OVERLAP_STRETCHES; s++)
    block->begun[s] |= bit;
  for (uint32_t s = stretch_of(index, index->last[item]); s < TA_OVERLAP_STRETCHES; s++)
    block->over[s] |= bit;
  index->block_of[item] = block;
  index->slot_of[item] = (uint8_t)slot;
  set_latest(index, item, index->last[item]);
  index->n_placed++;
  return TA_OK;
}

void ta_overlaps_remove(ta_overlaps *index, uint32_t item) {
  ta_overlap_block *block = index->block_of[item];
  close_slot(index, block, index->slot_of[item]);
  index->block_of[item] = NULL;
  set_latest(index, item, -1);
  index->n_placed--;
  if (block->n) return;
  uint32_t ordinal = block->ordinal;
  index->n_blocks--;
  memmove(index->blocks + ordinal, index->blocks + ordinal + 1,
          (index->n_blocks - ordinal) * sizeof index->blocks[0]);
  renumber(index, ordinal);
  index->unused[index->n_unused++] = block;
}

void ta_overlaps_clear(ta_overlaps *index) {
  while (index->n_blocks) index->unused[index->n_unused++] = index->blocks[--index->n_blocks];
  for (uint32_t i = 0; i < index->n_items; i++) index->block_of[i] = NULL;
  for (size_t i = 0; i < 2 * (size_t)index->leaves; i++) index->latest[i] = -1;
  index->n_placed = 0;
}

/* ---- questions ------------------------------------------------------------------------------------------
 */

/* What a caller that stopped early has left. */
static void clear_marks(ta_overlaps *index) {
  for (uint32_t w = 0; w < index->n_touched; w++) {
    for (; index->touched[w]; index->touched[w] &= index->touched[w] - 1)
      index->marks[w * 64 + ta_lowest_slot(index->touched[w])] = 0;
  }
}

/* Marks what overlaps, going by time. False, with nothing marked, when it is more than `most`. */
static bool mark_by_time(ta_overlaps *index, int32_t first, int32_t last, uint32_t most) {
  for (uint32_t node = next_leaf(index, index->leaves, first), found = 0; node; found++) {
    uint32_t item = index->item_at[node - index->leaves];
    if (index->first[item] > last) break;
    if (found == most) {
      clear_marks(index);
      return false;
    }
    uint32_t ordinal = index->block_of[item]->ordinal;
    index->marks[ordinal] |= UINT64_C(1) << index->slot_of[item];
    index->touched[ordinal / 64] |= UINT64_C(1) << (ordinal % 64);
    if (node == 2 * index->leaves - 1) break;
    node = next_leaf(index, node + 1, first);
  }
  return true;
}

/* Going by time costs about as much for one buffer as looking at a few blocks does. */
enum { FEW = 16, PLACED_PER_FOUND = 256 };

ta_overlap_scan ta_overlap_begin(ta_overlaps *index, int32_t first, int32_t last) {
  clear_marks(index);
  index->n_touched = index->n_blocks / 64 + 1;
  uint32_t few = FEW + index->n_placed / PLACED_PER_FOUND;
  bool by_time = mark_by_time(index, first, last, few);
  return (ta_overlap_scan){index, first, last, 0, by_time};
}

static bool next_marked(ta_overlap_scan *scan, const ta_overlap_block **block, uint64_t *slots) {
  ta_overlaps *index = scan->index;
  uint32_t w = scan->ordinal / 64;
  while (w * 64 < index->n_blocks && !index->touched[w]) w++;
  if (w * 64 >= index->n_blocks) return false;
  uint32_t ordinal = w * 64 + ta_lowest_slot(index->touched[w]);
  index->touched[w] &= index->touched[w] - 1;
  *block = index->blocks[ordinal];
  *slots = index->marks[ordinal];
  index->marks[ordinal] = 0;
  scan->ordinal = ordinal;
  return true;
}

/* The slots of a block that overlap the life. Those that have begun before the stretch of its last step and
 * end after the stretch of its first do; those that begin or end in these two stretches are looked at. */
static uint64_t overlapping_slots(const ta_overlap_scan *scan, const ta_overlap_block *block) {
  const ta_overlaps *index = scan->index;
  uint32_t from = stretch_of(index, scan->first), to = stretch_of(index, scan->last);
  uint64_t slots = block->begun[to];
  if (from > 0) slots &= ~block->over[from - 1];
  uint64_t surely = slots & ~block->over[from];
  surely &= to > 0 ? block->begun[to - 1] : 0;
  for (uint64_t doubtful = slots & ~surely; doubtful; doubtful &= doubtful - 1) {
    uint32_t item = block->item[ta_lowest_slot(doubtful)];
    if (index->first[item] > scan->last || index->last[item] < scan->first) slots &= ~(doubtful & -doubtful);
  }
  return slots;
}

bool ta_overlap_next(ta_overlap_scan *scan, const ta_overlap_block **block, uint64_t *slots) {
  if (scan->by_time) return next_marked(scan, block, slots);
  while (scan->ordinal < scan->index->n_blocks) {
    *block = scan->index->blocks[scan->ordinal++];
    *slots = overlapping_slots(scan, *block);
    if (*slots) return true;
  }
  return false;
}

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

ta_status ta_overlaps_init(ta_overlaps *index, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps, ta_region *region, ta_error *error) {
  memset(index, 0, sizeof *index);
  index->region = region;
  index->first = first;
  index->last = last;
  index->n_items = n;
  index->steps = steps;
  index->leaves = 1;
  while (index->leaves < n) index->leaves *= 2;
  ta_offset_list_init(&index->all, region);
  index->block_of = TA_TAKE(region, n, ta_offset_block *);
  index->slot_of = TA_TAKE(region, n, uint8_t);
  index->rank_of = TA_TAKE(region, n, uint32_t);
  index->item_at = TA_TAKE(region, n, uint32_t);
  index->latest = TA_TAKE(region, 2 * (size_t)index->leaves, int32_t);
  index->marks = TA_TAKE(region, n, uint64_t); /* there are no more blocks than items */
  index->touched = TA_TAKE(region, (size_t)n / 64 + 1, uint64_t);
  if (!index->block_of || !index->slot_of || !index->rank_of || !index->item_at || !index->latest ||
      !index->marks || !index->touched)
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

/* ---- stretches and spans --------------------------------------------------------------------------------
 */

enum { ENTRIES_A_BUFFER = 32, MANY = 1024 };

static void give_up(ta_overlaps *index) {
  index->stretches = NULL;
  index->given_up = true;
}

/* As many stretches as keep the buffers' entries in them, in all, a constant times the buffers. */
static ta_stretches cut_time(const ta_overlaps *index) {
  for (uint32_t n = TA_MOST_STRETCHES; n > 1; n /= 2) {
    ta_stretches cut = ta_stretches_for(index->steps, n);
    uint64_t entries = 0;
    for (uint32_t i = 0; i < index->n_items; i++) {
      if (index->first[i] < 0) continue;
      entries += ta_stretch_of(cut, index->last[i]) - ta_stretch_of(cut, index->first[i]) + 1;
    }
    if (entries <= (uint64_t)ENTRIES_A_BUFFER * index->n_items) return cut;
  }
  return ta_stretches_for(index->steps, 1);
}

static ta_placed placed_at(const ta_offset_block *block, uint32_t slot) {
  return (ta_placed){block->at[slot].offset, block->at[slot].end, block->life[slot].first,
                     block->life[slot].last, block->item[slot]};
}

static bool add_to_stretches(ta_overlaps *index, const ta_placed *placed) {
  if (placed->offset == placed->end) return true;
  uint32_t to = ta_stretch_of(index->spans.cut, placed->last);
  for (uint32_t s = ta_stretch_of(index->spans.cut, placed->first); s <= to; s++) {
    if (!ta_stretch_add(&index->stretches[s], placed)) return false;
  }
  return true;
}

static bool remove_from_stretches(ta_overlaps *index, const ta_placed *placed) {
  if (placed->offset == placed->end) return true;
  uint32_t to = ta_stretch_of(index->spans.cut, placed->last);
  for (uint32_t s = ta_stretch_of(index->spans.cut, placed->first); s <= to; s++) {
    if (!ta_stretch_remove(&index->stretches[s], placed)) return false;
  }
  return true;
}

/* Makes stretches and spans from all that is placed. */
static bool make_stretches(ta_overlaps *index) {
  ta_stretches cut = cut_time(index);
  ta_spans_init(&index->spans, cut, index->region);
  index->stretches = TA_TAKE(index->region, cut.n, ta_stretch);
  index->scratch = TA_TAKE(index->region, (size_t)index->n_items + 1, ta_extent);
  if (!index->stretches || !index->scratch) return false;
  for (uint32_t s = 0; s < cut.n; s++) {
    if (!ta_stretch_init(&index->stretches[s], ta_stretch_first(cut, s), ta_stretch_last(cut, s),
                         index->region))
      return false;
  }
  for (uint32_t o = 0; o < index->all.n_blocks; o++) {
    ta_offset_block *block = index->all.blocks[o];
    if (!ta_spans_make(&index->spans, block)) return false;
    for (uint32_t i = 0; i < block->n; i++) {
      ta_placed placed = placed_at(block, i);
      if (!add_to_stretches(index, &placed)) return false;
    }
  }
  return true;
}

/* ---- placing --------------------------------------------------------------------------------------------
 */

static void note_slots(ta_overlaps *index, ta_offset_block *block, uint32_t from) {
  for (uint32_t i = from; i < block->n; i++) {
    index->block_of[block->item[i]] = block;
    index->slot_of[block->item[i]] = (uint8_t)i;
  }
}

ta_status ta_overlaps_place(ta_overlaps *index, uint32_t item, uint64_t offset, uint64_t bytes,
                            ta_error *error) {
  ta_placed placed = {offset, offset + bytes, index->first[item], index->last[item], item};
  ta_offset_block *block, *split;
  uint32_t slot;
  if (!ta_offset_list_add(&index->all, &placed, &block, &slot, &split)) return ta_fail_memory(error);
  note_slots(index, block, split ? 0 : slot);
  if (split) note_slots(index, split, 0);
  set_latest(index, item, placed.last);
  index->n_placed++;
  if (!index->stretches) return TA_OK;
  bool kept = true;
  if (split) {
    kept = ta_spans_make(&index->spans, split) &&
           ta_spans_make(&index->spans, index->all.blocks[split->ordinal - 1]);
  } else if (block->n > 1) {
    ta_spans_add(&index->spans, block, slot);
  } else {
    kept = ta_spans_make(&index->spans, block); /* a new block, or one that was used before */
  }
  if (!kept || !add_to_stretches(index, &placed)) give_up(index);
  return TA_OK;
}

void ta_overlaps_remove(ta_overlaps *index, uint32_t item) {
  ta_offset_block *block = index->block_of[item];
  uint32_t slot = index->slot_of[item];
  if (index->stretches) {
    ta_placed placed = placed_at(block, slot);
    if (!remove_from_stretches(index, &placed)) give_up(index);
  }
  ta_offset_list_remove(&index->all, block, slot);
  note_slots(index, block, slot);
  if (index->stretches) ta_spans_make(&index->spans, block);
  index->block_of[item] = NULL;
  set_latest(index, item, -1);
  index->n_placed--;
}

void ta_overlaps_clear(ta_overlaps *index) {
  ta_offset_list_clear(&index->all);
  for (uint32_t s = 0; index->stretches && s < index->spans.cut.n; s++)
    ta_stretch_clear(&index->stretches[s]);
  for (uint32_t i = 0; i < index->n_items; i++) index->block_of[i] = NULL;
  for (size_t i = 0; i < 2 * (size_t)index->leaves; i++) index->latest[i] = -1;
  index->n_placed = 0;
}

/* ---- by time --------------------------------------------------------------------------------------------
 */

/* What a caller that stopped early has left. */
static void clear_marks(ta_overlaps *index) {
  for (uint32_t w = 0; w < index->n_touched; w++) {
    for (; index->touched[w]; index->touched[w] &= index->touched[w] - 1)
      index->marks[w * 64 + ta_lowest_slot(index->touched[w])] = 0;
  }
}

/* Marks what overlaps. False, with nothing marked, when it is more than `most`. */
static bool mark_by_time(ta_overlaps *index, int32_t first, int32_t last, uint32_t most) {
  clear_marks(index);
  index->n_touched = index->all.n_blocks / 64 + 1;
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

static bool next_marked(ta_overlap_scan *scan, const ta_offset_block **block, uint64_t *slots) {
  ta_overlaps *index = scan->index;
  uint32_t w = scan->ordinal / 64;
  while (w * 64 < index->all.n_blocks && !index->touched[w]) w++;
  if (w * 64 >= index->all.n_blocks) return false;
  uint32_t ordinal = w * 64 + ta_lowest_slot(index->touched[w]);
  index->touched[w] &= index->touched[w] - 1;
  *block = index->all.blocks[ordinal];
  *slots = index->marks[ordinal];
  index->marks[ordinal] = 0;
  scan->ordinal = ordinal;
  return true;
}

/* ---- by skipping ----------------------------------------------------------------------------------------
 */

static uint64_t live_slots(const ta_overlap_scan *scan, uint32_t ordinal) {
  const ta_overlaps *index = scan->index;
  const ta_offset_block *block = index->all.blocks[ordinal];
  if (!index->stretches) return ta_live_slots(block, scan->first, scan->last);
  return ta_spans_live_slots(&index->spans, block, index->all.ids[ordinal], scan->first, scan->last);
}

static uint64_t largest_end(const ta_offset_block *block, uint64_t slots) {
  uint64_t end = 0;
  for (; slots; slots &= slots - 1) end = ta_max_u64(end, block->at[ta_lowest_slot(slots)].end);
  return end;
}

/* Passes over the blocks from scan->ordinal up to `to`. The largest end of what overlaps in them is mostly in
 * the last of them: back from there, until no block reaches further than what was found. */
static void pass_over(ta_overlap_scan *scan, uint32_t to, uint64_t known) {
  uint64_t end = known;
  for (uint32_t o = to; o-- > scan->ordinal && scan->index->all.blocks[o]->reach > end;) {
    const ta_offset_block *block = scan->index->all.blocks[o];
    end = ta_max_u64(end, largest_end(block, live_slots(scan, o)));
  }
  scan->passed = ta_max_u64(scan->passed, end);
  scan->ordinal = to;
}

/* Whether the span has room inside, or in front of it behind `high`. Loose spans are worked out first. */
static bool has_room(const ta_overlap_scan *scan, uint32_t which, uint32_t ordinal, uint64_t high) {
  ta_overlaps *index = scan->index;
  const ta_span *span = ta_span_at(&index->spans, scan->nodes[which], index->all.ids[ordinal]);
  for (;;) {
    if (span->low > span->high) return false;
    bool room = span->gap >= scan->least || (span->low > high && span->low - high >= scan->least);
    if (!room || !span->loose) return room;
    ta_span_tighten(&index->spans, scan->nodes[which], index->all.blocks[ordinal]);
  }
}

/* The blocks `from` .. `to` may hold buffers that end a gap with enough room, says the first node. Whether
 * the second node's buffers say so too. A gap that ends in these blocks lies in one of that node's gaps,
 * which ends in them or with the next of its buffers behind them. */
static bool second_agrees(const ta_overlap_scan *scan, uint32_t from, uint32_t to) {
  const ta_overlaps *index = scan->index;
  if (scan->nodes[1] == 0 || to + 1 == index->all.n_blocks) return true;
  uint64_t high = 0;
  for (uint32_t o = from ? from - 1 : 0; o <= to + 1; o++) {
    const ta_span *span = ta_span_at(&index->spans, scan->nodes[1], index->all.ids[o]);
    bool empty = span->low > span->high;
    if (empty && (o < from || o > to)) return true; /* it cannot be told where its gap begins or ends */
    if (o >= from && has_room(scan, 1, o, high)) return true;
    high = ta_max_u64(high, span->high);
  }
  return false;
}

/* Finds the next blocks that must be given, from scan->ordinal up to scan->ahead: they end with one in which,
 * or in front of which, the node's buffers leave enough room; and the room in front begins in block `open`.
 * What is left at the end of the list has room behind it. */
static bool look_ahead(ta_overlap_scan *scan) {
  const ta_overlaps *index = scan->index;
  while (scan->ahead < index->all.n_blocks) {
    uint32_t at = scan->ahead++;
    const ta_span *span = ta_span_at(&index->spans, scan->nodes[0], index->all.ids[at]);
    bool room = has_room(scan, 0, at, scan->high) && second_agrees(scan, scan->open, at);
    if (room && scan->open > scan->ordinal) pass_over(scan, scan->open, scan->before_open);
    if (span->high > scan->high) {
      scan->open = at;
      scan->before_open = scan->high;
      scan->high = span->high;
    }
    if (room) return true;
  }
  if (scan->open > scan->ordinal) pass_over(scan, scan->open, scan->before_open);
  return scan->ordinal < index->all.n_blocks;
}

/* ---- questions ------------------------------------------------------------------------------------------
 */

/* Going by time costs about as much for one buffer as looking at a few blocks does. */
enum { FEW = 32, PLACED_A_FOUND = 1024 };

ta_overlap_scan ta_overlap_begin(ta_overlaps *index, int32_t first, int32_t last, uint64_t least_gap) {
  ta_overlap_scan scan = {.index = index, .first = first, .last = last, .least = least_gap};
  scan.by_time = mark_by_time(index, first, last, FEW + index->n_placed / PLACED_A_FOUND);
  if (scan.by_time) return scan;
  if (!index->stretches && !index->given_up && index->n_placed >= MANY && !make_stretches(index))
    give_up(index);
  if (!index->stretches || least_gap == 0) return scan;
  uint32_t stretch = ta_stretch_of(index->spans.cut, first);
  if (stretch == ta_stretch_of(index->spans.cut, last)) {
    scan.stretch = &index->stretches[stretch];
  } else {
    ta_largest_nodes_within(first, last, index->spans.cut, scan.nodes);
  }
  return scan;
}

bool ta_overlap_next(ta_overlap_scan *scan, const ta_offset_block **block, uint64_t *slots) {
  scan->passed = 0;
  if (scan->by_time) return next_marked(scan, block, slots);
  while (scan->ordinal < scan->index->all.n_blocks) {
    if (scan->nodes[0] && scan->ordinal == scan->ahead && !look_ahead(scan)) return false;
    *block = scan->index->all.blocks[scan->ordinal];
    *slots = live_slots(scan, scan->ordinal++);
    if (*slots) return true;
  }
  return false;
}

#include "arena/spans.h"

#include <string.h>

#include "base/num.h"

ta_stretches ta_stretches_for(int32_t steps, uint32_t most) {
  ta_stretches stretches = {most, 0};
  while (((uint32_t)(steps > 0 ? steps - 1 : 0) >> stretches.shift) >= most) stretches.shift++;
  return stretches;
}

/* ---- spans ----------------------------------------------------------------------------------------------
 */

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

/* Adds a slot to every node that has a stretch of its life. */
static void add_to_nodes(ta_spans *spans, const ta_offset_block *block, uint32_t slot, bool loose) {
  uint32_t from = spans->cut.n + ta_stretch_of(spans->cut, block->life[slot].first);
  uint32_t to = spans->cut.n + ta_stretch_of(spans->cut, block->life[slot].last);
  for (; from >= 1; from /= 2, to /= 2) {
    for (uint32_t node = from; node <= to; node++) {
      ta_span *span = ta_span_at(spans, node, block->id);
      add(span, block->at[slot].offset, block->at[slot].end);
      span->loose |= loose;
    }
  }
}

/* ---- begun and over -------------------------------------------------------------------------------------
 */

static void make_words(ta_spans *spans, const ta_offset_block *block) {
  uint64_t begun[TA_MOST_STRETCHES] = {0}, over[TA_MOST_STRETCHES] = {0};
  for (uint32_t i = 0; i < block->n; i++) {
    begun[ta_stretch_of(spans->cut, block->life[i].first)] |= UINT64_C(1) << i;
    over[ta_stretch_of(spans->cut, block->life[i].last)] |= UINT64_C(1) << i;
  }
  uint64_t all_begun = 0, all_over = 0;
  for (uint32_t s = 0; s < spans->cut.n; s++) {
    spans->begun[(size_t)s * spans->capacity + block->id] = all_begun |= begun[s];
    spans->over[(size_t)s * spans->capacity + block->id] = all_over |= over[s];
  }
}

static uint64_t begun_by(const ta_spans *spans, uint32_t stretch, uint32_t id) {
  return spans->begun[(size_t)stretch * spans->capacity + id];
}

static uint64_t over_by(const ta_spans *spans, uint32_t stretch, uint32_t id) {
  return spans->over[(size_t)stretch * spans->capacity + id];
}

/* The slots that overlap one of the stretches from .. to. */
static uint64_t slots_within(const ta_spans *spans, uint32_t from, uint32_t to, uint32_t id) {
  return begun_by(spans, to, id) & ~(from > 0 ? over_by(spans, from - 1, id) : 0);
}

/* Slots that have begun before the stretch of the last step, and end after that of the first, overlap; those
 * that begin or end in these two stretches are looked at. */
uint64_t ta_spans_live_slots(const ta_spans *spans, const ta_offset_block *block, uint32_t id, int32_t first,
                             int32_t last) {
  uint32_t from = ta_stretch_of(spans->cut, first), to = ta_stretch_of(spans->cut, last);
  uint64_t slots = slots_within(spans, from, to, id);
  uint64_t surely = slots & ~over_by(spans, from, id) & (to > 0 ? begun_by(spans, to - 1, id) : 0);
  for (uint64_t doubtful = slots & ~surely; doubtful; doubtful &= doubtful - 1) {
    uint32_t i = ta_lowest_slot(doubtful);
    if (block->life[i].first > last || block->life[i].last < first) slots &= ~(UINT64_C(1) << i);
  }
  return slots;
}

/* ---- both -----------------------------------------------------------------------------------------------
 */

void ta_spans_init(ta_spans *spans, ta_stretches cut, ta_region *region) {
  memset(spans, 0, sizeof *spans);
  spans->region = region;
  spans->cut = cut;
}

static bool make_room(ta_spans *spans, uint32_t id) {
  if (id < spans->capacity) return true;
  ta_spans wider = *spans;
  wider.capacity = id < 32 ? 64 : 2 * id;
  wider.at = TA_TAKE(spans->region, 2 * (size_t)spans->cut.n * wider.capacity, ta_span);
  wider.begun = TA_TAKE(spans->region, (size_t)spans->cut.n * wider.capacity, uint64_t);
  wider.over = TA_TAKE(spans->region, (size_t)spans->cut.n * wider.capacity, uint64_t);
  if (!wider.at || !wider.begun || !wider.over) return false;
  size_t known = spans->capacity;
  for (uint32_t node = 0; known && node < 2 * spans->cut.n; node++)
    memcpy(ta_span_at(&wider, node, 0), ta_span_at(spans, node, 0), known * sizeof(ta_span));
  for (size_t s = 0; known && s < spans->cut.n; s++) {
    memcpy(wider.begun + s * wider.capacity, spans->begun + s * known, known * sizeof(uint64_t));
    memcpy(wider.over + s * wider.capacity, spans->over + s * known, known * sizeof(uint64_t));
  }
  *spans = wider;
  return true;
}

bool ta_spans_make(ta_spans *spans, const ta_offset_block *block) {
  if (!make_room(spans, block->id)) return false;
  for (uint32_t node = 1; node < 2 * spans->cut.n; node++) clear(ta_span_at(spans, node, block->id));
  for (uint32_t i = 0; i < block->n; i++) /* in offset order, so the gaps come out exactly */
    add_to_nodes(spans, block, i, false);
  make_words(spans, block);
  return true;
}

void ta_spans_add(ta_spans *spans, const ta_offset_block *block, uint32_t slot) {
  add_to_nodes(spans, block, slot, true);
  make_words(spans, block);
}

void ta_span_tighten(ta_spans *spans, uint32_t node, const ta_offset_block *block) {
  uint32_t from = node, to = node;
  while (from < spans->cut.n) {
    from = 2 * from;
    to = 2 * to + 1;
  }
  ta_span *span = ta_span_at(spans, node, block->id);
  clear(span);
  uint64_t slots = slots_within(spans, from - spans->cut.n, to - spans->cut.n, block->id);
  for (; slots; slots &= slots - 1)
    add(span, block->at[ta_lowest_slot(slots)].offset, block->at[ta_lowest_slot(slots)].end);
}

void ta_largest_nodes_within(int32_t first, int32_t last, ta_stretches stretches, uint32_t nodes[2]) {
  /* The stretches from `from` up to but not including `to` lie within. */
  uint32_t from = ta_stretch_of(stretches, first), to = ta_stretch_of(stretches, last) + 1;
  if (ta_stretch_first(stretches, from) < first) from++;
  if (ta_stretch_last(stretches, to - 1) > last) to--;
  /* The nodes that together make up the range, smallest first: the last ones found are the largest. */
  nodes[0] = nodes[1] = 0;
  for (uint32_t low = stretches.n + from, high = stretches.n + to; low < high; low /= 2, high /= 2) {
    if (low & 1) {
      nodes[1] = nodes[0];
      nodes[0] = low++;
    }
    if (high & 1) {
      nodes[1] = nodes[0];
      nodes[0] = --high;
    }
  }
}

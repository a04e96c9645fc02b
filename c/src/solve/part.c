#include "solve/part.h"

#include "base/error.h"
#include "base/num.h"
#include "base/order.h"

typedef struct maker {
  ta_region *region, work;
  const ta_item *items;
  uint32_t n;      /* items that occupy something */
  uint32_t *order; /* those, by first step; later in the order of pieces */
  uint32_t *scratch;
  uint32_t *from, *to; /* sections of each item, counted over all parts */
  uint32_t sections;
} maker;

static bool take(maker *m, uint32_t n) {
  m->order = TA_TAKE(&m->work, n, uint32_t);
  m->scratch = TA_TAKE(&m->work, n, uint32_t);
  m->from = TA_TAKE(&m->work, n, uint32_t);
  m->to = TA_TAKE(&m->work, n, uint32_t);
  return m->order && m->scratch && m->from && m->to;
}

static uint64_t key_last(const void *m, uint32_t i) {
  return ta_step_key(((const maker *)m)->items[i].last);
}
static uint64_t key_first(const void *m, uint32_t i) {
  return ta_step_key(((const maker *)m)->items[i].first);
}
static uint64_t key_index(const void *m, uint32_t i) {
  (void)m;
  return i;
}
static uint64_t key_fixed(const void *m, uint32_t i) {
  return ((const maker *)m)->items[i].fixed;
}
static uint64_t key_alignment(const void *m, uint32_t i) {
  return ((const maker *)m)->items[i].alignment;
}
static uint64_t key_bytes(const void *m, uint32_t i) {
  return ~((const maker *)m)->items[i].bytes;
}
static uint64_t key_to(const void *m, uint32_t i) {
  return ((const maker *)m)->to[i];
}
static uint64_t key_from(const void *m, uint32_t i) {
  return ((const maker *)m)->from[i];
}

static bool order_by(const maker *m, uint32_t *list, ta_key key) {
  return ta_order(&m->work.allocator, list, m->n, key, m);
}

/* Walks the starts and ends in time order. The first start after an end opens a section. */
static bool find_sections(maker *m) {
  uint32_t *ends = TA_TAKE(&m->work, m->n, uint32_t);
  if (!ends) return false;
  for (uint32_t i = 0; i < m->n; i++) ends[i] = m->order[i];
  if (!order_by(m, ends, key_last) || !order_by(m, m->order, key_first)) return false;
  uint32_t ended = 0;
  bool closed = true;
  for (uint32_t i = 0; i < m->n; i++) {
    int32_t step = m->items[m->order[i]].first;
    for (; m->items[ends[ended]].last < step; ended++) {
      m->to[ends[ended]] = m->sections;
      closed = true;
    }
    if (closed) m->sections++;
    closed = false;
    m->from[m->order[i]] = m->sections - 1;
  }
  for (; ended < m->n; ended++) m->to[ends[ended]] = m->sections;
  return true;
}

/* Every offset that matters is a sum of sizes, rounded up to alignments. Where all sizes are multiples of all
 * alignments nothing is ever rounded. Otherwise offsets are multiples of what all alignments have in common,
 * and so may the sizes be. */
static bool choose_units(const maker *m, ta_part *part, const uint32_t *order) {
  uint64_t common = 0, sizes = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_item *item = &m->items[order[i]];
    common = ta_gcd(item->alignment, common);
    if (item->fixed != TA_NO_OFFSET) common = ta_gcd(common, item->fixed);
  }
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_item *item = &m->items[order[i]];
    uint64_t rounded;
    if (!ta_align_up(item->bytes, common, &rounded)) return false;
    sizes = ta_gcd(rounded, sizes);
    if (item->fixed != TA_NO_OFFSET) sizes = ta_gcd(sizes, item->fixed);
  }
  bool never_rounded = true;
  uint64_t unit = sizes;
  for (uint32_t i = 0; i < part->n; i++) {
    uint64_t alignment = m->items[order[i]].alignment;
    never_rounded = never_rounded && sizes % alignment == 0;
    unit = ta_gcd(unit, alignment);
  }
  part->unit = never_rounded ? sizes : unit;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_item *item = &m->items[order[i]];
    ta_piece *piece = &part->pieces[i];
    uint64_t rounded = (item->bytes + common - 1) / common * common;
    piece->size = rounded / part->unit;
    piece->pad = rounded - item->bytes;
    piece->alignment = never_rounded ? 1 : item->alignment / part->unit;
    piece->fixed = item->fixed == TA_NO_OFFSET ? TA_NO_UNITS : item->fixed / part->unit;
  }
  return true;
}

static bool same(const ta_piece *a, const ta_piece *b) {
  return a->from == b->from && a->to == b->to && a->size == b->size && a->alignment == b->alignment &&
         a->pad == b->pad && a->fixed == TA_NO_UNITS && b->fixed == TA_NO_UNITS;
}

/* How many pairs live together: each piece meets the living at its start. */
static void count_pairs(ta_part *part, uint32_t *ending) {
  uint64_t live = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    for (; at < part->pieces[i].from; at++) live -= ending[at];
    part->pairs += live;
    live++;
    ending[part->pieces[i].to - 1]++;
  }
}

static ta_status find_bound(maker *m, ta_part *part, const uint32_t *order, ta_error *error) {
  int32_t step;
  uint64_t live;
  const ta_item *first = &m->items[order[0]];
  if (part->n == 1 && ta_add(first->fixed == TA_NO_OFFSET ? 0 : first->fixed, first->bytes, &part->bound))
    return TA_OK;
  ta_region region;
  ta_region_init(&region, &m->region->allocator);
  ta_item *items = TA_TAKE(&region, part->n, ta_item);
  ta_status status = items ? TA_OK : ta_fail_memory(error);
  if (status == TA_OK) {
    for (uint32_t i = 0; i < part->n; i++) items[i] = m->items[order[i]];
    status = ta_live_bound(&m->region->allocator, items, part->n, &part->bound, &step, &live, error);
  }
  ta_region_free(&region);
  return status;
}

/* `order` has the part's items; its sections start at `base`. */
static ta_status make_part(maker *m, ta_part *part, const uint32_t *order, uint32_t base, ta_error *error) {
  part->pieces = TA_TAKE(m->region, part->n, ta_piece);
  part->starts = TA_TAKE(m->region, (size_t)part->sections + 1, uint32_t);
  if (!part->pieces || !part->starts) return ta_fail_memory(error);
  if (!choose_units(m, part, order)) {
    return ta_fail(error, TA_E_LIMIT, "a buffer rounded up to its alignment passes %L bytes");
  }
  for (uint32_t i = 0; i < part->n; i++) {
    ta_piece *piece = &part->pieces[i];
    piece->item = order[i];
    piece->from = m->from[order[i]] - base;
    piece->to = m->to[order[i]] - base;
    piece->twin = i > 0 && same(piece, piece - 1) ? i - 1 : TA_NO_INDEX;
    part->cells += piece->to - piece->from;
    part->starts[piece->from + 1] = i + 1;
  }
  for (uint32_t s = 0; s < part->sections; s++) {
    if (part->starts[s + 1] < part->starts[s]) part->starts[s + 1] = part->starts[s];
  }
  for (uint32_t s = 0; s < part->sections; s++) m->scratch[s] = 0;
  count_pairs(part, m->scratch);
  return find_bound(m, part, order, error);
}

/* A part ends where no item crosses into the next section. */
static ta_status make_parts(maker *m, ta_parts *parts, ta_error *error) {
  uint32_t count = 0, reach = 0;
  for (uint32_t i = 0; i < m->n; i++) {
    if (m->from[m->order[i]] >= reach) count++;
    reach = m->to[m->order[i]] > reach ? m->to[m->order[i]] : reach;
  }
  parts->at = TA_TAKE(m->region, count, ta_part);
  if (!parts->at) return ta_fail_memory(error);
  for (uint32_t start = 0, end; start < m->n; start = end) {
    ta_part *part = &parts->at[parts->n++];
    uint32_t base = m->from[m->order[start]];
    reach = m->to[m->order[start]];
    for (end = start + 1; end < m->n && m->from[m->order[end]] < reach; end++) {
      reach = m->to[m->order[end]] > reach ? m->to[m->order[end]] : reach;
    }
    part->n = end - start;
    part->sections = reach - base;
    ta_status status = make_part(m, part, m->order + start, base, error);
    if (status != TA_OK) return status;
  }
  return TA_OK;
}

static ta_status make_all(maker *m, uint32_t n, ta_parts *parts, ta_error *error) {
  if (!take(m, n)) return ta_fail_memory(error);
  for (uint32_t i = 0; i < n; i++) {
    if (m->items[i].bytes != 0 && m->items[i].first <= m->items[i].last) m->order[m->n++] = i;
  }
  if (m->n == 0) return TA_OK;
  if (!find_sections(m)) return ta_fail_memory(error);
  static const ta_key keys[] = {key_index, key_fixed, key_alignment, key_bytes, key_to, key_from};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (!order_by(m, m->order, keys[i])) return ta_fail_memory(error);
  }
  return make_parts(m, parts, error);
}

ta_status ta_parts_make(ta_region *region, const ta_item *items, uint32_t n, ta_parts *parts,
                        ta_error *error) {
  maker m = {.region = region, .items = items};
  *parts = (ta_parts){NULL, 0};
  ta_region_init(&m.work, &region->allocator);
  ta_status status = make_all(&m, n, parts, error);
  ta_region_free(&m.work);
  return status;
}

uint64_t ta_part_height(const ta_part *part, const uint64_t *levels) {
  uint64_t height = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    height = ta_max_u64(height, (levels[i] + p->size) * part->unit - p->pad);
  }
  return height;
}

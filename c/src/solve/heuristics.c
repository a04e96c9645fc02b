#include "solve/heuristics.h"

#include <string.h>

#include "arena/arena.h"
#include "base/error.h"
#include "base/num.h"
#include "base/order.h"

/* Up to so many pairs every placed neighbour of a piece is looked at. */
#define MOST_PAIRS UINT64_C(16000000)

typedef enum fit { LOWEST_FIT, BEST_FIT } fit;

typedef struct placer {
  const ta_part *part;
  uint64_t *levels;
  uint32_t *order; /* pieces, in the order of placing */
  uint32_t *scratch;
  uint8_t *placed;
  uint32_t *tree; /* over the pieces: the farthest `to` of the placed ones */
  uint32_t leaves;
  uint32_t *near; /* placed pieces that live together with the present one */
  uint32_t n_near;
} placer;

static void mark_placed(placer *p, uint32_t piece) {
  uint32_t to = p->part->pieces[piece].to;
  p->placed[piece] = 1;
  for (uint32_t at = p->leaves + piece; at > 0 && p->tree[at] < to; at /= 2) p->tree[at] = to;
}

/* The placed pieces that started before this one's second section and live in its first: down the tree,
 * where somebody reaches far enough. */
static void collect_earlier(placer *p, const ta_piece *piece) {
  uint32_t end = p->part->starts[piece->from + 1], stack[64], depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    uint32_t node = stack[--depth];
    if (p->tree[node] <= piece->from) continue;
    if (node >= p->leaves) {
      if (node - p->leaves >= end) break; /* so are all that follow */
      p->near[p->n_near++] = node - p->leaves;
      continue;
    }
    stack[depth++] = 2 * node + 1;
    stack[depth++] = 2 * node;
  }
}

static void collect_near(placer *p, const ta_piece *piece) {
  p->n_near = 0;
  collect_earlier(p, piece);
  for (uint32_t i = p->part->starts[piece->from + 1]; i < p->part->starts[piece->to]; i++) {
    if (p->placed[i]) p->near[p->n_near++] = i;
  }
  ta_order_by_key(p->near, p->scratch, p->n_near, p->levels);
}

/* Walks the gaps between the neighbours, lowest first. */
static bool find_level(placer *p, const ta_piece *piece, fit how, uint64_t *level) {
  uint64_t top = 0, start, best = TA_NO_UNITS;
  bool found = false;
  for (uint32_t i = 0; i < p->n_near; i++) {
    uint64_t next = p->levels[p->near[i]], size = p->part->pieces[p->near[i]].size;
    if (!ta_align_up(top, piece->alignment, &start)) return false;
    if (start + piece->size <= next && next - top < best) {
      *level = start;
      best = next - top;
      found = true;
      if (how == LOWEST_FIT) return true;
    }
    top = ta_max_u64(top, next + size);
  }
  return found || ta_align_up(top, piece->alignment, level);
}

static void place_fixed(placer *p) {
  memset(p->placed, 0, p->part->n);
  memset(p->tree, 0, 2 * (size_t)p->leaves * sizeof *p->tree);
  for (uint32_t i = 0; i < p->part->n; i++) {
    if (p->part->pieces[i].fixed == TA_NO_UNITS) continue;
    p->levels[i] = p->part->pieces[i].fixed;
    mark_placed(p, i);
  }
}

/* Places all pieces in the order of `order`. */
static bool place_in_order(placer *p, fit how) {
  place_fixed(p);
  for (uint32_t i = 0; i < p->part->n; i++) {
    uint32_t at = p->order[i];
    const ta_piece *piece = &p->part->pieces[at];
    uint64_t end;
    if (p->placed[at]) continue;
    collect_near(p, piece);
    if (!find_level(p, piece, how, &p->levels[at]) || !ta_add(p->levels[at], piece->size, &end)) return false;
    mark_placed(p, at);
  }
  return true;
}

static uint64_t key_time(const void *pieces, uint32_t i) {
  (void)pieces;
  return i;
}
static uint64_t key_size(const void *pieces, uint32_t i) {
  return ~((const ta_piece *)pieces)[i].size;
}
static uint64_t key_end(const void *pieces, uint32_t i) {
  return ((const ta_piece *)pieces)[i].to;
}
static uint64_t life_of(const void *pieces, uint32_t i) {
  const ta_piece *piece = (const ta_piece *)pieces + i;
  return piece->to - piece->from;
}
static uint64_t key_life(const void *pieces, uint32_t i) {
  return ~life_of(pieces, i);
}
static uint64_t key_area(const void *pieces, uint32_t i) {
  uint64_t area;
  return ta_mul(((const ta_piece *)pieces)[i].size, life_of(pieces, i), &area) ? ~area : 0;
}

typedef struct heuristic {
  ta_key key; /* smallest first */
  fit how;
} heuristic;

/* TFLM's is the second, TensorFlow Lite's the third, that of 2018 the fourth, but for what each does with
 * alignment. */
static const heuristic portfolio[] = {
    {key_area, LOWEST_FIT}, {key_size, LOWEST_FIT}, {key_size, BEST_FIT},
    {key_time, BEST_FIT},   {key_life, LOWEST_FIT}, {key_area, BEST_FIT},
};

static bool take_placer(placer *p, ta_region *region) {
  size_t n = p->part->n;
  p->leaves = 1;
  while (p->leaves < n) p->leaves *= 2;
  p->levels = TA_TAKE(region, n, uint64_t);
  p->order = TA_TAKE(region, n, uint32_t);
  p->scratch = TA_TAKE(region, n, uint32_t);
  p->placed = TA_TAKE(region, n, uint8_t);
  p->tree = TA_TAKE(region, 2 * (size_t)p->leaves, uint32_t);
  p->near = TA_TAKE(region, n, uint32_t);
  return p->levels && p->order && p->scratch && p->placed && p->tree && p->near;
}

/* Pair by pair. What does not fit below 2^53 is no plan. */
static bool try_portfolio(const ta_part *part, ta_region *region, uint64_t *levels, uint64_t *height) {
  placer p = {.part = part};
  if (!take_placer(&p, region)) return false;
  for (size_t h = 0; h < sizeof portfolio / sizeof portfolio[0] && *height > part->bound; h++) {
    for (uint32_t i = 0; i < part->n; i++) p.order[i] = i;
    if (!ta_order(&region->allocator, p.order, part->n, portfolio[h].key, part->pieces)) return false;
    if (!place_in_order(&p, portfolio[h].how)) continue;
    uint64_t reached = ta_part_height(part, p.levels);
    if (reached >= *height) continue;
    *height = reached;
    memcpy(levels, p.levels, part->n * sizeof *levels);
  }
  return true;
}

/* What all alignments divide, so that blocks of it need no alignment; 0 when there is no such number. */
static uint64_t common_block(const ta_part *part) {
  uint64_t block = 1;
  for (uint32_t i = 0; i < part->n; i++) {
    if (!ta_lcm(block, part->pieces[i].alignment, &block)) return 0;
  }
  return block;
}

/* Best fit in order of time with an online arena, above everything that is fixed. */
static ta_status place_online(const ta_part *part, ta_region *region, uint64_t *levels, ta_error *error) {
  uint64_t block = common_block(part), base = 0;
  ta_entry **entries = TA_TAKE(region, part->n, ta_entry *);
  uint32_t *ends = TA_TAKE(region, part->n, uint32_t);
  if (!entries || !ends) return ta_fail_memory(error);
  if (block == 0) return ta_fail(error, TA_E_LIMIT, "the alignments have no common multiple below 2^53");
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    ends[i] = i;
    if (p->fixed != TA_NO_UNITS) base = ta_max_u64(base, (p->fixed + p->size + block - 1) / block * block);
  }
  if (!ta_order(&region->allocator, ends, part->n, key_end, part->pieces)) return ta_fail_memory(error);
  ta_arena arena;
  ta_arena_init(&arena, region, 1);
  uint32_t ended = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    for (; part->pieces[ends[ended]].to <= p->from; ended++) {
      if (entries[ends[ended]]) ta_arena_deallocate(&arena, entries[ends[ended]]);
    }
    levels[i] = p->fixed;
    if (p->fixed != TA_NO_UNITS) continue;
    ta_status status = ta_arena_allocate(&arena, (p->size + block - 1) / block, &entries[i], error);
    if (status != TA_OK) return status;
    levels[i] = base + entries[i]->offset * block;
  }
  return TA_OK;
}

ta_status ta_place_greedily(const ta_part *part, const ta_allocator *allocator, uint64_t *levels,
                            uint64_t *height, ta_error *error) {
  ta_region region;
  ta_region_init(&region, allocator);
  *height = TA_NO_UNITS;
  ta_status status = TA_OK;
  if (part->pairs <= MOST_PAIRS && !try_portfolio(part, &region, levels, height)) {
    status = ta_fail_memory(error);
  }
  if (status == TA_OK && *height == TA_NO_UNITS) {
    status = place_online(part, &region, levels, error);
    if (status == TA_OK) *height = ta_part_height(part, levels);
  }
  ta_region_free(&region);
  return status;
}

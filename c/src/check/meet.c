#include "check/meet.h"

#include <string.h>

#include "base/num.h"
#include "base/order.h"

/* Counting: two claims that live at one step share bytes unless one ends at or below the other's start. So a
 * claim that enters meets all that live, less those that end by its start, less those that start at or past
 * its end. Two Fenwick trees over the ranks of the starts and of the ends count these in log n.
 *
 * Listing: a segment tree over the claims in order of their starts has, for each node, the farthest end of
 * the living, and the farthest end among those of any other group. With both at hand, a search for claims of
 * another group that reach past a byte only goes down where there is one. */
typedef struct reach {
  uint64_t end, other_end; /* 0: nobody lives here */
  uint32_t group;          /* whose `end` is */
} reach;

typedef struct sweep {
  const ta_block_claim *blocks;
  uint32_t n;
  uint32_t *enter, *leave;    /* blocks by first step, and by last */
  uint32_t *low_rank;         /* of each block's start among all starts, ties by index */
  uint32_t *high_rank;        /* of each block's end among all ends */
  uint32_t *by_low, *by_high; /* blocks by start, by end */
  uint32_t *lows, *highs;     /* Fenwick trees over those ranks */
  uint32_t live;
  reach *tree; /* leaves from `leaves` on, in by_low's order */
  uint32_t leaves;
} sweep;

static void fenwick_add(uint32_t *tree, uint32_t n, uint32_t rank, uint32_t change) {
  for (uint32_t at = rank + 1; at <= n; at += at & (0u - at)) tree[at] += change;
}

/* How many stand at ranks below `rank`. */
static uint32_t fenwick_below(const uint32_t *tree, uint32_t rank) {
  uint32_t sum = 0;
  for (uint32_t at = rank; at > 0; at &= at - 1) sum += tree[at];
  return sum;
}

static uint64_t low_of(const void *blocks, uint32_t block) {
  return ((const ta_block_claim *)blocks)[block].low;
}
static uint64_t high_of(const void *blocks, uint32_t block) {
  return ((const ta_block_claim *)blocks)[block].high;
}
static uint64_t first_of(const void *blocks, uint32_t block) {
  return ta_step_key(((const ta_block_claim *)blocks)[block].first);
}
static uint64_t last_of(const void *blocks, uint32_t block) {
  return ta_step_key(((const ta_block_claim *)blocks)[block].last);
}
static uint64_t group_of(const void *blocks, uint32_t block) {
  return ((const ta_block_claim *)blocks)[block].group;
}

/* How many of the ordered blocks have a key below `value`. */
static uint32_t count_below(const sweep *s, const uint32_t *order, ta_key key, uint64_t value) {
  uint32_t from = 0, to = s->n;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (key(s->blocks, order[middle]) < value) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

static void count_in(sweep *s, uint32_t block, uint32_t change) {
  fenwick_add(s->lows, s->n, s->low_rank[block], change);
  fenwick_add(s->highs, s->n, s->high_rank[block], change);
  s->live += change;
}

/* How many of those counted in share bytes with the block. */
static uint32_t count_meeting(const sweep *s, uint32_t block) {
  const ta_block_claim *b = &s->blocks[block];
  uint32_t end_by = fenwick_below(s->highs, count_below(s, s->by_high, high_of, b->low + 1));
  uint32_t start_before = fenwick_below(s->lows, count_below(s, s->by_low, low_of, b->high));
  return start_before - end_by;
}

static reach join(reach a, reach b) {
  if (a.end < b.end) {
    reach swap = a;
    a = b;
    b = swap;
  }
  a.other_end = ta_max_u64(a.other_end, b.group == a.group ? b.other_end : b.end);
  return a;
}

static void set_leaf(sweep *s, uint32_t block, bool lives) {
  uint32_t at = s->leaves + s->low_rank[block];
  s->tree[at] = (reach){lives ? s->blocks[block].high : 0, 0, s->blocks[block].group};
  for (at /= 2; at > 0; at /= 2) s->tree[at] = join(s->tree[2 * at], s->tree[2 * at + 1]);
}

static bool reaches(const sweep *s, uint32_t node, const ta_block_claim *b) {
  const reach *r = &s->tree[node];
  return (r->group == b->group ? r->other_end : r->end) > b->low;
}

static ta_clash clash_of(const ta_block_claim *a, const ta_block_claim *b) {
  return (ta_clash){.low = ta_max_u64(a->low, b->low),
                    .high = ta_min_u64(a->high, b->high) - 1,
                    .first = ta_max_i32(a->first, b->first),
                    .last = ta_min_i32(a->last, b->last),
                    .a = a->claim < b->claim ? a->claim : b->claim,
                    .b = a->claim < b->claim ? b->claim : a->claim,
                    .kind = TA_CLASH_OVERLAP};
}

/* Lists the living claims of other groups that the block meets, lowest start first, while there is room. */
static void list_meeting(const sweep *s, uint32_t block, ta_clash *clashes, uint32_t capacity,
                         uint32_t *listed) {
  const ta_block_claim *b = &s->blocks[block];
  uint32_t stack[64], depth = 0;
  stack[depth++] = 1;
  while (depth > 0 && *listed < capacity) {
    uint32_t node = stack[--depth];
    if (!reaches(s, node, b)) continue;
    if (node < s->leaves) {
      stack[depth++] = 2 * node + 1;
      stack[depth++] = 2 * node;
      continue;
    }
    const ta_block_claim *other = &s->blocks[s->by_low[node - s->leaves]];
    if (other->low >= b->high) break; /* so do all that follow */
    clashes[(*listed)++] = clash_of(other, b);
  }
}

static bool take(sweep *s, ta_region *region, const ta_block_claim *blocks, uint32_t n) {
  *s = (sweep){.blocks = blocks, .n = n, .leaves = 1};
  while (s->leaves < n) s->leaves *= 2;
  uint32_t **lists[] = {&s->enter, &s->leave, &s->low_rank, &s->high_rank, &s->by_low, &s->by_high};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    *lists[i] = TA_TAKE(region, n, uint32_t);
    if (!*lists[i]) return false;
  }
  s->lows = TA_TAKE(region, (size_t)n + 1, uint32_t);
  s->highs = TA_TAKE(region, (size_t)n + 1, uint32_t);
  s->tree = TA_TAKE(region, (size_t)s->leaves * 2, reach);
  return s->lows && s->highs && s->tree;
}

static bool order_all(sweep *s, const ta_allocator *allocator) {
  for (uint32_t i = 0; i < s->n; i++) s->enter[i] = s->leave[i] = s->by_low[i] = s->by_high[i] = i;
  if (!ta_order(allocator, s->enter, s->n, first_of, s->blocks) ||
      !ta_order(allocator, s->leave, s->n, last_of, s->blocks) ||
      !ta_order(allocator, s->by_low, s->n, low_of, s->blocks) ||
      !ta_order(allocator, s->by_high, s->n, high_of, s->blocks))
    return false;
  for (uint32_t i = 0; i < s->n; i++) {
    s->low_rank[s->by_low[i]] = i;
    s->high_rank[s->by_high[i]] = i;
  }
  return true;
}

/* Pairs within one group, which the sweep over all must not count: the same sweep over the group alone.
 * `enter` and `leave` are the group's own blocks in those orders. */
static uint64_t count_pairs(sweep *s, const uint32_t *enter, const uint32_t *leave, uint32_t n) {
  uint64_t pairs = 0;
  uint32_t left = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (; s->blocks[leave[left]].last < s->blocks[enter[i]].first; left++)
      count_in(s, leave[left], UINT32_MAX);
    pairs += count_meeting(s, enter[i]);
    count_in(s, enter[i], 1);
  }
  for (; left < n; left++) count_in(s, leave[left], UINT32_MAX);
  return pairs;
}

/* Brings the blocks of each group together (each part still in its order) and counts group by group. */
static bool count_in_groups(sweep *s, ta_region *region, uint64_t *pairs) {
  uint32_t *enter = TA_TAKE(region, s->n, uint32_t), *leave = TA_TAKE(region, s->n, uint32_t);
  if (!enter || !leave) return false;
  memcpy(enter, s->enter, s->n * sizeof *enter);
  memcpy(leave, s->leave, s->n * sizeof *leave);
  if (!ta_order(&region->allocator, enter, s->n, group_of, s->blocks) ||
      !ta_order(&region->allocator, leave, s->n, group_of, s->blocks))
    return false;
  *pairs = 0;
  for (uint32_t from = 0, to; from < s->n; from = to) {
    for (to = from + 1; to < s->n && s->blocks[enter[to]].group == s->blocks[enter[from]].group; to++)
      continue;
    if (to - from > 1) *pairs += count_pairs(s, enter + from, leave + from, to - from);
  }
  return true;
}

static void list_all(sweep *s, ta_clash *clashes, uint32_t capacity, uint32_t *listed) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < s->n && *listed < capacity; i++) {
    uint32_t block = s->enter[i];
    for (; s->blocks[s->leave[left]].last < s->blocks[block].first; left++) {
      set_leaf(s, s->leave[left], false);
    }
    list_meeting(s, block, clashes, capacity, listed);
    set_leaf(s, block, true);
  }
}

bool ta_find_meetings(ta_region *region, const ta_block_claim *blocks, uint32_t n, uint64_t *pairs,
                      ta_clash *clashes, uint32_t capacity, uint32_t *listed) {
  sweep s;
  uint64_t within;
  if (!take(&s, region, blocks, n) || !order_all(&s, &region->allocator)) return false;
  if (!count_in_groups(&s, region, &within)) return false;
  *pairs = count_pairs(&s, s.enter, s.leave, n) - within;
  if (*pairs != 0) list_all(&s, clashes, capacity, listed);
  return true;
}

/* The live-bytes bound. At any step the live buffers lie above one another. If all their offsets are
 * multiples of g, each but the highest takes its size rounded up to g, so the height is at least the sum of
 * the rounded sizes less the largest padding. The same holds for the live buffers whose alignment is a
 * multiple of g, for any g; so one sweep over the steps is made for each g that is worth it. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/order.h"
#include "solve/solve.h"

enum { MOST_DIVISORS = 32 }; /* keeps the work linear in n when somebody lists a million alignments */

typedef struct sweep {
  const ta_item *items;
  uint32_t n;         /* of the lists below: items that occupy something */
  uint32_t *by_first; /* items in order of their first step */
  uint32_t *by_last;  /* and of their last */
  uint64_t *padding;  /* of each item, under the present g */
  uint32_t *heap;     /* live items, largest padding on top; the dead are dropped when they surface */
  uint32_t heap_n;
  uint64_t g;
} sweep;

/* What the item's offset is certainly a multiple of. */
static uint64_t divisor_of(const ta_item *item) {
  return item->fixed == TA_NO_OFFSET ? item->alignment : ta_gcd(item->alignment, item->fixed);
}

static bool occupies(const ta_item *item) {
  return item->bytes != 0 && item->first <= item->last;
}

/* Lives that began before step 0 are live at step 0. */
static int32_t first_step(const ta_item *item) {
  return item->first < 0 && item->last >= 0 ? 0 : item->first;
}

static void heap_push(sweep *s, uint32_t item) {
  uint32_t at = s->heap_n++;
  while (at > 0 && s->padding[s->heap[(at - 1) / 2]] < s->padding[item]) {
    s->heap[at] = s->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  s->heap[at] = item;
}

static void heap_pop(sweep *s) {
  uint32_t sinking = s->heap[--s->heap_n], at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= s->heap_n) break;
    if (child + 1 < s->heap_n && s->padding[s->heap[child]] < s->padding[s->heap[child + 1]]) child++;
    if (s->padding[s->heap[child]] <= s->padding[sinking]) break;
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = sinking;
}

static uint64_t largest_padding(sweep *s, int32_t step) {
  while (s->heap_n > 0 && s->items[s->heap[0]].last < step) heap_pop(s);
  return s->heap_n > 0 ? s->padding[s->heap[0]] : 0;
}

/* The most, over the steps, of the rounded live bytes less the largest padding, and the first step that has
 * it, where that is more than *most. */
static bool sweep_divisor(sweep *s, uint64_t g, uint64_t *most, int32_t *at_step) {
  uint64_t live = 0;
  uint32_t ended = 0;
  s->g = g;
  s->heap_n = 0;
  for (uint32_t i = 0; i < s->n;) {
    int32_t step = first_step(&s->items[s->by_first[i]]);
    for (; ended < s->n && s->items[s->by_last[ended]].last < step; ended++) {
      const ta_item *item = &s->items[s->by_last[ended]];
      if (divisor_of(item) % s->g == 0) live -= item->bytes + s->padding[s->by_last[ended]];
    }
    for (; i < s->n && first_step(&s->items[s->by_first[i]]) == step; i++) {
      uint32_t at = s->by_first[i];
      const ta_item *item = &s->items[at];
      if (divisor_of(item) % s->g != 0) continue;
      uint64_t rounded;
      if (!ta_align_up(item->bytes, s->g, &rounded) || !ta_add(live, rounded, &live)) return false;
      s->padding[at] = rounded - item->bytes;
      if (s->padding[at] != 0) heap_push(s, at);
    }
    if (live <= *most || live - largest_padding(s, step) <= *most) continue;
    *most = live - largest_padding(s, step);
    *at_step = step;
  }
  return true;
}

static bool contains(const uint64_t *list, uint32_t n, uint64_t value) {
  for (uint32_t i = 0; i < n; i++) {
    if (list[i] == value) return true;
  }
  return false;
}

/* The divisors worth a sweep: the alignments that occur and the common divisors of them. The greatest common
 * divisor of all comes first, so that it is there when the list is full. */
static uint32_t find_divisors(const sweep *s, uint64_t divisors[MOST_DIVISORS]) {
  uint64_t common = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    common = ta_gcd(divisor_of(&s->items[s->by_first[i]]), common);
  }
  uint32_t n = 0;
  divisors[n++] = common;
  for (uint32_t i = 0; i < s->n && n < MOST_DIVISORS; i++) {
    uint64_t own = divisor_of(&s->items[s->by_first[i]]);
    if (!contains(divisors, n, own)) divisors[n++] = own;
  }
  for (uint32_t a = 0; a < n; a++) {
    for (uint32_t b = 0; b < a && n < MOST_DIVISORS; b++) {
      uint64_t both = ta_gcd(divisors[a], divisors[b]);
      if (!contains(divisors, n, both)) divisors[n++] = both;
    }
  }
  return n;
}

static uint64_t key_first(const void *items, uint32_t i) {
  return ta_step_key(first_step((const ta_item *)items + i));
}
static uint64_t key_last(const void *items, uint32_t i) {
  return ta_step_key(((const ta_item *)items)[i].last);
}

static bool prepare(sweep *s, ta_region *region, const ta_item *items, uint32_t n) {
  s->items = items;
  s->by_first = TA_TAKE(region, n, uint32_t);
  s->by_last = TA_TAKE(region, n, uint32_t);
  s->heap = TA_TAKE(region, n, uint32_t);
  s->padding = TA_TAKE(region, n, uint64_t);
  if (!s->by_first || !s->by_last || !s->heap || !s->padding) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!occupies(&items[i])) continue;
    s->by_first[s->n] = s->by_last[s->n] = i;
    s->n++;
  }
  return ta_order(&region->allocator, s->by_first, s->n, key_first, items) &&
         ta_order(&region->allocator, s->by_last, s->n, key_last, items);
}

static ta_status over_limit(ta_error *error) {
  return ta_fail(error, TA_E_LIMIT,
                 "the buffers live at one step, or a fixed one, end past byte %L; make them smaller");
}

static ta_status find_bound(sweep *s, uint64_t *bound, int32_t *peak_step, uint64_t *peak_live,
                            ta_error *error) {
  int32_t step;
  if (!sweep_divisor(s, 1, peak_live, peak_step)) return over_limit(error);
  *bound = *peak_live;
  for (uint32_t i = 0; i < s->n; i++) {
    const ta_item *item = &s->items[s->by_first[i]];
    uint64_t end;
    if (item->fixed == TA_NO_OFFSET) continue;
    if (!ta_add(item->fixed, item->bytes, &end)) return over_limit(error);
    *bound = ta_max_u64(*bound, end);
  }
  uint64_t divisors[MOST_DIVISORS];
  uint32_t count = find_divisors(s, divisors);
  for (uint32_t i = 0; i < count; i++) {
    if (divisors[i] > 1 && !sweep_divisor(s, divisors[i], bound, &step)) return over_limit(error);
  }
  return TA_OK;
}

ta_status ta_live_bound(const ta_allocator *allocator, const ta_item *items, uint32_t n, uint64_t *bound,
                        int32_t *peak_step, uint64_t *peak_live, ta_error *error) {
  ta_region region;
  ta_region_init(&region, allocator);
  sweep s;
  memset(&s, 0, sizeof s);
  *peak_step = -1;
  *peak_live = 0;
  ta_status status = prepare(&s, &region, items, n) ? find_bound(&s, bound, peak_step, peak_live, error)
                                                    : ta_fail_memory(error);
  ta_region_free(&region);
  return status;
}

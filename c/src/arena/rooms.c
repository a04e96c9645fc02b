#include "arena/rooms.h"

#include <string.h>

#include "base/num.h"

/* ---- stretches ------------------------------------------------------------------------------------------
 */

enum { MOST_STRETCHES = 64, BUFFERS_A_STRETCH = 64 };

static uint32_t stretch_of(const ta_rooms *rooms, int32_t step) {
  uint32_t low = 0, high = rooms->n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (rooms->start[middle] <= step) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static int32_t first_step(const ta_rooms *rooms, uint32_t stretch) {
  return rooms->start[stretch];
}

static int32_t last_step(const ta_rooms *rooms, uint32_t stretch) {
  return rooms->start[stretch + 1] - 1;
}

/* A stretch ends before the step at which more than its share of lives would have begun or ended within it.
 * `changes`: by step, how many begin at it or have ended just before it. */
static void cut_time(ta_rooms *rooms, const uint32_t *changes, int32_t steps, uint32_t n) {
  uint32_t share = rooms->leaves > 1 ? 2 * n / (rooms->leaves - 1) + 1 : UINT32_MAX, within = 0;
  rooms->n = 1;
  for (int32_t step = 1; step < steps; step++) {
    within += changes[step];
    if (within <= share) continue;
    rooms->start[rooms->n++] = step;
    within = 0;
  }
  rooms->start[rooms->n] = steps;
}

static bool make_stretches(ta_rooms *rooms, const int32_t *first, const int32_t *last, uint32_t n,
                           int32_t steps) {
  ta_region temporary;
  ta_region_init(&temporary, &rooms->region->allocator);
  uint32_t *changes = TA_TAKE(&temporary, (size_t)ta_max_i32(steps, 1), uint32_t);
  rooms->start = TA_TAKE(rooms->region, (size_t)rooms->leaves + 1, int32_t);
  bool made = changes && rooms->start;
  for (uint32_t i = 0; made && i < n; i++) {
    if (first[i] < 0) continue;
    changes[first[i]]++;
    if (last[i] < steps - 1) changes[last[i] + 1]++;
  }
  if (made) cut_time(rooms, changes, steps, n);
  ta_region_free(&temporary);
  return made;
}

bool ta_rooms_init(ta_rooms *rooms, const int32_t *first, const int32_t *last, uint32_t n, int32_t steps,
                   uint64_t alignment, ta_region *region) {
  memset(rooms, 0, sizeof *rooms);
  rooms->region = region;
  rooms->alignment = alignment;
  rooms->leaves = 1;
  while (rooms->leaves < MOST_STRETCHES && rooms->leaves * BUFFERS_A_STRETCH < n) rooms->leaves *= 2;
  rooms->log = TA_TAKE(region, n, ta_placed);
  rooms->all = TA_TAKE(region, 2 * (size_t)rooms->leaves, ta_gaps);
  rooms->through = TA_TAKE(region, rooms->leaves, ta_gaps);
  rooms->parts = TA_TAKE(region, rooms->leaves, ta_room_parts);
  return rooms->log && rooms->all && rooms->through && rooms->parts &&
         make_stretches(rooms, first, last, n, steps);
}

void ta_rooms_clear(ta_rooms *rooms) {
  rooms->n_log = 0;
  for (uint32_t node = 0; node < 2 * rooms->leaves; node++) rooms->all[node].n = rooms->all[node].seen = 0;
  for (uint32_t s = 0; s < rooms->n; s++) {
    rooms->through[s].n = rooms->through[s].seen = 0;
    rooms->parts[s].n = rooms->parts[s].seen = 0;
  }
}

/* ---- lists ----------------------------------------------------------------------------------------------
 */

/* `at` when it has room for one more than n elements; else a copy twice as large (what was there before is
 * left to the region), or NULL. */
static void *with_room(ta_rooms *rooms, void *at, uint32_t n, uint32_t *capacity, size_t size) {
  if (n < *capacity) return at;
  uint32_t wider = *capacity ? 2 * *capacity : 4;
  void *taken = ta_region_take(rooms->region, wider, size);
  if (!taken) return NULL;
  if (n) memcpy(taken, at, n * size);
  *capacity = wider;
  return taken;
}

static bool make_room(ta_rooms *rooms, ta_gaps *gaps) {
  void *at = with_room(rooms, gaps->at, gaps->n, &gaps->capacity, sizeof(ta_extent));
  if (at) gaps->at = at;
  return at != NULL;
}

static bool has_aligned_byte(const ta_rooms *rooms, ta_extent gap) {
  return ((gap.offset + rooms->alignment - 1) & ~(rooms->alignment - 1)) < gap.end;
}

/* The first gap that ends behind the offset. */
static uint32_t gap_behind(const ta_gaps *gaps, uint64_t offset) {
  uint32_t low = 0, high = gaps->n - 1; /* the last one does */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (gaps->at[middle].end > offset) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/* Takes bytes out of the gaps; none at all cut a gap in two. */
static bool close_gaps(ta_rooms *rooms, ta_gaps *gaps, ta_extent taken) {
  uint32_t from = gap_behind(gaps, taken.offset), to = from;
  while (to < gaps->n && gaps->at[to].offset < taken.end) to++;
  if (from == to) return true;
  ta_extent rest[2] = {{gaps->at[from].offset, taken.offset}, {taken.end, gaps->at[to - 1].end}};
  uint32_t n = 0;
  for (uint32_t i = 0; i < 2; i++) {
    if (has_aligned_byte(rooms, rest[i])) rest[n++] = rest[i];
  }
  if (n > to - from && !make_room(rooms, gaps)) return false;
  if (n != to - from) memmove(gaps->at + from + n, gaps->at + to, (gaps->n - to) * sizeof(ta_extent));
  memcpy(gaps->at + from, rest, n * sizeof(ta_extent));
  gaps->n += n - (to - from);
  return true;
}

static bool add_part(ta_rooms *rooms, ta_room_parts *parts, const ta_placed *placed) {
  void *at = with_room(rooms, parts->at, parts->n, &parts->capacity, sizeof(ta_placed));
  if (!at) return false;
  parts->at = at;
  uint32_t low = 0, high = parts->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (parts->at[middle].at.offset > placed->at.offset) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  memmove(parts->at + low + 1, parts->at + low, (parts->n - low) * sizeof(ta_placed));
  parts->at[low] = *placed;
  parts->n++;
  return true;
}

/* ---- bringing lists up to date --------------------------------------------------------------------------
 */

/* Closes the gaps for what overlaps begin .. end, or only for what lives from begin to end. */
static bool update_gaps(ta_rooms *rooms, ta_gaps *gaps, int32_t begin, int32_t end, bool throughout) {
  if (gaps->n == 0) {
    if (!make_room(rooms, gaps)) return false;
    gaps->at[gaps->n++] = (ta_extent){0, UINT64_MAX};
  }
  int32_t latest = throughout ? begin : end, earliest = throughout ? end : begin;
  for (; gaps->seen < rooms->n_log; gaps->seen++) {
    const ta_placed *placed = &rooms->log[gaps->seen];
    if (placed->first <= latest && placed->last >= earliest && !close_gaps(rooms, gaps, placed->at))
      return false;
  }
  return true;
}

static bool update_parts(ta_rooms *rooms, uint32_t stretch) {
  ta_room_parts *parts = &rooms->parts[stretch];
  int32_t begin = first_step(rooms, stretch), end = last_step(rooms, stretch);
  for (; parts->seen < rooms->n_log; parts->seen++) {
    const ta_placed *placed = &rooms->log[parts->seen];
    bool meets = placed->first <= end && placed->last >= begin;
    bool through = placed->first <= begin && placed->last >= end;
    if (meets && !through && !add_part(rooms, parts, placed)) return false;
  }
  return true;
}

/* ---- questions ------------------------------------------------------------------------------------------
 */

/* Room for `most` elements; there need be none. */
static bool reserve(ta_rooms *rooms, ta_gaps *gaps, uint32_t most) {
  if (most <= gaps->capacity) return true;
  gaps->at = TA_TAKE(rooms->region, 2 * (size_t)most, ta_extent);
  gaps->capacity = gaps->at ? 2 * most : 0;
  return gaps->at != NULL;
}

static void swap_found(ta_rooms *rooms) {
  ta_gaps swap = rooms->found;
  rooms->found = rooms->next;
  rooms->next = swap;
}

/* The first gap from `gap` on that ends there or behind: by strides that double, then halve. */
static const ta_extent *skip_to(const ta_extent *gap, const ta_extent *end, uint64_t least_end) {
  size_t stride = 1;
  if (gap->end >= least_end) return gap;
  for (; stride < (size_t)(end - gap) && gap[stride].end < least_end; stride *= 2) gap += stride;
  for (; stride > 0; stride /= 2) {
    if (stride < (size_t)(end - gap) && gap[stride].end < least_end) gap += stride;
  }
  return gap + 1;
}

/* Of what was found, what is free in the other gaps, too. Whether there is enough of it is no branch: that
 * would be guessed wrong half of the time. */
static bool intersect(ta_rooms *rooms, const ta_gaps *other, uint64_t bytes) {
  if (!reserve(rooms, &rooms->next, rooms->found.n + other->n)) return false;
  const ta_extent *gap = other->at, *end = other->at + other->n;
  ta_extent *out = rooms->next.at;
  uint32_t n = 0;
  for (uint32_t i = 0; i < rooms->found.n; i++) {
    ta_extent found = rooms->found.at[i];
    for (gap = skip_to(gap, end, found.offset + bytes);; gap++) {
      uint64_t from = ta_max_u64(found.offset, gap->offset), to = ta_min_u64(found.end, gap->end);
      out[n] = (ta_extent){from, to};
      n += to >= from + bytes;
      if (gap->end >= found.end) break;
    }
  }
  rooms->next.n = n;
  swap_found(rooms);
  return true;
}

uint32_t ta_subtract(const ta_extent *gaps, const ta_extent *buffers, uint64_t bytes, ta_extent *left) {
  uint64_t reach = 0;
  uint32_t n = 0;
  for (;; gaps++) {
    uint64_t from = ta_max_u64(gaps->offset, reach);
    for (; buffers->offset < gaps->end; buffers++) {
      left[n] = (ta_extent){from, buffers->offset};
      n += buffers->offset >= from + bytes;
      reach = ta_max_u64(reach, buffers->end);
      from = ta_max_u64(from, buffers->end);
    }
    left[n] = (ta_extent){from, gaps->end};
    n += gaps->end >= from + bytes;
    if (gaps->end == UINT64_MAX) return n;
  }
}

/* A node, whose gaps the life can only have a part of. */
static bool look_at_node(ta_rooms *rooms, uint32_t node, uint64_t bytes) {
  uint32_t from = node, to = node;
  for (; from < rooms->leaves; to = 2 * to + 1) from *= 2;
  int32_t begin = first_step(rooms, from - rooms->leaves), end = last_step(rooms, to - rooms->leaves);
  return update_gaps(rooms, &rooms->all[node], begin, end, false) &&
         intersect(rooms, &rooms->all[node], bytes);
}

/* The nodes that together make up the stretches from `low` up to but not including `high`: the largest first,
 * as they leave least. */
static bool look_at_nodes(ta_rooms *rooms, uint32_t low, uint32_t high, uint64_t bytes) {
  uint32_t nodes[2 * 8], n = 0;
  for (low += rooms->leaves, high += rooms->leaves; low < high; low /= 2, high /= 2) {
    if (low & 1) nodes[n++] = low++;
    if (high & 1) nodes[n++] = --high;
  }
  while (n > 0) {
    if (!look_at_node(rooms, nodes[--n], bytes)) return false;
  }
  return true;
}

/* A stretch, of which only the parts that overlap the life matter. They are picked out without branches, too.
 */
static bool look_at_stretch(ta_rooms *rooms, uint32_t stretch, int32_t first, int32_t last, uint64_t bytes) {
  ta_gaps *through = &rooms->through[stretch], *met = &rooms->met;
  const ta_room_parts *parts = &rooms->parts[stretch];
  int32_t begin = first_step(rooms, stretch), end = last_step(rooms, stretch);
  if (!update_gaps(rooms, through, begin, end, true) || !update_parts(rooms, stretch) ||
      !intersect(rooms, through, bytes) || !reserve(rooms, met, parts->n + 1))
    return false;
  met->n = 0;
  for (uint32_t i = 0; i < parts->n; i++) {
    met->at[met->n] = parts->at[i].at;
    met->n += (parts->at[i].first <= last) & (parts->at[i].last >= first);
  }
  met->at[met->n] = (ta_extent){UINT64_MAX, UINT64_MAX};
  if (!reserve(rooms, &rooms->next, rooms->found.n + met->n + 1)) return false;
  rooms->next.n = ta_subtract(rooms->found.at, met->at, bytes, rooms->next.at);
  swap_found(rooms);
  return true;
}

static bool look_at_life(ta_rooms *rooms, int32_t first, int32_t last, uint64_t bytes) {
  uint32_t from = stretch_of(rooms, first), to = stretch_of(rooms, last);
  bool whole_from = first_step(rooms, from) >= first, whole_to = last_step(rooms, to) <= last;
  if (from == to && !(whole_from && whole_to)) return look_at_stretch(rooms, from, first, last, bytes);
  if (!look_at_nodes(rooms, whole_from ? from : from + 1, whole_to ? to + 1 : to, bytes)) return false;
  if (!whole_from && !look_at_stretch(rooms, from, first, last, bytes)) return false;
  return whole_to || look_at_stretch(rooms, to, first, last, bytes);
}

const ta_extent *ta_rooms_find(ta_rooms *rooms, int32_t first, int32_t last, uint64_t bytes) {
  if (!reserve(rooms, &rooms->found, 1)) return NULL;
  rooms->found.at[0] = (ta_extent){0, UINT64_MAX};
  rooms->found.n = 1;
  return look_at_life(rooms, first, last, bytes) ? rooms->found.at : NULL;
}

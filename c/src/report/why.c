/* Why a buffer lies where it does: its turn, what was in its way, what has its bytes before and after. The
 * planners count the turns as they place; everything else follows from lives and places. */
#include <string.h>

#include "base/error.h"
#include "base/region.h"
#include "base/sort.h"
#include "planner/planner.h"

_Static_assert(sizeof(ta_why) == 80, "no padding, the same on every target");

static bool has_bytes(const ta_buffer *buffer) {
  return buffer->arena == TA_ARENA_RW_PLACE && buffer->offset != TA_NO_OFFSET && buffer->bytes > 0;
}

static bool live_together(const ta_buffer *a, const ta_buffer *b) {
  return a->first <= b->last && b->first <= a->last;
}

static bool share_a_byte(const ta_buffer *a, const ta_buffer *b) {
  return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Whether `other` had its place when it was the buffer's turn. */
static bool came_before(const ta_planner *planner, uint32_t other, uint32_t buffer) {
  uint32_t turn = planner->turns[buffer];
  return turn == 0 || (planner->turns[other] != 0 && planner->turns[other] < turn);
}

static bool is_in_way(const ta_planner *planner, uint32_t other, uint32_t buffer) {
  const ta_buffer *a = &planner->buffers[buffer], *b = &planner->buffers[other];
  return other != buffer && has_bytes(b) && b->shares == TA_NO_INDEX && b->offset < a->offset &&
         live_together(a, b) && came_before(planner, other, buffer);
}

/* From the bottom up. */
static bool lies_before(const void *context, uint32_t a, uint32_t b) {
  const ta_buffer *buffers = context;
  return buffers[a].offset != buffers[b].offset ? buffers[a].offset < buffers[b].offset : a < b;
}

static void find_gap(const ta_buffer *buffers, const uint32_t *in_way, uint32_t n, uint64_t top,
                     ta_why *out) {
  uint64_t end = 0;
  for (uint32_t i = 0; i <= n; i++) {
    uint64_t next = i < n ? buffers[in_way[i]].offset : top;
    if (next > end && next - end > out->gap_bytes) {
      out->gap_offset = end;
      out->gap_bytes = next - end;
    }
    if (i < n && buffers[in_way[i]].offset + buffers[in_way[i]].bytes > end) {
      end = buffers[in_way[i]].offset + buffers[in_way[i]].bytes;
    }
  }
}

static ta_status look_below(const ta_planner *planner, uint32_t buffer, ta_why *out, ta_error *error) {
  ta_region region;
  ta_region_init(&region, &planner->allocator);
  uint32_t *in_way = TA_TAKE(&region, planner->n_buffers, uint32_t), n = 0;
  if (!in_way) {
    ta_region_free(&region);
    return ta_fail_memory(error);
  }
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (is_in_way(planner, i, buffer)) in_way[n++] = i;
  }
  ta_sort(in_way, n, lies_before, planner->buffers);
  find_gap(planner->buffers, in_way, n, planner->buffers[buffer].offset, out);
  out->in_way_count = n;
  for (uint32_t i = 0; i < n && i < TA_MAX_IN_WAY; i++) out->in_way[i] = in_way[n - 1 - i];
  ta_region_free(&region);
  return TA_OK;
}

static void look_around(const ta_planner *planner, uint32_t buffer, ta_why *out) {
  const ta_buffer *buffers = planner->buffers, *own = &buffers[buffer];
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *other = &buffers[i];
    if (i == buffer || !has_bytes(other) || !share_a_byte(own, other)) continue;
    if (other->shares == buffer) {
      out->sharers++;
    } else if (other->last < own->first) {
      if (out->before == TA_NO_INDEX || other->last > buffers[out->before].last) out->before = i;
    } else if (other->first > own->last) {
      if (out->after == TA_NO_INDEX || other->first < buffers[out->after].first) out->after = i;
    }
  }
  if (own->shares != TA_NO_INDEX) out->sharers++;
  out->root = own->shares;
}

ta_status ta_planner_why(const ta_planner *planner, uint32_t buffer, ta_why *out, const char **rule,
                         ta_error *error) {
  if (!planner->planned) return ta_fail(error, TA_E_STATE, "nothing is planned yet: call plan first");
  if (buffer >= planner->n_buffers) {
    return ta_fail(error, TA_E_INDEX, "there is no buffer %u: the plan has %u", buffer, planner->n_buffers);
  }
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < TA_MAX_IN_WAY; i++) out->in_way[i] = TA_NO_INDEX;
  out->before = out->after = out->root = TA_NO_INDEX;
  if (rule) *rule = planner->kind->turn;
  if (!has_bytes(&planner->buffers[buffer])) return TA_OK;
  out->turn = planner->turns[buffer];
  out->turns = planner->n_turns;
  look_around(planner, buffer, out);
  return look_below(planner, buffer, out, error);
}

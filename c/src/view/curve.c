/* The curve: live bytes and highest end as they change from step to step, and their maxima per column. */
#include "base/error.h"
#include "base/num.h"
#include "base/order.h"
#include "view/view.h"

/* Buffers that start and stop counting, in step order. */
typedef struct sweep {
  const ta_buffer *buffers;
  uint32_t *starts, *stops; /* indices of the buffers that are live, by first and by last */
  uint32_t n;
  uint32_t *heap; /* those with a place, highest end on top; ended ones stay until they come up */
  uint32_t n_heap;
} sweep;

static bool is_live(const ta_buffer *buffer) {
  return buffer->arena == TA_ARENA_RW_PLACE && buffer->last >= 0 && buffer->last >= buffer->first;
}

static int32_t start_of(const ta_buffer *buffer) {
  return buffer->first < 0 ? 0 : buffer->first;
}

static uint64_t end_of(const ta_buffer *buffer) {
  return buffer->offset == TA_NO_OFFSET ? 0 : buffer->offset + buffer->bytes;
}

static void heap_push(sweep *s, uint32_t index) {
  uint32_t at = s->n_heap++;
  while (at > 0 && end_of(&s->buffers[s->heap[(at - 1) / 2]]) < end_of(&s->buffers[index])) {
    s->heap[at] = s->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  s->heap[at] = index;
}

static void heap_pop(sweep *s) {
  uint32_t sinking = s->heap[--s->n_heap], at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= s->n_heap) break;
    if (child + 1 < s->n_heap &&
        end_of(&s->buffers[s->heap[child]]) < end_of(&s->buffers[s->heap[child + 1]])) {
      child++;
    }
    if (end_of(&s->buffers[sinking]) >= end_of(&s->buffers[s->heap[child]])) break;
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = sinking;
}

static void add_change(ta_view *view, int32_t step, uint64_t live, uint64_t high) {
  view->changes[view->n_changes++] = (ta_curve_point){live, high, step};
}

/* A buffer counts as live where the planner is asked to place it; one that shares another's bytes does not
 * count twice. */
static uint64_t counted(const ta_buffer *buffer) {
  return buffer->in_plan && buffer->shares == TA_NO_INDEX ? buffer->bytes : 0;
}

static ta_status run(ta_view *view, sweep *s, ta_error *error) {
  uint64_t live = 0;
  uint32_t start = 0, stop = 0;
  while (stop < s->n) {
    int64_t next_start = start < s->n ? start_of(&s->buffers[s->starts[start]]) : INT64_MAX;
    int64_t next_stop = (int64_t)s->buffers[s->stops[stop]].last + 1;
    int64_t step = next_start < next_stop ? next_start : next_stop;
    if (step > INT32_MAX) break; /* what ends after the last step there can be */
    for (; stop < s->n && (int64_t)s->buffers[s->stops[stop]].last + 1 == step; stop++) {
      live -= counted(&s->buffers[s->stops[stop]]);
    }
    for (; start < s->n && start_of(&s->buffers[s->starts[start]]) == step; start++) {
      if (!ta_add(live, counted(&s->buffers[s->starts[start]]), &live)) {
        return ta_fail(error, TA_E_LIMIT, "the live bytes of step %i are over 2^53 - 1", (int32_t)step);
      }
      heap_push(s, s->starts[start]);
    }
    while (s->n_heap > 0 && s->buffers[s->heap[0]].last < step) heap_pop(s);
    add_change(view, (int32_t)step, live, s->n_heap > 0 ? end_of(&s->buffers[s->heap[0]]) : 0);
  }
  return TA_OK;
}

static ta_status index_changes(ta_view *view, ta_error *error) {
  uint32_t n_blocks = (view->n_changes + CURVE_BLOCK - 1) / CURVE_BLOCK;
  view->change_blocks = TA_TAKE(&view->region, n_blocks, ta_curve_point);
  if (!view->change_blocks) return ta_fail_memory(error);
  for (uint32_t i = 0; i < view->n_changes; i++) {
    ta_curve_point *block = &view->change_blocks[i / CURVE_BLOCK];
    block->live = ta_max_u64(block->live, view->changes[i].live);
    block->high = ta_max_u64(block->high, view->changes[i].high);
  }
  return TA_OK;
}

static ta_status sweep_buffers(ta_view *view, ta_region *scratch, const ta_buffer *buffers, uint32_t count,
                               ta_error *error) {
  sweep s = {.buffers = buffers};
  for (uint32_t i = 0; i < count; i++) s.n += is_live(&buffers[i]);
  s.starts = TA_TAKE(scratch, s.n, uint32_t);
  s.stops = TA_TAKE(scratch, s.n, uint32_t);
  s.heap = TA_TAKE(scratch, s.n, uint32_t);
  view->changes = TA_TAKE(&view->region, 2 * (size_t)s.n, ta_curve_point);
  uint64_t *keys = TA_TAKE(scratch, count, uint64_t);
  if (!s.starts || !s.stops || !s.heap || !view->changes || !keys) return ta_fail_memory(error);
  for (uint32_t i = 0, k = 0; i < count; i++) {
    if (is_live(&buffers[i])) {
      s.starts[k] = s.stops[k] = i;
      k++;
    }
  }
  for (uint32_t i = 0; i < count; i++) keys[i] = ta_step_key(start_of(&buffers[i]));
  ta_order_by_key(s.starts, s.heap, s.n, keys); /* the heap is not in use yet */
  for (uint32_t i = 0; i < count; i++) keys[i] = ta_step_key(buffers[i].last);
  ta_order_by_key(s.stops, s.heap, s.n, keys);
  return run(view, &s, error);
}

ta_status ta_view_make_changes(ta_view *view, const ta_allocator *allocator, const ta_buffer *buffers,
                               uint32_t count, ta_error *error) {
  ta_region scratch;
  ta_region_init(&scratch, allocator);
  ta_status status = sweep_buffers(view, &scratch, buffers, count, error);
  ta_region_free(&scratch);
  return status == TA_OK ? index_changes(view, error) : status;
}

/* The first change after `step`. */
static uint32_t change_after(const ta_view *view, int32_t step) {
  uint32_t low = 0, high = view->n_changes;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (view->changes[middle].step <= step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void maximum(const ta_view *view, uint32_t from, uint32_t to, uint64_t *live, uint64_t *high) {
  *live = *high = 0;
  while (from < to) {
    bool whole = from % CURVE_BLOCK == 0 && from + CURVE_BLOCK <= to;
    const ta_curve_point *change = whole ? &view->change_blocks[from / CURVE_BLOCK] : &view->changes[from];
    *live = ta_max_u64(*live, change->live);
    *high = ta_max_u64(*high, change->high);
    from += whole ? CURVE_BLOCK : 1;
  }
}

void ta_view_curve(const ta_view *view, int64_t x0, int64_t x1, uint32_t width, uint64_t *live,
                   uint64_t *high) {
  uint64_t span = (uint64_t)x1 - (uint64_t)x0;
  for (uint32_t column = 0; column < width; column++) {
    int64_t from = ta_axis_position(x0, span, width, column);
    int64_t to = ta_axis_position(x0, span, width, column + 1);
    uint32_t begin = change_after(view, ta_step_at(from));
    uint32_t end = change_after(view, ta_step_at(to > from ? to - 1 : from));
    maximum(view, begin > 0 ? begin - 1 : 0, end, &live[column], &high[column]);
  }
}

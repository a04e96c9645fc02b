#include "view/view.h"

#include <string.h>

#include "base/error.h"
#include "base/order.h"

static bool is_drawn(const ta_buffer *buffer) {
  return buffer->arena == TA_ARENA_RW_PLACE && buffer->offset != TA_NO_OFFSET && buffer->bytes > 0 &&
         buffer->last >= 0 && buffer->last >= buffer->first;
}

static ta_rect rect_of(const ta_buffer *buffer, uint32_t index) {
  return (ta_rect){.low = buffer->offset,
                   .high = buffer->offset + buffer->bytes,
                   .first = buffer->first < 0 ? 0 : buffer->first, /* never written: there from the start */
                   .last = buffer->last,
                   .buffer = index,
                   .shares = buffer->shares != TA_NO_INDEX};
}

ta_status ta_view_index_level(ta_view *view, ta_detail_level *level, ta_error *error) {
  uint32_t n_blocks = (level->n + VIEW_BLOCK - 1) / VIEW_BLOCK;
  level->block_last = TA_TAKE(&view->region, n_blocks, int32_t);
  if (!level->block_last) return ta_fail_memory(error);
  for (uint32_t b = 0; b < n_blocks; b++) level->block_last[b] = INT32_MIN;
  for (uint32_t i = 0; i < level->n; i++) {
    int32_t *last = &level->block_last[i / VIEW_BLOCK];
    if (view->rects[level->at[i]].last > *last) *last = view->rects[level->at[i]].last;
  }
  return TA_OK;
}

/* By first step, then by buffer. */
static ta_status order_rects(ta_view *view, const ta_allocator *allocator, ta_error *error) {
  ta_detail_level *all = &view->levels[0];
  ta_region scratch;
  ta_region_init(&scratch, allocator);
  uint64_t *keys = TA_TAKE(&scratch, all->n, uint64_t);
  uint32_t *room = TA_TAKE(&scratch, all->n, uint32_t);
  bool has_room = keys && room;
  for (uint32_t i = 0; has_room && i < all->n; i++) keys[i] = ta_step_key(view->rects[i].first);
  if (has_room) ta_order_by_key(all->at, room, all->n, keys);
  ta_region_free(&scratch);
  return has_room ? TA_OK : ta_fail_memory(error);
}

static ta_status make_rects(ta_view *view, const ta_allocator *allocator, const ta_buffer *buffers,
                            uint32_t count, ta_error *error) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) n += is_drawn(&buffers[i]);
  view->rects = TA_TAKE(&view->region, n, ta_rect);
  view->thin = TA_TAKE(&view->region, n, uint32_t);
  ta_detail_level *all = &view->levels[0];
  all->at = TA_TAKE(&view->region, n, uint32_t);
  if (!view->rects || !view->thin || !all->at) return ta_fail_memory(error);

  for (uint32_t i = 0; i < count; i++) {
    if (!is_drawn(&buffers[i])) continue;
    all->at[all->n] = all->n;
    view->rects[all->n++] = rect_of(&buffers[i], i);
  }
  view->n_rects = n;
  view->n_levels = 1;
  ta_status status = order_rects(view, allocator, error);
  return status == TA_OK ? ta_view_index_level(view, all, error) : status;
}

static ta_status fill(ta_view *view, const ta_allocator *allocator, const ta_buffer *buffers, uint32_t count,
                      ta_error *error) {
  ta_status status = make_rects(view, allocator, buffers, count, error);
  if (status == TA_OK) status = ta_view_make_changes(view, allocator, buffers, count, error);
  if (status == TA_OK) status = ta_view_make_levels(view, allocator, error);
  return status;
}

ta_status ta_view_new(const ta_allocator *allocator, const ta_buffer *buffers, uint32_t count, ta_view **out,
                      ta_error *error) {
  if (count > INT32_MAX) {
    return ta_fail(error, TA_E_LIMIT, "a map of %u buffers: at most 2147483647 can be drawn", count);
  }
  ta_region region;
  ta_region_init(&region, allocator);
  ta_view *view = TA_TAKE(&region, 1, ta_view);
  if (!view) return ta_fail_memory(error);
  view->region = region;
  ta_status status = fill(view, allocator, buffers, count, error);
  if (status != TA_OK) {
    ta_view_free(view);
    return status;
  }
  *out = view;
  return TA_OK;
}

void ta_view_free(ta_view *view) {
  if (!view) return;
  ta_region region = view->region;
  ta_region_free(&region);
}

ta_axis ta_axis_of(int64_t from, int64_t to, uint32_t pixels) {
  ta_axis axis = {.from = from, .span = (uint64_t)to - (uint64_t)from, .pixels = pixels};
  while (axis.span >> axis.shift >= UINT64_C(1) << 24) axis.shift++;
  uint64_t units = axis.span >> axis.shift;
  axis.factor = (((uint64_t)pixels << 40) + units - 1) / units;
  return axis;
}

uint32_t ta_level_until(const ta_view *view, const ta_detail_level *level, int32_t step) {
  uint32_t low = 0, high = level->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (view->rects[level->at[middle]].first <= step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const ta_detail_level *ta_view_level(const ta_view *view, const ta_frame *frame) {
  const ta_window *w = &frame->window;
  uint64_t steps_a_pixel = ((uint64_t)w->x1 - (uint64_t)w->x0) / frame->width / TA_STEP_UNITS;
  uint64_t bytes_a_pixel = ((uint64_t)w->y1 - (uint64_t)w->y0) / frame->height / TA_BYTE_UNITS;
  uint32_t level = view->n_levels;
  while (--level > 0) {
    if (steps_a_pixel >> view->levels[level].step_bits && bytes_a_pixel >> view->levels[level].byte_bits)
      break;
  }
  return &view->levels[level];
}

/* Painting. Edges are floored to pixels, so that rectangles that touch in the plan touch in the picture; a
 * rectangle of three pixels or more gives its last row and column to the seam. First come the rectangles
 * that have a pixel of their own, then the thinner ones, in what is free: their own pixel, or a seam beside
 * it. */
#include <string.h>

#include "base/error.h"
#include "view/view.h"

typedef struct canvas {
  ta_axis x, y;
  ta_window window;
  uint32_t width, height;
  bool down;
  uint32_t *ids;
} canvas;

/* Pixel columns [left, right) and rows [low, high), rows counted from the lowest address. */
typedef struct box {
  uint32_t left, right, low, high;
} box;

static canvas canvas_of(const ta_frame *frame, uint32_t *ids) {
  return (canvas){.x = ta_axis_of(frame->window.x0, frame->window.x1, frame->width),
                  .y = ta_axis_of(frame->window.y0, frame->window.y1, frame->height),
                  .window = frame->window,
                  .width = frame->width,
                  .height = frame->height,
                  .down = frame->down != 0,
                  .ids = ids};
}

static box box_of(const canvas *c, const ta_rect *rect) {
  return (box){ta_axis_edge(&c->x, ta_step_start(rect->first)),
               ta_axis_edge(&c->x, ta_step_start(rect->last) + TA_STEP_UNITS),
               ta_axis_edge(&c->y, ta_byte_start(rect->low)), ta_axis_edge(&c->y, ta_byte_start(rect->high))};
}

static bool is_outside(const ta_window *window, const ta_rect *rect) {
  return ta_step_start(rect->last) + TA_STEP_UNITS <= window->x0 ||
         ta_step_start(rect->first) >= window->x1 || ta_byte_start(rect->high) <= window->y0 ||
         ta_byte_start(rect->low) >= window->y1;
}

static uint32_t *row_at(const canvas *c, uint32_t row) {
  return c->ids + (size_t)(c->down ? row : c->height - 1 - row) * c->width;
}

static void fill(const canvas *c, box b, uint32_t id) {
  for (uint32_t row = b.low; row < b.high; row++) {
    uint32_t *at = row_at(c, row);
    for (uint32_t x = b.left; x < b.right; x++) at[x] = id;
  }
}

static void paint_wide(const canvas *c, const ta_rect *rect, box b) {
  const ta_window *window = &c->window;
  bool right_seam = b.right - b.left >= 3 && ta_step_start(rect->last) + TA_STEP_UNITS <= window->x1;
  bool top_seam = b.high - b.low >= 3 && ta_byte_start(rect->high) <= window->y1;
  bool left_seam = rect->shares && b.right - b.left >= 4 && ta_step_start(rect->first) > window->x0;
  if (right_seam) {
    fill(c, (box){b.right - 1, b.right, b.low, b.high}, TA_PIXEL_SEAM);
    b.right--;
  }
  if (top_seam) {
    fill(c, (box){b.left, b.right, b.high - 1, b.high}, TA_PIXEL_SEAM);
    b.high--;
  }
  if (left_seam) {
    fill(c, (box){b.left, b.left + 1, b.low, b.high}, TA_PIXEL_SEAM);
    b.left++;
  }
  fill(c, b, rect->buffer + 1);
}

/* Paints where nothing is; returns whether a pixel was found. */
static bool fill_free(const canvas *c, box b, uint32_t id) {
  bool found = false;
  for (uint32_t row = b.low; row < b.high; row++) {
    uint32_t *at = row_at(c, row);
    for (uint32_t x = b.left; x < b.right; x++) {
      if (at[x] != 0 && at[x] != TA_PIXEL_SEAM) continue;
      at[x] = id;
      found = true;
    }
  }
  return found;
}

static box at_least_a_pixel(const canvas *c, box b) {
  if (b.left == b.right) {
    if (b.left == c->width) b.left--;
    b.right = b.left + 1;
  }
  if (b.low == b.high) {
    if (b.low == c->height) b.low--;
    b.high = b.low + 1;
  }
  return b;
}

static void paint_thin(const canvas *c, const ta_rect *rect, box b) {
  bool is_flat = b.low == b.high, is_narrow = b.left == b.right;
  b = at_least_a_pixel(c, b);
  uint32_t id = rect->buffer + 1;
  if (fill_free(c, b, id)) return;
  if (is_flat && b.low > 0 && fill_free(c, (box){b.left, b.right, b.low - 1, b.high - 1}, id)) return;
  if (is_flat && b.high < c->height && fill_free(c, (box){b.left, b.right, b.low + 1, b.high + 1}, id))
    return;
  if (is_narrow && b.left > 0) fill_free(c, (box){b.left - 1, b.right - 1, b.low, b.high}, id);
}

/* The rectangles of a level that meet the window, one a call. */
typedef struct visit {
  const ta_view *view;
  const ta_detail_level *level;
  const ta_window *window;
  uint32_t next, end;
  int32_t first_step;
} visit;

static visit visit_window(const ta_view *view, const ta_detail_level *level, const ta_window *window) {
  return (visit){view,
                 level,
                 window,
                 0,
                 ta_level_until(view, level, ta_step_at(window->x1 - 1)),
                 ta_step_at(window->x0)};
}

static const ta_rect *visit_next(visit *v) {
  while (v->next < v->end) {
    if (v->next % VIEW_BLOCK == 0 && v->level->block_last[v->next / VIEW_BLOCK] < v->first_step) {
      v->next += VIEW_BLOCK;
      continue;
    }
    const ta_rect *rect = &v->view->rects[v->level->at[v->next++]];
    if (!is_outside(v->window, rect)) return rect;
  }
  return NULL;
}

static void paint(const canvas *c, ta_view *view, const ta_detail_level *level) {
  uint32_t n_thin = 0;
  visit v = visit_window(view, level, &c->window);
  for (const ta_rect *rect = visit_next(&v); rect; rect = visit_next(&v)) {
    box b = box_of(c, rect);
    if (b.left == b.right || b.low == b.high) {
      view->thin[n_thin++] = (uint32_t)(rect - view->rects);
    } else {
      paint_wide(c, rect, b);
    }
  }
  for (uint32_t i = 0; i < n_thin; i++) {
    const ta_rect *rect = &view->rects[view->thin[i]];
    paint_thin(c, rect, box_of(c, rect));
  }
}

/* Free pixels below a column's highest live end become holes. */
static void mark_holes(const canvas *c, ta_view *view) {
  ta_view_curve(view, c->window.x0, c->window.x1, c->width, view->column_live, view->column_high);
  for (uint32_t x = 0; x < c->width; x++) {
    view->column_high[x] = ta_axis_edge(&c->y, ta_byte_start(view->column_high[x]));
  }
  for (uint32_t row = ta_axis_edge(&c->y, 0); row < c->height; row++) {
    uint32_t *at = row_at(c, row);
    for (uint32_t x = 0; x < c->width; x++) {
      if (at[x] == 0 && row < view->column_high[x]) at[x] = TA_PIXEL_HOLE;
    }
  }
}

static bool is_window(const ta_window *window) {
  const int64_t most = INT64_C(1) << 62;
  if (window->x0 < -most || window->x1 > most || window->y0 < -most || window->y1 > most) return false;
  return window->x0 < window->x1 && window->y0 < window->y1;
}

static bool is_size(const ta_frame *frame) {
  return frame->width > 0 && frame->height > 0 && frame->width <= TA_VIEW_MAX_SIDE &&
         frame->height <= TA_VIEW_MAX_SIDE;
}

ta_status ta_view_raster(ta_view *view, const ta_frame *frame, uint32_t *ids, ta_error *error) {
  if (!is_window(&frame->window)) {
    return ta_fail(error, TA_E_ARGUMENT,
                   "the window to draw is empty or too large: each start must be below its end, within 2^62");
  }
  if (!is_size(frame)) {
    return ta_fail(error, TA_E_ARGUMENT, "a picture of %u x %u pixels: each side must be 1 to %u",
                   frame->width, frame->height, (uint32_t)TA_VIEW_MAX_SIDE);
  }
  canvas c = canvas_of(frame, ids);
  memset(ids, 0, (size_t)frame->width * frame->height * sizeof *ids);
  paint(&c, view, ta_view_level(view, frame));
  mark_holes(&c, view);
  return TA_OK;
}

/* The window of a column of pixels, with one more on both sides, because edges are floored. */
static ta_window around_column(const canvas *c, uint32_t x) {
  uint32_t left = x > 0 ? x - 1 : 0, right = x + 2 < c->width ? x + 2 : c->width;
  return (ta_window){ta_axis_position(c->window.x0, c->x.span, c->width, left) - 1,
                     ta_axis_position(c->window.x0, c->x.span, c->width, right) + 1, c->window.y0,
                     c->window.y1};
}

uint32_t ta_view_pick(const ta_view *view, const ta_frame *frame, uint32_t x, uint32_t y, uint32_t *found,
                      uint32_t capacity) {
  if (!is_window(&frame->window) || !is_size(frame) || x >= frame->width || y >= frame->height) return 0;
  canvas c = canvas_of(frame, NULL);
  uint32_t row = c.down ? y : c.height - 1 - y, n = 0;
  ta_window column = around_column(&c, x);
  visit v = visit_window(view, &view->levels[0], &column);
  for (const ta_rect *rect = visit_next(&v); rect; rect = visit_next(&v)) {
    if (is_outside(&c.window, rect)) continue;
    box b = at_least_a_pixel(&c, box_of(&c, rect));
    if (x < b.left || x >= b.right || row < b.low || row >= b.high) continue;
    if (n < capacity) found[n] = rect->buffer;
    n++;
  }
  return n;
}

uint32_t ta_view_labels(const ta_view *view, const ta_frame *frame, uint32_t min_width, uint32_t min_height,
                        uint32_t *found, uint32_t capacity) {
  if (!is_window(&frame->window) || !is_size(frame)) return 0;
  canvas c = canvas_of(frame, NULL);
  uint32_t n = 0;
  visit v = visit_window(view, ta_view_level(view, frame), &c.window);
  for (const ta_rect *rect = visit_next(&v); rect && n < capacity; rect = visit_next(&v)) {
    box b = box_of(&c, rect);
    if (b.right - b.left >= min_width && b.high - b.low >= min_height) found[n++] = rect->buffer;
  }
  return n;
}

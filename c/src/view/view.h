/* A plan prepared for drawing. Rectangles are columns sorted by first step, so that a window finds its own by
 * binary search, skipping blocks in which every life has ended; coarser levels stand in when a pixel holds
 * many rectangles. */
#ifndef TA_VIEW_VIEW_H
#define TA_VIEW_VIEW_H

#include <stdbool.h>

#include "base/region.h"
#include "tensor_arena.h"

enum { VIEW_BLOCK = 256, CURVE_BLOCK = 64, VIEW_LEVELS = 31 };

/* Rectangles in order of (first step, buffer), with the largest last step of each block. */
typedef struct ta_detail_level {
  uint32_t *at; /* indices of rectangles */
  int32_t *block_last;
  uint32_t n;
  uint32_t step_bits, byte_bits; /* what is shorter than 2^step_bits was thinned out by rows of 2^byte_bits */
} ta_detail_level;

typedef struct ta_rect {
  uint64_t low, high; /* bytes [low, high) */
  int32_t first, last;
  uint32_t buffer;
  bool shares; /* lies over another buffer's bytes on purpose */
} ta_rect;

/* From `step` up to the next entry's: the bytes that are live, and the highest end. */
typedef struct ta_curve_point {
  uint64_t live, high;
  int32_t step;
} ta_curve_point;

struct ta_view {
  ta_region region;
  ta_rect *rects;
  uint32_t n_rects;
  ta_detail_level levels[VIEW_LEVELS]; /* 0 holds every rectangle */
  uint32_t n_levels;
  ta_curve_point *changes;
  uint32_t n_changes;
  ta_curve_point *change_blocks; /* the maxima of each CURVE_BLOCK changes */
  uint32_t *thin;                /* room for a raster: rectangles under a pixel */
  uint64_t column_high[TA_VIEW_MAX_SIDE], column_live[TA_VIEW_MAX_SIDE];
};

/* Reads a plan's changes of live bytes and highest end into the view. */
ta_status ta_view_make_changes(ta_view *view, const ta_allocator *allocator, const ta_buffer *buffers,
                               uint32_t count, ta_error *error);

/* Adds the coarser levels. */
ta_status ta_view_make_levels(ta_view *view, const ta_allocator *allocator, ta_error *error);

/* Fills a level's block_last from its rectangles. */
ta_status ta_view_index_level(ta_view *view, ta_detail_level *level, ta_error *error);

/* One axis of a window on a row of pixels. Positions are clamped to the window, then multiplied by a
 * rounded-up factor of 40 bits: exact for windows of up to 65,536 units, and within 1/65,536 of a pixel
 * beyond. */
typedef struct ta_axis {
  int64_t from;
  uint64_t span, factor;
  uint32_t shift, pixels;
} ta_axis;

ta_axis ta_axis_of(int64_t from, int64_t to, uint32_t pixels);

/* The pixel edge of a position: 0..pixels. */
static inline uint32_t ta_axis_edge(const ta_axis *axis, int64_t position) {
  if (position <= axis->from) return 0;
  uint64_t distance = (uint64_t)position - (uint64_t)axis->from;
  if (distance >= axis->span) return axis->pixels;
  return (uint32_t)(((distance >> axis->shift) * axis->factor) >> 40);
}

/* Where a pixel's edge, 0..pixels, lies on a window that begins at `from`. A window may be 2^63 units long.
 */
static inline int64_t ta_axis_position(int64_t from, uint64_t span, uint32_t pixels, uint32_t edge) {
  return (int64_t)((uint64_t)from + span / pixels * edge + span % pixels * edge / pixels);
}

/* The coarsest level that shows the frame without losing a pixel. */
const ta_detail_level *ta_view_level(const ta_view *view, const ta_frame *frame);

/* The number of a level's leading rectangles whose first step is at most `step`. */
uint32_t ta_level_until(const ta_view *view, const ta_detail_level *level, int32_t step);

/* The step a position lies in, clamped to what an int32_t holds. */
static inline int32_t ta_step_at(int64_t position) {
  int64_t step = position / TA_STEP_UNITS - (position % TA_STEP_UNITS < 0 ? 1 : 0);
  return step > INT32_MAX ? INT32_MAX : step < INT32_MIN ? INT32_MIN : (int32_t)step;
}

static inline int64_t ta_step_start(int32_t step) {
  return (int64_t)step * TA_STEP_UNITS;
}

/* A byte's position; what lies past 2^54 bytes is off every window. */
static inline int64_t ta_byte_start(uint64_t byte) {
  return (int64_t)(byte * TA_BYTE_UNITS);
}

#endif

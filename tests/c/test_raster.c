/* The rasteriser against a slow painter that looks at every rectangle for every pixel, and its rules one by
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tensor_arena.h"

enum { WIDTH = 64, HEIGHT = 48 };

static ta_buffer placed(uint64_t offset, uint64_t bytes, int32_t first, int32_t last) {
  return (ta_buffer){.bytes = bytes,
                     .offset = offset,
                     .first = first,
                     .last = last,
                     .shares = TA_NO_INDEX,
                     .arena = TA_ARENA_RW_PLACE,
                     .in_plan = 1};
}

static ta_window whole(int32_t steps, uint64_t bytes) {
  return (ta_window){0, (int64_t)steps * TA_STEP_UNITS, 0, (int64_t)bytes * TA_BYTE_UNITS};
}

static ta_view *view_of(const ta_buffer *buffers, uint32_t n) {
  ta_view *view = NULL;
  assert_int_equal(ta_view_new(NULL, buffers, n, &view, NULL), TA_OK);
  return view;
}

static ta_frame frame_of(ta_window window, uint32_t down) {
  return (ta_frame){window, WIDTH, HEIGHT, down, 0};
}

static void raster(ta_view *view, ta_window window, uint32_t *ids) {
  ta_frame frame = frame_of(window, 0);
  assert_int_equal(ta_view_raster(view, &frame, ids, NULL), TA_OK);
}

static uint32_t pixel(const uint32_t *ids, uint32_t x, uint32_t row_from_bottom) {
  return ids[(HEIGHT - 1 - row_from_bottom) * WIDTH + x];
}

static uint32_t count_of(const uint32_t *ids, uint32_t id) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) n += ids[i] == id;
  return n;
}

/* Nothing overflows (the sanitizers' run says so), and what is drawn is where it is. */
static void the_largest_window_is_drawn(void **state) {
  (void)state;
  const int64_t most = INT64_C(1) << 62;
  const uint64_t last_byte = (UINT64_C(1) << 53) - 1;
  ta_buffer buffers[] = {placed(0, last_byte - 8, 0, INT32_MAX),
                         placed(last_byte - 8, 8, INT32_MAX, INT32_MAX)};
  ta_view *view = view_of(buffers, 2);
  const uint32_t widths[] = {1, 2, 3, WIDTH};
  for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
    uint32_t width = widths[i], ids[WIDTH * HEIGHT], found[2], labels[2];
    ta_frame frame = {{-most, most, -most, most}, width, HEIGHT, 0, 0};
    assert_int_equal(ta_view_raster(view, &frame, ids, NULL), TA_OK);
    uint64_t live[WIDTH], high[WIDTH];
    ta_view_curve(view, -most, most, width, live, high);
    uint64_t tallest = 0;
    for (uint32_t x = 0; x < width; x++) tallest = high[x] > tallest ? high[x] : tallest;
    assert_true(tallest == last_byte);
    uint32_t picked = 0;
    for (uint32_t x = 0; x < width; x++)
      for (uint32_t y = 0; y < HEIGHT; y++) picked += ta_view_pick(view, &frame, x, y, found, 2);
    assert_true(picked > 0);
    ta_view_labels(view, &frame, 0, 0, labels, 2);
  }
  ta_frame past = {{-most, most + 1, 0, 1}, WIDTH, HEIGHT, 0, 0};
  assert_int_equal(ta_view_raster(view, &past, NULL, NULL), TA_E_ARGUMENT);
  ta_view_free(view);
}

static void neighbours_keep_a_seam(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(0, 24, 0, 3), placed(24, 24, 0, 3), placed(0, 48, 4, 7)};
  uint32_t ids[WIDTH * HEIGHT];
  ta_view *view = view_of(buffers, 3);
  raster(view, whole(8, 48), ids);
  assert_int_equal(pixel(ids, 0, 0), 1);
  assert_int_equal(pixel(ids, 30, 22), 1);
  assert_int_equal(pixel(ids, 31, 10), TA_PIXEL_SEAM);
  assert_int_equal(pixel(ids, 10, 23), TA_PIXEL_SEAM);
  assert_int_equal(pixel(ids, 10, 24), 2);
  assert_int_equal(pixel(ids, 32, 0), 3);
  assert_int_equal(count_of(ids, 1), 31 * 23);
  assert_int_equal(count_of(ids, 0), 0);
  ta_view_free(view);
}

static void the_smallest_stays_visible(void **state) {
  (void)state;
  /* One byte and one step among neighbours a million times larger, on every side. */
  ta_buffer buffers[] = {placed(0, 500000, 0, 9999), placed(500000, 1, 5000, 5000),
                         placed(500001, 499999, 0, 9999)};
  uint32_t ids[WIDTH * HEIGHT];
  ta_view *view = view_of(buffers, 3);
  raster(view, whole(10000, 1000000), ids);
  assert_true(count_of(ids, 2) >= 1);
  /* And it took no pixel from them but a seam's. */
  assert_int_equal(count_of(ids, 1), (WIDTH - 1) * (HEIGHT / 2 - 1));
  ta_view_free(view);
}

static void free_space_below_a_live_buffer_is_a_hole(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(24, 24, 0, 3), placed(0, 24, 4, 7)};
  uint32_t ids[WIDTH * HEIGHT];
  ta_view *view = view_of(buffers, 2);
  raster(view, whole(8, 48), ids);
  assert_int_equal(pixel(ids, 5, 5), TA_PIXEL_HOLE);
  assert_int_equal(pixel(ids, 50, 40), 0);
  ta_view_free(view);
}

static void address_can_grow_downwards(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(0, 16, 0, 7)};
  uint32_t up[WIDTH * HEIGHT], down[WIDTH * HEIGHT];
  ta_frame upwards = frame_of(whole(8, 48), 0), downwards = frame_of(whole(8, 48), 1);
  ta_view *view = view_of(buffers, 1);
  assert_int_equal(ta_view_raster(view, &upwards, up, NULL), TA_OK);
  assert_int_equal(ta_view_raster(view, &downwards, down, NULL), TA_OK);
  for (uint32_t row = 0; row < HEIGHT; row++) {
    assert_memory_equal(up + row * WIDTH, down + (HEIGHT - 1 - row) * WIDTH, WIDTH * sizeof *up);
  }
  ta_view_free(view);
}

static uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

/* Rectangles that never overlap: one a cell of a grid of `columns` x 8 cells of 10 steps x 100 bytes. */
static uint32_t grid(ta_buffer *buffers, uint32_t columns, uint64_t seed) {
  uint32_t n = 0;
  for (uint32_t column = 0; column < columns; column++) {
    for (uint32_t row = 0; row < 8; row++) {
      int32_t first = (int32_t)(column * 10 + next_random(&seed) % 5);
      uint64_t low = row * 100 + next_random(&seed) % 50;
      int32_t life = (int32_t)(next_random(&seed) % 5);
      buffers[n++] = placed(low, 1 + next_random(&seed) % 50, first, first + life);
    }
  }
  return n;
}

/* The pixel edge of a position by plain division: what the axis's reciprocal must agree with. */
static int64_t edge(int64_t position, int64_t from, int64_t to, int64_t pixels) {
  if (position <= from) return 0;
  if (position >= to) return pixels;
  return (position - from) * pixels / (to - from);
}

static void agrees_with_a_slow_painter(void **state) {
  (void)state;
  static ta_buffer buffers[8 * 16];
  static uint32_t ids[WIDTH * HEIGHT];
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint32_t n = grid(buffers, 16, seed);
    ta_view *view = view_of(buffers, n);
    uint64_t s = seed * 77;
    ta_window w = {(int64_t)(next_random(&s) % 60) * 65536, 0, (int64_t)(next_random(&s) % 300) * 256, 0};
    w.x1 = w.x0 + (int64_t)(1 + next_random(&s) % 60) * 65536;
    w.y1 = w.y0 + (int64_t)(1 + next_random(&s) % 250) * 256;
    raster(view, w, ids);
    for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
        uint32_t id = pixel(ids, x, y), wide = 0;
        for (uint32_t i = 0; i < n; i++) {
          const ta_buffer *b = &buffers[i];
          int64_t left = edge((int64_t)b->first * 65536, w.x0, w.x1, WIDTH);
          int64_t right = edge((int64_t)(b->last + 1) * 65536, w.x0, w.x1, WIDTH);
          int64_t low = edge((int64_t)b->offset * 256, w.y0, w.y1, HEIGHT);
          int64_t high = edge((int64_t)(b->offset + b->bytes) * 256, w.y0, w.y1, HEIGHT);
          if (x >= left && x < right && y >= low && y < high) wide = i + 1;
        }
        if (wide != 0) assert_true(id != 0 && id != TA_PIXEL_HOLE);
        if (wide == 0 && id != 0 && id < TA_PIXEL_SEAM) {
          /* Painted where no true edge reaches: only a rectangle under a pixel may do that. */
          const ta_buffer *b = &buffers[id - 1];
          int64_t width = edge((int64_t)(b->last + 1) * 65536, w.x0, w.x1, WIDTH) -
                          edge((int64_t)b->first * 65536, w.x0, w.x1, WIDTH);
          int64_t height = edge((int64_t)(b->offset + b->bytes) * 256, w.y0, w.y1, HEIGHT) -
                           edge((int64_t)b->offset * 256, w.y0, w.y1, HEIGHT);
          assert_true(width == 0 || height == 0);
        }
      }
    }
    ta_view_free(view);
  }
}

static void from_afar_no_pixel_is_lost(void **state) {
  (void)state;
  enum { COLUMNS = 4000 };
  ta_buffer *buffers = calloc(COLUMNS * 8, sizeof *buffers);
  assert_non_null(buffers);
  uint32_t n = grid(buffers, COLUMNS, 5);
  ta_view *all = view_of(buffers, n);
  static uint32_t ids[WIDTH * HEIGHT];
  raster(all, whole(COLUMNS * 10, 800), ids);
  /* Every column of pixels shows every row of the grid. */
  for (uint32_t x = 0; x < WIDTH; x++) {
    for (uint32_t row = 0; row < 8; row++) {
      uint32_t seen = 0;
      for (uint32_t y = row * HEIGHT / 8; y < (row + 1) * HEIGHT / 8; y++) {
        seen += pixel(ids, x, y) != 0 && pixel(ids, x, y) < TA_PIXEL_SEAM;
      }
      assert_true(seen > 0);
    }
  }
  ta_view_free(all);
  free(buffers);
}

static void pick_counts_what_shares_a_pixel(void **state) {
  (void)state;
  ta_buffer buffers[14];
  for (uint32_t i = 0; i < 14; i++) buffers[i] = placed(i, 1, 0, 0);
  ta_view *view = view_of(buffers, 14);
  ta_frame frame = frame_of(whole(1000, 100000), 0), downwards = frame_of(whole(1000, 100000), 1);
  uint32_t found[4];
  assert_int_equal(ta_view_pick(view, &frame, 0, HEIGHT - 1, found, 4), 14);
  assert_int_equal(found[3], 3);
  assert_int_equal(ta_view_pick(view, &frame, 5, HEIGHT - 1, found, 4), 0);
  assert_int_equal(ta_view_pick(view, &downwards, 0, 0, found, 4), 14);
  ta_view_free(view);
}

static void curve_keeps_the_peak(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(0, 10, 0, 99), placed(10, 500, 57, 57), placed(40, 8, 60, 99)};
  uint64_t live[10], high[10];
  ta_view *view = view_of(buffers, 3);
  ta_view_curve(view, 0, INT64_C(100) * TA_STEP_UNITS, 10, live, high);
  assert_int_equal(live[0], 10);
  assert_int_equal(live[5], 510);
  assert_int_equal(high[5], 510);
  assert_int_equal(live[6], 18);
  assert_int_equal(high[9], 48);
  ta_view_curve(view, INT64_C(100) * TA_STEP_UNITS, INT64_C(110) * TA_STEP_UNITS, 10, live, high);
  assert_int_equal(live[9], 0);
  ta_view_free(view);
}

static void curve_counts_shared_bytes_once(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(0, 10, 0, 3), placed(0, 10, 2, 3), placed(10, TA_MAX_BYTES - 10, 0, 1),
                         placed(10, TA_MAX_BYTES - 10, 2, 3)};
  buffers[1].shares = 0;
  uint64_t live[4], high[4];
  ta_view *view = view_of(buffers, 4); /* at no time are more bytes live than can be counted */
  ta_view_curve(view, 0, INT64_C(4) * TA_STEP_UNITS, 4, live, high);
  for (int i = 0; i < 4; i++) assert_int_equal(live[i], TA_MAX_BYTES);
  ta_view_free(view);
}

static void labels_need_room(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(0, 24, 0, 3), placed(24, 1, 0, 3)};
  uint32_t found[2];
  ta_frame frame = frame_of(whole(8, 48), 0);
  ta_view *view = view_of(buffers, 2);
  assert_int_equal(ta_view_labels(view, &frame, 30, 14, found, 2), 1);
  assert_int_equal(found[0], 0);
  ta_view_free(view);
}

static void colours_by_class_and_texture(void **state) {
  (void)state;
  const uint32_t ids[8] = {0, TA_PIXEL_SEAM, TA_PIXEL_HOLE, 1, 2, 2, 2, 2};
  const uint8_t classes[] = {0, 0, 1, 2, 3};
  const ta_ink inks[] = {{5, 0, TA_SOLID}, {6, 7, TA_HATCHED}, {8, 0, TA_SOLID}, {9, 10, TA_DOTTED}};
  uint32_t rgba[8];
  ta_view_colour(ids, 8, 1, classes, inks, 1, rgba);
  const uint32_t want[8] = {5, 5, 6, 8, 10, 9, 9, 9};
  assert_memory_equal(rgba, want, sizeof want);
}

static void unplaced_and_empty_buffers_are_left_out(void **state) {
  (void)state;
  ta_buffer buffers[] = {placed(TA_NO_OFFSET, 8, 0, 1), placed(0, 0, 0, 1), placed(0, 8, -1, -1)};
  uint32_t ids[WIDTH * HEIGHT];
  ta_view *view = view_of(buffers, 3);
  raster(view, whole(2, 8), ids);
  assert_int_equal(count_of(ids, 0), WIDTH * HEIGHT);
  ta_view_free(view);
}

static void bad_windows_are_refused(void **state) {
  (void)state;
  uint32_t ids[4];
  ta_view *view = view_of(NULL, 0);
  ta_frame frame = frame_of((ta_window){0, 0, 0, 10}, 0);
  ta_error error;
  assert_int_equal(ta_view_raster(view, &frame, ids, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_view_pick(view, &frame, 0, 0, ids, 4), 0);
  frame.window = (ta_window){INT64_MIN, INT64_MAX, 0, 10};
  assert_int_equal(ta_view_raster(view, &frame, ids, &error), TA_E_ARGUMENT);
  frame = frame_of(whole(1, 1), 0);
  frame.width = 0;
  assert_int_equal(ta_view_raster(view, &frame, ids, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_view_labels(view, &frame, 1, 1, ids, 4), 0);
  frame.width = TA_VIEW_MAX_SIDE + 1;
  assert_int_equal(ta_view_raster(view, &frame, ids, &error), TA_E_ARGUMENT);
  ta_view_free(view);
}

/* Gives memory until `left` bytes are spent. */
static void *limited_alloc(void *context, size_t bytes) {
  size_t *left = context;
  if (bytes > *left) return NULL;
  *left -= bytes;
  return malloc(bytes);
}

static void limited_free(void *context, void *pointer, size_t bytes) {
  (void)bytes;
  (void)context;
  free(pointer);
}

static void out_of_memory_is_a_status(void **state) {
  (void)state;
  ta_buffer buffers[64];
  for (uint32_t i = 0; i < 64; i++) buffers[i] = placed(i * 16, 16, (int32_t)i, (int32_t)i + 2);
  ta_status status = TA_E_MEMORY;
  for (size_t limit = 0; status != TA_OK; limit += 512) {
    size_t left = limit;
    ta_allocator allocator = {limited_alloc, limited_free, &left};
    ta_view *view = NULL;
    status = ta_view_new(&allocator, buffers, 64, &view, NULL);
    assert_true(status == TA_OK || status == TA_E_MEMORY);
    ta_view_free(view);
    assert_true(limit < (1u << 22));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_largest_window_is_drawn),
      cmocka_unit_test(neighbours_keep_a_seam),
      cmocka_unit_test(the_smallest_stays_visible),
      cmocka_unit_test(free_space_below_a_live_buffer_is_a_hole),
      cmocka_unit_test(address_can_grow_downwards),
      cmocka_unit_test(agrees_with_a_slow_painter),
      cmocka_unit_test(from_afar_no_pixel_is_lost),
      cmocka_unit_test(pick_counts_what_shares_a_pixel),
      cmocka_unit_test(curve_keeps_the_peak),
      cmocka_unit_test(curve_counts_shared_bytes_once),
      cmocka_unit_test(labels_need_room),
      cmocka_unit_test(colours_by_class_and_texture),
      cmocka_unit_test(unplaced_and_empty_buffers_are_left_out),
      cmocka_unit_test(bad_windows_are_refused),
      cmocka_unit_test(out_of_memory_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The formulas of strips, each with values worked out by hand: what rows are needed, what comes out of a
 * strip that keeps its own padding, how outputs are parted, and how constants of a draft are shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rewrite/cut.h"

static void assert_range(ta_range range, int32_t from, int32_t to) {
  assert_int_equal(range.from, from);
  assert_int_equal(range.to, to);
}

static ta_cut filter(int32_t in, int32_t out, int32_t stride, int32_t extent, int32_t before) {
  return (ta_cut){.reach = TA_REACH_FILTER,
                  .same = true,
                  .joined = -1,
                  .axis = {{.in = in, .out = out, .stride = stride, .extent = extent, .before = before}}};
}

static void assert_keeps(const ta_cut *cut, int32_t from, int32_t to, ta_range stored, ta_range valid) {
  ta_held_range out, in = {{from, to}, {from, to}};
  assert_true(ta_cut_keep(cut, 0, in, &out));
  assert_range(out.stored, stored.from, stored.to);
  assert_range(out.valid, valid.from, valid.to);
}

static void assert_not_aligned(const ta_cut *cut, int32_t from, int32_t to) {
  ta_held_range out, in = {{from, to}, {from, to}};
  assert_false(ta_cut_keep(cut, 0, in, &out));
}

/* 3 rows, stride 1, SAME over 8 rows: a row of padding on either side. */
static void a_filter_needs_its_neighbours(void **state) {
  (void)state;
  ta_cut cut = filter(8, 8, 1, 3, 1);
  assert_range(ta_cut_need(&cut, 0, (ta_range){2, 4}), 1, 5);
  assert_range(ta_cut_need(&cut, 0, (ta_range){0, 2}), 0, 3);
  assert_range(ta_cut_need(&cut, 0, (ta_range){6, 8}), 5, 8);
  assert_range(ta_cut_raw(&cut, 0, (ta_range){0, 8}), -1, 9);
}

/* The strip pads where the whole does not: those rows are there, but not valid; at the whole's border they
 * are. */
static void a_strip_pads_itself(void **state) {
  (void)state;
  ta_cut cut = filter(8, 8, 1, 3, 1);
  assert_keeps(&cut, 1, 5, (ta_range){1, 5}, (ta_range){2, 4});
  assert_keeps(&cut, 0, 3, (ta_range){0, 3}, (ta_range){0, 2});
  assert_keeps(&cut, 5, 8, (ta_range){5, 8}, (ta_range){6, 8});
}

/* Stride 2 over 8 rows pads one row behind, none in front: a strip must begin with an even row, and one of an
 * odd number of rows would pad in front. */
static void strides_need_alignment(void **state) {
  (void)state;
  ta_cut cut = filter(8, 4, 2, 3, 0);
  assert_not_aligned(&cut, 1, 5);
  assert_not_aligned(&cut, 2, 5);
  assert_keeps(&cut, 2, 6, (ta_range){1, 3}, (ta_range){1, 2});
  assert_keeps(&cut, 4, 8, (ta_range){2, 4}, (ta_range){2, 4});
}

static void without_padding_a_strip_must_fill_the_filter(void **state) {
  (void)state;
  ta_cut cut = filter(8, 6, 1, 3, 0);
  cut.same = false;
  assert_not_aligned(&cut, 0, 2);
  assert_keeps(&cut, 3, 7, (ta_range){3, 5}, (ta_range){3, 5});
}

static void resizes_by_two(void **state) {
  (void)state;
  ta_cut cut = {.reach = TA_REACH_BILINEAR,
                .half_pixel = true,
                .joined = -1,
                .axis = {{.in = 8, .out = 16, .factor = 2}}};
  assert_range(ta_cut_need(&cut, 0, (ta_range){3, 5}), 1, 3);
  assert_range(ta_cut_need(&cut, 0, (ta_range){0, 1}), 0, 1);
  assert_keeps(&cut, 1, 3, (ta_range){2, 6}, (ta_range){3, 5});
  assert_keeps(&cut, 0, 2, (ta_range){0, 4}, (ta_range){0, 3});
  cut.half_pixel = false;
  assert_range(ta_cut_need(&cut, 0, (ta_range){3, 5}), 1, 4);
  assert_keeps(&cut, 1, 4, (ta_range){2, 8}, (ta_range){2, 6});
  cut.reach = TA_REACH_NEAREST;
  assert_range(ta_cut_need(&cut, 0, (ta_range){3, 5}), 1, 3);
  assert_keeps(&cut, 1, 3, (ta_range){2, 6}, (ta_range){2, 6});
}

/* Filter 3, stride 2, SAME: output row o has input rows o / 2 and, where that is even, the one before. */
static void transposed_filters(void **state) {
  (void)state;
  ta_cut cut = filter(4, 8, 2, 3, 0);
  cut.reach = TA_REACH_TRANSPOSED;
  assert_range(ta_cut_need(&cut, 0, (ta_range){3, 5}), 1, 3);
  assert_keeps(&cut, 1, 3, (ta_range){2, 6}, (ta_range){3, 6});
  /* Filter 1, stride 2: odd rows have no input, and get the nearest. */
  cut = filter(4, 8, 2, 1, 0);
  cut.reach = TA_REACH_TRANSPOSED;
  assert_range(ta_cut_need(&cut, 0, (ta_range){3, 4}), 1, 2);
}

static void blocks(void **state) {
  (void)state;
  ta_cut cut = {.reach = TA_REACH_GATHER, .joined = -1, .axis = {{.in = 9, .out = 3, .factor = 3}}};
  assert_range(ta_cut_need(&cut, 0, (ta_range){1, 2}), 3, 6);
  assert_keeps(&cut, 3, 6, (ta_range){1, 2}, (ta_range){1, 2});
  assert_not_aligned(&cut, 2, 5);
  assert_not_aligned(&cut, 3, 7);
  cut = (ta_cut){.reach = TA_REACH_SPREAD, .joined = -1, .axis = {{.in = 3, .out = 9, .factor = 3}}};
  assert_range(ta_cut_need(&cut, 0, (ta_range){2, 4}), 0, 2);
  assert_keeps(&cut, 1, 2, (ta_range){3, 6}, (ta_range){3, 6});
}

/* Two rows in front of four: a strip of padding alone needs the nearest row. */
static void pads(void **state) {
  (void)state;
  ta_cut cut = {.reach = TA_REACH_PAD, .joined = -1, .axis = {{.in = 4, .out = 9, .pads = {2, 3}}}};
  assert_range(ta_cut_need(&cut, 0, (ta_range){1, 4}), 0, 2);
  assert_range(ta_cut_need(&cut, 0, (ta_range){0, 2}), 0, 1);
  assert_range(ta_cut_need(&cut, 0, (ta_range){6, 9}), 3, 4);
}

static void outputs_are_parted_alike(void **state) {
  (void)state;
  const int32_t seven[] = {0, 2, 4, 7}, fourteen[] = {0, 4, 8, 14}, ten[] = {0, 3, 6, 10};
  for (uint32_t k = 0; k < 3; k++) {
    assert_range(ta_cut_part(7, 7, k, 3), seven[k], seven[k + 1]);
    assert_range(ta_cut_part(14, 7, k, 3), fourteen[k], fourteen[k + 1]);
    assert_range(ta_cut_part(10, 7, k, 3), ten[k], ten[k + 1]);
  }
}

/* Equal constants are one; what is cut back leaves the index as it was, however often it has grown. */
static void constants_are_shared(void **state) {
  (void)state;
  ta_region region;
  ta_draft draft;
  ta_region_init(&region, NULL);
  ta_draft_init(&draft, NULL, &region);
  const int32_t one[] = {0, 1, 2, 3}, pairs[] = {0, 0, 1, 1, 2, 2, 0, 0};
  int32_t first = ta_draft_add_constant(&draft, one, 4, false);
  assert_int_equal(ta_draft_add_constant(&draft, one, 4, false), first);
  assert_int_not_equal(ta_draft_add_constant(&draft, one, 2, false), first);
  int32_t table = ta_draft_add_constant(&draft, pairs, 8, true);
  assert_int_not_equal(ta_draft_add_constant(&draft, pairs, 8, false), table);
  ta_draft_mark mark = ta_draft_here(&draft);
  for (int round = 0; round < 2; round++) {
    for (int32_t i = 0; i < 300; i++) {
      const int32_t values[] = {7, i};
      assert_int_equal(ta_draft_add_constant(&draft, values, 2, false),
                       TA_DRAFT_CONSTANT + (int32_t)mark.constants + i);
    }
    ta_draft_cut_back(&draft, &mark);
  }
  assert_int_equal(ta_draft_add_constant(&draft, pairs, 8, true), table);
  assert_int_equal(draft.n_constants, mark.constants);
  ta_region_free(&region);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_filter_needs_its_neighbours),
      cmocka_unit_test(a_strip_pads_itself),
      cmocka_unit_test(strides_need_alignment),
      cmocka_unit_test(without_padding_a_strip_must_fill_the_filter),
      cmocka_unit_test(resizes_by_two),
      cmocka_unit_test(transposed_filters),
      cmocka_unit_test(blocks),
      cmocka_unit_test(pads),
      cmocka_unit_test(outputs_are_parted_alike),
      cmocka_unit_test(constants_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

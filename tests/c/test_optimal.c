/* The planner `optimal` through the public calls: lists with fixed places and views, changes between solves,
 * slices, and memory that runs out anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/heap.h"
#include "tensor_arena.h"

static ta_model *open_text(const char *text) {
  ta_model *model;
  ta_error error;
  assert_int_equal(ta_model_open(NULL, text, strlen(text), "list", &model, &error), TA_OK);
  return model;
}

static ta_planner *planner_of(const ta_model *model, uint64_t budget) {
  ta_planner *planner;
  ta_planner_options options;
  ta_error error;
  ta_planner_options_init(&options);
  options.budget_bytes = budget;
  assert_int_equal(ta_planner_new(NULL, model, &options, &planner, &error), TA_OK);
  assert_int_equal(ta_planner_plan(planner, &error), TA_OK);
  return planner;
}

static ta_summary execute(ta_planner *planner, const ta_model *model) {
  ta_summary summary;
  ta_verdict verdict;
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);
  assert_int_equal(ta_planner_summary(planner, &summary, NULL), TA_OK);
  assert_int_equal(ta_verify_planner(NULL, model, planner, NULL, 0, &verdict, NULL), TA_OK);
  assert_true(verdict.sound);
  return summary;
}

static uint64_t offset_of(const ta_planner *planner, uint32_t buffer) {
  uint32_t n;
  return ta_planner_buffers(planner, &n)[buffer].offset;
}

/* A long list in which a view and a fixed buffer occur, full enough to need a search. */
static char *make_list(void) {
  static char text[20000];
  uint32_t seed = 5;
  size_t len = (size_t)snprintf(text, sizeof text, "id,lower,upper,size,alignment,fixed,alias\n");
  for (uint32_t i = 0; i < 300; i++) {
    seed = seed * 1664525u + 1013904223u;
    uint32_t first = seed >> 12 & 63, life = 1 + (seed >> 20 & 15), size = 64 + (seed >> 8 & 1023);
    len += (size_t)snprintf(text + len, sizeof text - len, "b%u,%u,%u,%u,%u,%s,\n", i, first, first + life,
                            size, i % 3 ? 1 : 16, i == 7 ? "4096" : "");
  }
  snprintf(text + len, sizeof text - len, "view,70,75,16,1,,b3+8\n");
  return text;
}

static void slices_and_one_go_agree(void **state) {
  (void)state;
  ta_model *model = open_text(make_list());
  ta_planner *whole = planner_of(model, TA_NO_OFFSET), *sliced = planner_of(model, TA_NO_OFFSET);
  ta_summary a = execute(whole, model), b;
  uint32_t n, done = 0;
  for (uint64_t left = TA_DEFAULT_NODES; !done && left > 0;) {
    uint64_t slice = left < 777 ? left : 777;
    assert_int_equal(ta_planner_solve(sliced, slice, &done, NULL), TA_OK);
    left -= slice;
  }
  assert_int_equal(ta_planner_summary(sliced, &b, NULL), TA_OK);
  assert_memory_equal(&a, &b, sizeof a);
  const ta_buffer *x = ta_planner_buffers(whole, &n), *y = ta_planner_buffers(sliced, &n);
  assert_memory_equal(x, y, n * sizeof *x);
  assert_int_equal(offset_of(whole, 7), 4096);
  assert_int_equal(offset_of(whole, 300), offset_of(whole, 3) + 8);
  ta_planner_free(whole);
  ta_planner_free(sliced);
  ta_model_free(model);
}

static void places_are_given_and_taken_back(void **state) {
  (void)state;
  ta_model *model =
      open_text("id,lower,upper,size,alignment,alias\na,0,2,32,16,\nb,1,3,16,16,\nv,0,1,8,1,a+8\n");
  ta_planner *planner = planner_of(model, TA_NO_OFFSET);
  ta_error error;
  assert_int_equal(execute(planner, model).arena_bytes, 48);
  assert_int_equal(ta_planner_fix(planner, 0, 64, &error), TA_OK);
  assert_int_equal(execute(planner, model).arena_bytes, 96);
  assert_int_equal(offset_of(planner, 0), 64);
  assert_int_equal(offset_of(planner, 2), 72);
  assert_int_equal(ta_planner_fix(planner, 1, 64, &error), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, &error), TA_E_ARGUMENT);
  assert_non_null(strstr(error.text, "is fixed at 64"));
  assert_int_equal(ta_planner_fix(planner, 0, TA_NO_OFFSET, &error), TA_OK);
  assert_int_equal(execute(planner, model).arena_bytes, 80);
  assert_int_equal(ta_planner_fix(planner, 0, 8, &error), TA_E_ARGUMENT);
  assert_int_equal(ta_planner_fix(planner, 3, 0, &error), TA_E_INDEX);
  assert_int_equal(ta_planner_fix(planner, 2, 0, &error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_fix(planner, 0, TA_MAX_BYTES - 15, &error), TA_E_LIMIT);
  assert_int_equal(ta_planner_reset(planner, &error), TA_OK);
  assert_true(offset_of(planner, 1) == TA_NO_OFFSET);
  assert_int_equal(execute(planner, model).arena_bytes, 80); /* what is fixed stays fixed */
  ta_planner_free(planner);
  ta_model_free(model);
}

static void budgets(void **state) {
  (void)state;
  ta_model *model = open_text("id,lower,upper,size\na,0,2,32\nb,1,3,16\n");
  ta_planner *fits = planner_of(model, 48), *refused = planner_of(model, 47);
  assert_int_equal(execute(fits, model).fits, 1);
  ta_summary summary = execute(refused, model);
  assert_int_equal(summary.fits, 2);
  assert_int_equal(summary.lower_bound_bytes, 48);
  ta_planner_free(fits);
  ta_planner_free(refused);
  ta_model_free(model);
}

static void partial_ranges_are_refused(void **state) {
  (void)state;
  ta_model *model = open_text("id,lower,upper,size\na,0,2,32\nb,1,3,16\n");
  ta_planner *planner = planner_of(model, TA_NO_OFFSET);
  ta_error error;
  assert_int_equal(ta_planner_execute(planner, 0, 1, &error), TA_E_UNSUPPORTED);
  ta_planner_free(planner);
  ta_model_free(model);
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  const char *text = make_list();
  bool whole = false;
  for (long allowed = 0; !whole; allowed++) {
    assert_true(allowed < 500);
    heap h = {.left = allowed};
    ta_allocator allocator = heap_allocator(&h);
    ta_model *model = NULL;
    ta_planner *planner = NULL;
    ta_error error;
    uint32_t done;
    ta_status status = ta_model_open(&allocator, text, strlen(text), NULL, &model, &error);
    if (status == TA_OK) status = ta_planner_new(&allocator, model, NULL, &planner, &error);
    if (status == TA_OK) status = ta_planner_plan(planner, &error);
    if (status == TA_OK) status = ta_planner_fix(planner, 5, 32, &error);
    if (status == TA_OK) status = ta_planner_solve(planner, 2000, &done, &error);
    if (status == TA_E_MEMORY && planner) { /* there is memory again: it goes on */
      h.left = 1000;
      assert_int_equal(ta_planner_plan(planner, &error), TA_OK);
      assert_int_equal(ta_planner_solve(planner, 2000, &done, &error), TA_OK);
      ta_verdict verdict;
      assert_int_equal(ta_verify_planner(NULL, model, planner, NULL, 0, &verdict, &error), TA_OK);
      assert_true(verdict.sound);
    }
    whole = status == TA_OK;
    assert_true(whole || (status == TA_E_MEMORY && error.status == TA_E_MEMORY));
    if (planner) ta_planner_free(planner);
    if (model) ta_model_free(model);
    assert_int_equal(h.held, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_and_one_go_agree),
      cmocka_unit_test(places_are_given_and_taken_back),
      cmocka_unit_test(budgets),
      cmocka_unit_test(partial_ranges_are_refused),
      cmocka_unit_test(memory_may_run_out_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

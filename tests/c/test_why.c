/* Why a buffer lies where it does, on the planners that place one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tensor_arena.h"

/* K3's lives as a buffer list: a 64 at 1..3, b 64 at 4, c 48 at 3..4, d 48 at 3..5, e 96 at 0..2. */
static const char list[] = "id,lower,upper,size\na,1,4,64\nb,4,5,64\nc,3,5,48\nd,3,6,48\ne,0,3,96\n";

static ta_planner *planner_of(const char *text, uint32_t kind, ta_model **model) {
  ta_planner_options options;
  ta_planner *planner = NULL;
  ta_planner_options_init(&options);
  options.planner = kind;
  assert_int_equal(ta_model_open(NULL, text, strlen(text), "list", model, NULL), TA_OK);
  assert_int_equal(ta_planner_new(NULL, *model, &options, &planner, NULL), TA_OK);
  return planner;
}

static void linear_places_in_order(void **state) {
  (void)state;
  ta_model *model = NULL;
  ta_planner *planner = planner_of(list, TA_PLANNER_LINEAR, &model);
  ta_why why;
  const char *rule = NULL;
  assert_int_equal(ta_planner_why(planner, 0, &why, &rule, NULL), TA_E_STATE);
  assert_int_equal(ta_planner_plan(planner, NULL), TA_OK);
  assert_int_equal(ta_planner_why(planner, 0, &why, &rule, NULL), TA_OK);
  assert_int_equal(why.turn, 0);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);
  assert_int_equal(ta_planner_why(planner, 3, &why, &rule, NULL), TA_OK);
  assert_non_null(rule);
  assert_int_equal(why.turn, 4);
  assert_int_equal(why.turns, 5);
  /* c, b and a live with d and lie below it; e died before. */
  assert_int_equal(why.in_way_count, 3);
  assert_int_equal(why.in_way[0], 2);
  assert_int_equal(why.in_way[2], 0);
  assert_int_equal(why.gap_bytes, 0);
  assert_int_equal(why.before, TA_NO_INDEX);
  assert_int_equal(ta_planner_why(planner, 5, &why, NULL, NULL), TA_E_INDEX);
  ta_planner_free(planner);
  ta_model_free(model);
}

static void a_reset_forgets_the_turns(void **state) {
  (void)state;
  ta_model *model = NULL;
  ta_planner *planner = planner_of(list, TA_PLANNER_LINEAR, &model);
  ta_why why;
  assert_int_equal(ta_planner_plan(planner, NULL), TA_OK);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);
    assert_int_equal(ta_planner_why(planner, 4, &why, NULL, NULL), TA_OK);
    assert_int_equal(why.turn, 5);
    assert_int_equal(why.turns, 5);
    assert_int_equal(ta_planner_reset(planner, NULL), TA_OK);
  }
  ta_planner_free(planner);
  ta_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_places_in_order),
      cmocka_unit_test(a_reset_forgets_the_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who may lie in whose bytes: LiteRT's own planner shares as LiteRT does and says what that destroys; the
 * other planners, and the bound, share only where nothing is lost. */
#include "support/graphs.h"

#include <stdbool.h>
#include <string.h>

enum { VIEW = 5, IN_PLACE_0 = 4, IN_PLACE_0_1 = 12 };

static graph g;
static const ta_planner_id planners[] = {TA_PLANNER_OWN, TA_PLANNER_LINEAR, TA_PLANNER_OPTIMAL};

static int teardown(void **state) {
  (void)state;
  graph_end(&g);
  return 0;
}

static void node(const int32_t *inputs, const int32_t *outputs, uint32_t inplace) {
  g.nodes[graph_node_add(&g, inputs, outputs, NONE)].inplace = inplace;
}

static ta_summary plan_with(ta_planner_id planner) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLITE;
  options.planner = planner;
  graph_end(&g);
  graph_plan_with(&g, &options);
  graph_execute(&g, 0, INT32_MAX);
  return graph_summary(&g);
}

static bool shares(int32_t tensor, int32_t root) {
  return graph_buffer(&g, tensor)->shares == (uint32_t)root;
}

/* The report has no NUL at its end. */
static bool says(const char *words) {
  const char *text;
  size_t len, n = strlen(words);
  assert_int_equal(ta_planner_report(g.planner, TA_FORMAT_JSON, &text, &len, &g.error), TA_OK);
  for (size_t at = 0; at + n <= len; at++) {
    if (memcmp(text + at, words, n) == 0) return true;
  }
  return false;
}

/* x -> B; C is a view of B, D a view of C; E is made of D in place; C is read by node `reader`; y at the end.
 */
static void view_of_a_view(uint64_t bytes, int32_t reader) {
  graph_begin(&g, LIST(0), LIST(6));
  graph_tensors(&g, 7, (const uint64_t[]){64, bytes, bytes, bytes, bytes, 64, 64});
  node(LIST(0), LIST(1), 0);
  node(LIST(1), LIST(2), VIEW);
  node(LIST(2), LIST(3), VIEW);
  if (reader < 3) node(LIST(2), LIST(5), 0);
  node(LIST(3), LIST(4), IN_PLACE_0);
  if (reader > 3) node(LIST(2), LIST(5), 0);
  node(LIST(4, 5), LIST(6), 0);
}

static void a_view_that_is_read_after_its_bytes_are_overwritten(void **state) {
  (void)state;
  view_of_a_view(1024, 4);
  ta_summary own = plan_with(TA_PLANNER_OWN);
  assert_int_equal(own.arena_bytes, 1216); /* as LiteRT has it */
  assert_int_equal(own.status, TA_UNSOUND);
  assert_int_equal(own.lower_bound_bytes, 2176);
  assert_true(shares(2, 1) && shares(3, 1) && shares(4, 1));
  assert_true(
      says("\"code\":\"overwritten\",\"text\":\"LiteRT overwrites tensor 2 while node 4 still needs it: "
           "node 3 writes tensor 4 over its 1,024 bytes\",\"subgraph\":0,\"tensor\":2,\"node\":3"));
  ta_summary optimal = plan_with(TA_PLANNER_OPTIMAL);
  assert_int_equal(optimal.arena_bytes, 2176);
  assert_int_equal(optimal.lower_bound_bytes, 2176);
  assert_int_equal(optimal.status, TA_OPTIMAL);
  assert_true(shares(2, 1) && shares(3, 1) && shares(4, -1));
  ta_summary linear = plan_with(TA_PLANNER_LINEAR);
  assert_int_equal(linear.lower_bound_bytes, 2176);
  assert_true(shares(4, -1));
}

static void read_before_that_it_loses_nothing(void **state) {
  (void)state;
  view_of_a_view(1024, 2);
  for (size_t i = 0; i < 3; i++) {
    ta_summary summary = plan_with(planners[i]);
    assert_true(shares(2, 1) && shares(3, 1) && shares(4, 1));
    assert_int_equal(summary.lower_bound_bytes, 64 + 1024 + 64 + 64);
    assert_int_not_equal(summary.status, TA_UNSOUND);
    assert_false(says("overwritten"));
  }
}

/* Node 3 makes E of D in place and reads C, which has the same bytes, as its other operand. */
static void two_operands_in_one_place(uint32_t inplace) {
  graph_begin(&g, LIST(0), LIST(5));
  graph_tensors(&g, 6, (const uint64_t[]){64, 256, 256, 256, 256, 64});
  node(LIST(0), LIST(1), 0);
  node(LIST(1), LIST(2), VIEW);
  node(LIST(2), LIST(3), VIEW);
  node(LIST(3, 2), LIST(4), inplace);
  node(LIST(4), LIST(5), 0);
}

static void another_operand_may_lie_there_only_where_the_operator_works_in_place_on_it(void **state) {
  (void)state;
  two_operands_in_one_place(IN_PLACE_0_1);
  for (size_t i = 0; i < 3; i++) {
    assert_int_not_equal(plan_with(planners[i]).status, TA_UNSOUND);
    assert_true(shares(4, 1));
  }
  graph_end(&g);
  two_operands_in_one_place(IN_PLACE_0);
  assert_int_equal(plan_with(TA_PLANNER_OWN).status, TA_UNSOUND);
  assert_true(says("LiteRT overwrites tensor 2 while node 3 still needs it: node 3 writes tensor 4"));
  assert_int_not_equal(plan_with(TA_PLANNER_OPTIMAL).status, TA_UNSOUND);
  assert_true(shares(4, -1));
}

/* A view of what is written a second time holds the first value no longer. */
static void a_root_that_is_written_again(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(4));
  graph_tensors(&g, 5, (const uint64_t[]){64, 256, 256, 64, 64});
  node(LIST(0), LIST(1), 0);
  node(LIST(1), LIST(2), VIEW);
  node(LIST(0), LIST(1), 0);
  node(LIST(1, 2), LIST(3), 0);
  node(LIST(3), LIST(4), 0);
  assert_int_equal(plan_with(TA_PLANNER_OWN).status, TA_UNSOUND);
  assert_true(says("LiteRT overwrites tensor 2 while node 3 still needs it: node 2 writes tensor 1"));
  plan_with(TA_PLANNER_OPTIMAL);
  assert_true(shares(2, -1));
  assert_int_equal(graph_summary(&g).arena_bytes, 64 + 256 + 256 + 64);
}

/* What a run leaves in a view for the host counts as read at its end. */
static void an_output_is_needed_after_the_run(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 5, (const uint64_t[]){64, 256, 256, 256, 256});
  node(LIST(0), LIST(1), 0);
  node(LIST(1), LIST(3), VIEW);
  node(LIST(3), LIST(2), VIEW); /* an output shares with nobody in LiteRT: it has bytes of its own */
  node(LIST(3), LIST(4), 0);
  for (size_t i = 0; i < 3; i++) {
    assert_int_not_equal(plan_with(planners[i]).status, TA_UNSOUND);
    assert_true(shares(2, -1));
  }
}

/* LiteRT gives the bytes away before the last node writes them. */
static void a_write_after_the_life(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(4));
  graph_tensors(&g, 5, (const uint64_t[]){64, 64, 64, 64, 64});
  node(LIST(0), LIST(1), 0);
  node(LIST(1), LIST(2), 0);
  node(LIST(2), LIST(3), 0);
  node(LIST(3), LIST(1, 4), 0); /* tensor 1 once more */
  assert_int_equal(plan_with(TA_PLANNER_OWN).status, TA_UNSOUND);
  assert_true(says("written-after-last-read"));
  assert_int_equal(graph_buffer(&g, 1)->last, 1);
  assert_int_not_equal(plan_with(TA_PLANNER_OPTIMAL).status, TA_UNSOUND);
  assert_int_equal(graph_buffer(&g, 1)->last, 3);
}

/* With other bytes D leaves B's place, and LiteRT still takes E for a guest there. */
static void sharing_follows_the_present_bytes(void **state) {
  (void)state;
  view_of_a_view(1024, 2);
  plan_with(TA_PLANNER_OPTIMAL);
  graph_resize(&g, 3, 512);
  graph_execute(&g, 0, INT32_MAX);
  assert_true(shares(2, 1) && shares(3, -1) && shares(4, -1));
  graph_resize(&g, 3, 1024);
  graph_execute(&g, 0, INT32_MAX);
  assert_true(shares(2, 1) && shares(3, 1) && shares(4, 1));

  graph_end(&g);
  view_of_a_view(1024, 4);
  plan_with(TA_PLANNER_OWN);
  assert_true(says("overwritten"));
  graph_resize(&g, 4, 512); /* E has a place of its own then, and C keeps its bytes */
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_execute(&g, 0, INT32_MAX);
  assert_int_not_equal(graph_summary(&g).status, TA_UNSOUND);
  assert_false(says("overwritten"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(a_view_that_is_read_after_its_bytes_are_overwritten, teardown),
      cmocka_unit_test_teardown(read_before_that_it_loses_nothing, teardown),
      cmocka_unit_test_teardown(another_operand_may_lie_there_only_where_the_operator_works_in_place_on_it,
                                teardown),
      cmocka_unit_test_teardown(a_root_that_is_written_again, teardown),
      cmocka_unit_test_teardown(an_output_is_needed_after_the_run, teardown),
      cmocka_unit_test_teardown(a_write_after_the_life, teardown),
      cmocka_unit_test_teardown(sharing_follows_the_present_bytes, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

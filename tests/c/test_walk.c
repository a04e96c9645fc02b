/* The interpreter's walk: a worked trace with bytes and offsets at each stop, under both runtimes, and the
 * rules around it. */
#include "support/graphs.h"

#include <string.h>

static graph g;
static ta_walk *walk;

static int teardown(void **state) {
  (void)state;
  ta_walk_free(walk);
  walk = NULL;
  g.planner = NULL; /* the walk's */
  graph_end(&g);
  return 0;
}

/* x -> CONV -> a -> UNIQUE -> u (dynamic) -> MUL -> b -> SLICE -> s (dynamic) -> ADD -> y
 * MUL has a dynamic temporary, which stops nothing. */
enum { X, A, U, B, T, S, Y, CONV = 0, UNIQUE, MUL, SLICE, ADD };

static void begin(ta_runtime_id runtime) {
  graph_begin(&g, LIST(X), LIST(Y));
  graph_tensors(&g, 2, (const uint64_t[]){64, 128});
  graph_typed_tensor(&g, 0, TA_DYNAMIC);
  graph_tensor(&g, 0); /* what MUL gives is known when u is */
  graph_typed_tensor(&g, 0, TA_DYNAMIC);
  graph_typed_tensor(&g, 0, TA_DYNAMIC);
  graph_tensor(&g, 0);
  graph_node_add(&g, LIST(X), LIST(A), NONE);
  graph_node_add(&g, LIST(A), LIST(U), NONE);
  graph_node_add(&g, LIST(A, U), LIST(B), LIST(T));
  graph_node_add(&g, LIST(B), LIST(S), NONE);
  graph_node_add(&g, LIST(B, S), LIST(Y), NONE);
  graph_open(&g);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = (uint32_t)runtime;
  assert_int_equal(ta_walk_new(NULL, g.model, &options, &walk, &g.error), TA_OK);
  g.planner = ta_walk_planner(walk);
}

static void step(int32_t node, int32_t planned_first, int32_t planned_last) {
  ta_walk_step at;
  assert_int_equal(ta_walk_next(walk, &at, &g.error), TA_OK);
  assert_int_equal(at.node, node);
  assert_int_equal(at.planned_first, planned_first);
  assert_int_equal(at.planned_last, planned_last);
  assert_int_equal(at.done, node == ADD);
}

static void allocate(int32_t planned_last) {
  ta_walk_step at;
  assert_int_equal(ta_walk_allocate(walk, &at, &g.error), TA_OK);
  assert_int_equal(at.node, -1);
  assert_int_equal(at.planned_first, 0);
  assert_int_equal(at.planned_last, planned_last);
}

static void set_bytes(int32_t tensor, uint64_t bytes) {
  assert_int_equal(ta_walk_set_bytes(walk, (uint32_t)tensor, bytes, &g.error), TA_OK);
}

#define PLACES(x, a, b, y) assert_offsets(&g, (x), (a), UNPLACED, (b), UNPLACED, UNPLACED, (y))

static void trace_under_tflite_2018(void **state) {
  (void)state;
  begin(TA_RUNTIME_TFLITE_2018);
  allocate(UNIQUE);
  PLACES(0, 64, UNPLACED, UNPLACED);
  step(CONV, -1, -1);
  step(UNIQUE, -1, -1);
  set_bytes(U, 40);
  set_bytes(B, 48);
  step(MUL, MUL, SLICE); /* x is gone: b takes its place */
  PLACES(0, 64, 0, UNPLACED);
  step(SLICE, -1, -1);
  set_bytes(S, 8);
  set_bytes(Y, 100);
  step(ADD, ADD, ADD); /* a is gone, b is read: the gap behind b is the end */
  PLACES(0, 64, 0, 48);
  assert_int_equal(graph_summary(&g).arena_bytes, 192);

  /* Another invocation keeps the plan, whatever the dynamic tensors turn out to be. */
  step(CONV, -1, -1);
  step(UNIQUE, -1, -1);
  set_bytes(U, 400);
  step(MUL, -1, -1);
  step(SLICE, -1, -1);
  step(ADD, -1, -1);
  PLACES(0, 64, 0, 48);

  /* AllocateTensors starts over. */
  allocate(UNIQUE);
  PLACES(0, 64, UNPLACED, UNPLACED);
  step(CONV, -1, -1);
}

static void trace_under_tflite(void **state) {
  (void)state;
  begin(TA_RUNTIME_TFLITE);
  allocate(UNIQUE);
  PLACES(0, 64, UNPLACED, UNPLACED); /* graph inputs live to the end here */
  step(CONV, -1, -1);
  step(UNIQUE, -1, -1);
  set_bytes(U, 40);
  set_bytes(B, 48);
  step(MUL, MUL, SLICE);
  PLACES(0, 64, 192, UNPLACED);
  step(SLICE, -1, -1);
  set_bytes(S, 8);
  set_bytes(Y, 100);
  step(ADD, ADD, ADD);
  PLACES(0, 64, 192, 64);
  assert_int_equal(graph_summary(&g).arena_bytes, 240);

  /* UNIQUE gives more this time: everything behind it loses its place and is prepared again. */
  step(CONV, -1, -1);
  step(UNIQUE, -1, -1);
  set_bytes(U, 400);
  PLACES(0, 64, UNPLACED, UNPLACED);
  set_bytes(B, 480);
  step(MUL, MUL, SLICE);
  PLACES(0, 64, 192, UNPLACED);
  step(SLICE, -1, -1);
  set_bytes(S, 8); /* as before: nothing to do again */
  step(ADD, ADD, ADD);
  PLACES(0, 64, 192, 64);
  assert_int_equal(graph_summary(&g).arena_bytes, 672);

  /* The same bytes again: the plan stays. */
  step(CONV, -1, -1);
  step(UNIQUE, -1, -1);
  set_bytes(U, 400);
  step(MUL, -1, -1);
  PLACES(0, 64, 192, 64);
}

static void other_bytes_for_a_graph_input_start_over(void **state) {
  (void)state;
  begin(TA_RUNTIME_TFLITE);
  step(CONV, 0, UNIQUE); /* allocates by itself */
  step(UNIQUE, -1, -1);
  set_bytes(X, 64); /* not other bytes */
  set_bytes(U, 40);
  step(MUL, MUL, SLICE);
  set_bytes(X, 128);
  step(CONV, 0, UNIQUE);
  PLACES(0, 128, UNPLACED, UNPLACED);
}

static void placed_tensors_keep_their_bytes(void **state) {
  (void)state;
  begin(TA_RUNTIME_TFLITE_2018);
  allocate(UNIQUE);
  assert_int_equal(ta_walk_set_bytes(walk, A, 200, &g.error), TA_E_STATE);
  assert_int_equal(g.error.tensor, A);
  set_bytes(A, 128);
  assert_int_equal(ta_walk_set_bytes(walk, 99, 1, &g.error), TA_E_INDEX);
  assert_int_equal(ta_walk_set_bytes(walk, U, TA_MAX_BYTES + 1, &g.error), TA_E_LIMIT);
}

static void an_operator_may_make_its_output_dynamic(void **state) {
  (void)state;
  begin(TA_RUNTIME_TFLITE);
  graph_retype(&g, A, TA_DYNAMIC);
  allocate(CONV);
  assert_int_equal(graph_offset(&g, A), UNPLACED);
  step(CONV, -1, -1);
  step(UNIQUE, UNIQUE, UNIQUE);
}

static void graph_without_dynamic_tensors_is_prepared_at_once(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_open(&g);
  assert_int_equal(ta_walk_new(NULL, g.model, NULL, &walk, &g.error), TA_OK);
  g.planner = ta_walk_planner(walk);
  allocate(0);
  assert_offsets(&g, 0, 8);
}

static void graph_without_nodes_is_done_at_once(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(0));
  graph_tensor(&g, 8);
  graph_open(&g);
  assert_int_equal(ta_walk_new(NULL, g.model, NULL, &walk, &g.error), TA_OK);
  g.planner = ta_walk_planner(walk);
  ta_walk_step at;
  assert_int_equal(ta_walk_next(walk, &at, &g.error), TA_OK);
  assert_int_equal(at.node, -1);
  assert_int_equal(at.planned_first, 0);
  assert_int_equal(at.done, 1);
  assert_offsets(&g, 0);
  assert_int_equal(ta_walk_next(walk, NULL, &g.error), TA_OK);
  assert_int_equal(ta_walk_allocate(walk, NULL, NULL), TA_OK);
  assert_int_equal(ta_walk_next(walk, NULL, NULL), TA_OK);
}

static void only_planners_that_take_parts_walk(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(0));
  graph_tensor(&g, 8);
  graph_open(&g);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.planner = TA_PLANNER_LINEAR;
  assert_int_equal(ta_walk_new(NULL, g.model, &options, &walk, &g.error), TA_E_UNSUPPORTED);
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLM;
  assert_int_equal(ta_walk_new(NULL, g.model, &options, &walk, &g.error), TA_E_UNSUPPORTED);
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, teardown)
  const struct CMUnitTest tests[] = {
      TEST(trace_under_tflite_2018),
      TEST(trace_under_tflite),
      TEST(other_bytes_for_a_graph_input_start_over),
      TEST(placed_tensors_keep_their_bytes),
      TEST(an_operator_may_make_its_output_dynamic),
      TEST(graph_without_dynamic_tensors_is_prepared_at_once),
      TEST(graph_without_nodes_is_done_at_once),
      TEST(only_planners_that_take_parts_walk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

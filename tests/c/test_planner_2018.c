/* The tflite-2018 planner where the original is broken (a test for each fault), where its contract goes
 * beyond the original, and the calls' own rules. That it agrees with the original elsewhere is what the
 * golden vectors show. */
#include "support/graphs.h"

#include <string.h>

static graph g;

static int teardown(void **state) {
  (void)state;
  graph_end(&g);
  return 0;
}

/* x -> node 0 -> a -> node 1 -> b -> node 2 -> y, sizes as given. */
static void chain(uint64_t x, uint64_t a, uint64_t b, uint64_t y) {
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){x, a, b, y});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
}

/* ---- the faults -----------------------------------------------------------------------------------------
 */

static void zero_size_tensor_has_no_entry_and_frees_without_error(void **state) {
  (void)state;
  chain(8, 0, 12, 4);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, UNPLACED, 0, 12);
  assert_int_equal(graph_buffer(&g, 1)->arena, TA_ARENA_NOT);
}

static void unplaced_tensor_has_no_offset(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  assert_offsets(&g, UNPLACED, UNPLACED, UNPLACED, UNPLACED);
  assert_int_equal(graph_summary(&g).status, TA_UNPLANNED);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 0, 8, UNPLACED, UNPLACED);
}

static void plan_is_idempotent(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  assert_int_equal(ta_planner_plan(g.planner, &g.error), TA_OK);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_int_equal(ta_planner_plan(g.planner, &g.error), TA_OK);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, 36);
}

static void executing_a_range_again_moves_nothing(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_execute(&g, 0, 2);
  graph_execute(&g, 0, 2);
  graph_execute(&g, 1, 1);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, 36);
  graph_resize(&g, 2, 8); /* smaller is no reason to move either */
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 24, 0);
}

static void temporaries_are_placed_and_freed_at_their_own_node(void **state) {
  (void)state;
  /* Node 0 has no output and frees nothing: in the original the temporaries of node 1 then go missing. */
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 5, (const uint64_t[]){8, 16, 4, 12, 20});
  graph_node_add(&g, LIST(0), NONE, LIST(3));
  graph_node_add(&g, LIST(0), LIST(1), LIST(4));
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 2);
  /* t3 at 0, x behind it; at node 1 the gap of 12 is too small for t4, which goes behind x, and a behind it.
   */
  assert_offsets(&g, 12, 40, 0, 0, 20);
  assert_sound(&g);
}

static void empty_range_does_nothing(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 3, (const uint64_t[]){8, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1), LIST(2));
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, -1);
  graph_execute(&g, 1, 0);
  graph_execute(&g, 5, 9);
  assert_offsets(&g, UNPLACED, UNPLACED, UNPLACED);
  assert_int_equal(graph_summary(&g).status, TA_UNPLANNED);
  graph_execute(&g, 0, 0);
  graph_execute(&g, 0, -1);
  assert_offsets(&g, 8, 16, 0);
}

static void skipped_nodes_have_nothing_to_free(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_execute(&g, 0, 0);
  graph_execute(&g, 2, 2); /* would free b, which node 1 never placed */
  assert_int_equal(graph_offset(&g, 2), UNPLACED);
  graph_execute(&g, 1, 1);
  assert_true(graph_offset(&g, 2) != UNPLACED);
  assert_sound(&g);
}

static void read_but_never_produced_is_a_problem_and_not_placed(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 3, (const uint64_t[]){8, 8, 64});
  graph_node_add(&g, LIST(0, 2), LIST(1), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 0, 8, UNPLACED);
  assert_int_equal(graph_buffer(&g, 2)->in_plan, 0);
  assert_int_equal(graph_buffer(&g, 2)->first, -1);
  const char *text;
  size_t len;
  assert_int_equal(ta_planner_report(g.planner, TA_FORMAT_JSON, &text, &len, &g.error), TA_OK);
  assert_non_null(strstr(text, "\"code\":\"read-but-never-produced\""));
  assert_non_null(strstr(text, "\"tensor\":2,\"node\":0"));
}

static void a_constant_that_is_read_is_no_problem(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  int32_t weights = graph_typed_tensor(&g, 64, TA_MMAP_RO);
  graph_node_add(&g, LIST(0, weights), LIST(1), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  const char *text;
  size_t len;
  assert_int_equal(ta_planner_report(g.planner, TA_FORMAT_JSON, &text, &len, &g.error), TA_OK);
  assert_non_null(strstr(text, "\"problems\":[]"));
}

static void absent_outputs_and_graph_outputs_are_skipped(void **state) {
  (void)state;
  graph_begin(&g, LIST(0, -1), LIST(-1, 1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  graph_node_add(&g, LIST(0, -1), LIST(-1, 1), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 0, 8);
}

static void absent_temporary_is_an_error_that_names_the_place(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 3, (const uint64_t[]){8, 8, 8});
  graph_node_add(&g, LIST(0), NONE, NONE);
  graph_node_add(&g, LIST(0), LIST(1), LIST(2, -1));
  assert_int_equal(graph_try_plan(&g, TA_RUNTIME_TFLITE_2018), TA_E_INDEX);
  assert_int_equal(g.error.node, 1);
  assert_non_null(strstr(g.error.text, "node 1 temporary 1"));
}

static void twice_a_graph_input_is_placed_once(void **state) {
  (void)state;
  graph_begin(&g, LIST(0, 0), LIST(1));
  graph_tensors(&g, 3, (const uint64_t[]){8, 12, 8});
  graph_node_add(&g, LIST(0), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(1), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 1);
  assert_offsets(&g, 0, 16, 8);
  assert_int_equal(graph_buffer(&g, 0)->last, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, 28);
}

static void written_by_two_nodes_is_placed_at_the_first_and_lives_to_the_last_use(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){8, 16, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE); /* the last read of t1 */
  graph_node_add(&g, LIST(2), LIST(1), NONE); /* written again, never read */
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 3);
  assert_offsets(&g, 0, 8, 0, 8);
  assert_int_equal(graph_buffer(&g, 1)->first, 0);
  assert_int_equal(graph_buffer(&g, 1)->last, 2); /* the last write: nothing reads it later */
  assert_sound(&g);
}

static void input_and_output_of_one_node_is_placed_once(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 3, (const uint64_t[]){8, 16, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 0);
  assert_int_equal(graph_buffer(&g, 1)->last, 2);
  assert_int_equal(graph_summary(&g).arena_bytes, 24);
}

/* ---- tensors that grow, and reset_after -----------------------------------------------------------------
 */

static void grown_tensor_is_refused_until_reset_after(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_execute(&g, 0, 2);
  graph_resize(&g, 2, 100);
  graph_execute(&g, 0, 0); /* not its first node */
  graph_execute(&g, 2, 2);
  assert_int_equal(ta_planner_execute(g.planner, 0, 2, &g.error), TA_E_GREW);
  assert_int_equal(g.error.tensor, 2);
  assert_non_null(strstr(g.error.text, "tensor 2"));
  assert_offsets(&g, 0, 8, 24, 0); /* nothing moved */
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_OK);
  assert_offsets(&g, 0, 8, UNPLACED, UNPLACED);
  graph_execute(&g, 1, 2);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, 124);
  assert_sound(&g);
}

static void grown_temporary_and_graph_input_are_refused_too(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 3, (const uint64_t[]){8, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1), LIST(2));
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 0);
  graph_resize(&g, 2, 9);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_GREW);
  assert_int_equal(g.error.tensor, 2);
  graph_resize(&g, 2, 8);
  graph_resize(&g, 0, 9);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_GREW);
  assert_int_equal(g.error.tensor, 0);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 8, 20, 0);
}

static void reset_after_brings_back_what_was_freed_later(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_execute(&g, 0, 2); /* a is freed at node 1 */
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_OK);
  graph_resize(&g, 2, 16);
  graph_resize(&g, 3, 16);
  graph_execute(&g, 1, 2);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_sound(&g);
}

static void reset_after_keeps_persistents_and_the_mark(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 2, (const uint64_t[]){8, 100});
  int32_t kept = graph_typed_tensor(&g, 24, TA_ARENA_RW_PERSISTENT);
  graph_tensor(&g, 4);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(kept), NONE);
  graph_node_add(&g, LIST(kept), LIST(3), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 0, 0);
  assert_int_equal(ta_planner_reset_after(g.planner, -1, &g.error), TA_OK);
  assert_offsets(&g, UNPLACED, UNPLACED, 0, UNPLACED);
  ta_summary summary = graph_summary(&g);
  assert_int_equal(summary.arena_bytes, 108);
  assert_int_equal(summary.persistent_bytes, 24);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  assert_offsets(&g, UNPLACED, UNPLACED, UNPLACED, UNPLACED);
  assert_int_equal(graph_summary(&g).arena_bytes, 0);
  assert_int_equal(graph_summary(&g).persistent_bytes, 0);
}

static void persistents_are_never_freed(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_typed_tensor(&g, 10, TA_ARENA_RW_PERSISTENT);
  graph_typed_tensor(&g, 10, TA_ARENA_RW_PERSISTENT);
  graph_typed_tensor(&g, 10, TA_ARENA_RW_PERSISTENT);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 0, 1);
  assert_offsets(&g, 0, 12, 24);
  assert_int_equal(graph_summary(&g).persistent_bytes, 34);
  assert_int_equal(graph_summary(&g).arena_bytes, 0);
  assert_int_equal(graph_buffer(&g, 0)->last, 1);
}

static void tensor_retyped_after_its_place_is_freed_from_the_arena_that_placed_it(void **state) {
  (void)state;
  chain(8, 16, 16, 24);
  graph_execute(&g, 0, 0);
  graph_retype(&g, 1, TA_ARENA_RW_PERSISTENT);
  graph_execute(&g, 1, 2);
  assert_offsets(&g, 0, 8, 24, 0); /* y has the bytes of x and a: a was freed from the rw arena */
  graph_retype(&g, 2, TA_DYNAMIC);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 24, 0);
  assert_int_equal(graph_summary(&g).persistent_bytes, 0);
}

static void types_are_read_at_each_step(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_retype(&g, 2, TA_DYNAMIC);
  graph_execute(&g, 0, 2);
  assert_int_equal(graph_offset(&g, 2), UNPLACED);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_retype(&g, 2, TA_ARENA_RW);
  graph_execute(&g, 0, 2);
  assert_int_equal(graph_offset(&g, 2), 24);
}

static void late_tensor_lies_over_nothing_that_lives_with_it(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_retype(&g, 1, TA_DYNAMIC);
  graph_execute(&g, 0, 2); /* x at 0, b at 0 (x is gone), y at 12 */
  graph_retype(&g, 1, TA_ARENA_RW);
  graph_execute(&g, 0, 2); /* a lives with x and b */
  assert_sound(&g);
  assert_offsets(&g, 0, 12, 0, 12);
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_OK);
  graph_execute(&g, 1, 2);
  assert_sound(&g);
}

/* ---- lives, totals, states ------------------------------------------------------------------------------
 */

static void range_past_the_end_is_clamped(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  graph_execute(&g, -5, 1000);
  assert_offsets(&g, 0, 8, 24, 0);
}

static void graph_without_nodes_places_its_inputs(void **state) {
  (void)state;
  graph_begin(&g, LIST(1, -1), NONE);
  graph_tensors(&g, 2, (const uint64_t[]){8, 12});
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  graph_execute(&g, 1, 5);
  assert_offsets(&g, UNPLACED, UNPLACED);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, UNPLACED, 0);
  assert_int_equal(graph_buffer(&g, 1)->first, 0);
  assert_int_equal(graph_buffer(&g, 1)->last, 0);
  assert_int_equal(graph_summary(&g).steps, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, 12);
}

static void summary_counts_live_bytes_and_knows_an_optimal_plan(void **state) {
  (void)state;
  chain(8, 16, 12, 4);
  ta_summary summary = graph_summary(&g);
  assert_int_equal(summary.status, TA_UNPLANNED);
  assert_int_equal(summary.peak_step, 1);
  assert_int_equal(summary.peak_live_bytes, 28);
  assert_int_equal(summary.lower_bound_bytes, 28);
  graph_execute(&g, 0, 2);
  summary = graph_summary(&g);
  assert_int_equal(summary.status, TA_FEASIBLE);
  assert_int_equal(summary.arena_bytes, 36);
  assert_int_equal(summary.steps, 3);
  assert_int_equal(summary.arena_alignment, 64);
  assert_int_equal(summary.tensor_alignment, 4);
  graph_end(&g);
  chain(16, 16, 16, 16);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_summary(&g).arena_bytes, graph_summary(&g).lower_bound_bytes);
  assert_int_equal(graph_summary(&g).status, TA_UNPLANNED); /* half a plan is none */
  graph_execute(&g, 1, 2);
  assert_int_equal(graph_summary(&g).status, TA_OPTIMAL);
}

static void linear_reuses_nothing_and_takes_whole_graphs(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){7, 16, 12, 4});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.planner = TA_PLANNER_LINEAR;
  graph_plan_with(&g, &options);
  assert_int_equal(ta_planner_execute(g.planner, 0, 1, &g.error), TA_E_UNSUPPORTED);
  assert_non_null(strstr(g.error.text, "whole graphs only"));
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_E_UNSUPPORTED);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 24, 36);
  assert_int_equal(graph_summary(&g).arena_bytes, 40);
  assert_int_equal(graph_summary(&g).status, TA_FEASIBLE);
  graph_resize(&g, 1, 0);
  graph_retype(&g, 2, TA_ARENA_RW_PERSISTENT);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, UNPLACED, 0, 8);
  assert_int_equal(graph_summary(&g).status, TA_FEASIBLE);
}

static void linear_plan_that_meets_the_bound_is_optimal(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 5});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.planner = TA_PLANNER_LINEAR;
  graph_plan_with(&g, &options);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_summary(&g).status, TA_OPTIMAL);
}

static void budget_is_answered(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.budget_bytes = 16;
  graph_plan_with(&g, &options);
  assert_int_equal(graph_summary(&g).fits, 0);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_summary(&g).fits, 1);
  graph_end(&g);
  options.budget_bytes = 15;
  graph_plan_with(&g, &options);
  assert_int_equal(graph_summary(&g).fits, 2);
}

static void calls_out_of_order_and_out_of_range_are_refused(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_open(&g);
  ta_summary summary;
  assert_int_equal(ta_planner_new(NULL, g.model, NULL, &g.planner, &g.error), TA_OK);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_STATE);
  assert_int_equal(ta_planner_summary(g.planner, &summary, &g.error), TA_E_STATE);
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_E_STATE);
  assert_int_equal(ta_planner_release(g.planner, &g.error), TA_E_STATE);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  assert_int_equal(ta_planner_plan(g.planner, &g.error), TA_OK);
  assert_int_equal(ta_planner_release(g.planner, &g.error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_acquire(g.planner, &g.error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_resize(g.planner, 2, 8, &g.error), TA_E_INDEX);
  assert_int_equal(ta_planner_resize(g.planner, 1, TA_MAX_BYTES + 1, &g.error), TA_E_LIMIT);
  assert_int_equal(ta_planner_retype(g.planner, 1, 6, &g.error), TA_E_ARGUMENT);
  assert_int_equal(ta_planner_retype(g.planner, 7, 0, &g.error), TA_E_INDEX);
  uint32_t done = 0;
  assert_int_equal(ta_planner_solve(g.planner, 1, &done, &g.error), TA_OK); /* not a search: one slice */
  assert_int_equal(done, 1);
  assert_offsets(&g, 0, 8);
}

static ta_status try_options(uint32_t runtime, uint32_t alignment, uint32_t subgraph, uint64_t budget) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = runtime;
  options.alignment = alignment;
  options.subgraph = subgraph;
  options.budget_bytes = budget;
  ta_planner *planner = NULL;
  ta_status status = ta_planner_new(NULL, g.model, &options, &planner, &g.error);
  if (!status) ta_planner_free(planner);
  return status;
}

static void options_are_checked(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(0));
  graph_tensor(&g, 8);
  graph_open(&g);
  uint64_t none = TA_NO_OFFSET;
  for (uint32_t alignment = 1; alignment <= TA_MAX_ALIGNMENT; alignment *= 2)
    assert_int_equal(try_options(TA_RUNTIME_TFLITE_2018, alignment, 0, none), TA_OK);
  assert_int_equal(try_options(TA_RUNTIME_TFLITE_2018, 3, 0, none), TA_E_ARGUMENT);
  assert_int_equal(try_options(TA_RUNTIME_TFLITE_2018, TA_MAX_ALIGNMENT * 2, 0, none), TA_E_ARGUMENT);
  assert_int_equal(try_options(TA_RUNTIME_TFLITE_2018, 0, 1, none), TA_E_INDEX);
  assert_int_equal(try_options(TA_RUNTIME_TFLITE_2018, 0, 0, TA_MAX_BYTES + 1), TA_E_ARGUMENT);
  assert_int_equal(try_options(TA_RUNTIME_TFLM, 0, 0, none), TA_E_UNSUPPORTED);
  assert_int_equal(try_options(77, 0, 0, none), TA_E_ARGUMENT);
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.planner = 9;
  assert_int_equal(ta_planner_new(NULL, g.model, &options, &g.planner, &g.error), TA_E_ARGUMENT);
  ta_planner_options_init(&options);
  options.kernels = 4;
  assert_int_equal(ta_planner_new(NULL, g.model, &options, &g.planner, &g.error), TA_E_ARGUMENT);
  ta_planner_options_init(&options);
  options.preserve_all = 2;
  assert_int_equal(ta_planner_new(NULL, g.model, &options, &g.planner, &g.error), TA_E_ARGUMENT);
}

static void sizes_past_the_limit_are_refused(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){TA_MAX_BYTES - 8, 16});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE_2018);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_LIMIT);
  assert_int_equal(g.error.tensor, 1);
  graph_resize(&g, 1, 4);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_offset(&g, 1), (int64_t)(TA_MAX_BYTES - 7));
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, teardown)
  const struct CMUnitTest tests[] = {
      TEST(zero_size_tensor_has_no_entry_and_frees_without_error),
      TEST(unplaced_tensor_has_no_offset),
      TEST(plan_is_idempotent),
      TEST(executing_a_range_again_moves_nothing),
      TEST(temporaries_are_placed_and_freed_at_their_own_node),
      TEST(empty_range_does_nothing),
      TEST(skipped_nodes_have_nothing_to_free),
      TEST(read_but_never_produced_is_a_problem_and_not_placed),
      TEST(a_constant_that_is_read_is_no_problem),
      TEST(absent_outputs_and_graph_outputs_are_skipped),
      TEST(absent_temporary_is_an_error_that_names_the_place),
      TEST(twice_a_graph_input_is_placed_once),
      TEST(written_by_two_nodes_is_placed_at_the_first_and_lives_to_the_last_use),
      TEST(input_and_output_of_one_node_is_placed_once),
      TEST(grown_tensor_is_refused_until_reset_after),
      TEST(grown_temporary_and_graph_input_are_refused_too),
      TEST(reset_after_brings_back_what_was_freed_later),
      TEST(reset_after_keeps_persistents_and_the_mark),
      TEST(persistents_are_never_freed),
      TEST(tensor_retyped_after_its_place_is_freed_from_the_arena_that_placed_it),
      TEST(types_are_read_at_each_step),
      TEST(late_tensor_lies_over_nothing_that_lives_with_it),
      TEST(range_past_the_end_is_clamped),
      TEST(graph_without_nodes_places_its_inputs),
      TEST(summary_counts_live_bytes_and_knows_an_optimal_plan),
      TEST(linear_reuses_nothing_and_takes_whole_graphs),
      TEST(linear_plan_that_meets_the_bound_is_optimal),
      TEST(budget_is_answered),
      TEST(calls_out_of_order_and_out_of_range_are_refused),
      TEST(options_are_checked),
      TEST(sizes_past_the_limit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

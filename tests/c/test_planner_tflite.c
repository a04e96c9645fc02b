/* The tflite planner, row by row of its description, and where this project differs from the original. That
 * it agrees with the original elsewhere is what the golden vectors show. */
#include "support/graphs.h"

#include <stdbool.h>
#include <string.h>

enum { UNMODIFIED = 1, SHARE_0 = 4, SHARE_1 = 8, SHARE_2 = 16 };

static graph g;

static int teardown(void **state) {
  (void)state;
  graph_end(&g);
  return 0;
}

static void plan_aligned(uint32_t alignment) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLITE;
  options.alignment = alignment;
  graph_plan_with(&g, &options);
}

/* x -> node 0 -> a -> node 1 -> b -> node 2 -> y, sizes as given, tensors aligned to 4. */
static void chain(uint64_t x, uint64_t a, uint64_t b, uint64_t y) {
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){x, a, b, y});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  plan_aligned(4);
}

/* The same with node 1 allowed to work in place. */
static void chain_in_place(uint64_t x, uint64_t a, uint64_t b, uint64_t y, uint32_t inplace) {
  chain(x, a, b, y);
  graph_end(&g);
  g.nodes[1].inplace = inplace;
  plan_aligned(4);
}

static bool shares(int32_t tensor, int32_t root) {
  return graph_buffer(&g, tensor)->shares == (uint32_t)root;
}

static bool shares_nothing(int32_t tensor) {
  return graph_buffer(&g, tensor)->shares == TA_NO_INDEX;
}

/* ---- lives ----------------------------------------------------------------------------------------------
 */

static void inputs_outputs_and_unread_tensors_live_to_the_end(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 5, (const uint64_t[]){8, 8, 8, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1, 4), NONE); /* t4 is read by nobody */
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  graph_plan(&g, TA_RUNTIME_TFLITE);
  const int32_t last[] = {2, 1, 2, 2, 2};
  const int32_t first[] = {0, 0, 1, 2, 0};
  for (int32_t t = 0; t < 5; t++) {
    assert_int_equal(graph_buffer(&g, t)->first, first[t]);
    assert_int_equal(graph_buffer(&g, t)->last, last[t]);
  }
}

static void temporaries_live_at_their_node(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 5, (const uint64_t[]){4, 4, 4, 12, 12});
  graph_node_add(&g, LIST(0), LIST(1), LIST(3));
  graph_node_add(&g, LIST(1), LIST(2), LIST(4));
  plan_aligned(4);
  graph_execute(&g, 0, 1);
  assert_offsets(&g, 0, 16, 20, 4, 4);
}

static void variables_live_from_the_start_to_the_end(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 3, (const uint64_t[]){8, 8, 8});
  int32_t persistent = graph_typed_tensor(&g, 24, TA_ARENA_RW_PERSISTENT);
  int32_t rw = graph_tensor(&g, 40);
  g.variables[0] = persistent;
  g.variables[1] = rw;
  g.variables[2] = LIST_END;
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1, persistent, rw), LIST(2), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_offset(&g, persistent), 0);
  assert_int_equal(graph_offset(&g, rw), 8); /* a whole life: before t1, which is earlier but not whole */
  assert_int_equal(graph_buffer(&g, rw)->first, 0);
  assert_int_equal(graph_buffer(&g, rw)->last, 1);
  assert_int_equal(graph_summary(&g).persistent_bytes, 24);
}

static void preserve_all_frees_and_shares_nothing(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 5, (const uint64_t[]){8, 8, 8, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1), LIST(4));
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(3), NONE);
  g.nodes[1].inplace = SHARE_0;
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLITE;
  options.alignment = 8;
  options.preserve_all = 1;
  graph_plan_with(&g, &options);
  graph_execute(&g, 0, 2);
  assert_int_equal(graph_summary(&g).arena_bytes, 40);
  for (int32_t t = 0; t < 5; t++) {
    assert_int_equal(graph_buffer(&g, t)->last, 2);
    assert_true(shares_nothing(t));
  }
  assert_sound(&g);
}

/* ---- order and place ------------------------------------------------------------------------------------
 */

static void largest_first_and_around_what_lives_at_the_same_time(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 0, 2);
  /* x first (a whole life); then y at 8; a (which y does not meet) at 8; b meets both. */
  assert_offsets(&g, 0, 8, 48, 8);
  assert_int_equal(graph_summary(&g).arena_bytes, 60);
  assert_sound(&g);
}

static void each_call_sorts_for_itself(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  for (int32_t k = 0; k < 3; k++) graph_execute(&g, k, k);
  assert_offsets(&g, 0, 8, 24, 36);
  assert_int_equal(graph_summary(&g).arena_bytes, 76);
}

static void ties_fall_to_the_earlier_node_then_to_the_lower_index(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(4));
  graph_tensors(&g, 5, (const uint64_t[]){4, 16, 16, 16, 16});
  graph_node_add(&g, LIST(0), LIST(3, 2), NONE);
  graph_node_add(&g, LIST(3, 2), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(4), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 36, 4, 20, 4);
}

static void alignment_is_an_option(void **state) {
  (void)state;
  for (uint32_t alignment = 1; alignment <= TA_MAX_ALIGNMENT; alignment *= 2) {
    graph_begin(&g, LIST(0), LIST(1));
    graph_tensors(&g, 2, (const uint64_t[]){1, 1});
    graph_node_add(&g, LIST(0), LIST(1), NONE);
    plan_aligned(alignment);
    graph_execute(&g, 0, 0);
    assert_offsets(&g, 0, (int64_t)alignment);
    assert_int_equal(graph_summary(&g).tensor_alignment, alignment);
    assert_int_equal(graph_summary(&g).arena_alignment, alignment > 64 ? alignment : 64);
    graph_end(&g);
  }
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){1, 1});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  plan_aligned(0);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 0, 64);
}

static void zero_size_has_no_place(void **state) {
  (void)state;
  chain(8, 0, 12, 4);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, UNPLACED, 8, 20);
}

static void absent_entries_are_allowed_in_inputs_and_outputs_only(void **state) {
  (void)state;
  graph_begin(&g, LIST(-1, 0), LIST(1, -1));
  graph_tensors(&g, 2, (const uint64_t[]){8, 8});
  graph_node_add(&g, LIST(-1, 0), LIST(-1, 1), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 0);
  assert_offsets(&g, 0, 8);
  graph_end(&g);
  g.nodes[0].temporaries[0] = -1;
  g.nodes[0].temporaries[1] = LIST_END;
  assert_int_equal(graph_try_plan(&g, TA_RUNTIME_TFLITE), TA_E_INDEX);
  assert_int_equal(g.error.node, 0);
  graph_end(&g);
  g.nodes[0].temporaries[0] = LIST_END;
  g.variables[0] = -1;
  g.variables[1] = LIST_END;
  assert_int_equal(graph_try_plan(&g, TA_RUNTIME_TFLITE), TA_E_INDEX);
  assert_non_null(strstr(g.error.text, "variable 0"));
}

static void dynamic_and_custom_tensors_are_never_placed(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensor(&g, 8);
  graph_typed_tensor(&g, 16, TA_DYNAMIC);
  graph_typed_tensor(&g, 16, TA_CUSTOM);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 1);
  assert_offsets(&g, 0, UNPLACED, UNPLACED);
  assert_int_equal(graph_buffer(&g, 1)->arena, TA_ARENA_NOT);
}

/* ---- in-place sharing -----------------------------------------------------------------------------------
 */

static void output_takes_its_inputs_bytes(void **state) {
  (void)state;
  chain_in_place(8, 16, 16, 4, SHARE_0);
  assert_true(shares(2, 1));
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 8, 24);
  assert_true(shares(2, 1));
  assert_int_equal(graph_buffer(&g, 1)->last, 2); /* as long as its sharer */
  assert_int_equal(graph_summary(&g).arena_bytes, 28);
  assert_int_equal(graph_summary(&g).peak_live_bytes, 28);
}

static void sharing_needs_equal_bytes_above_four_unless_data_stay(void **state) {
  (void)state;
  chain_in_place(8, 16, 20, 4, SHARE_0);
  assert_true(shares_nothing(2));
  graph_end(&g);
  chain_in_place(8, 4, 4, 4, SHARE_0);
  assert_true(shares_nothing(2));
  graph_end(&g);
  chain_in_place(8, 4, 4, 4, SHARE_0 | UNMODIFIED);
  assert_true(shares(2, 1));
}

static void graph_inputs_and_outputs_are_not_shared(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 3, (const uint64_t[]){16, 16, 16});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  g.nodes[0].inplace = g.nodes[1].inplace = SHARE_0;
  plan_aligned(4);
  assert_true(shares_nothing(1));
  assert_true(shares_nothing(2));
}

static void input_read_elsewhere_is_not_overwritten(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){8, 16, 16, 16});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(1, 2), LIST(3), NONE);
  g.nodes[1].inplace = SHARE_0;
  plan_aligned(4);
  assert_true(shares_nothing(2));
  graph_end(&g);
  g.nodes[1].inplace = SHARE_0 | UNMODIFIED;
  plan_aligned(4);
  assert_true(shares(2, 1));
}

static void first_input_that_passes_is_chosen(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(5));
  graph_tensors(&g, 6, (const uint64_t[]){8, 12, 16, 16, 16, 4});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(0), LIST(2), NONE);
  graph_node_add(&g, LIST(0), LIST(3), NONE);
  graph_node_add(&g, LIST(1, 2, 3), LIST(4), NONE);
  graph_node_add(&g, LIST(4), LIST(5), NONE);
  g.nodes[3].inplace = SHARE_0 | SHARE_1 | SHARE_2;
  plan_aligned(4);
  assert_true(shares(4, 2));
  graph_end(&g);
  g.nodes[3].inplace = SHARE_0 | SHARE_2;
  plan_aligned(4);
  assert_true(shares(4, 3));
  graph_end(&g);
  g.nodes[3].inputs[1] = -1;
  g.nodes[3].inplace = SHARE_1;
  plan_aligned(4);
  assert_true(shares_nothing(4));
}

static void no_sharing_when_the_chosen_inputs_root_is_read_elsewhere(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(5));
  graph_tensors(&g, 6, (const uint64_t[]){8, 16, 16, 16, 16, 4});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE); /* t2 has t1's bytes */
  graph_node_add(&g, LIST(0), LIST(3), NONE);
  graph_node_add(&g, LIST(2, 3), LIST(4), NONE); /* chooses t2, whose root t1 is read below, too */
  graph_node_add(&g, LIST(4, 1), LIST(5), NONE);
  g.nodes[1].inplace = SHARE_0 | UNMODIFIED;
  g.nodes[3].inplace = SHARE_0 | SHARE_1;
  plan_aligned(4);
  assert_true(shares(2, 1));
  assert_true(shares_nothing(4)); /* t3 is not tried */
  graph_execute(&g, 0, 4);
  assert_sound(&g);
}

static void pair_is_parted_for_good_when_bytes_differ(void **state) {
  (void)state;
  chain_in_place(8, 16, 16, 4, SHARE_0);
  graph_resize(&g, 2, 20);
  graph_execute(&g, 0, 2);
  assert_true(shares_nothing(2));
  assert_int_equal(graph_buffer(&g, 2)->last, 2);
  assert_sound(&g);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_resize(&g, 2, 16);
  graph_execute(&g, 0, 2);
  assert_true(shares_nothing(2));
  assert_sound(&g);
}

static void pair_is_parted_when_the_root_leaves_the_arena(void **state) {
  (void)state;
  chain_in_place(8, 16, 16, 4, SHARE_0);
  graph_retype(&g, 1, TA_DYNAMIC);
  graph_execute(&g, 0, 2);
  assert_true(shares_nothing(2));
  assert_int_equal(graph_offset(&g, 1), UNPLACED);
  assert_true(graph_offset(&g, 2) != UNPLACED);
}

static void output_that_is_its_own_input_is_placed(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(2));
  graph_tensors(&g, 3, (const uint64_t[]){8, 16, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  g.nodes[1].inplace = SHARE_0 | UNMODIFIED;
  plan_aligned(4);
  graph_execute(&g, 0, 2);
  assert_true(shares_nothing(1));
  assert_true(graph_offset(&g, 1) != UNPLACED);
}

/* ---- execute again, reset, release ----------------------------------------------------------------------
 */

static void executing_again_moves_nothing(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 0, 2);
  graph_execute(&g, 1, 2);
  graph_execute(&g, 0, 1000);
  graph_resize(&g, 3, 4);
  graph_execute(&g, 2, 2);
  graph_execute(&g, 2, 1);
  assert_offsets(&g, 0, 8, 48, 8);
}

static void going_back_lies_over_nothing_that_lives(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 2, 2);
  graph_execute(&g, 1, 1);
  graph_execute(&g, 0, 0);
  assert_sound(&g);
  for (int32_t t = 0; t < 4; t++) assert_true(graph_offset(&g, t) != UNPLACED);
}

static void grown_tensor_is_refused_until_reset_after(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 0, 2);
  graph_resize(&g, 2, 100);
  graph_execute(&g, 0, 0);
  assert_int_equal(ta_planner_execute(g.planner, 0, 2, &g.error), TA_E_GREW);
  assert_int_equal(g.error.tensor, 2);
  assert_offsets(&g, 0, 8, 48, 8);
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_OK);
  assert_offsets(&g, 0, 8, UNPLACED, UNPLACED);
  graph_execute(&g, 0, 2);
  assert_sound(&g);
}

static void grown_persistent_tensor_is_refused(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_typed_tensor(&g, 8, TA_ARENA_RW_PERSISTENT);
  graph_tensor(&g, 8);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 0);
  graph_resize(&g, 0, 9);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_GREW);
  assert_int_equal(g.error.tensor, 0);
  assert_int_equal(ta_planner_reset_after(g.planner, -1, &g.error), TA_OK);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_GREW);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  graph_execute(&g, 0, 0);
  assert_int_equal(graph_summary(&g).persistent_bytes, 9);
}

static void reset_after_keeps_persistents_mark_and_earlier_tensors(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 2, (const uint64_t[]){8, 100});
  int32_t kept = graph_typed_tensor(&g, 24, TA_ARENA_RW_PERSISTENT);
  graph_tensor(&g, 4);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(kept), NONE);
  graph_node_add(&g, LIST(kept), LIST(3), NONE);
  plan_aligned(4);
  graph_execute(&g, 0, 2);
  uint64_t mark = graph_summary(&g).arena_bytes;
  assert_int_equal(ta_planner_reset_after(g.planner, 0, &g.error), TA_OK);
  assert_offsets(&g, 0, 8, 0, UNPLACED);
  assert_int_equal(graph_summary(&g).arena_bytes, mark);
}

static void reset_after_forgets_sharers_with_their_root(void **state) {
  (void)state;
  chain_in_place(8, 16, 16, 4, SHARE_0);
  graph_execute(&g, 0, 2);
  assert_int_equal(ta_planner_reset_after(g.planner, -1, &g.error), TA_OK);
  assert_offsets(&g, UNPLACED, UNPLACED, UNPLACED, UNPLACED);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 8, 24);
}

static void reset_clears_places_and_marks(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 0, 2);
  assert_int_equal(ta_planner_reset(g.planner, &g.error), TA_OK);
  assert_offsets(&g, UNPLACED, UNPLACED, UNPLACED, UNPLACED);
  assert_int_equal(graph_summary(&g).arena_bytes, 0);
  assert_int_equal(graph_summary(&g).status, TA_UNPLANNED);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 48, 8);
}

static void release_and_acquire_keep_plan_and_mark(void **state) {
  (void)state;
  chain(8, 16, 12, 40);
  graph_execute(&g, 0, 2);
  assert_int_equal(ta_planner_release(g.planner, &g.error), TA_OK);
  assert_int_equal(ta_planner_acquire(g.planner, &g.error), TA_OK);
  assert_offsets(&g, 0, 8, 48, 8);
  assert_int_equal(graph_summary(&g).arena_bytes, 60);
}

static void graph_without_nodes_places_inputs_and_variables(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), NONE);
  graph_tensors(&g, 2, (const uint64_t[]){8, 12});
  g.variables[0] = 1;
  g.variables[1] = LIST_END;
  plan_aligned(4);
  graph_execute(&g, 0, -1);
  assert_offsets(&g, UNPLACED, UNPLACED);
  graph_execute(&g, 0, 10);
  assert_offsets(&g, 0, 8);
}

static void odd_writers_and_readers_are_problems(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 5, (const uint64_t[]){8, 8, 8, 8, 8});
  graph_node_add(&g, LIST(0, 4), LIST(1), NONE); /* nobody makes t4 */
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2), LIST(1, 3), NONE); /* t1 again, after its last reader */
  plan_aligned(4);
  graph_execute(&g, 0, 2);
  assert_int_equal(graph_offset(&g, 4), UNPLACED);
  const char *text;
  size_t len;
  assert_int_equal(ta_planner_report(g.planner, TA_FORMAT_JSON, &text, &len, &g.error), TA_OK);
  assert_non_null(strstr(text, "\"code\":\"read-but-never-produced\""));
  assert_non_null(strstr(text, "\"tensor\":4,\"node\":0"));
  assert_non_null(strstr(text, "\"code\":\"written-after-last-read\""));
  assert_non_null(strstr(text, "\"tensor\":1,\"node\":2"));
}

static void unread_sharer_that_is_written_again_is_a_problem(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){8, 8, 8, 8});
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(1), LIST(2), NONE);    /* t2 has t1's bytes, which nobody needs any more */
  graph_node_add(&g, LIST(0), LIST(3, 2), NONE); /* t3 has them now */
  graph_end(&g);
  g.nodes[1].inplace = SHARE_0;
  plan_aligned(4);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 8, 8);
  assert_int_equal(graph_buffer(&g, 2)->last, 1);
  const char *text;
  size_t len;
  assert_int_equal(ta_planner_report(g.planner, TA_FORMAT_JSON, &text, &len, &g.error), TA_OK);
  assert_non_null(strstr(text, "\"code\":\"written-after-last-read\""));
  assert_non_null(strstr(text, "writes tensor 2 after its last use, node 1:"));
}

static void linear_takes_sharing_from_the_runtime(void **state) {
  (void)state;
  chain(8, 16, 16, 4);
  graph_end(&g);
  g.nodes[1].inplace = SHARE_0;
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLITE;
  options.planner = TA_PLANNER_LINEAR;
  options.alignment = 4;
  graph_plan_with(&g, &options);
  graph_execute(&g, 0, 2);
  assert_offsets(&g, 0, 8, 8, 24);
}

static void sizes_past_the_limit_are_refused(void **state) {
  (void)state;
  graph_begin(&g, LIST(0), LIST(1));
  graph_tensors(&g, 2, (const uint64_t[]){TA_MAX_BYTES - 8, 16});
  graph_typed_tensor(&g, TA_MAX_BYTES, TA_ARENA_RW_PERSISTENT);
  graph_typed_tensor(&g, 1, TA_ARENA_RW_PERSISTENT);
  graph_node_add(&g, LIST(0), LIST(1), NONE);
  graph_node_add(&g, LIST(0), LIST(2, 3), NONE);
  plan_aligned(4);
  assert_int_equal(ta_planner_execute(g.planner, 0, 0, &g.error), TA_E_LIMIT);
  assert_int_equal(g.error.tensor, 1);
  assert_int_equal(ta_planner_execute(g.planner, 1, 1, &g.error), TA_E_LIMIT);
  assert_int_equal(g.error.tensor, 3);
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, teardown)
  const struct CMUnitTest tests[] = {
      TEST(inputs_outputs_and_unread_tensors_live_to_the_end),
      TEST(temporaries_live_at_their_node),
      TEST(variables_live_from_the_start_to_the_end),
      TEST(preserve_all_frees_and_shares_nothing),
      TEST(largest_first_and_around_what_lives_at_the_same_time),
      TEST(each_call_sorts_for_itself),
      TEST(ties_fall_to_the_earlier_node_then_to_the_lower_index),
      TEST(alignment_is_an_option),
      TEST(zero_size_has_no_place),
      TEST(absent_entries_are_allowed_in_inputs_and_outputs_only),
      TEST(dynamic_and_custom_tensors_are_never_placed),
      TEST(output_takes_its_inputs_bytes),
      TEST(sharing_needs_equal_bytes_above_four_unless_data_stay),
      TEST(graph_inputs_and_outputs_are_not_shared),
      TEST(input_read_elsewhere_is_not_overwritten),
      TEST(first_input_that_passes_is_chosen),
      TEST(no_sharing_when_the_chosen_inputs_root_is_read_elsewhere),
      TEST(pair_is_parted_for_good_when_bytes_differ),
      TEST(pair_is_parted_when_the_root_leaves_the_arena),
      TEST(output_that_is_its_own_input_is_placed),
      TEST(executing_again_moves_nothing),
      TEST(going_back_lies_over_nothing_that_lives),
      TEST(grown_tensor_is_refused_until_reset_after),
      TEST(grown_persistent_tensor_is_refused),
      TEST(reset_after_keeps_persistents_mark_and_earlier_tensors),
      TEST(reset_after_forgets_sharers_with_their_root),
      TEST(reset_clears_places_and_marks),
      TEST(release_and_acquire_keep_plan_and_mark),
      TEST(graph_without_nodes_places_inputs_and_variables),
      TEST(odd_writers_and_readers_are_problems),
      TEST(unread_sharer_that_is_written_again_is_a_problem),
      TEST(linear_takes_sharing_from_the_runtime),
      TEST(sizes_past_the_limit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every allocation fails in its turn: each call then says so, and what it leaves behind can be used or freed.
 */
#include "support/graphs.h"

#include <stdlib.h>
#include <string.h>

typedef struct purse {
  int left; /* allocations that will still succeed; -1: all */
  size_t held;
} purse;

static void *purse_alloc(void *context, size_t bytes) {
  purse *p = context;
  if (p->left == 0) return NULL;
  if (p->left > 0) p->left--;
  p->held += bytes;
  return malloc(bytes);
}

static void purse_free(void *context, void *pointer, size_t bytes) {
  purse *p = context;
  p->held -= bytes;
  free(pointer);
}

static graph g;

static void build(void) {
  graph_begin(&g, LIST(0), LIST(6));
  graph_tensors(&g, 8, (const uint64_t[]){100, 200, 200, 50, 70, 90, 10, 400});
  graph_node_add(&g, LIST(0), LIST(1), LIST(7));
  graph_node_add(&g, LIST(1), LIST(2), NONE);
  graph_node_add(&g, LIST(2, 1), LIST(3, 4), NONE);
  graph_node_add(&g, LIST(3, 4), LIST(5), NONE);
  graph_node_add(&g, LIST(5), LIST(6), NONE);
  g.nodes[1].inplace = 4;
  graph_open(&g);
}

static ta_status use_planner(const ta_allocator *allocator, ta_runtime_id runtime, ta_planner_id kind) {
  ta_planner_options options;
  ta_planner *planner;
  ta_summary summary;
  const char *text;
  size_t len;
  ta_planner_options_init(&options);
  options.runtime = (uint32_t)runtime;
  options.planner = (uint32_t)kind;
  ta_status status = ta_planner_new(allocator, g.model, &options, &planner, &g.error);
  if (status) return status;
  status = ta_planner_plan(planner, &g.error);
  if (status) status = ta_planner_plan(planner, &g.error); /* again, after a failure */
  if (!status) status = ta_planner_execute(planner, 0, 4, &g.error);
  if (!status && kind == TA_PLANNER_OWN) {
    status = ta_planner_reset_after(planner, 1, &g.error);
    if (!status) status = ta_planner_resize(planner, 3, 500, &g.error);
    if (!status) status = ta_planner_execute(planner, 2, 4, &g.error);
  }
  if (!status) status = ta_planner_summary(planner, &summary, &g.error);
  if (!status) status = ta_planner_report(planner, TA_FORMAT_JSON, &text, &len, &g.error);
  if (status) assert_int_equal(ta_planner_reset(planner, &g.error), TA_OK);
  ta_planner_free(planner);
  return status;
}

static ta_status use_walk(const ta_allocator *allocator) {
  ta_walk *walk;
  ta_walk_step step;
  ta_status status = ta_walk_new(allocator, g.model, NULL, &walk, &g.error);
  if (status) return status;
  for (int i = 0; i < 5 && !status; i++) status = ta_walk_next(walk, &step, &g.error);
  ta_walk_free(walk);
  return status;
}

static ta_status use_model(const ta_allocator *allocator) {
  ta_model *model;
  ta_status status = ta_model_open(allocator, g.block, g.block_bytes, "test", &model, &g.error);
  if (status == TA_OK) ta_model_free(model);
  return status;
}

enum { USES = 6 };

static ta_status use(int which, const ta_allocator *allocator) {
  switch (which) {
  case 0:
    return use_planner(allocator, TA_RUNTIME_TFLITE_2018, TA_PLANNER_OWN);
  case 1:
    return use_planner(allocator, TA_RUNTIME_TFLITE, TA_PLANNER_OWN);
  case 2:
    return use_planner(allocator, TA_RUNTIME_TFLITE, TA_PLANNER_LINEAR);
  case 3:
    return use_planner(allocator, TA_RUNTIME_TFLITE_2018, TA_PLANNER_OPTIMAL);
  case 4:
    return use_walk(allocator);
  default:
    return use_model(allocator);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  build();
  for (int which = 0; which < USES; which++) {
    purse all = {.left = -1};
    assert_int_equal(use(which, &(ta_allocator){purse_alloc, purse_free, &all}), TA_OK);
    assert_int_equal(all.held, 0);
    int failures = 0;
    for (int left = 0;; left++) {
      purse p = {.left = left};
      ta_status status = use(which, &(ta_allocator){purse_alloc, purse_free, &p});
      assert_int_equal(p.held, 0);
      if (status == TA_OK && p.left > 0) break; /* more than it needs */
      if (status == TA_OK) continue;
      assert_int_equal(status, TA_E_MEMORY);
      assert_int_equal(g.error.status, TA_E_MEMORY);
      failures++;
    }
    assert_true(failures > 0);
  }
  graph_end(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* TensorFlow Lite Micro's planner on models put together here: its placement against a literal rendering of
 * its rules, its cost on long models, and every allocation that can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "graph/dtype.h"
#include "graph/ops.h"
#include "planner/greedy.h"
#include "planner/tflm_plan.h"

/* ---- placement ------------------------------------------------------------------------------------------
 */

static uint64_t seed = 1;

/* splitmix64. */
static uint64_t next(void) {
  uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static uint64_t below(uint64_t n) {
  return next() % n;
}

enum { MOST = 60 };

/* The order: fixed ones as added; the others from a list filled from the back, stably sorted by size. */
static uint32_t literal_order(const ta_greedy_item *items, uint32_t n, uint32_t *order) {
  uint32_t fixed = 0, at = n;
  for (uint32_t i = 0; i < n; i++) {
    if (items[i].fixed != TA_GREEDY_ONLINE) order[fixed++] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (items[i].fixed == TA_GREEDY_ONLINE) order[--at] = i;
  }
  for (uint32_t pass = 0; pass < n; pass++) {
    for (uint32_t k = fixed; k + 1 < n; k++) {
      if (items[order[k]].bytes >= items[order[k + 1]].bytes) continue;
      uint32_t swapped = order[k];
      order[k] = order[k + 1];
      order[k + 1] = swapped;
    }
  }
  return fixed;
}

/* The places: the list of the placed in offset order is walked from its start. */
static int64_t literal_place(ta_greedy_item *items, uint32_t n) {
  uint32_t order[MOST], list[MOST], placed = 0;
  int64_t top = 0;
  literal_order(items, n, order);
  for (uint32_t k = 0; k < n; k++) {
    ta_greedy_item *item = &items[order[k]];
    int64_t size = (int64_t)item->bytes, candidate = 0;
    if (item->fixed != TA_GREEDY_ONLINE) {
      candidate = item->fixed;
    } else {
      for (uint32_t e = 0; e < placed; e++) {
        const ta_greedy_item *entry = &items[list[e]];
        if (entry->first > item->last || item->first > entry->last) continue;
        if (entry->offset - candidate >= size) break;
        int64_t end = entry->offset + (int64_t)entry->bytes;
        if (end > candidate) candidate = end;
      }
    }
    item->offset = candidate;
    if (candidate + size > top) top = candidate + size;
    uint32_t at = placed++;
    for (; at > 0 && items[list[at - 1]].offset > candidate; at--) list[at] = list[at - 1];
    list[at] = order[k];
  }
  return top;
}

static ta_greedy_item random_item(uint32_t steps, bool offline) {
  ta_greedy_item item = {.bytes = 16 * below(6), .fixed = TA_GREEDY_ONLINE};
  item.first = (int32_t)below(steps) - 1;
  item.last = item.first + (int32_t)below(below(4) == 0 ? steps : 4);
  if (offline && below(3) == 0) {
    item.bytes += 16;
    item.fixed = 4 * (int64_t)below(100) - 20;
  }
  return item;
}

static void places_as_the_rules_say(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 3000; round++) {
    ta_greedy_item items[MOST], literal[MOST];
    uint32_t n = (uint32_t)below(MOST + 1), steps = 1 + (uint32_t)below(30);
    for (uint32_t i = 0; i < n; i++) literal[i] = items[i] = random_item(steps, round % 2 == 0);
    int64_t top = -1, expected = literal_place(literal, n);
    assert_int_equal(ta_greedy_place(NULL, items, n, &top, NULL), TA_OK);
    assert_int_equal(top, expected);
    for (uint32_t i = 0; i < n; i++) assert_int_equal(items[i].offset, literal[i].offset);
  }
}

/* A fixed item names one fixed before it that shares its bytes at a step, be it the one before the run, at
 * which those live that no step touches: TFLM keeps them apart, too, and so the bound counts them all. */
static void finds_clashes(void **state) {
  (void)state;
  ta_greedy_item items[] = {
      {.bytes = 64, .fixed = 0, .first = 1, .last = 3},
      {.bytes = 64, .fixed = 32, .first = 2, .last = 4}, /* over item 0 */
      {.bytes = 64, .fixed = 0, .first = 4, .last = 5},  /* item 0 is over; over item 1 at step 4 */
      {.bytes = 64, .fixed = 96, .first = 0, .last = 5}, /* touches item 1's end */
      {.bytes = 64, .fixed = 500, .first = -1, .last = -1},
      {.bytes = 64, .fixed = 500, .first = -1, .last = -1}, /* over item 4 before the run */
      {.bytes = 64, .fixed = TA_GREEDY_ONLINE, .first = 0, .last = 5},
  };
  const uint32_t clash[] = {TA_NO_INDEX, 0, 1, TA_NO_INDEX, TA_NO_INDEX, 4, TA_NO_INDEX};
  int64_t top = 0;
  assert_int_equal(ta_greedy_place(NULL, items, 7, &top, NULL), TA_OK);
  for (int i = 0; i < 7; i++) assert_int_equal(items[i].clash, clash[i]);
  assert_int_equal(items[6].offset, 160);
  assert_int_equal(top, 564);
}

/* ---- models ---------------------------------------------------------------------------------------------
 */

/* A chain of `n` FLOORs (every tenth a MIRROR_PAD, which asks for scratch) over n + 1 tensors. */
typedef struct chain {
  ta_model model;
  ta_subgraph subgraph;
  ta_tensor *tensors;
  ta_node *nodes;
  int32_t *lists; /* node i reads i and writes i + 1 */
  int32_t (*shapes)[1];
  int32_t ports[2];
} chain;

static void make_chain(chain *c, uint32_t n) {
  memset(c, 0, sizeof *c);
  c->tensors = calloc(n + 1, sizeof *c->tensors);
  c->nodes = calloc(n, sizeof *c->nodes);
  c->lists = calloc(n + 1, sizeof *c->lists);
  c->shapes = calloc(n + 1, sizeof *c->shapes);
  for (uint32_t t = 0; t <= n; t++) {
    c->lists[t] = (int32_t)t;
    c->shapes[t][0] = 1 + (int32_t)below(100000);
    c->tensors[t].shape = (ta_list){c->shapes[t], 1};
    c->tensors[t].dtype = TA_DTYPE_INT8;
  }
  for (uint32_t i = 0; i < n; i++) {
    c->nodes[i].name = TA_STR("node");
    c->nodes[i].op = i % 10 == 9 ? TA_OP_MIRROR_PAD : TA_OP_FLOOR;
    c->nodes[i].inputs = (ta_list){&c->lists[i], 1};
    c->nodes[i].outputs = (ta_list){&c->lists[i + 1], 1};
  }
  c->ports[0] = 0;
  c->ports[1] = (int32_t)n;
  c->subgraph = (ta_subgraph){.tensors = c->tensors,
                              .n_tensors = n + 1,
                              .nodes = c->nodes,
                              .n_nodes = n,
                              .inputs = {&c->ports[0], 1},
                              .outputs = {&c->ports[1], 1}};
  c->model.kind = TA_KIND_TFLITE;
  c->model.name = TA_STR("chain");
  c->model.subgraphs = &c->subgraph;
  c->model.n_subgraphs = 1;
  ta_region_init(&c->model.region, NULL);
}

static void free_chain(chain *c) {
  ta_text_free(&c->model.size_text);
  free(c->tensors);
  free(c->nodes);
  free(c->lists);
  free(c->shapes);
}

static double seconds_since(clock_t start) {
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void takes_long_models(void **state) {
  (void)state;
  enum { N = 100000 };
  chain c;
  ta_planner *planner = NULL;
  ta_planner_options options;
  ta_summary summary;
  make_chain(&c, N);
  ta_planner_options_init(&options);
  clock_t start = clock();
  assert_int_equal(ta_planner_new(NULL, &c.model, &options, &planner, NULL), TA_OK);
  assert_int_equal(ta_planner_plan(planner, NULL), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);
  double seconds = seconds_since(start);
  print_message("100000 operators planned in %.0f ms\n", 1000 * seconds);
  assert_true(seconds < 2);
  assert_int_equal(ta_planner_summary(planner, &summary, NULL), TA_OK);
  assert_int_equal(summary.steps, N + 1);
  assert_true(summary.arena_bytes >= summary.lower_bound_bytes);
  ta_planner_free(planner);
  free_chain(&c);
}

/* A quarter of all buffers live at once. */
static void takes_crowded_models(void **state) {
  (void)state;
  enum { N = 10000 };
  ta_greedy_item *items = calloc(N, sizeof *items);
  int64_t top = 0;
  for (int32_t i = 0; i < N; i++) {
    items[i] = (ta_greedy_item){.bytes = 64 * (1 + below(1024)),
                                .fixed = TA_GREEDY_ONLINE,
                                .first = i,
                                .last = i + (int32_t)below(N - (uint64_t)i)};
  }
  clock_t start = clock();
  assert_int_equal(ta_greedy_place(NULL, items, N, &top, NULL), TA_OK);
  print_message("10000 buffers, a quarter of them live at once, placed in %.0f ms\n",
                1000 * seconds_since(start));
  free(items);
}

/* tflm plans all at once. */
static void takes_whole_graphs_only(void **state) {
  (void)state;
  chain c;
  ta_planner *planner = NULL;
  ta_error error;
  make_chain(&c, 3);
  assert_int_equal(ta_planner_new(NULL, &c.model, NULL, &planner, NULL), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, &error), TA_E_STATE);
  assert_int_equal(ta_planner_plan(planner, NULL), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, 1, &error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_execute(planner, 1, 2, &error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_execute(planner, 0, 2, NULL), TA_OK); /* nodes 0 to 2 are all there are */
  assert_int_equal(ta_planner_reset(planner, NULL), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);

  uint32_t n = 0;
  uint64_t first = 0;
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  assert_int_equal(n, 4);
  first = buffers[0].bytes;
  assert_int_equal(first % 16, 0);
  /* A new size counts from the next execute on, rounded up. */
  assert_int_equal(ta_planner_resize(planner, 1, 17, NULL), TA_OK);
  assert_int_equal(ta_planner_retype(planner, 3, TA_DYNAMIC, NULL), TA_OK);
  assert_int_equal(ta_planner_reset(planner, NULL), TA_OK);
  assert_int_equal(ta_planner_execute(planner, 0, INT32_MAX, NULL), TA_OK);
  buffers = ta_planner_buffers(planner, &n);
  assert_int_equal(buffers[1].bytes, 32);
  assert_true(buffers[3].offset == TA_NO_OFFSET);
  assert_int_equal(ta_planner_reset_after(planner, 0, &error), TA_E_UNSUPPORTED);
  assert_int_equal(ta_planner_release(planner, &error), TA_E_UNSUPPORTED);
  ta_planner_free(planner);
  free_chain(&c);
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

typedef struct meter {
  long left; /* allocations that still succeed */
  long out;  /* not yet given back */
} meter;

static void *metered_alloc(void *context, size_t bytes) {
  meter *m = context;
  if (m->left == 0) return NULL;
  m->left--;
  m->out++;
  return malloc(bytes);
}

static void metered_free(void *context, void *pointer, size_t bytes) {
  (void)bytes;
  ((meter *)context)->out--;
  free(pointer);
}

static ta_status plan_with(const ta_allocator *allocator, const ta_model *model) {
  ta_planner *planner = NULL;
  const char *text;
  size_t len;
  ta_status status = ta_planner_new(allocator, model, NULL, &planner, NULL);
  if (!status) status = ta_planner_plan(planner, NULL);
  if (!status) status = ta_planner_execute(planner, 0, INT32_MAX, NULL);
  if (!status) status = ta_planner_report(planner, TA_FORMAT_JSON, &text, &len, NULL);
  ta_planner_free(planner);
  return status;
}

static void survives_every_failed_allocation(void **state) {
  (void)state;
  chain c;
  meter m;
  ta_allocator allocator = {metered_alloc, metered_free, &m};
  make_chain(&c, 2000);
  long needed = 0;
  for (ta_status status = TA_E_MEMORY; status; needed++) {
    m = (meter){needed, 0};
    status = plan_with(&allocator, &c.model);
    assert_true(status == TA_OK || status == TA_E_MEMORY);
    assert_int_equal(m.out, 0);
  }
  assert_true(needed > 5);

  const char *text;
  size_t len;
  c.model.region.allocator = allocator;
  ta_text_init(&c.model.size_text, &allocator);
  needed = 0;
  for (ta_status status = TA_E_MEMORY; status; needed++) {
    m.left = needed;
    status = ta_model_size(&c.model, NULL, NULL, &text, &len, NULL);
    assert_true(status == TA_OK || status == TA_E_MEMORY);
  }
  assert_true(needed > 5);
  free_chain(&c);
  assert_int_equal(m.out, 0);
}

static void sizes_only_what_it_can(void **state) {
  (void)state;
  chain c;
  ta_error error;
  ta_size size;
  ta_size_options options;
  const char *text;
  size_t len;
  make_chain(&c, 3);
  ta_size_options_init(&options);
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_OK);
  assert_int_equal(size.arena_used_bytes, size.head_bytes + size.tail_bytes);
  assert_int_equal(size.min_arena_bytes % 16, 0);
  assert_int_equal(size.covered, 1);
  assert_int_equal(size.fits, 0);
  options.target = 3;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_ARGUMENT);
  options.target = TA_TARGET_LP64;
  options.kernels = TA_KERNELS_CMSIS_NN;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_UNSUPPORTED);
  options.kernels = 4;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_ARGUMENT);
  options.kernels = TA_KERNELS_REFERENCE;
  options.planner = TA_PLANNER_OPTIMAL;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_ARGUMENT);
  options.planner = TA_PLANNER_OWN;
  options.format = TA_FORMAT_CSV;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_ARGUMENT);
  options.format = TA_FORMAT_TEXT;
  options.budget_bytes = TA_MAX_BYTES + 1;
  assert_int_equal(ta_model_size(&c.model, &options, &size, &text, &len, &error), TA_E_ARGUMENT);
  c.model.kind = TA_KIND_GRAPH;
  assert_int_equal(ta_model_size(&c.model, NULL, &size, &text, &len, &error), TA_E_UNSUPPORTED);
  free_chain(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_as_the_rules_say), cmocka_unit_test(finds_clashes),
      cmocka_unit_test(takes_long_models),       cmocka_unit_test(takes_crowded_models),
      cmocka_unit_test(takes_whole_graphs_only), cmocka_unit_test(survives_every_failed_allocation),
      cmocka_unit_test(sizes_only_what_it_can),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

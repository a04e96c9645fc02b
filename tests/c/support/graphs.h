/* Small graphs for tests: built in a few lines, opened through the packed block as any host would, planned,
 * and looked at. A failing step fails the test. */
#ifndef TESTS_C_SUPPORT_GRAPHS_H
#define TESTS_C_SUPPORT_GRAPHS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tensor_arena.h"

enum { GRAPH_MOST = 64, LIST_END = INT32_MIN, UNPLACED = -1 };

/* A list of tensors: LIST(0, -1, 2), NONE. */
#define LIST(...) ((const int32_t[]){__VA_ARGS__, LIST_END})
#define NONE      ((const int32_t[]){LIST_END})

typedef struct graph_node {
  int32_t inputs[GRAPH_MOST], outputs[GRAPH_MOST], temporaries[GRAPH_MOST];
  uint32_t inplace;
} graph_node;

typedef struct graph {
  uint32_t n_tensors, n_nodes;
  uint64_t bytes[GRAPH_MOST];
  uint32_t types[GRAPH_MOST];
  graph_node nodes[GRAPH_MOST];
  int32_t inputs[GRAPH_MOST], outputs[GRAPH_MOST], variables[GRAPH_MOST];

  uint8_t block[1 << 16];
  size_t block_bytes;
  ta_model *model;
  ta_planner *planner;
  ta_error error;
} graph;

/* Starts anew. */
void graph_begin(graph *g, const int32_t *inputs, const int32_t *outputs);
/* Adds an arena_rw tensor; its index. */
int32_t graph_tensor(graph *g, uint64_t bytes);
int32_t graph_typed_tensor(graph *g, uint64_t bytes, ta_type type);
/* Adds tensors of these many bytes, all arena_rw. */
void graph_tensors(graph *g, uint32_t n, const uint64_t *bytes);
/* Adds a node; its index. */
int32_t graph_node_add(graph *g, const int32_t *inputs, const int32_t *outputs, const int32_t *temporaries);

/* Opens the model alone (graph_plan does, too). */
void graph_open(graph *g);
/* Opens the model and plans it under the options' runtime. graph_try_plan gives plan's status. */
void graph_plan(graph *g, ta_runtime_id runtime);
void graph_plan_with(graph *g, const ta_planner_options *options);
ta_status graph_try_plan(graph *g, ta_runtime_id runtime);
void graph_end(graph *g);

void graph_execute(graph *g, int32_t first, int32_t last);
void graph_resize(graph *g, int32_t tensor, uint64_t bytes);
void graph_retype(graph *g, int32_t tensor, ta_type type);

const ta_buffer *graph_buffer(const graph *g, int32_t tensor);
/* The tensor's offset, or UNPLACED. */
int64_t graph_offset(const graph *g, int32_t tensor);
ta_summary graph_summary(graph *g);

/* Every tensor's offset, in order. */
#define assert_offsets(g, ...)                                                                               \
  check_offsets((g), (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
void check_offsets(const graph *g, const int64_t *expected, size_t n);

/* No two placed buffers of the rw arena share a byte and a step, unless one shares the other's on purpose. */
void assert_sound(const graph *g);

#endif

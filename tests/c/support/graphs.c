#include "support/graphs.h"

#include <string.h>

/* ---- building -------------------------------------------------------------------------------------------
 */

static void copy_list(int32_t *to, const int32_t *from) {
  uint32_t n = 0;
  while (from[n] != LIST_END) n++;
  assert_true(n < GRAPH_MOST);
  memcpy(to, from, (n + 1) * sizeof *to);
}

void graph_begin(graph *g, const int32_t *inputs, const int32_t *outputs) {
  memset(g, 0, sizeof *g);
  copy_list(g->inputs, inputs);
  copy_list(g->outputs, outputs);
  g->variables[0] = LIST_END;
}

int32_t graph_typed_tensor(graph *g, uint64_t bytes, ta_type type) {
  assert_true(g->n_tensors < GRAPH_MOST);
  g->bytes[g->n_tensors] = bytes;
  g->types[g->n_tensors] = (uint32_t)type;
  return (int32_t)g->n_tensors++;
}

int32_t graph_tensor(graph *g, uint64_t bytes) {
  return graph_typed_tensor(g, bytes, TA_ARENA_RW);
}

void graph_tensors(graph *g, uint32_t n, const uint64_t *bytes) {
  for (uint32_t i = 0; i < n; i++) graph_tensor(g, bytes[i]);
}

int32_t graph_node_add(graph *g, const int32_t *inputs, const int32_t *outputs, const int32_t *temporaries) {
  assert_true(g->n_nodes < GRAPH_MOST);
  graph_node *node = &g->nodes[g->n_nodes];
  copy_list(node->inputs, inputs);
  copy_list(node->outputs, outputs);
  copy_list(node->temporaries, temporaries);
  return (int32_t)g->n_nodes++;
}

/* ---- the packed block -----------------------------------------------------------------------------------
 */

typedef struct writer {
  uint8_t *at, *end;
  uint32_t indices;
} writer;

static void put(writer *w, uint32_t word) {
  assert_true(w->end - w->at >= 4);
  for (int i = 0; i < 4; i++) *w->at++ = (uint8_t)(word >> (8 * i));
}

static uint32_t length(const int32_t *list) {
  uint32_t n = 0;
  while (list[n] != LIST_END) n++;
  return n;
}

static void put_list(writer *w, const int32_t *list) {
  for (; *list != LIST_END; list++) put(w, (uint32_t)*list);
}

static size_t write_block(graph *g) {
  writer w = {g->block, g->block + sizeof g->block, 0};
  uint32_t indices = length(g->inputs) + length(g->outputs) + length(g->variables);
  for (uint32_t k = 0; k < g->n_nodes; k++)
    indices += length(g->nodes[k].inputs) + length(g->nodes[k].outputs) + length(g->nodes[k].temporaries);
  const uint32_t header[] = {TA_BLOCK_MAGIC,
                             TA_BLOCK_VERSION,
                             0,
                             0,
                             g->n_tensors,
                             g->n_nodes,
                             length(g->inputs),
                             length(g->outputs),
                             length(g->variables),
                             indices,
                             0,
                             0};
  for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) put(&w, header[i]);
  for (uint32_t t = 0; t < g->n_tensors; t++) {
    put(&w, (uint32_t)g->bytes[t]);
    put(&w, (uint32_t)(g->bytes[t] >> 32));
    put(&w, g->types[t]);
    put(&w, 0);
    put(&w, 0);
  }
  for (uint32_t k = 0; k < g->n_nodes; k++) {
    const graph_node *node = &g->nodes[k];
    put(&w, length(node->inputs));
    put(&w, length(node->outputs));
    put(&w, length(node->temporaries));
    put(&w, node->inplace);
    put(&w, 0);
  }
  put_list(&w, g->inputs);
  put_list(&w, g->outputs);
  put_list(&w, g->variables);
  for (uint32_t k = 0; k < g->n_nodes; k++) {
    put_list(&w, g->nodes[k].inputs);
    put_list(&w, g->nodes[k].outputs);
    put_list(&w, g->nodes[k].temporaries);
  }
  return (size_t)(w.at - g->block);
}

/* ---- planning -------------------------------------------------------------------------------------------
 */

static void must(const graph *g, ta_status status) {
  if (status != TA_OK) fail_msg("%s: %s", ta_status_name((int32_t)status), g->error.text);
}

void graph_open(graph *g) {
  g->block_bytes = write_block(g);
  must(g, ta_model_open(NULL, g->block, g->block_bytes, "test", &g->model, &g->error));
}

void graph_plan_with(graph *g, const ta_planner_options *options) {
  if (!g->model) graph_open(g);
  must(g, ta_planner_new(NULL, g->model, options, &g->planner, &g->error));
  must(g, ta_planner_plan(g->planner, &g->error));
}

void graph_plan(graph *g, ta_runtime_id runtime) {
  must(g, graph_try_plan(g, runtime));
}

ta_status graph_try_plan(graph *g, ta_runtime_id runtime) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = (uint32_t)runtime;
  if (!g->model) graph_open(g);
  must(g, ta_planner_new(NULL, g->model, &options, &g->planner, &g->error));
  return ta_planner_plan(g->planner, &g->error);
}

void graph_end(graph *g) {
  ta_planner_free(g->planner);
  ta_model_free(g->model);
  g->planner = NULL;
  g->model = NULL;
}

void graph_execute(graph *g, int32_t first, int32_t last) {
  must(g, ta_planner_execute(g->planner, first, last, &g->error));
}

void graph_resize(graph *g, int32_t tensor, uint64_t bytes) {
  must(g, ta_planner_resize(g->planner, (uint32_t)tensor, bytes, &g->error));
}

void graph_retype(graph *g, int32_t tensor, ta_type type) {
  must(g, ta_planner_retype(g->planner, (uint32_t)tensor, (uint32_t)type, &g->error));
}

/* ---- looking --------------------------------------------------------------------------------------------
 */

const ta_buffer *graph_buffer(const graph *g, int32_t tensor) {
  uint32_t count;
  const ta_buffer *buffers = ta_planner_buffers(g->planner, &count);
  assert_true((uint32_t)tensor < count);
  return &buffers[tensor];
}

int64_t graph_offset(const graph *g, int32_t tensor) {
  const ta_buffer *buffer = graph_buffer(g, tensor);
  return buffer->offset == TA_NO_OFFSET ? UNPLACED : (int64_t)buffer->offset;
}

ta_summary graph_summary(graph *g) {
  ta_summary summary;
  must(g, ta_planner_summary(g->planner, &summary, &g->error));
  return summary;
}

void check_offsets(const graph *g, const int64_t *expected, size_t n) {
  assert_int_equal(n, g->n_tensors);
  for (size_t t = 0; t < n; t++) {
    if (graph_offset(g, (int32_t)t) == expected[t]) continue;
    fail_msg("tensor %zu is at %lld, not at %lld", t, (long long)graph_offset(g, (int32_t)t),
             (long long)expected[t]);
  }
}

static int in_rw(const ta_buffer *buffer) {
  return buffer->offset != TA_NO_OFFSET && buffer->arena == TA_ARENA_RW_PLACE &&
         buffer->shares == TA_NO_INDEX;
}

void assert_sound(const graph *g) {
  for (int32_t a = 0; a < (int32_t)g->n_tensors; a++) {
    for (int32_t b = 0; b < a; b++) {
      const ta_buffer *x = graph_buffer(g, a), *y = graph_buffer(g, b);
      if (!in_rw(x) || !in_rw(y) || x->first > y->last || y->first > x->last) continue;
      if (x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes)
        fail_msg("tensors %d and %d share bytes while both live", b, a);
    }
  }
}

#include "bench/support/synthetic_graphs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tensor_arena.h"

const char *synthetic_name(synthetic_kind kind) {
  static const char *const names[] = {"chain", "residual", "inception", "daglocal", "dag"};
  return names[kind];
}

/* ---- a growing array of words ---------------------------------------------------------------------------
 */

typedef struct word_array {
  uint32_t *at;
  size_t n, capacity;
  bool failed;
} word_array;

static void push(word_array *words, uint32_t word) {
  if (words->n == words->capacity) {
    size_t capacity = words->capacity ? words->capacity * 2 : 1024;
    uint32_t *at = realloc(words->at, capacity * sizeof *at);
    if (!at) {
      words->failed = true;
      return;
    }
    words->at = at;
    words->capacity = capacity;
  }
  words->at[words->n++] = word;
}

/* ---- the graph ------------------------------------------------------------------------------------------
 */

enum { SIZES = 1024, SIZE_STEP = 64, WINDOW = 64, DAG_INPUTS = 4 };

typedef struct builder {
  uint64_t random;
  word_array bytes; /* by tensor */
  word_array nodes; /* per node: inputs, temporaries */
  word_array lists; /* per node: inputs, output, temporaries */
  word_array inputs;
} builder;

/* splitmix64 */
static uint64_t next(builder *graph) {
  uint64_t z = graph->random += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static uint32_t below(builder *graph, uint64_t n) {
  return (uint32_t)(next(graph) % n);
}

static uint32_t tensor(builder *graph) {
  push(&graph->bytes, SIZE_STEP * (1 + below(graph, SIZES)));
  return (uint32_t)(graph->bytes.n - 1);
}

static uint32_t input(builder *graph) {
  uint32_t t = tensor(graph);
  push(&graph->inputs, t);
  return t;
}

static uint32_t node(builder *graph, uint32_t n, const uint32_t *inputs, bool temporary) {
  for (uint32_t i = 0; i < n; i++) push(&graph->lists, inputs[i]);
  uint32_t output = tensor(graph);
  push(&graph->lists, output);
  if (temporary) push(&graph->lists, tensor(graph));
  push(&graph->nodes, n);
  push(&graph->nodes, temporary);
  return output;
}

static uint32_t unary(builder *graph, uint32_t x) {
  return node(graph, 1, &x, false);
}

static uint32_t build_chain(builder *graph, uint32_t nodes) {
  uint32_t x = input(graph);
  for (uint32_t i = 0; i < nodes; i++) x = unary(graph, x);
  return x;
}

static uint32_t build_residual(builder *graph, uint32_t nodes) {
  uint32_t x = input(graph);
  for (uint32_t i = 0; i < nodes / 4; i++) {
    uint32_t c = unary(graph, unary(graph, unary(graph, x)));
    x = node(graph, 2, (uint32_t[]){c, x}, false);
  }
  return x;
}

static uint32_t build_inception(builder *graph, uint32_t nodes) {
  uint32_t x = input(graph);
  for (uint32_t i = 0; i < nodes / 8; i++) {
    uint32_t b1 = unary(graph, x);
    uint32_t b2 = unary(graph, unary(graph, x));
    uint32_t b3 = unary(graph, unary(graph, unary(graph, x)));
    uint32_t b4 = unary(graph, x);
    x = node(graph, 4, (uint32_t[]){b1, b2, b3, b4}, false);
  }
  return x;
}

static uint32_t build_dag(builder *graph, uint32_t nodes, uint32_t window) {
  word_array made = {0};
  for (uint32_t i = 0; i < DAG_INPUTS; i++) push(&made, input(graph));
  for (uint32_t i = 0; i < nodes && !made.failed; i++) {
    uint32_t more = below(graph, 3), inputs[3], n = 1;
    inputs[0] = made.at[made.n - 1];
    uint64_t reach = made.n < window ? made.n : window;
    while (n <= more) inputs[n++] = made.at[made.n - 1 - below(graph, reach)];
    bool temporary = below(graph, 8) == 0;
    push(&made, node(graph, n, inputs, temporary));
  }
  uint32_t last = made.failed ? 0 : made.at[made.n - 1];
  graph->bytes.failed |= made.failed;
  free(made.at);
  return last;
}

static uint32_t build(builder *graph, synthetic_kind kind, uint32_t nodes) {
  graph->random = (uint64_t)kind + 1; /* the seed */
  switch (kind) {
  case SYNTHETIC_CHAIN:
    return build_chain(graph, nodes);
  case SYNTHETIC_RESIDUAL:
    return build_residual(graph, nodes);
  case SYNTHETIC_INCEPTION:
    return build_inception(graph, nodes);
  case SYNTHETIC_DAGLOCAL:
    return build_dag(graph, nodes, WINDOW);
  case SYNTHETIC_DAG:
    return build_dag(graph, nodes, UINT32_MAX);
  }
  return 0;
}

/* ---- the block ------------------------------------------------------------------------------------------
 */

static uint8_t *put(uint8_t *at, uint32_t word) {
  for (int i = 0; i < 4; i++) *at++ = (uint8_t)(word >> (8 * i));
  return at;
}

static void write_block(uint8_t *at, const builder *graph, uint32_t output) {
  uint32_t tensors = (uint32_t)graph->bytes.n, nodes = (uint32_t)(graph->nodes.n / 2);
  uint32_t inputs = (uint32_t)graph->inputs.n;
  uint32_t indices = inputs + 1 + (uint32_t)graph->lists.n;
  uint32_t header[] = {TA_BLOCK_MAGIC, TA_BLOCK_VERSION, 0, 0, tensors, nodes, inputs, 1, 0, indices, 0, 0};
  for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) at = put(at, header[i]);
  for (uint32_t t = 0; t < tensors; t++) {
    at = put(put(at, graph->bytes.at[t]), 0);
    at = put(put(put(at, TA_ARENA_RW), 0), 0);
  }
  for (uint32_t k = 0; k < nodes; k++) {
    at = put(put(put(at, graph->nodes.at[2 * k]), 1), graph->nodes.at[2 * k + 1]);
    at = put(put(at, 0), 0);
  }
  for (uint32_t i = 0; i < inputs; i++) at = put(at, graph->inputs.at[i]);
  at = put(at, output);
  for (size_t i = 0; i < graph->lists.n; i++) at = put(at, graph->lists.at[i]);
}

void *synthetic_block(synthetic_kind kind, uint32_t nodes, size_t *len) {
  builder graph = {0};
  uint32_t output = build(&graph, kind, nodes);
  uint8_t *block = NULL;
  if (!graph.bytes.failed && !graph.nodes.failed && !graph.lists.failed && !graph.inputs.failed) {
    *len = TA_BLOCK_HEADER_BYTES + TA_BLOCK_TENSOR_BYTES * graph.bytes.n +
           TA_BLOCK_NODE_BYTES * (graph.nodes.n / 2) + 4 * (graph.inputs.n + 1 + graph.lists.n);
    block = malloc(*len);
  }
  if (block) write_block(block, &graph, output);
  free(graph.bytes.at);
  free(graph.nodes.at);
  free(graph.lists.at);
  free(graph.inputs.at);
  return block;
}

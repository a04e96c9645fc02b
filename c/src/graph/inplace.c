#include "graph/inplace.h"

#include "base/num.h"

/* LiteRT does not trouble to share so few bytes. */
enum { LARGEST_UNSHARED_BYTES = 4 };

typedef struct sharing {
  const ta_subgraph *graph;
  const ta_buffer *buffers;
  const ta_uses *uses;
  uint32_t *root;
  int32_t *until; /* by root: the last node that needs what is in its bytes. NULL: LiteRT's rule */
} sharing;

static bool can_share(const sharing *s, uint32_t input, uint32_t output, bool modified) {
  const ta_buffer *in = &s->buffers[input], *out = &s->buffers[output];
  if (modified) {
    if (in->bytes != out->bytes || in->bytes <= LARGEST_UNSHARED_BYTES) return false;
    if (s->uses->count[input] > 1) return false;
  }
  if (s->uses->graph_input[input] || s->uses->graph_output[output]) return false;
  return in->type == out->type || in->type == TA_ARENA_RW;
}

/* The first input whose bit is set and that passes, or TA_NO_INDEX. */
static uint32_t choose_input(const sharing *s, const ta_node *node, uint32_t output, bool modified) {
  for (uint32_t i = 0; i < TA_SHARABLE_INPUTS && i < node->inputs.n; i++) {
    int32_t input = node->inputs.at[i];
    if (input < 0 || !ta_works_in_place(node, i)) continue;
    if (can_share(s, (uint32_t)input, output, modified)) return (uint32_t)input;
  }
  return TA_NO_INDEX;
}

static uint32_t root_of(const sharing *s, uint32_t tensor) {
  return s->root[tensor] == TA_NO_INDEX ? tensor : s->root[tensor];
}

/* Whether the node reads the root's bytes through an operand over which it does not work in place. */
static bool reads_apart(const sharing *s, const ta_node *node, uint32_t root) {
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    int32_t input = node->inputs.at[i];
    if (input >= 0 && root_of(s, (uint32_t)input) == root && !ta_works_in_place(node, i)) return true;
  }
  return false;
}

static bool loses_nothing(const sharing *s, uint32_t k, uint32_t output, uint32_t root, bool modified) {
  const ta_buffer *own = &s->buffers[output], *its = &s->buffers[root];
  if (own->type != TA_ARENA_RW || its->type != TA_ARENA_RW || own->bytes != its->bytes) return false;
  if (s->uses->writes[output] != 1 || s->uses->writes[root] != 1) return false;
  return !modified || (s->until[root] <= (int32_t)k && !reads_apart(s, &s->graph->nodes[k], root));
}

/* A node's first output takes the bytes of an input, if this node is what brings it into the world. (An
 * output that exists already may have bytes of its own, or lend them.) */
static void share(const sharing *s, uint32_t k) {
  const ta_node *node = &s->graph->nodes[k];
  const int32_t *first = s->uses->first;
  if (node->inplace == 0 || node->outputs.n == 0 || node->outputs.at[0] < 0) return;
  uint32_t output = (uint32_t)node->outputs.at[0];
  bool known = first[output] != (int32_t)k || s->uses->graph_input[output] || s->uses->held[output] ||
               s->root[output] != TA_NO_INDEX;
  if (known) return;
  bool modified = !(node->inplace & TA_UNMODIFIED);
  uint32_t input = choose_input(s, node, output, modified);
  if (input == TA_NO_INDEX) return;
  uint32_t root = root_of(s, input);
  bool unborn = first[root] < 0 || first[root] > (int32_t)k;
  if (root == output || unborn || (modified && s->uses->count[root] > 1)) return;
  if (s->until && !loses_nothing(s, k, output, root, modified)) return;
  s->root[output] = root;
  if (s->until) s->until[root] = ta_max_i32(s->until[root], s->uses->needed[output]);
}

void ta_share_as_litert(const ta_subgraph *graph, const ta_buffer *buffers, const ta_uses *uses,
                        uint32_t *root) {
  const sharing s = {graph, buffers, uses, root, NULL};
  for (uint32_t t = 0; t < graph->n_tensors; t++) root[t] = TA_NO_INDEX;
  for (uint32_t k = 0; k < graph->n_nodes; k++) share(&s, k);
}

void ta_share_soundly(const ta_subgraph *graph, const ta_buffer *buffers, const ta_uses *uses, uint32_t *root,
                      int32_t *until) {
  const sharing s = {graph, buffers, uses, root, until};
  for (uint32_t t = 0; t < graph->n_tensors; t++) {
    root[t] = TA_NO_INDEX;
    until[t] = uses->needed[t];
  }
  for (uint32_t k = 0; k < graph->n_nodes; k++) share(&s, k);
}

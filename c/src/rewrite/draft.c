#include "rewrite/draft.h"

#include <string.h>

/* The dimension of NHWC that is axis 0 (rows) and 1 (columns) here. */
enum { FIRST_AXIS = 1, CHANNELS = 3 };

void ta_draft_init(ta_draft *draft, const ta_model *model, ta_region *region) {
  *draft = (ta_draft){.model = model, .region = region};
}

/* ---- lists that grow ---- */

/* Makes room for `n` more in the list that the pointer at `list` leads to; false, and the draft failed,
 * without memory. */
static bool grow(ta_draft *draft, void *list, uint32_t *most, uint32_t used, uint32_t n, size_t size) {
  if (draft->failed) return false;
  if (n <= *most - used) return true;
  uint32_t wanted = *most == 0 ? 64 : 2 * *most;
  while (wanted - used < n) wanted *= 2;
  void *grown = wanted < INT32_MAX / 64 ? ta_region_take(draft->region, wanted, size) : NULL;
  if (!grown) {
    draft->failed = true;
    return false;
  }
  void *old;
  memcpy(&old, list, sizeof old);
  if (used) memcpy(grown, old, used * size);
  memcpy(list, &grown, sizeof grown);
  *most = wanted;
  return true;
}

ta_draft_mark ta_draft_here(const ta_draft *draft) {
  return (ta_draft_mark){draft->n_ops, draft->n_references, draft->n_pieces, draft->n_constants};
}

void ta_draft_cut_back(ta_draft *draft, const ta_draft_mark *mark) {
  /* The newest first, so that the index is again what it was. */
  while (draft->n_constants > mark->constants) draft->index[draft->constants[--draft->n_constants].slot] = 0;
  draft->n_ops = mark->ops;
  draft->n_references = mark->references;
  draft->n_pieces = mark->pieces;
}

/* ---- tensors ---- */

int32_t ta_draft_add_piece(ta_draft *draft, uint32_t like, const ta_range at[2]) {
  if (!grow(draft, &draft->pieces, &draft->most_pieces, draft->n_pieces, 1, sizeof *draft->pieces)) return -1;
  draft->pieces[draft->n_pieces] =
      (ta_draft_piece){.like = like, .at = {at[0], at[1]}, .constants = draft->n_constants};
  return TA_DRAFT_PIECE + (int32_t)draft->n_pieces++;
}

static uint32_t hash(const int32_t *values, uint32_t n, bool pairs) {
  uint32_t sum = pairs ? 2166136261u : 40503u;
  for (uint32_t i = 0; i < n; i++) sum = (sum ^ (uint32_t)values[i]) * 16777619u;
  return sum ^ sum >> 15;
}

static bool is_equal(const ta_draft_constant *constant, const int32_t *values, uint32_t n, bool pairs) {
  return constant->n == n && constant->pairs == pairs &&
         memcmp(constant->values, values, n * sizeof *values) == 0;
}

/* The slot of an equal constant, or the free one where it goes. */
static uint32_t find(const ta_draft *draft, const int32_t *values, uint32_t n, bool pairs) {
  uint32_t mask = 2 * draft->most_constants - 1, slot = hash(values, n, pairs) & mask;
  while (draft->index[slot] && !is_equal(&draft->constants[draft->index[slot] - 1], values, n, pairs))
    slot = (slot + 1) & mask;
  return slot;
}

/* The lengths are powers of two. */
static bool grow_constants(ta_draft *draft) {
  uint32_t before = draft->most_constants;
  if (!grow(draft, &draft->constants, &draft->most_constants, draft->n_constants, 1,
            sizeof *draft->constants))
    return false;
  if (draft->most_constants == before) return true;
  uint32_t *index = TA_TAKE(draft->region, 2 * (size_t)draft->most_constants, uint32_t);
  if (!index) {
    draft->most_constants = before;
    draft->failed = true;
    return false;
  }
  draft->index = index;
  for (uint32_t c = 0; c < draft->n_constants; c++) {
    ta_draft_constant *constant = &draft->constants[c];
    constant->slot = find(draft, constant->values, constant->n, constant->pairs);
    draft->index[constant->slot] = c + 1;
  }
  return true;
}

int32_t ta_draft_add_constant(ta_draft *draft, const int32_t *values, uint32_t n, bool pairs) {
  if (!grow_constants(draft)) return -1;
  uint32_t slot = find(draft, values, n, pairs);
  if (draft->index[slot]) return TA_DRAFT_CONSTANT + (int32_t)draft->index[slot] - 1;
  ta_draft_constant *constant = &draft->constants[draft->n_constants++];
  *constant = (ta_draft_constant){.n = n, .pairs = pairs, .slot = slot};
  memcpy(constant->values, values, n * sizeof *values);
  draft->index[slot] = draft->n_constants;
  return TA_DRAFT_CONSTANT + (int32_t)draft->n_constants - 1;
}

/* ---- operators ---- */

static uint32_t add_references(ta_draft *draft, const int32_t *references, uint32_t n) {
  uint32_t first = draft->n_references;
  if (!grow(draft, &draft->references, &draft->most_references, first, n, sizeof *draft->references))
    return 0;
  if (n) memcpy(draft->references + first, references, n * sizeof *references);
  draft->n_references += n;
  return first;
}

void ta_draft_add(ta_draft *draft, const ta_draft_op *like, const int32_t *inputs, uint32_t n_inputs,
                  const int32_t *outputs, uint32_t n_outputs) {
  if (!grow(draft, &draft->ops, &draft->most_ops, draft->n_ops, 1, sizeof *draft->ops)) return;
  ta_draft_op op = *like;
  op.inputs = add_references(draft, inputs, n_inputs);
  op.n_inputs = n_inputs;
  op.outputs = add_references(draft, outputs, n_outputs);
  op.n_outputs = n_outputs;
  if (!draft->failed) draft->ops[draft->n_ops++] = op;
}

void ta_draft_add_same(ta_draft *draft, const ta_draft *from, uint32_t op) {
  const ta_draft_op *like = &from->ops[op];
  ta_draft_add(draft, like, ta_draft_inputs(from, op), like->n_inputs, ta_draft_outputs(from, op),
               like->n_outputs);
}

const int32_t *ta_draft_inputs(const ta_draft *draft, uint32_t op) {
  return draft->references + draft->ops[op].inputs;
}

const int32_t *ta_draft_outputs(const ta_draft *draft, uint32_t op) {
  return draft->references + draft->ops[op].outputs;
}

void ta_draft_of_model(ta_draft *draft, const uint32_t *order) {
  const ta_subgraph *subgraph = &draft->model->subgraphs[0];
  for (uint32_t i = 0; i < subgraph->n_nodes; i++) {
    uint32_t n = order ? order[i] : i;
    const ta_node *node = &subgraph->nodes[n];
    ta_draft_add(draft, &(ta_draft_op){.node = n, .op = node->op, .padding = TA_DRAFT_AS_WRITTEN},
                 node->inputs.at, node->inputs.n, node->outputs.at, node->outputs.n);
  }
}

static ta_draft_op added(uint32_t op) {
  return (ta_draft_op){.node = TA_NO_INDEX, .op = op, .padding = TA_DRAFT_AS_WRITTEN};
}

int32_t ta_draft_slice(ta_draft *draft, int32_t from, uint32_t like, const ta_range held[2],
                       const ta_range at[2]) {
  int32_t begin[4] = {0}, size[4] = {1};
  for (int a = 0; a < 2; a++) {
    begin[FIRST_AXIS + a] = at[a].from - held[a].from;
    size[FIRST_AXIS + a] = ta_range_length(at[a]);
  }
  size[CHANNELS] = draft->model->subgraphs[0].tensors[like].shape.at[CHANNELS];
  int32_t begin_at = ta_draft_add_constant(draft, begin, 4, false);
  int32_t inputs[3] = {from, begin_at, ta_draft_add_constant(draft, size, 4, false)};
  int32_t piece = ta_draft_add_piece(draft, like, at);
  ta_draft_op op = added(TA_OP_SLICE);
  ta_draft_add(draft, &op, inputs, 3, &piece, 1);
  return piece;
}

int32_t ta_draft_pad(ta_draft *draft, int32_t from, uint32_t like, const ta_range held[2],
                     const ta_range at[2]) {
  int32_t paddings[8] = {0};
  for (int a = 0; a < 2; a++) {
    paddings[2 * (FIRST_AXIS + a)] = held[a].from - at[a].from;
    paddings[2 * (FIRST_AXIS + a) + 1] = at[a].to - held[a].to;
  }
  int32_t inputs[2] = {from, ta_draft_add_constant(draft, paddings, 8, true)};
  int32_t piece = ta_draft_add_piece(draft, like, at);
  ta_draft_op op = added(TA_OP_PAD);
  ta_draft_add(draft, &op, inputs, 2, &piece, 1);
  return piece;
}

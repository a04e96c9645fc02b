/* Two models compute the same: the walk. same.h says what is proved and how. */
#include "check/same.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "model/flatbuf.h"
#include "model/schema.h"

/* A file in which little is shared is compared within a small multiple of its size. */
enum { BUDGET_TIMES = 32 };
static const uint64_t budget_least = UINT64_C(1) << 22;

/* ---- what is said ---- */

static void say(ta_proof *proof, uint32_t answer, const char *format, va_list arguments) {
  ta_same *out = proof->out;
  ta_text text;
  out->answer = answer;
  out->subgraph = proof->subgraph;
  out->node = proof->node;
  out->old_node = proof->old_node;
  ta_text_init_fixed(&text, out->text, sizeof out->text);
  ta_text_vformat(&text, format, arguments);
}

bool ta_differ(ta_proof *proof, uint32_t depth, const char *format, ...) {
  if (proof->out->answer == TA_CANNOT_TELL || depth <= proof->depth) return false;
  proof->depth = depth;
  va_list arguments;
  va_start(arguments, format);
  say(proof, TA_NOT_SAME, format, arguments);
  va_end(arguments);
  return false;
}

bool ta_cannot_tell(ta_proof *proof, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(proof, TA_CANNOT_TELL, format, arguments);
  va_end(arguments);
  return false;
}

bool ta_spend(ta_proof *proof, uint64_t cost) {
  if (cost <= proof->budget) {
    proof->budget -= cost;
    return true;
  }
  proof->budget = 0;
  return ta_cannot_tell(proof, "the models use the same parts so often that comparing them takes too long");
}

/* What was said of candidates no longer counts. */
static void forget_doubts(ta_proof *proof) {
  proof->depth = TA_NO_CANDIDATE;
  proof->opaque = NULL;
  proof->out->answer = TA_SAME;
  proof->out->text[0] = '\0';
}

/* ---- the old graph ---- */

static bool take_side(ta_proof *proof, ta_side *side, const ta_model *model) {
  *side = (ta_side){.model = model, .graph = &model->subgraphs[proof->subgraph]};
  uint32_t n = side->graph->n_tensors;
  side->meanings = ta_region_take(&proof->region, n, sizeof *side->meanings);
  side->proved = TA_TAKE(&proof->region, n, uint32_t);
  if (!side->meanings || !side->proved) return false;
  for (uint32_t t = 0; t < n; t++) {
    side->proved[t] = TA_NO_INDEX;
    for (uint32_t m = 0; m < TA_MEANINGS; m++) side->meanings[t][m].tensor = TA_NO_INDEX;
  }
  return ta_find_tensors(proof, side);
}

static bool take_old(ta_proof *proof) {
  const ta_subgraph *graph = proof->old_side.graph;
  proof->old = TA_TAKE(&proof->region, (size_t)graph->n_tensors + 1, ta_old);
  proof->next_reader = TA_TAKE(&proof->region, graph->n_nodes, uint32_t);
  proof->stateful = TA_TAKE(&proof->region, graph->n_nodes, uint32_t);
  proof->queue = TA_TAKE(&proof->region, graph->n_tensors, uint32_t);
  if (!proof->old || !proof->next_reader || !proof->stateful || !proof->queue) return false;
  for (uint32_t t = 0; t <= graph->n_tensors; t++) {
    proof->old[t].equal = t;
    proof->old[t].readers = proof->old[t].base = TA_NO_INDEX;
    for (uint32_t axis = 0; axis < TA_AXES && t < graph->n_tensors; axis++)
      proof->old[t].filled[axis] = (ta_span){0, ta_axis_extent(&graph->tensors[t], axis)};
  }
  return true;
}

/* Where the operators with the same first varying input are chained. */
static uint32_t chain_of(const ta_proof *proof, const ta_node *node) {
  uint32_t i = ta_varying_input(&proof->old_side, node);
  if (i == TA_NO_INDEX) return proof->old_side.graph->n_tensors;
  return proof->old[node->inputs.at[i]].equal;
}

/* An earlier operator that makes the same. */
static bool find_equal(ta_proof *proof, const ta_node *node) {
  const ta_subgraph *graph = proof->old_side.graph;
  for (uint32_t k = proof->old[chain_of(proof, node)].readers; k != TA_NO_INDEX; k = proof->next_reader[k]) {
    if (!ta_spend(proof, 1)) return false;
    const ta_node *other = &graph->nodes[k];
    if (other->op != node->op || !ta_explain_whole(proof, &proof->old_side, node, other)) continue;
    for (uint32_t i = 0; i < node->outputs.n; i++)
      proof->old[node->outputs.at[i]].equal = proof->old[other->outputs.at[i]].equal;
    return true;
  }
  return false;
}

static void mean_itself(ta_proof *proof, uint32_t tensor) {
  proof->old_side.meanings[tensor][0] = ta_whole_meaning(proof, tensor);
}

/* A value has one maker, who comes before its readers. */
static bool is_ordered(ta_proof *proof, const ta_side *side, const ta_node *node) {
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    int32_t t = node->inputs.at[i];
    if (t < 0 || side->meanings[t][0].tensor != TA_NO_INDEX) continue;
    const ta_tensor *tensor = &side->graph->tensors[t];
    if (!ta_is_value(tensor) && !tensor->is_variable)
      return ta_cannot_tell(proof, "input %u, tensor %u%M, is read before it is made", i, (uint32_t)t,
                            &tensor->name);
  }
  for (uint32_t i = 0; i < node->outputs.n; i++) {
    uint32_t t = (uint32_t)node->outputs.at[i];
    const ta_tensor *tensor = &side->graph->tensors[t];
    if (side->meanings[t][0].tensor != TA_NO_INDEX || tensor->is_constant || tensor->is_variable)
      return ta_cannot_tell(proof, "output %u, tensor %u%M, has a value already", i, t, &tensor->name);
  }
  return true;
}

static bool read_old_node(ta_proof *proof, uint32_t k) {
  const ta_side *side = &proof->old_side;
  const ta_node *node = &side->graph->nodes[k];
  if (!is_ordered(proof, side, node)) return false;
  bool stateful = ta_is_stateful(side, node);
  if (stateful) proof->stateful[proof->n_stateful++] = k;
  if (!stateful && find_equal(proof, node)) return true;
  if (proof->out->answer == TA_CANNOT_TELL) return false;
  for (uint32_t i = 0; i < node->outputs.n; i++) mean_itself(proof, (uint32_t)node->outputs.at[i]);
  if (stateful) return true;
  uint32_t *chain = &proof->old[chain_of(proof, node)].readers;
  proof->next_reader[k] = *chain;
  *chain = k;
  ta_find_view(proof, node);
  return true;
}

static bool read_old(ta_proof *proof) {
  const ta_subgraph *graph = proof->old_side.graph;
  for (uint32_t i = 0; i < graph->inputs.n; i++) {
    if (graph->inputs.at[i] >= 0) mean_itself(proof, (uint32_t)graph->inputs.at[i]);
  }
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    proof->old_node = k;
    if (!read_old_node(proof, k)) return false;
    proof->depth = TA_NO_CANDIDATE;
  }
  proof->old_node = TA_NO_INDEX;
  forget_doubts(proof);
  return true;
}

/* ---- the new graph ---- */

static bool explain_stateful(ta_proof *proof, const ta_node *node) {
  if (proof->next_stateful == proof->n_stateful)
    return ta_differ(proof, TA_OTHER_INPUT,
                     "the old model has no further operator with a state or an effect");
  uint32_t k = proof->stateful[proof->next_stateful++];
  const ta_node *old = &proof->old_side.graph->nodes[k];
  proof->old_node = k;
  if (ta_explain_whole(proof, &proof->new_side, node, old)) return true;
  return ta_differ(proof, TA_OTHER_INPUT,
                   "operators with a state or an effect come in the order of the old model, where %T is next",
                   &old->name);
}

/* All of them are tried: the operator may be several at once, on rows that several tensors have in common. */
static bool try_readers(ta_proof *proof, const ta_node *node, uint32_t tensor, uint32_t *n_queue) {
  const ta_side *side = &proof->old_side;
  uint32_t found = TA_NO_INDEX;
  for (uint32_t k = proof->old[tensor].readers; k != TA_NO_INDEX; k = proof->next_reader[k]) {
    if (!ta_spend(proof, 1)) return false;
    const ta_node *old = &side->graph->nodes[k];
    uint32_t view = old->outputs.n == 1 ? (uint32_t)old->outputs.at[0] : tensor;
    if (proof->old[view].base == tensor && *n_queue < side->graph->n_tensors)
      proof->queue[(*n_queue)++] = view;
    if (old->op != node->op) continue;
    proof->old_node = k;
    if (ta_explain_whole(proof, &proof->new_side, node, old) || ta_explain_cut(proof, node, old)) found = k;
  }
  proof->old_node = found;
  return found != TA_NO_INDEX;
}

/* Looks among the old operators that read what this one reads, or that read what shows rows of it. */
static bool explain_as_old(ta_proof *proof, const ta_node *node) {
  uint32_t n = 0;
  uint32_t i = ta_varying_input(&proof->new_side, node);
  if (i == TA_NO_INDEX) return try_readers(proof, node, proof->old_side.graph->n_tensors, &n);
  bool found = false;
  for (uint32_t m = 0; m < TA_MEANINGS && proof->out->answer != TA_CANNOT_TELL; m++) {
    uint32_t at = 0, tensor = proof->new_side.meanings[node->inputs.at[i]][m].tensor;
    for (n = 0; tensor != TA_NO_INDEX; tensor = at < n ? proof->queue[at++] : TA_NO_INDEX)
      found |= try_readers(proof, node, tensor, &n);
  }
  return found && proof->out->answer != TA_CANNOT_TELL;
}

static bool has_kind(const ta_subgraph *graph, const ta_node *node) {
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    if (graph->nodes[k].op == node->op && ta_str_equal(&graph->nodes[k].name, &node->name)) return true;
  }
  return false;
}

/* A mover's rows, and then whether it is an operator of the old graph as well. */
static bool explain(ta_proof *proof, const ta_node *node) {
  if (ta_is_stateful(&proof->new_side, node)) return explain_stateful(proof, node);
  bool moves = ta_explain_move(proof, node);
  if (moves && node->op != TA_OP_CONCATENATION) return true;
  return explain_as_old(proof, node) || moves;
}

static bool is_mover(uint32_t op) {
  return op == TA_OP_SLICE || op == TA_OP_PAD || op == TA_OP_CONCATENATION;
}

static bool walk_new(ta_proof *proof) {
  const ta_subgraph *graph = proof->new_side.graph;
  for (uint32_t k = 0; k < graph->n_nodes; k++) {
    const ta_node *node = &graph->nodes[k];
    proof->node = k;
    proof->old_node = TA_NO_INDEX;
    if (!is_ordered(proof, &proof->new_side, node)) return false;
    if (explain(proof, node)) {
      proof->out->operators++;
      forget_doubts(proof);
      continue;
    }
    if (proof->out->answer != TA_CANNOT_TELL && proof->opaque)
      return ta_cannot_tell(proof, "%T has %s that this library cannot compare", &node->name, proof->opaque);
    if (proof->out->answer == TA_CANNOT_TELL || proof->depth > TA_NO_CANDIDATE) return false;
    if (!is_mover(node->op) && !has_kind(proof->old_side.graph, node))
      return ta_cannot_tell(proof, "the old model has no %T, and what it does is not known here",
                            &node->name);
    return ta_differ(proof, TA_OTHER_INPUT, "the old model has no such %T on what it reads", &node->name);
  }
  proof->node = proof->old_node = TA_NO_INDEX;
  return true;
}

/* ---- inputs, outputs, signatures ---- */

static bool match_inputs(ta_proof *proof) {
  const ta_list *inputs = &proof->new_side.graph->inputs, *old = &proof->old_side.graph->inputs;
  if (inputs->n != old->n)
    return ta_differ(proof, TA_OTHER_INPUT, "it has %u inputs, and the old model %u", inputs->n, old->n);
  for (uint32_t i = 0; i < inputs->n; i++) {
    if (inputs->at[i] < 0 && old->at[i] < 0) continue;
    if (inputs->at[i] < 0 || old->at[i] < 0)
      return ta_differ(proof, TA_OTHER_INPUT, "input %u is left out", i);
    ta_meaning *meaning = &proof->new_side.meanings[inputs->at[i]][0],
               whole = ta_whole_meaning(proof, (uint32_t)old->at[i]);
    if (meaning->tensor == whole.tensor) continue;
    if (meaning->tensor != TA_NO_INDEX)
      return ta_differ(proof, TA_OTHER_INPUT, "input %u is another one too", i);
    if (!ta_same_constant(proof, &proof->new_side, (uint32_t)inputs->at[i], (uint32_t)old->at[i]))
      return ta_differ(proof, TA_OTHER_INPUT, "input %u is of another type, shape or quantization", i);
    *meaning = whole;
    proof->old[old->at[i]].bound = true;
  }
  return true;
}

static bool fail_output(ta_proof *proof, uint32_t i, int32_t tensor, int32_t old) {
  ta_meaning meaning;
  uint32_t t = (uint32_t)old;
  const ta_str *name = &proof->old_side.graph->tensors[t].name;
  if (!ta_meaning_as(proof, &proof->new_side, tensor, t, &meaning))
    return ta_differ(proof, TA_OTHER_INPUT, "output %u holds nothing of tensor %u%M", i, t, name);
  for (uint32_t axis = 0; axis < TA_AXES; axis++) {
    ta_span valid = meaning.valid[axis], held = meaning.held[axis];
    int64_t extent = ta_axis_extent(&proof->old_side.graph->tensors[t], axis);
    if (valid.from == 0 && valid.to == extent && ta_span_equal(valid, held)) continue;
    proof->out->first = (int32_t)valid.from;
    proof->out->last = (int32_t)valid.to - 1;
    return ta_differ(proof, TA_OTHER_INPUT,
                     "of output %u (tensor %u%M) only %s %i to %i are right, of %i to %i", i, t, name,
                     axis == 0 ? "rows" : "columns", (int32_t)valid.from, (int32_t)valid.to - 1, 0,
                     (int32_t)extent - 1);
  }
  return ta_differ(proof, TA_OTHER_INPUT, "output %u is not that of the old model", i);
}

static bool match_outputs(ta_proof *proof) {
  const ta_list *outputs = &proof->new_side.graph->outputs, *old = &proof->old_side.graph->outputs;
  if (outputs->n != old->n)
    return ta_differ(proof, TA_OTHER_INPUT, "it has %u outputs, and the old model %u", outputs->n, old->n);
  for (uint32_t i = 0; i < outputs->n; i++) {
    if (!ta_same_operand(proof, &proof->new_side, outputs->at[i], old->at[i]))
      return fail_output(proof, i, outputs->at[i], old->at[i]);
  }
  if (proof->next_stateful == proof->n_stateful) return true;
  proof->old_node = proof->stateful[proof->next_stateful];
  return ta_differ(proof, TA_OTHER_INPUT, "%T of the old model is missing",
                   &proof->old_side.graph->nodes[proof->old_node].name);
}

/* What a signature calls its tensors, and that they are the same. */
static bool same_maps(ta_proof *proof, const ta_flat_table *table, const ta_flat_table *old, uint32_t slot) {
  ta_flat_vector maps = ta_flat_vector_of(table, slot, 4), old_maps = ta_flat_vector_of(old, slot, 4);
  if (maps.n != old_maps.n) return false;
  for (uint32_t i = 0; i < maps.n; i++) {
    ta_flat_table map, old_map;
    if (!ta_flat_entry(&maps, i, &map) || !ta_flat_entry(&old_maps, i, &old_map)) return false;
    ta_str name = ta_flat_string(&map, TA_TENSOR_MAP_NAME),
           old_name = ta_flat_string(&old_map, TA_TENSOR_MAP_NAME);
    int32_t tensor = ta_flat_i32(&map, TA_TENSOR_MAP_INDEX, 0),
            was = ta_flat_i32(&old_map, TA_TENSOR_MAP_INDEX, 0);
    if (map.flat->status || old_map.flat->status || !ta_str_equal(&name, &old_name)) return false;
    if (!ta_same_operand(proof, &proof->new_side, tensor, was)) return false;
  }
  return true;
}

static bool open_signatures(ta_flat *flat, const ta_model *model, ta_flat_vector *out) {
  ta_flat_table root;
  ta_flat_init(flat, model->file, NULL);
  if (!ta_flat_root(flat, &root)) return false;
  *out = ta_flat_vector_of(&root, TA_MODEL_SIGNATURE_DEFS, 4);
  return true;
}

/* Those of the subgraph that is being walked. */
static bool match_signatures(ta_proof *proof) {
  const ta_model *model = proof->new_side.model, *old_model = proof->old_side.model;
  ta_flat flat, old_flat;
  ta_flat_vector all, old_all;
  if (model->n_signatures != old_model->n_signatures)
    return ta_differ(proof, TA_OTHER_INPUT, "it has %u signatures, and the old model %u", model->n_signatures,
                     old_model->n_signatures);
  if (!open_signatures(&flat, model, &all) || !open_signatures(&old_flat, old_model, &old_all)) return false;
  for (uint32_t i = 0; i < model->n_signatures; i++) {
    const ta_signature *signature = &model->signatures[i], *old_signature = &old_model->signatures[i];
    ta_flat_table table, old;
    if (signature->subgraph != proof->subgraph && old_signature->subgraph != proof->subgraph) continue;
    if (!ta_flat_entry(&all, i, &table) || !ta_flat_entry(&old_all, i, &old) ||
        signature->subgraph != old_signature->subgraph ||
        !ta_str_equal(&signature->key, &old_signature->key) ||
        !same_maps(proof, &table, &old, TA_SIGNATURE_INPUTS) ||
        !same_maps(proof, &table, &old, TA_SIGNATURE_OUTPUTS))
      return ta_differ(proof, TA_OTHER_INPUT, "signature %u%M is another one", i, &signature->key);
  }
  return true;
}

/* ---- both models ---- */

/* False: no proof, and `out` says why; or out of memory. */
static ta_status prove_subgraph(ta_proof *proof, const ta_model *new_model, const ta_model *old_model,
                                bool *proved, ta_error *error) {
  proof->n_stateful = proof->next_stateful = 0;
  forget_doubts(proof);
  *proved = false;
  if (!take_side(proof, &proof->old_side, old_model) || !take_side(proof, &proof->new_side, new_model) ||
      !take_old(proof))
    return ta_fail_memory(error);
  *proved = read_old(proof) && match_inputs(proof) && walk_new(proof) && match_outputs(proof) &&
            match_signatures(proof);
  return TA_OK;
}

/* The answer to two files that are one, whatever is in them. */
static bool are_one_file(const ta_model *a, const ta_model *b) {
  return a->file.len == b->file.len && memcmp(a->file.at, b->file.at, a->file.len) == 0;
}

static uint32_t count_operators(const ta_model *model) {
  uint32_t n = 0;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) n += model->subgraphs[g].n_nodes;
  return n;
}

ta_status ta_verify_same(const ta_allocator *allocator, const ta_model *new_model, const ta_model *old_model,
                         ta_same *out, ta_error *error) {
  ta_error_clear(error);
  *out = (ta_same){
      .subgraph = TA_NO_INDEX, .node = TA_NO_INDEX, .old_node = TA_NO_INDEX, .first = -1, .last = -1};
  if (new_model->kind != TA_KIND_TFLITE || old_model->kind != TA_KIND_TFLITE)
    return ta_fail(error, TA_E_UNSUPPORTED, "only two .tflite models can be shown to compute the same");
  ta_proof proof = {.out = out, .subgraph = TA_NO_INDEX, .node = TA_NO_INDEX, .old_node = TA_NO_INDEX};
  if (are_one_file(new_model, old_model)) {
    out->operators = count_operators(new_model);
    return TA_OK;
  }
  if (new_model->n_subgraphs != old_model->n_subgraphs) {
    ta_differ(&proof, TA_OTHER_INPUT, "it has %u subgraphs, and the old model %u", new_model->n_subgraphs,
              old_model->n_subgraphs);
    return TA_OK;
  }
  uint64_t len = new_model->file.len, old_len = old_model->file.len;
  proof.budget = budget_least + (len + old_len) * BUDGET_TIMES;
  proof.moved = len - old_len;
  proof.embedded =
      len > old_len && memcmp(new_model->file.at + proof.moved, old_model->file.at, old_model->file.len) == 0;
  bool proved = true;
  ta_status status = TA_OK;
  for (uint32_t g = 0; g < new_model->n_subgraphs && proved && status == TA_OK; g++) {
    proof.subgraph = g;
    proof.node = proof.old_node = TA_NO_INDEX;
    ta_region_init(&proof.region, allocator);
    status = prove_subgraph(&proof, new_model, old_model, &proved, error);
    ta_region_free(&proof.region);
  }
  if (status == TA_OK && proved) out->subgraph = out->node = out->old_node = TA_NO_INDEX;
  return status;
}

/* An operator of the old graph as it is: the same operator on all of the same tensors. */
#include "check/same.h"
#include "graph/ops.h"

/* What is neither a function of its inputs alone nor free of effects. */
static bool has_effects(uint32_t op) {
  switch (op) {
  case TA_OP_CUSTOM:
  case TA_OP_DELEGATE:
  case TA_OP_CALL:
  case TA_OP_CALL_ONCE:
  case TA_OP_IF:
  case TA_OP_WHILE:
  case TA_OP_VAR_HANDLE:
  case TA_OP_READ_VARIABLE:
  case TA_OP_ASSIGN_VARIABLE:
  case TA_OP_RANDOM_STANDARD_NORMAL:
  case TA_OP_RANDOM_UNIFORM:
  case TA_OP_MULTINOMIAL:
  case TA_OP_HASHTABLE:
  case TA_OP_HASHTABLE_FIND:
  case TA_OP_HASHTABLE_IMPORT:
  case TA_OP_HASHTABLE_SIZE:
  case TA_OP_STABLEHLO_CUSTOM_CALL:
  case TA_OP_STABLEHLO_RNG_BIT_GENERATOR:
    return true;
  default:
    return op >= TA_OPS; /* newer than this library */
  }
}

bool ta_is_stateful(const ta_side *side, const ta_node *node) {
  if (has_effects(node->op) || node->outputs.n == 0 || node->calls.n > 0) return true;
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    if (node->inputs.at[i] >= 0 && side->graph->tensors[node->inputs.at[i]].is_variable) return true;
  }
  for (uint32_t i = 0; i < node->outputs.n; i++) {
    if (side->graph->tensors[node->outputs.at[i]].is_variable) return true;
  }
  return false;
}

static bool same_kind(const ta_node *node, const ta_node *old) {
  return node->op == old->op && node->version == old->version && ta_str_equal(&node->name, &old->name);
}

static bool same_calls(const ta_node *node, const ta_node *old) {
  if (node->calls.n != old->calls.n) return false;
  for (uint32_t i = 0; i < node->calls.n; i++) {
    if (node->calls.at[i] != old->calls.at[i]) return false;
  }
  return true;
}

static bool same_custom_options(ta_proof *proof, const ta_side *side, const ta_node *node,
                                const ta_node *old) {
  ta_bytes a = node->custom_options, b = old->custom_options;
  if (a.len != b.len) return false;
  return a.len == 0 || ta_same_bytes(proof, side, (uint64_t)(a.at - side->model->file.at),
                                     (uint64_t)(b.at - proof->old_side.model->file.at), a.len);
}

/* Tensors inside an operator: only their types, shapes and quantization count. */
static bool same_intermediates(ta_proof *proof, const ta_side *side, const ta_node *node,
                               const ta_node *old) {
  if (node->intermediates.n != old->intermediates.n) return false;
  for (uint32_t i = 0; i < node->intermediates.n; i++) {
    int32_t a = node->intermediates.at[i], b = old->intermediates.at[i];
    if (a < 0 && b < 0) continue;
    if (a < 0 || b < 0 || !ta_same_constant(proof, side, (uint32_t)a, (uint32_t)b)) return false;
  }
  return true;
}

bool ta_explain_whole(ta_proof *proof, const ta_side *side, const ta_node *node, const ta_node *old) {
  if (!same_kind(node, old)) return false;
  if (node->inputs.n != old->inputs.n || node->outputs.n != old->outputs.n)
    return ta_differ(proof, TA_OTHER_INPUT, "it has another number of inputs or outputs");
  if (!ta_same_options(proof, side, node, old, 0) || !same_custom_options(proof, side, node, old) ||
      !same_calls(node, old))
    return ta_differ(proof, TA_OTHER_OPTIONS, "its options are others");
  if (!same_intermediates(proof, side, node, old))
    return ta_differ(proof, TA_OTHER_OPTIONS, "its intermediate tensors are others");
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    if (!ta_same_operand(proof, side, node->inputs.at[i], old->inputs.at[i]))
      return ta_differ(proof, TA_OTHER_CONSTANT, "its input %u is not that of the old operator", i);
  }
  for (uint32_t i = 0; i < node->outputs.n; i++) {
    ta_meaning whole = ta_whole_meaning(proof, proof->old[old->outputs.at[i]].equal);
    if (!ta_give_meaning(proof, side, (uint32_t)node->outputs.at[i], &whole)) return false;
  }
  return true;
}

#include "rewrite/number.h"

#include "base/error.h"
#include "base/sort.h"
#include "graph/dtype.h"
#include "model/flatbuf.h"
#include "model/schema.h"

/* ---- operator codes ---- */

ta_added ta_added_of(uint32_t op) {
  return op == TA_OP_SLICE ? TA_ADDED_SLICE : op == TA_OP_PAD ? TA_ADDED_PAD : TA_ADDED_CONCATENATION;
}

/* The least version of an added operator that knows a type. */
static uint32_t version_for(ta_added added, uint8_t dtype) {
  static const uint8_t wide[TA_ADDED_OPS] = {
      [TA_ADDED_SLICE] = 4, [TA_ADDED_PAD] = 3, [TA_ADDED_CONCATENATION] = 3};
  return dtype == TA_DTYPE_INT16 ? wide[added] : dtype == TA_DTYPE_INT8 ? 2 : 1;
}

static uint8_t dtype_of(const ta_draft *draft, int32_t reference) {
  uint32_t t = ta_is_piece(reference) ? draft->pieces[reference - TA_DRAFT_PIECE].like : (uint32_t)reference;
  return draft->model->subgraphs[0].tensors[t].dtype;
}

/* The first of the file's codes that is `op` with at least `version`; TA_NO_INDEX: none. *n: how many there
 * are. */
static uint32_t find_code(ta_flat *flat, uint32_t op, uint32_t version, uint32_t *n) {
  ta_flat_table root, table;
  *n = 0;
  if (!ta_flat_root(flat, &root)) return TA_NO_INDEX;
  ta_flat_vector codes = ta_flat_vector_of(&root, TA_MODEL_OPERATOR_CODES, 4);
  *n = codes.n;
  for (uint32_t i = 0; i < codes.n && ta_flat_entry(&codes, i, &table); i++) {
    int32_t deprecated = ta_flat_i8(&table, TA_OPCODE_DEPRECATED, 0);
    int32_t builtin = ta_flat_i32(&table, TA_OPCODE_BUILTIN, 0);
    uint32_t number = (uint32_t)(deprecated > builtin ? deprecated : builtin);
    if (number == op && ta_flat_u32(&table, TA_OPCODE_VERSION, 1) >= version) return i;
  }
  return TA_NO_INDEX;
}

static ta_status number_codes(const ta_draft *draft, ta_numbering *out, ta_error *error) {
  static const uint32_t ops[TA_ADDED_OPS] = {[TA_ADDED_SLICE] = TA_OP_SLICE,
                                             [TA_ADDED_PAD] = TA_OP_PAD,
                                             [TA_ADDED_CONCATENATION] = TA_OP_CONCATENATION};
  uint32_t versions[TA_ADDED_OPS] = {0};
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    if (draft->ops[i].node != TA_NO_INDEX) continue;
    ta_added added = ta_added_of(draft->ops[i].op);
    uint32_t version = version_for(added, dtype_of(draft, ta_draft_inputs(draft, i)[0]));
    if (version > versions[added]) versions[added] = version;
  }
  for (uint32_t a = 0; a < TA_ADDED_OPS; a++) {
    ta_flat flat;
    uint32_t n = 0;
    if (versions[a] == 0) continue;
    ta_flat_init(&flat, draft->model->file, error);
    out->code_of[a] = find_code(&flat, ops[a], versions[a], &n);
    if (flat.status) return flat.status;
    if (out->code_of[a] != TA_NO_INDEX) continue;
    out->code_of[a] = n + out->n_codes;
    out->codes[out->n_codes++] = (ta_new_code){ops[a], versions[a]};
  }
  return TA_OK;
}

/* ---- tensors ---- */

static void mark(const int32_t *references, uint32_t n, bool *vanished, bool value) {
  for (uint32_t k = 0; k < n; k++) {
    if (ta_is_file_tensor(references[k])) vanished[references[k]] = value;
  }
}

/* Marks what the file's operators name and nobody does in the draft. */
static void mark_vanished(const ta_draft *draft, bool *vanished) {
  const ta_subgraph *subgraph = &draft->model->subgraphs[0];
  for (uint32_t i = 0; i < subgraph->n_nodes; i++) {
    mark(subgraph->nodes[i].inputs.at, subgraph->nodes[i].inputs.n, vanished, true);
    mark(subgraph->nodes[i].outputs.at, subgraph->nodes[i].outputs.n, vanished, true);
  }
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    mark(ta_draft_inputs(draft, i), draft->ops[i].n_inputs, vanished, false);
    mark(ta_draft_outputs(draft, i), draft->ops[i].n_outputs, vanished, false);
  }
  mark(subgraph->inputs.at, subgraph->inputs.n, vanished, false);
  mark(subgraph->outputs.at, subgraph->outputs.n, vanished, false);
}

typedef struct taker {
  ta_numbering *out;
  const bool *vanished;
  uint32_t old, next; /* tensors of the file; where the search for a free index goes on */
} taker;

static int32_t take_index(taker *t, int32_t reference) {
  while (t->next < t->old && !t->vanished[t->next]) t->next++;
  t->out->tensors[t->next] = reference;
  return (int32_t)t->next++;
}

static ta_status number_tensors(const ta_draft *draft, ta_region *region, ta_numbering *out,
                                ta_error *error) {
  uint32_t old = draft->model->subgraphs[0].n_tensors;
  bool *vanished = TA_TAKE(region, old, bool);
  int32_t *pieces = TA_TAKE(region, draft->n_pieces, int32_t);
  int32_t *constants = TA_TAKE(region, draft->n_constants, int32_t);
  out->tensors = TA_TAKE(region, (size_t)old + draft->n_pieces + draft->n_constants, int32_t);
  if (!vanished || !pieces || !constants || !out->tensors) return ta_fail_memory(error);
  mark_vanished(draft, vanished);
  for (uint32_t t = 0; t < old; t++) out->tensors[t] = vanished[t] ? -1 : (int32_t)t;
  taker free_indices = {.out = out, .vanished = vanished, .old = old};
  uint32_t c = 0;
  for (uint32_t p = 0; p < draft->n_pieces; p++) {
    for (; c < draft->pieces[p].constants; c++)
      constants[c] = take_index(&free_indices, TA_DRAFT_CONSTANT + (int32_t)c);
    pieces[p] = take_index(&free_indices, TA_DRAFT_PIECE + (int32_t)p);
  }
  for (; c < draft->n_constants; c++)
    constants[c] = take_index(&free_indices, TA_DRAFT_CONSTANT + (int32_t)c);
  out->n_tensors = free_indices.next > old ? free_indices.next : old;
  out->pieces = pieces;
  out->constants = constants;
  return TA_OK;
}

/* ---- shapes ---- */

static const int32_t *channels_of(const ta_draft *draft, uint32_t p) {
  return &draft->model->subgraphs[0].tensors[draft->pieces[p].like].shape.at[3];
}

/* Below, equal to or above 0 as the shape of piece a comes before, is, or comes behind that of b. */
static int64_t compare(const ta_draft *draft, uint32_t a, uint32_t b) {
  for (int d = 0; d < 2; d++) {
    int32_t x = ta_range_length(draft->pieces[a].at[d]), y = ta_range_length(draft->pieces[b].at[d]);
    if (x != y) return (int64_t)x - y;
  }
  return (int64_t)*channels_of(draft, a) - *channels_of(draft, b);
}

static bool before(const void *context, uint32_t a, uint32_t b) {
  int64_t order = compare(context, a, b);
  return order != 0 ? order < 0 : a < b;
}

static ta_status share_shapes(const ta_draft *draft, ta_region *region, ta_numbering *out, ta_error *error) {
  uint32_t n = draft->n_pieces;
  uint32_t *sorted = TA_TAKE(region, n, uint32_t), *like = TA_TAKE(region, n, uint32_t);
  out->shape_at = TA_TAKE(region, n, uint64_t);
  out->shape_like = like;
  if (!sorted || !like || !out->shape_at) return ta_fail_memory(error);
  for (uint32_t p = 0; p < n; p++) sorted[p] = p;
  ta_sort(sorted, n, before, draft);
  for (uint32_t k = 0; k < n; k++) {
    bool same = k > 0 && compare(draft, sorted[k - 1], sorted[k]) == 0;
    like[sorted[k]] = same ? like[sorted[k - 1]] : sorted[k];
  }
  return TA_OK;
}

static uint32_t find_data(const ta_model *model) {
  for (uint32_t b = 1; b < model->n_constants; b++) {
    if (model->constants[b].bytes && !model->constants[b].external && !model->constants[b].by_offset)
      return b;
  }
  return 0;
}

ta_status ta_numbering_make(const ta_draft *draft, ta_region *region, ta_numbering *out, ta_error *error) {
  *out = (ta_numbering){.any_buffer = find_data(draft->model)};
  ta_status status = number_tensors(draft, region, out, error);
  if (!status) status = share_shapes(draft, region, out, error);
  return status ? status : number_codes(draft, out, error);
}

int32_t ta_number_of(const ta_numbering *numbers, int32_t reference) {
  if (ta_is_piece(reference)) return numbers->pieces[reference - TA_DRAFT_PIECE];
  if (ta_is_constant(reference)) return numbers->constants[reference - TA_DRAFT_CONSTANT];
  return reference;
}

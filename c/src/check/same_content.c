/* Options, quantization and constants: by content, wherever each file keeps them. */
#include <string.h>

#include "base/num.h"
#include "check/same.h"
#include "graph/dtype.h"
#include "model/flatbuf.h"
#include "model/schema.h"

/* The fields of each options table of the union BuiltinOptions, a letter a slot: b, i, l a number of 1, 4 or
 * 8 bytes whose default is 0; 1 the same of 4 bytes with the default 1; t, u of 1 byte with the defaults 1
 * and 2; C, I a vector of elements of 1 or 4 bytes. */
static const char *const options_fields[] = {
    "",  "biib11b", "biiib11", "iII",  "b",  "biiiib", "ibb", "bb",  "bbbbb",  "i",      "ib",       "bt",
    "b", "iiii",    "biibb",   "iibb", "i",  "I",      "iib", "i",   "b",      "b",      "",         "ii",
    "",  "",        "",        "b",    "bt", "b",      "I",   "bbb", "iiiiib", "",       "",         "i",
    "",  "bb",      "",        "",     "b",  "",       "",    "",    "",       "",       "",         "",
    "",  "biibb",   "b",       "",     "",   "",       "",    "b",   "",       "b",      "iiib",     "ii",
    "",  "i",       "",        "",     "ii", "",       "",    "",    "",       "biibtb", "bbbb",     "biibbb",
    "",  "",        "bb",      "i",    "",   "b",      "",    "i",   "u",      "",       "",         "",
    "",  "",        "",        "ii",   "",   "",       "",    "",    "ii",     "ii",     "i",        "",
    "",  "",        "",        "",     "",   "bbb",    "bb",  "i",   "",       "",       "biiib111", "ibb",
    "",  "",        "",        "CC",   "",   "",       "ll",  "I",   "b",      "",       "",         "",
    "",  "",        "",        "",     "",   "",       "",
};
_Static_assert(sizeof options_fields / sizeof options_fields[0] == 127, "one entry a member of the union");

bool ta_same_bytes(ta_proof *proof, const ta_side *side, uint64_t at, uint64_t old_at, uint64_t bytes) {
  enum { STRETCH = 4096 };
  const uint8_t *a = side->model->file.at + at, *b = proof->old_side.model->file.at + old_at;
  if (a == b) return true;
  if (proof->embedded && side == &proof->new_side && at == old_at + proof->moved) return true;
  for (uint64_t done = 0; done < bytes; done += STRETCH) {
    size_t n = (size_t)ta_min_u64(STRETCH, bytes - done);
    if (!ta_spend(proof, n) || memcmp(a + done, b + done, n) != 0) return false;
  }
  return true;
}

/* Where two tables are one: all that such a table refers to lies behind it, and is the same too. */
static bool is_one_place(const ta_proof *proof, const ta_side *side, uint64_t at, uint64_t old_at) {
  if (side->model->file.at + at == proof->old_side.model->file.at + old_at) return true;
  return proof->embedded && side == &proof->new_side && at == old_at + proof->moved;
}

static bool same_vector(ta_proof *proof, const ta_side *side, const ta_flat_table *table,
                        const ta_flat_table *old, uint32_t slot, uint32_t bytes) {
  ta_flat_vector a = ta_flat_vector_of(table, slot, bytes), b = ta_flat_vector_of(old, slot, bytes);
  if (a.n != b.n) return false;
  return a.n == 0 || ta_same_bytes(proof, side, a.at, b.at, (uint64_t)a.n * bytes);
}

static uint64_t number(const ta_flat_table *table, uint32_t slot, char kind) {
  switch (kind) {
  case 'b':
    return ta_flat_u8(table, slot, 0);
  case 't':
    return ta_flat_u8(table, slot, 1);
  case 'u':
    return ta_flat_u8(table, slot, 2);
  case '1':
    return ta_flat_u32(table, slot, 1);
  case 'l':
    return ta_flat_u64(table, slot, 0);
  default:
    return ta_flat_u32(table, slot, 0);
  }
}

/* The tables at two positions; a fault in either is no proof. */
typedef struct pair {
  ta_flat flat, old_flat;
  ta_flat_table table, old;
} pair;

static bool open_pair(pair *p, const ta_side *side, uint64_t at, const ta_proof *proof, uint64_t old_at) {
  ta_flat_init(&p->flat, side->model->file, NULL);
  ta_flat_init(&p->old_flat, proof->old_side.model->file, NULL);
  p->table = (ta_flat_table){&p->flat, 0, 0, 0};
  p->old = (ta_flat_table){&p->old_flat, 0, 0, 0};
  return (at == 0 || ta_flat_table_at(&p->flat, at, &p->table)) &&
         (old_at == 0 || ta_flat_table_at(&p->old_flat, old_at, &p->old));
}

static bool is_sound(const pair *p) {
  return p->flat.status == TA_OK && p->old_flat.status == TA_OK;
}

static bool same_fields(ta_proof *proof, const ta_side *side, const pair *p, const char *fields,
                        uint32_t but) {
  uint32_t n = (uint32_t)strlen(fields);
  for (uint32_t slot = 0; slot < n; slot++) {
    char kind = fields[slot];
    if (slot < 32 && (but >> slot & 1)) continue;
    bool vector = kind == 'I' || kind == 'C';
    if (vector ? !same_vector(proof, side, &p->table, &p->old, slot, kind == 'I' ? 4 : 1)
               : number(&p->table, slot, kind) != number(&p->old, slot, kind))
      return false;
  }
  /* What this library has never heard of may mean anything. */
  for (uint32_t slot = n; slot < ta_flat_slots(&p->table) || slot < ta_flat_slots(&p->old); slot++) {
    if (!ta_flat_has(&p->table, slot) && !ta_flat_has(&p->old, slot)) continue;
    proof->opaque = "options with fields";
    return false;
  }
  return is_sound(p);
}

bool ta_same_options(ta_proof *proof, const ta_side *side, const ta_node *node, const ta_node *old,
                     uint32_t but) {
  if (node->options_tag != old->options_tag || node->options2_tag != old->options2_tag) return false;
  if ((node->options == 0) != (old->options == 0) || (node->options2 == 0) != (old->options2 == 0))
    return false;
  if (node->options2 != 0 && !is_one_place(proof, side, node->options2, old->options2)) {
    proof->opaque = "options of a kind";
    return false;
  }
  if (node->options == 0 || is_one_place(proof, side, node->options, old->options)) return true;
  pair p;
  if (node->options_tag >= sizeof options_fields / sizeof options_fields[0]) {
    proof->opaque = "options of a kind";
    return false;
  }
  if (!open_pair(&p, side, node->options, proof, old->options)) return false;
  return same_fields(proof, side, &p, options_fields[node->options_tag], but);
}

bool ta_find_tensors(ta_proof *proof, ta_side *side) {
  uint32_t n = side->graph->n_tensors;
  side->tables = TA_TAKE(&proof->region, n, uint64_t);
  if (!side->tables) return false;
  ta_flat flat;
  ta_flat_table root, graph, tensor;
  ta_flat_init(&flat, side->model->file, NULL);
  if (!ta_flat_root(&flat, &root)) return true;
  ta_flat_vector graphs = ta_flat_vector_of(&root, TA_MODEL_SUBGRAPHS, 4);
  if (!ta_flat_entry(&graphs, proof->subgraph, &graph)) return true;
  ta_flat_vector tensors = ta_flat_vector_of(&graph, TA_SUBGRAPH_TENSORS, 4);
  for (uint32_t t = 0; t < n && ta_flat_entry(&tensors, t, &tensor); t++) side->tables[t] = tensor.at;
  return true;
}

/* Its bytes in the file; false when they lie in another. */
static bool bytes_of(const ta_side *side, const ta_tensor *tensor, uint64_t *at, uint64_t *bytes) {
  *at = *bytes = 0;
  if (tensor->buffer == TA_NO_INDEX) return true;
  const ta_constant *constant = &side->model->constants[tensor->buffer];
  *at = constant->position;
  *bytes = constant->bytes;
  return !constant->external;
}

static bool same_list(const ta_list *a, const ta_list *b) {
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->at[i] != b->at[i]) return false;
  }
  return true;
}

/* Everything but the quantization. */
static bool same_data(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old) {
  const ta_tensor *a = &side->graph->tensors[tensor], *b = &proof->old_side.graph->tensors[old];
  if (a->dtype != b->dtype || a->is_variable != b->is_variable || a->sparse != b->sparse) return false;
  if (!same_list(&a->shape, &b->shape) || !same_list(&a->signature, &b->signature)) return false;
  if (a->sparse && !is_one_place(proof, side, side->tables[tensor], proof->old_side.tables[old])) {
    proof->opaque = "a sparse tensor";
    return false;
  }
  uint64_t at, bytes, old_at, old_bytes;
  bool here = bytes_of(side, a, &at, &bytes), old_here = bytes_of(&proof->old_side, b, &old_at, &old_bytes);
  if (!here || !old_here) proof->opaque = "a constant in another file";
  return here && old_here && bytes == old_bytes && ta_same_bytes(proof, side, at, old_at, bytes);
}

/* Two tensors' quantization tables, without fields where they have none. */
static bool open_quantization(pair *p, const ta_proof *proof, const ta_side *side, uint32_t tensor,
                              uint32_t old) {
  if (!open_pair(p, side, side->tables[tensor], proof, proof->old_side.tables[old])) return false;
  pair tensors = *p;
  ta_flat_child(&tensors.table, TA_TENSOR_QUANTIZATION, &p->table);
  ta_flat_child(&tensors.old, TA_TENSOR_QUANTIZATION, &p->old);
  return is_sound(p);
}

/* Scales and zero points, which every runtime reads, but not the details. */
static bool same_plain_quantization(ta_proof *proof, const ta_side *side, const pair *p) {
  return same_vector(proof, side, &p->table, &p->old, TA_QUANTIZATION_SCALE, 4) &&
         same_vector(proof, side, &p->table, &p->old, TA_QUANTIZATION_ZERO_POINT, 8) &&
         ta_flat_i32(&p->table, TA_QUANTIZATION_DIMENSION, 0) ==
             ta_flat_i32(&p->old, TA_QUANTIZATION_DIMENSION, 0);
}

/* A tensor that details name by its index, -1 for none. It has no details itself. */
static bool same_named(ta_proof *proof, const ta_side *side, const ta_flat_table *details,
                       const ta_flat_table *old, uint32_t slot) {
  uint32_t a = ta_flat_u32(details, slot, 0), b = ta_flat_u32(old, slot, 0);
  if (a >= side->graph->n_tensors || b >= proof->old_side.graph->n_tensors) return a == b;
  pair p;
  return same_data(proof, side, a, b) && open_quantization(&p, proof, side, a, b) &&
         !ta_flat_has(&p.table, TA_QUANTIZATION_DETAILS) && !ta_flat_has(&p.old, TA_QUANTIZATION_DETAILS) &&
         same_plain_quantization(proof, side, &p);
}

static bool same_details(ta_proof *proof, const ta_side *side, const pair *p) {
  enum { NONE = 0, CUSTOM = 1, BLOCKWISE = 2, CUSTOM_BYTES = 0, SCALES = 0, ZERO_POINTS = 1, BLOCK_SIZE = 2 };
  uint8_t tag = ta_flat_u8(&p->table, TA_QUANTIZATION_DETAILS_TAG, NONE);
  if (tag != ta_flat_u8(&p->old, TA_QUANTIZATION_DETAILS_TAG, NONE)) return false;
  ta_flat_table details, old;
  bool has = ta_flat_child(&p->table, TA_QUANTIZATION_DETAILS, &details);
  if (has != ta_flat_child(&p->old, TA_QUANTIZATION_DETAILS, &old) || !is_sound(p)) return false;
  if (tag == NONE || !has) return true;
  if (tag == CUSTOM) return same_vector(proof, side, &details, &old, CUSTOM_BYTES, 1);
  if (tag == BLOCKWISE)
    return ta_flat_i32(&details, BLOCK_SIZE, 0) == ta_flat_i32(&old, BLOCK_SIZE, 0) &&
           same_named(proof, side, &details, &old, SCALES) &&
           same_named(proof, side, &details, &old, ZERO_POINTS);
  proof->opaque = "quantization of a kind";
  return false;
}

bool ta_same_quantization(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old) {
  pair p;
  return open_quantization(&p, proof, side, tensor, old) && same_plain_quantization(proof, side, &p) &&
         same_details(proof, side, &p) && is_sound(&p);
}

bool ta_has_plain_zero(const ta_side *side, uint32_t tensor) {
  const ta_tensor *t = &side->graph->tensors[tensor];
  if (t->zero_points > 1) return false;
  if (t->dtype == TA_DTYPE_FLOAT32 || t->dtype == TA_DTYPE_INT8 || t->dtype == TA_DTYPE_UINT8) return true;
  if (t->dtype != TA_DTYPE_INT16) return false;
  ta_flat flat;
  ta_flat_table table, quantization;
  ta_flat_init(&flat, side->model->file, NULL);
  if (!ta_flat_table_at(&flat, side->tables[tensor], &table)) return false;
  if (!ta_flat_child(&table, TA_TENSOR_QUANTIZATION, &quantization)) return flat.status == TA_OK;
  ta_flat_vector zeros = ta_flat_vector_of(&quantization, TA_QUANTIZATION_ZERO_POINT, 8);
  return flat.status == TA_OK && (zeros.n == 0 || ta_load_u64(side->model->file.at + zeros.at) == 0);
}

bool ta_same_constant(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old) {
  if (side->proved[tensor] == old) return true;
  if (!same_data(proof, side, tensor, old) || !ta_same_quantization(proof, side, tensor, old)) return false;
  side->proved[tensor] = old;
  return true;
}

bool ta_constant_ints(const ta_side *side, int32_t tensor, uint32_t n, int64_t *out) {
  if (tensor < 0) return false;
  const ta_tensor *t = &side->graph->tensors[tensor];
  uint64_t at, bytes;
  if (!t->has_data || !bytes_of(side, t, &at, &bytes)) return false;
  uint32_t width = t->dtype == TA_DTYPE_INT32 ? 4 : t->dtype == TA_DTYPE_INT64 ? 8 : 0;
  if (width == 0 || t->bytes != (uint64_t)n * width || bytes != t->bytes) return false;
  const uint8_t *from = side->model->file.at + at;
  for (uint32_t i = 0; i < n; i++, from += width)
    out[i] = width == 4 ? ta_load_i32(from) : (int64_t)ta_load_u64(from);
  return true;
}

bool ta_is_finite(ta_proof *proof, uint32_t old) {
  enum { FINITE = 1, NOT_FINITE = 2 };
  const uint32_t exponent = UINT32_C(0x7F800000);
  ta_old *known = &proof->old[old];
  if (known->finite != 0) return known->finite == FINITE;
  uint64_t at, bytes;
  known->finite = NOT_FINITE;
  if (!bytes_of(&proof->old_side, &proof->old_side.graph->tensors[old], &at, &bytes)) return false;
  if (!ta_spend(proof, bytes)) return false;
  const uint8_t *from = proof->old_side.model->file.at + at;
  for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
    if ((ta_load_u32(from + i) & exponent) == exponent) return false;
  }
  known->finite = FINITE;
  return true;
}

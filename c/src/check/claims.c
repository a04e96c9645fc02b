/* The claims of buffer lists. */
#include "base/error.h"
#include "base/num.h"
#include "graph/graph.h"

/* What is fixed need not be said again by an offset. */
static int64_t claimed(const ta_row *row) {
  uint64_t offset = row->offset == TA_NO_OFFSET ? row->fixed : row->offset;
  return offset == TA_NO_OFFSET ? TA_NOT_CLAIMED : (int64_t)offset;
}

/* A root takes its place from a view when only the view has one, and lives as long as its views. */
static void claim_root(const ta_row *row, ta_claim *root) {
  root->first = ta_min_i32(root->first, row->first);
  root->last = ta_max_i32(root->last, row->last);
  if (root->offset == TA_NOT_CLAIMED && claimed(row) != TA_NOT_CLAIMED) {
    root->offset = claimed(row) - (int64_t)row->alias_bytes;
  }
}

/* The views that do not lie where their roots say go to the front of the list. */
static void find_adrift(const ta_model *model, ta_claim *claims, ta_clash *clashes, uint32_t capacity,
                        ta_verdict *out) {
  for (uint32_t i = 0; i < model->n_rows; i++) {
    const ta_row *row = &model->rows[i];
    if (row->alias == TA_NO_INDEX) continue;
    const ta_claim *root = &claims[row->alias];
    if (root->offset == TA_NOT_CLAIMED) continue;
    int64_t place = root->offset + (int64_t)row->alias_bytes;
    if (claims[i].offset == TA_NOT_CLAIMED) claims[i].offset = place;
    if (claims[i].offset == place) continue;
    if (out->listed < capacity) {
      uint64_t low = (uint64_t)claims[i].offset;
      clashes[out->listed++] = (ta_clash){.low = low,
                                          .high = row->bytes ? low + row->bytes - 1 : low,
                                          .first = row->first,
                                          .last = row->last,
                                          .a = i,
                                          .b = row->alias,
                                          .kind = TA_CLASH_ADRIFT};
    }
    out->clashes++;
  }
}

static void claim_rows(const ta_model *model, ta_claim *claims) {
  for (uint32_t i = 0; i < model->n_rows; i++) {
    const ta_row *row = &model->rows[i];
    claims[i] = (ta_claim){.offset = claimed(row),
                           .bytes = row->bytes,
                           .alignment = row->alignment,
                           .first = row->first,
                           .last = row->last,
                           .group = row->alias == TA_NO_INDEX ? i : row->alias,
                           .arena = row->arena == TA_ARENA_PERSISTENT_PLACE};
  }
  for (uint32_t i = 0; i < model->n_rows; i++) {
    if (model->rows[i].alias != TA_NO_INDEX) claim_root(&model->rows[i], &claims[model->rows[i].alias]);
  }
}

ta_status ta_verify_rows(const ta_allocator *allocator, const ta_model *model, uint64_t arena_bytes,
                         ta_clash *clashes, uint32_t capacity, ta_verdict *out, ta_error *error) {
  const uint64_t sizes[2] = {arena_bytes, TA_NO_OFFSET};
  *out = (ta_verdict){0, 0, 0};
  if (model->kind != TA_KIND_CSV) {
    return ta_fail(error, TA_E_UNSUPPORTED, "only buffer lists carry their offsets in rows");
  }
  ta_region region;
  ta_region_init(&region, allocator);
  ta_claim *claims = TA_TAKE(&region, model->n_rows, ta_claim);
  ta_status status = claims ? TA_OK : ta_fail_memory(error);
  if (status == TA_OK) {
    ta_verdict adrift = {0, 0, 0};
    claim_rows(model, claims);
    find_adrift(model, claims, clashes, capacity, &adrift);
    status = ta_verify(allocator, claims, model->n_rows, sizes,
                       capacity > adrift.listed ? clashes + adrift.listed : NULL, capacity - adrift.listed,
                       out, error);
    out->clashes += adrift.clashes;
    out->listed += adrift.listed;
    out->sound = out->sound && adrift.clashes == 0;
  }
  ta_region_free(&region);
  return status;
}

#include "planner/rows.h"

#include "base/error.h"
#include "base/num.h"

/* What the rows ask of a root's place, theirs and its views'. */
typedef struct wish {
  uint64_t alignment;
  uint64_t fixed; /* TA_NO_OFFSET: none */
} wish;

uint64_t ta_placing_alignment(const ta_planner *planner, uint32_t buffer) {
  if (planner->runtime != &ta_runtime_none) return planner->options.alignment;
  const wish *wishes = planner->runtime_state;
  return wishes[buffer].alignment;
}

uint64_t ta_placing_fixed(const ta_planner *planner, uint32_t buffer) {
  if (planner->runtime != &ta_runtime_none) return TA_NO_OFFSET;
  const wish *wishes = planner->runtime_state;
  return wishes[buffer].fixed;
}

uint64_t ta_fixed_place(const ta_planner *planner, uint32_t buffer) {
  bool called = planner->given && planner->given[buffer] != TA_NO_OFFSET;
  return called ? planner->given[buffer] : ta_placing_fixed(planner, buffer);
}

/* Buffers with fixed places; those that share bytes make a group, which lives as long as any of them. */
static uint32_t list_fixed(const ta_planner *planner, ta_claim *claims) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    uint32_t root = buffer->shares == TA_NO_INDEX ? i : buffer->shares;
    uint64_t offset = ta_fixed_place(planner, root);
    if (offset == TA_NO_OFFSET || !buffer->in_plan || buffer->last < buffer->first) continue;
    claims[n++] = (ta_claim){.offset = (int64_t)offset,
                             .bytes = planner->buffers[root].bytes,
                             .first = buffer->first,
                             .last = buffer->last,
                             .group = root,
                             .arena = buffer->arena == TA_ARENA_PERSISTENT_PLACE};
  }
  return n;
}

/* The later of the two is the one to move. */
static ta_status fail_clash(const ta_planner *planner, const ta_claim *claims, const ta_clash *clash,
                            ta_error *error) {
  uint32_t at = claims[clash->b].group, other = claims[clash->a].group;
  const ta_buffer *a = &planner->buffers[other], *b = &planner->buffers[at];
  uint64_t offset = ta_fixed_place(planner, at);
  if (b->kind == TA_BUFFER_ROW) {
    bool own = offset == ta_placing_fixed(planner, at); /* the list itself fixes it there */
    const ta_row *rows = planner->model->rows;
    return ta_fail(
        error, own ? TA_E_MALFORMED : TA_E_ARGUMENT,
        "\"%T\" is fixed at %U, on bytes where \"%T\" lives: both have bytes %U..%U in steps %i..%i; "
        "move one",
        &rows[b->index].id, offset, &rows[a->index].id, clash->low, clash->high, clash->first, clash->last);
  }
  return ta_fail_at(
      error, TA_E_ARGUMENT, b->subgraph, TA_NO_INDEX, b->index,
      "tensor %u is fixed at %U, on bytes where tensor %u lives: both have bytes %U..%U in steps "
      "%i..%i; move one",
      b->index, offset, a->index, clash->low, clash->high, clash->first, clash->last);
}

ta_status ta_check_fixed(const ta_planner *planner, ta_error *error) {
  static const uint64_t no_end[2] = {TA_NO_OFFSET, TA_NO_OFFSET};
  if (!planner->given && planner->runtime != &ta_runtime_none) return TA_OK;
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  ta_claim *claims = TA_TAKE(&work, planner->n_buffers, ta_claim);
  ta_clash clash;
  ta_verdict verdict = {.sound = 1};
  ta_status status = TA_E_MEMORY;
  if (claims) {
    uint32_t n = list_fixed(planner, claims);
    status = n ? ta_verify(&work.allocator, claims, n, no_end, &clash, 1, &verdict, error) : TA_OK;
    if (!status && !verdict.sound) status = fail_clash(planner, claims, &clash, error);
  } else {
    ta_fail_memory(error);
  }
  ta_region_free(&work);
  return status;
}

static uint32_t root_of(const ta_row *rows, uint32_t row) {
  return rows[row].alias == TA_NO_INDEX ? row : rows[row].alias;
}

/* The place that binds the row. */
static uint64_t binding_place(const ta_planner *planner, const ta_row *row) {
  return row->fixed == TA_NO_OFFSET && planner->options.keep_offsets ? row->offset : row->fixed;
}

/* Adds what one row asks of its root's alignment. The list's own offsets are judged as they are. */
static ta_status add_alignment(const ta_planner *planner, wish *wishes, uint32_t at, ta_error *error) {
  const ta_row *row = &planner->model->rows[at];
  wish *root = &wishes[root_of(planner->model->rows, at)];
  if (row->alias_bytes % row->alignment == 0) {
    root->alignment = ta_max_u64(root->alignment, row->alignment);
  } else if (planner->options.planner != TA_PLANNER_OWN) {
    return ta_fail(
        error, TA_E_UNSUPPORTED,
        "\"%T\" lies %U bytes into its root and wants offsets that are multiples of %U; only views "
        "that start at a multiple of their alignment can be planned",
        &row->id, row->alias_bytes, row->alignment);
  }
  return TA_OK;
}

static ta_status add_place(const ta_planner *planner, wish *wishes, uint32_t at, ta_error *error) {
  const ta_row *row = &planner->model->rows[at];
  wish *root = &wishes[root_of(planner->model->rows, at)];
  uint64_t place = binding_place(planner, row);
  if (place == TA_NO_OFFSET) return TA_OK;
  if (place < row->alias_bytes || (root->fixed != TA_NO_OFFSET && root->fixed != place - row->alias_bytes)) {
    return ta_fail(error, TA_E_MALFORMED,
                   "\"%T\" is fixed at %U, but lies %U bytes into a buffer that %s; change one of the two",
                   &row->id, place, row->alias_bytes,
                   place < row->alias_bytes ? "cannot start before byte 0" : "is fixed elsewhere");
  }
  root->fixed = place - row->alias_bytes;
  return TA_OK;
}

static ta_status check_fixed(const ta_planner *planner, const wish *wishes, uint32_t at, ta_error *error) {
  const ta_row *row = &planner->model->rows[at];
  uint64_t end;
  if (row->alias != TA_NO_INDEX || wishes[at].fixed == TA_NO_OFFSET) return TA_OK;
  if (wishes[at].fixed % wishes[at].alignment != 0) {
    return ta_fail(error, TA_E_MALFORMED,
                   "\"%T\" is fixed at %U, which is no multiple of its alignment %U; change one of the two",
                   &row->id, wishes[at].fixed, wishes[at].alignment);
  }
  if (!ta_add(wishes[at].fixed, row->bytes, &end)) {
    return ta_fail(error, TA_E_LIMIT, "\"%T\" ends past byte %L", &row->id);
  }
  return TA_OK;
}

static ta_status make_wishes(ta_planner *planner, ta_error *error) {
  uint32_t n = planner->n_buffers;
  wish *wishes = TA_TAKE(&planner->region, n, wish);
  if (!wishes) return ta_fail_memory(error);
  planner->runtime_state = wishes;
  for (uint32_t i = 0; i < n; i++) wishes[i] = (wish){planner->options.alignment, TA_NO_OFFSET};
  ta_status status = TA_OK;
  for (uint32_t i = 0; i < n && status == TA_OK; i++) {
    status = add_alignment(planner, wishes, i, error);
    if (status == TA_OK) status = add_place(planner, wishes, i, error);
  }
  for (uint32_t i = 0; i < n && status == TA_OK; i++) status = check_fixed(planner, wishes, i, error);
  for (uint32_t i = 0; i < n && status == TA_OK; i++) {
    const ta_row *row = &planner->model->rows[i]; /* a view goes where its root goes */
    if (row->alias != TA_NO_INDEX) wishes[i] = (wish){row->alignment, TA_NO_OFFSET};
  }
  return status;
}

static ta_status make_buffers(ta_planner *planner, ta_error *error) {
  const ta_model *model = planner->model;
  planner->n_buffers = model->n_rows;
  planner->buffers = TA_TAKE(&planner->region, model->n_rows, ta_buffer);
  if (!planner->buffers) return ta_fail_memory(error);
  for (uint32_t i = 0; i < model->n_rows; i++) {
    const ta_row *row = &model->rows[i];
    planner->buffers[i] =
        (ta_buffer){.bytes = row->bytes,
                    .offset = TA_NO_OFFSET,
                    .first = row->first,
                    .last = row->last,
                    .index = i,
                    .shares = row->alias,
                    .kind = TA_BUFFER_ROW,
                    .type = row->arena == TA_ARENA_PERSISTENT_PLACE ? TA_ARENA_RW_PERSISTENT : TA_ARENA_RW,
                    .arena = TA_ARENA_NOT};
    planner->n_steps = ta_max_i32(planner->n_steps, row->last + 1);
  }
  return make_wishes(planner, error);
}

/* A root lives as long as its views; one of the persistent arena always. */
static ta_status make_lives(ta_planner *planner, ta_error *error) {
  (void)error;
  const ta_row *rows = planner->model->rows;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i], *root = &planner->buffers[root_of(rows, i)];
    bool takes_bytes = buffer->bytes > 0;
    buffer->in_plan = takes_bytes;
    buffer->arena = takes_bytes ? rows[i].arena : TA_ARENA_NOT;
    root->first = ta_min_i32(root->first, rows[i].arena == TA_ARENA_RW_PLACE ? rows[i].first : 0);
    root->last =
        ta_max_i32(root->last, rows[i].arena == TA_ARENA_RW_PLACE ? rows[i].last : planner->n_steps - 1);
  }
  return TA_OK;
}

const ta_runtime ta_runtime_none = {
    .id = TA_RUNTIME_NONE,
    .make_buffers = make_buffers,
    .make_lives = make_lives,
    .refresh_lives = make_lives,
};

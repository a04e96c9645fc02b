/* The planner `optimal`: gives the lives of any runtime to the solver. Buffers that share are one item, which
 * lives as long as any of them; persistent buffers lie one after the other, for nothing of them is reused. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/order.h"
#include "base/sort.h"
#include "planner/append.h"
#include "planner/rows.h"
#include "solve/solve.h"

typedef struct optimal {
  ta_solver *solver; /* NULL: not begun */
  ta_item *items;    /* what the solver was given */
  uint32_t *owners;  /* the buffer of each item */
  uint32_t n_items;
} optimal;

static optimal *state_of(ta_planner *planner) {
  if (!planner->kind_state) planner->kind_state = TA_TAKE(&planner->region, 1, optimal);
  return planner->kind_state;
}

static void forget_solver(ta_planner *planner) {
  optimal *state = planner->kind_state;
  if (!state) return;
  ta_solver_free(state->solver);
  state->solver = NULL;
}

/* ---- items ----------------------------------------------------------------------------------------------
 */

/* Fills one item a buffer that takes bytes of the rw arena. Returns how many. */
static uint32_t list_items(const ta_planner *planner, ta_item *items, uint32_t *owners, uint32_t *item_of) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    item_of[i] = TA_NO_INDEX;
    if (!ta_takes_rw_bytes(buffer) || buffer->bytes == 0) continue;
    item_of[i] = n;
    owners[n] = i;
    items[n++] = (ta_item){.bytes = buffer->bytes,
                           .alignment = ta_placing_alignment(planner, i),
                           .fixed = ta_fixed_place(planner, i),
                           .first = buffer->first,
                           .last = buffer->last};
  }
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (!buffer->in_plan || buffer->shares == TA_NO_INDEX || item_of[buffer->shares] == TA_NO_INDEX) continue;
    ta_item *root = &items[item_of[buffer->shares]];
    root->first = ta_min_i32(root->first, buffer->first);
    root->last = ta_max_i32(root->last, buffer->last);
  }
  return n;
}

/* Rows by name, so that the order in which a list is written changes nothing. */
typedef struct by_name {
  const ta_planner *planner;
  const uint32_t *owners;
} by_name;

static bool name_before(const void *context, uint32_t a, uint32_t b) {
  const by_name *names = context;
  const ta_row *rows = names->planner->model->rows;
  ta_str x = rows[names->owners[a]].id, y = rows[names->owners[b]].id;
  int order = memcmp(x.at, y.at, x.len < y.len ? x.len : y.len);
  return order != 0 ? order < 0 : x.len != y.len ? x.len < y.len : a < b;
}

static uint64_t key_fixed(const void *items, uint32_t i) {
  return ((const ta_item *)items)[i].fixed;
}
static uint64_t key_alignment(const void *items, uint32_t i) {
  return ((const ta_item *)items)[i].alignment;
}
static uint64_t key_bytes(const void *items, uint32_t i) {
  return ((const ta_item *)items)[i].bytes;
}
static uint64_t key_last(const void *items, uint32_t i) {
  return ta_step_key(((const ta_item *)items)[i].last);
}
static uint64_t key_first(const void *items, uint32_t i) {
  return ta_step_key(((const ta_item *)items)[i].first);
}

static bool alike(const ta_item *a, const ta_item *b) {
  return a->bytes == b->bytes && a->alignment == b->alignment && a->fixed == b->fixed &&
         a->first == b->first && a->last == b->last;
}

/* Orders items by what they are, and like ones by their names. */
static bool order_rows(const ta_planner *planner, ta_region *work, ta_item *items, uint32_t *owners,
                       uint32_t n) {
  static const ta_key keys[] = {key_fixed, key_alignment, key_bytes, key_last, key_first};
  uint32_t *order = TA_TAKE(work, n, uint32_t), *old_owners = TA_TAKE(work, n, uint32_t);
  ta_item *old = TA_TAKE(work, n, ta_item);
  if (!order || !old_owners || !old) return false;
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (!ta_order(&work->allocator, order, n, keys[i], items)) return false;
  }
  by_name names = {planner, owners};
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && alike(&items[order[from]], &items[order[to]]); to++) continue;
    ta_sort(order + from, to - from, name_before, &names);
  }
  for (uint32_t i = 0; i < n; i++) {
    old[i] = items[i];
    old_owners[i] = owners[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    items[i] = old[order[i]];
    owners[i] = old_owners[order[i]];
  }
  return true;
}

/* ---- the runtime's own plan -----------------------------------------------------------------------------
 */

/* Whether a plan places the very items, and soundly (an offline plan in the file may not). */
static ta_status check_plan_of(const ta_planner *own, const optimal *state, ta_region *work,
                               uint64_t *offsets, bool *good) {
  static const uint64_t no_end[2] = {TA_NO_OFFSET, TA_NO_OFFSET};
  *good = false;
  ta_claim *claims = TA_TAKE(work, state->n_items, ta_claim);
  if (!claims) return TA_E_MEMORY;
  for (uint32_t i = 0; i < state->n_items; i++) {
    const ta_item *item = &state->items[i];
    offsets[i] = own->buffers[state->owners[i]].offset;
    if (offsets[i] > TA_MAX_BYTES || (item->fixed != TA_NO_OFFSET && item->fixed != offsets[i])) return TA_OK;
    claims[i] = (ta_claim){.offset = (int64_t)offsets[i],
                           .bytes = item->bytes,
                           .alignment = item->alignment,
                           .first = item->first,
                           .last = item->last,
                           .group = TA_NO_INDEX};
  }
  ta_verdict verdict;
  ta_status status = ta_verify(&own->allocator, claims, state->n_items, no_end, NULL, 0, &verdict, NULL);
  *good = status == TA_OK && verdict.sound;
  return status;
}

/* A second planner makes the runtime's own plan of the present bytes and types. */
static ta_status plan_own(const ta_planner *planner, ta_planner **out) {
  ta_planner_options options = planner->options;
  options.planner = TA_PLANNER_OWN;
  options.keep_offsets = 0;
  ta_status status = ta_planner_new(&planner->allocator, planner->model, &options, out, NULL);
  for (uint32_t i = 0; i < planner->n_tensors && status == TA_OK; i++) {
    const ta_buffer *now = &planner->buffers[i], *then = &(*out)->buffers[i];
    if (now->type != then->type) status = ta_planner_retype(*out, i, now->type, NULL);
    if (status == TA_OK && now->bytes != then->bytes) status = ta_planner_resize(*out, i, now->bytes, NULL);
  }
  if (status == TA_OK) status = ta_planner_plan(*out, NULL);
  if (status == TA_OK) status = ta_planner_execute(*out, 0, INT32_MAX, NULL);
  return status;
}

/* So that optimal is never worse than the runtime. Where the runtime's own planner cannot be had, or its plan
 * is of no use, the solver does without. */
static ta_status offer_own(ta_planner *planner, optimal *state, ta_error *error) {
  ta_solution solution;
  ta_solver_solution(state->solver, &solution);
  if (solution.ended || !ta_planner_kind_find(TA_PLANNER_OWN, planner->runtime->id)) return TA_OK;
  ta_planner *own = NULL;
  ta_status status = plan_own(planner, &own);
  if (status == TA_OK && own->n_buffers == planner->n_buffers && own->arena_bytes < solution.height) {
    ta_region work;
    ta_region_init(&work, &planner->allocator);
    uint64_t *offsets = TA_TAKE(&work, state->n_items, uint64_t);
    bool good = false;
    status = offsets ? check_plan_of(own, state, &work, offsets, &good) : TA_E_MEMORY;
    if (good) ta_solver_offer(state->solver, offsets);
    ta_region_free(&work);
  }
  ta_planner_free(own);
  return status == TA_E_MEMORY ? ta_fail_memory(error) : TA_OK;
}

/* ---- solving --------------------------------------------------------------------------------------------
 */

static ta_status new_solver(ta_planner *planner, optimal *state, ta_error *error) {
  ta_solver_options options = {.capacity = planner->options.budget_bytes, .rules = TA_RULES_ALL};
  ta_status status = ta_check_fixed(planner, error);
  if (!status) {
    status =
        ta_solver_new(&planner->allocator, state->items, state->n_items, &options, &state->solver, error);
  }
  return status ? status : offer_own(planner, state, error);
}

/* A solver for the present items; the one there is when they have not changed. */
static ta_status prepare(ta_planner *planner, optimal *state, ta_error *error) {
  uint32_t n = planner->n_buffers;
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  if (!state->items) {
    state->items = TA_TAKE(&planner->region, n, ta_item);
    state->owners = TA_TAKE(&planner->region, n, uint32_t);
  }
  ta_item *items = TA_TAKE(&work, n, ta_item);
  uint32_t *owners = TA_TAKE(&work, n, uint32_t), *item_of = TA_TAKE(&work, n, uint32_t);
  ta_status status = TA_OK;
  if (!state->items || !state->owners || !items || !owners || !item_of) status = ta_fail_memory(error);
  if (status == TA_OK) {
    uint32_t count = list_items(planner, items, owners, item_of);
    if (planner->model->kind == TA_KIND_CSV && !order_rows(planner, &work, items, owners, count)) {
      status = ta_fail_memory(error);
    }
    bool changed = !state->solver || count != state->n_items;
    for (uint32_t i = 0; i < count && !changed; i++) {
      changed = owners[i] != state->owners[i] || !alike(&items[i], &state->items[i]);
    }
    if (status == TA_OK && changed) {
      forget_solver(planner);
      if (count) memcpy(state->items, items, count * sizeof *items);
      if (count) memcpy(state->owners, owners, count * sizeof *owners);
      state->n_items = count;
      status = new_solver(planner, state, error);
    }
  }
  ta_region_free(&work);
  return status;
}

static ta_status write_plan(ta_planner *planner, const optimal *state, ta_error *error) {
  ta_status status = ta_append_buffers(planner, 1 << TA_ARENA_PERSISTENT_PLACE, error);
  if (status) return status;
  ta_solution solution;
  ta_solver_solution(state->solver, &solution);
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (planner->buffers[i].arena != TA_ARENA_PERSISTENT_PLACE) planner->buffers[i].offset = TA_NO_OFFSET;
  }
  for (uint32_t i = 0; i < state->n_items; i++) {
    planner->buffers[state->owners[i]].offset = solution.offsets[i];
  }
  ta_place_sharers(planner);
  planner->arena_bytes = solution.height;
  planner->bound_bytes = solution.bound;
  planner->proved = solution.height == solution.bound;
  planner->search_nodes = solution.nodes;
  planner->search_ended = solution.ended;
  return TA_OK;
}

static ta_status solve(ta_planner *planner, uint64_t max_nodes, bool *done, ta_error *error) {
  optimal *state = state_of(planner);
  if (!state) return ta_fail_memory(error);
  ta_status status = prepare(planner, state, error);
  if (status == TA_OK) status = ta_solver_step(state->solver, max_nodes, done, error);
  return status == TA_OK ? write_plan(planner, state, error) : status;
}

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  if (!ta_covers_all_steps(planner, first, last)) return ta_fail_partial_range(planner, error);
  bool done;
  return solve(planner, planner->options.max_nodes, &done, error);
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)error;
  forget_solver(planner);
  return TA_OK;
}

ta_status ta_planner_fix(ta_planner *planner, uint32_t buffer, uint64_t offset, ta_error *error) {
  if (planner->kind->solve != solve) {
    return ta_fail(error, TA_E_UNSUPPORTED,
                   "only the planner \"optimal\" places buffers around fixed ones, not \"%s\"",
                   ta_word_name(TA_WORDS_PLANNER, planner->options.planner));
  }
  if (buffer >= planner->n_buffers) {
    return ta_fail(error, TA_E_INDEX, "there is no buffer %u: the plan has %u", buffer, planner->n_buffers);
  }
  const ta_buffer *fixed = &planner->buffers[buffer];
  uint64_t end, alignment = ta_placing_alignment(planner, buffer);
  if (fixed->shares != TA_NO_INDEX) {
    return ta_fail(error, TA_E_UNSUPPORTED, "buffer %u lies where buffer %u does: fix that one", buffer,
                   fixed->shares);
  }
  if (offset != TA_NO_OFFSET && !ta_add(offset, fixed->bytes, &end)) {
    return ta_fail(error, TA_E_LIMIT, "buffer %u would end past byte %L", buffer);
  }
  if (offset != TA_NO_OFFSET && planner->runtime->check_end) {
    ta_status status = planner->runtime->check_end(fixed, end, error);
    if (status) return status;
  }
  if (offset != TA_NO_OFFSET && offset % alignment != 0) {
    return ta_fail(error, TA_E_ARGUMENT,
                   "buffer %u cannot be fixed at %U, which is no multiple of its alignment %U", buffer,
                   offset, alignment);
  }
  if (!planner->given) {
    planner->given = TA_TAKE(&planner->region, planner->n_buffers, uint64_t);
    if (!planner->given) return ta_fail_memory(error);
    for (uint32_t i = 0; i < planner->n_buffers; i++) planner->given[i] = TA_NO_OFFSET;
  }
  planner->given[buffer] = offset;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_optimal = {
    .id = TA_PLANNER_OPTIMAL,
    .execute = execute,
    .reset = reset,
    .solve = solve,
    .dispose = forget_solver,
};

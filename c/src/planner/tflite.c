/* The memory planner of today's LiteRT (TensorFlow Lite), August 2026: each execute call places the tensors
 * that are born in its range, the largest first, each in the best gap between the placed tensors that live at
 * the same time. */
#include "arena/overlaps.h"
#include "base/num.h"
#include "base/order.h"
#include "base/sort.h"
#include "graph/lives_tflite.h"
#include "planner/losses.h"
#include "planner/subgraph.h"

/* A tensor as it was before an execute call, to be put back when that call fails. */
typedef struct saved_tensor {
  ta_buffer buffer;
  uint32_t root;
  int32_t last;
} saved_tensor;

typedef struct state_tflite {
  ta_lives_tflite lives; /* LiteRT's own */
  ta_sound_lives sound;
  ta_losses losses;
  ta_overlaps rw;        /* the tensors placed in the rw arena */
  uint32_t *next_sharer; /* by tensor: the list of those that share a root's bytes, from the root on */
  int32_t frontier;      /* the last step that was executed, or -1 */
  uint32_t *work;        /* what an execute call places */
  uint32_t n_work;
  uint64_t *keys;      /* by tensor, to sort the work; then by work: bytes, then where it goes */
  uint32_t *scratch;   /* likewise; types */
  saved_tensor *saved; /* those born in the call's range, in that order */
} state_tflite;

/* ---- the runtime ----------------------------------------------------------------------------------------
 */

/* An unread sharer keeps its root's bytes from nobody: it ends where it is first written. */
static bool ends_when_written(const ta_lives_tflite *lives, uint32_t tensor) {
  return lives->root[tensor] != TA_NO_INDEX && lives->reader[tensor] < 0;
}

static ta_status make_lives(ta_planner *planner, ta_error *error) {
  uint32_t n = planner->n_tensors;
  ta_region *region = &planner->region;
  state_tflite *state = TA_TAKE(region, 1, state_tflite);
  if (!state) return ta_fail_memory(error);
  ta_status status =
      ta_lives_tflite_make(ta_planned_subgraph(planner), planner->options.subgraph, planner->buffers,
                           planner->options.preserve_all, region, &state->lives, error);
  if (status) return status;
  const ta_lives_tflite *lives = &state->lives;
  status = ta_overlaps_init(&state->rw, lives->first, lives->last, n, (int32_t)lives->n_steps,
                            planner->options.alignment, region, error);
  if (status) return status;
  state->next_sharer = TA_TAKE(region, n, uint32_t);
  state->work = TA_TAKE(region, n, uint32_t);
  state->keys = TA_TAKE(region, n, uint64_t);
  state->scratch = TA_TAKE(region, n, uint32_t);
  state->saved = TA_TAKE(region, n, saved_tensor);
  if (!state->next_sharer || !state->work || !state->saved || !state->keys || !state->scratch)
    return ta_fail_memory(error);
  state->frontier = -1;
  for (uint32_t t = 0; t < n; t++) state->next_sharer[t] = TA_NO_INDEX;
  for (uint32_t t = 0; t < n; t++) {
    uint32_t root = lives->root[t];
    if (root == TA_NO_INDEX) continue;
    state->next_sharer[t] = state->next_sharer[root];
    state->next_sharer[root] = t;
  }
  status = ta_sound_lives_take(n, region, &state->sound, error);
  if (!status) status = ta_report_unproduced(planner, lives->first, lives->reader, error);
  if (status) return status;
  ta_losses_begin(&state->losses, planner);
  planner->runtime_state = state;
  return TA_OK;
}

/* Whether the pair that was matched at plan can still share, with the bytes and types of now. */
static bool still_shares(const ta_planner *planner, uint32_t tensor) {
  const state_tflite *state = planner->runtime_state;
  uint32_t root = state->lives.root[tensor];
  if (root == TA_NO_INDEX) return false;
  const ta_buffer *own = &planner->buffers[tensor], *its = &planner->buffers[root];
  return own->type == TA_ARENA_RW && its->type == TA_ARENA_RW && own->bytes == its->bytes;
}

/* As LiteRT's own planner has it. */
static void refresh(const ta_planner *planner, uint32_t tensor) {
  const state_tflite *state = planner->runtime_state;
  const ta_lives_tflite *lives = &state->lives;
  ta_buffer *buffer = &planner->buffers[tensor];
  bool produced = lives->first[tensor] >= 0;
  bool shares = still_shares(planner, tensor);
  if (!ta_keeps_place(planner, buffer)) {
    ta_move_to_arena(buffer, produced ? ta_arena_for(buffer->bytes, buffer->type) : TA_ARENA_NOT);
    buffer->in_plan = produced && ta_is_arena_type(buffer->type);
    buffer->shares = shares ? lives->root[tensor] : TA_NO_INDEX;
  }
  int32_t end = (int32_t)lives->n_steps - 1;
  int32_t last = lives->last[tensor];
  if (buffer->shares != TA_NO_INDEX && ends_when_written(lives, tensor)) last = lives->first[tensor];
  bool to_the_end = buffer->arena == TA_ARENA_PERSISTENT_PLACE ||
                    (lives->root[tensor] != TA_NO_INDEX && buffer->shares == TA_NO_INDEX);
  buffer->first = lives->first[tensor];
  buffer->last = produced && to_the_end ? end : ta_min_i32(last, end);
}

/* Other planners share only where no byte is lost. */
static void set_sound_lives(const ta_planner *planner, ta_buffer *buffers) {
  state_tflite *state = planner->runtime_state;
  const ta_lives_tflite *lives = &state->lives;
  int32_t end = (int32_t)lives->n_steps - 1;
  ta_sound_lives_make(ta_planned_subgraph(planner), lives, buffers, planner->options.preserve_all,
                      &state->sound);
  for (uint32_t t = 0; t < planner->n_tensors; t++) {
    ta_buffer *buffer = &buffers[t];
    bool produced = lives->first[t] >= 0;
    ta_move_to_arena(buffer, produced ? ta_arena_for(buffer->bytes, buffer->type) : TA_ARENA_NOT);
    buffer->in_plan = produced && ta_is_arena_type(buffer->type);
    buffer->shares = state->sound.root[t];
    buffer->first = lives->first[t];
    bool persistent = buffer->arena == TA_ARENA_PERSISTENT_PLACE;
    buffer->last = persistent ? end : ta_min_i32(state->sound.last[t], end);
  }
}

static ta_status refresh_lives(ta_planner *planner, ta_error *error) {
  state_tflite *state = planner->runtime_state;
  if (planner->kind->id != TA_PLANNER_OWN) {
    set_sound_lives(planner, planner->buffers);
    return TA_OK;
  }
  for (uint32_t t = 0; t < planner->n_tensors; t++) refresh(planner, t);
  return ta_losses_find(&state->losses, planner, &state->lives, error);
}

const ta_runtime ta_runtime_tflite = {
    .id = TA_RUNTIME_TFLITE,
    .make_buffers = ta_make_subgraph_buffers,
    .make_lives = make_lives,
    .refresh_lives = refresh_lives,
    .set_sound_lives = set_sound_lives,
};

/* ---- what an execute call places ------------------------------------------------------------------------
 */

/* Whole lives first; then the largest. */
static uint64_t order_key(const ta_planner *planner, uint32_t tensor) {
  const state_tflite *state = planner->runtime_state;
  bool whole = state->lives.first[tensor] == 0 && state->lives.last[tensor] == TA_TO_THE_END;
  return whole ? 0 : 1 + TA_MAX_BYTES - planner->buffers[tensor].bytes;
}

static bool placed_before(const void *context, uint32_t a, uint32_t b) {
  const ta_planner *planner = context;
  const state_tflite *state = planner->runtime_state;
  uint64_t key_a = order_key(planner, a), key_b = order_key(planner, b);
  if (key_a != key_b) return key_a < key_b;
  const int32_t *first = state->lives.first;
  return first[a] != first[b] ? first[a] < first[b] : a < b;
}

/* Whole lives by index; the others largest first, then the earliest, then by index. Work is gathered by first
 * step and index, so many tensors need only a stable order by key; for a few that has too much to set up. */
static void order_work(ta_planner *planner) {
  enum { FEW = 256 };
  state_tflite *state = planner->runtime_state;
  if (state->n_work < FEW) {
    ta_sort(state->work, state->n_work, placed_before, planner);
    return;
  }
  for (uint32_t i = 0; i < state->n_work; i++)
    state->keys[state->work[i]] = order_key(planner, state->work[i]);
  ta_order_by_key(state->work, state->scratch, state->n_work, state->keys);
}

static bool has_own_place(const ta_planner *planner, uint32_t tensor) {
  return planner->placed_bytes[tensor] > 0;
}

/* A sharer needs its root's place to be large enough. */
static ta_status check_growth(const ta_planner *planner, uint32_t tensor, ta_error *error) {
  const state_tflite *state = planner->runtime_state;
  uint32_t owner = still_shares(planner, tensor) ? state->lives.root[tensor] : tensor;
  const ta_buffer *buffer = &planner->buffers[owner];
  if (!has_own_place(planner, owner) || !ta_is_arena_type(buffer->type)) return TA_OK;
  if (buffer->bytes <= planner->placed_bytes[owner]) return TA_OK;
  return ta_fail_grew(planner, owner, planner->placed_bytes[owner], error);
}

/* A pair that cannot share any more is parted for good; the output then lives to the end. */
static void part_if_unlike(ta_planner *planner, uint32_t tensor) {
  state_tflite *state = planner->runtime_state;
  ta_buffer *buffer = &planner->buffers[tensor];
  if (state->lives.root[tensor] == TA_NO_INDEX || still_shares(planner, tensor)) return;
  if (!ta_is_arena_type(buffer->type)) return; /* it asks for no place: the pair is not looked at */
  state->lives.root[tensor] = TA_NO_INDEX;
  state->lives.last[tensor] = TA_TO_THE_END;
  buffer->shares = TA_NO_INDEX;
  buffer->offset = TA_NO_OFFSET;
}

/* The tensors born in the range that want a place of their own and have none. */
static void gather_work(ta_planner *planner, int32_t first, int32_t last) {
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  state->n_work = 0;
  for (uint32_t i = born->start[first]; i < born->start[last + 1]; i++) {
    uint32_t t = born->at[i];
    const ta_buffer *buffer = &planner->buffers[t];
    part_if_unlike(planner, t);
    bool wants = ta_arena_for(buffer->bytes, buffer->type) != TA_ARENA_NOT;
    if (wants && state->lives.root[t] == TA_NO_INDEX && !has_own_place(planner, t))
      state->work[state->n_work++] = t;
  }
}

/* ---- placing --------------------------------------------------------------------------------------------
 */

static ta_status find_rw(ta_planner *planner, uint32_t tensor, uint64_t bytes, uint64_t *offset,
                         ta_error *error) {
  state_tflite *state = planner->runtime_state;
  ta_status status = ta_overlaps_best_fit(&state->rw, tensor, bytes, offset, error);
  if (status) return status;
  if (*offset == UINT64_MAX) return ta_fail_past_limit(planner, tensor, error);
  ta_overlaps_place(&state->rw, tensor, *offset, bytes);
  return TA_OK;
}

/* Nothing in the persistent arena is ever reused, so its mark is its end. */
static ta_status find_persistent(ta_planner *planner, uint32_t tensor, uint64_t bytes, uint64_t *offset,
                                 ta_error *error) {
  uint64_t end;
  if (!ta_align_up(planner->persistent_bytes, planner->options.alignment, offset) ||
      !ta_add(*offset, bytes, &end))
    return ta_fail_past_limit(planner, tensor, error);
  planner->persistent_bytes = end;
  return TA_OK;
}

/* The tensor has its place now. */
static void settle(ta_planner *planner, uint32_t tensor, uint64_t offset) {
  ta_buffer *buffer = &planner->buffers[tensor];
  bool rw = buffer->type == TA_ARENA_RW;
  if (rw) planner->arena_bytes = ta_max_u64(planner->arena_bytes, offset + buffer->bytes);
  planner->placed_bytes[tensor] = buffer->bytes;
  buffer->offset = offset;
  buffer->arena = rw ? TA_ARENA_RW_PLACE : TA_ARENA_PERSISTENT_PLACE;
  buffer->in_plan = 1;
  buffer->shares = TA_NO_INDEX;
  ta_take_turn(planner, tensor);
  refresh(planner, tensor);
}

/* A sharer has its root's place as soon as the root has it, and (like the original) also while it is unlike
 * its root, until its own first step parts the two. */
static void follow_root(ta_planner *planner, uint32_t tensor) {
  const state_tflite *state = planner->runtime_state;
  ta_buffer *buffer = &planner->buffers[tensor];
  uint32_t root = state->lives.root[tensor];
  if (root == TA_NO_INDEX || buffer->type != TA_ARENA_RW) return;
  if (planner->buffers[root].arena != TA_ARENA_RW_PLACE) return;
  buffer->shares = root;
  buffer->offset = planner->buffers[root].offset;
  buffer->arena = ta_arena_for(buffer->bytes, buffer->type);
  buffer->in_plan = 1;
  refresh(planner, tensor);
}

static void follow_roots(ta_planner *planner, int32_t first, int32_t last) {
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  for (uint32_t i = 0; i < state->n_work; i++) {
    uint32_t root = state->work[i];
    for (uint32_t t = state->next_sharer[root]; t != TA_NO_INDEX; t = state->next_sharer[t])
      follow_root(planner, t);
  }
  for (uint32_t i = born->start[first]; i < born->start[last + 1]; i++) follow_root(planner, born->at[i]);
}

static void save(ta_planner *planner, int32_t first, int32_t last) {
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  uint32_t start = born->start[first];
  for (uint32_t i = start; i < born->start[last + 1]; i++) {
    uint32_t t = born->at[i];
    state->saved[i - start] = (saved_tensor){planner->buffers[t], state->lives.root[t], state->lives.last[t]};
  }
}

/* Undoes a call that found places for the first `n_placed` of its work. */
static void restore(ta_planner *planner, int32_t first, int32_t last, uint32_t n_placed) {
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  for (uint32_t i = 0; i < n_placed; i++) {
    if (planner->buffers[state->work[i]].type == TA_ARENA_RW) ta_overlaps_remove(&state->rw, state->work[i]);
  }
  uint32_t start = born->start[first];
  for (uint32_t i = start; i < born->start[last + 1]; i++) {
    uint32_t t = born->at[i];
    planner->buffers[t] = state->saved[i - start].buffer;
    state->lives.root[t] = state->saved[i - start].root;
    state->lives.last[t] = state->saved[i - start].last;
  }
}

/* All or nothing. First all places are found, and then the tensors get them. Work goes by size, which is all
 * over memory: loops that only fetch, or only settle, have many of their loads under way at once. */
static ta_status place_range(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  state_tflite *state = planner->runtime_state;
  uint64_t persistent_bytes = planner->persistent_bytes;
  save(planner, first, last);
  gather_work(planner, first, last);
  order_work(planner);
  uint64_t *place = state->keys; /* by work, like `type`: what it was ordered with is needed no more */
  uint32_t *type = state->scratch;
  for (uint32_t i = 0; i < state->n_work; i++) {
    place[i] = planner->buffers[state->work[i]].bytes;
    type[i] = planner->buffers[state->work[i]].type;
  }
  for (uint32_t i = 0; i < state->n_work; i++) {
    uint32_t t = state->work[i];
    ta_status status = type[i] == TA_ARENA_RW ? find_rw(planner, t, place[i], &place[i], error)
                                              : find_persistent(planner, t, place[i], &place[i], error);
    if (!status) continue;
    restore(planner, first, last, i);
    planner->persistent_bytes = persistent_bytes;
    return status;
  }
  for (uint32_t i = 0; i < state->n_work; i++) settle(planner, state->work[i], place[i]);
  return TA_OK;
}

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  ta_status status = TA_OK;
  for (uint32_t i = born->start[first]; i < born->start[last + 1] && !status; i++)
    status = check_growth(planner, born->at[i], error);
  if (!status) status = place_range(planner, first, last, error);
  if (status) return status;
  state->frontier = ta_max_i32(state->frontier, last);
  follow_roots(planner, first, last);
  return TA_OK;
}

/* ---- forgetting -----------------------------------------------------------------------------------------
 */

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)error;
  state_tflite *state = planner->runtime_state;
  ta_overlaps_clear(&state->rw);
  state->frontier = -1;
  return TA_OK;
}

static void dispose(ta_planner *planner) {
  state_tflite *state = planner->runtime_state;
  if (state) ta_losses_free(&state->losses);
}

static ta_status reset_after(ta_planner *planner, int32_t node, ta_error *error) {
  (void)error;
  state_tflite *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  if (node >= state->frontier) return TA_OK;
  for (uint32_t i = born->start[node + 1]; i < born->start[state->frontier + 1]; i++) {
    uint32_t t = born->at[i];
    ta_buffer *buffer = &planner->buffers[t];
    if (!has_own_place(planner, t) || buffer->arena != TA_ARENA_RW_PLACE) continue;
    ta_overlaps_remove(&state->rw, t);
    planner->placed_bytes[t] = 0;
    buffer->offset = TA_NO_OFFSET;
    for (uint32_t s = state->next_sharer[t]; s != TA_NO_INDEX; s = state->next_sharer[s]) {
      if (planner->buffers[s].shares == t) planner->buffers[s].offset = TA_NO_OFFSET;
    }
  }
  state->frontier = node;
  return TA_OK;
}

/* The runtime frees its rw buffer between invocations and takes it again. Places and marks hold throughout,
 * and this planner keeps no bytes behind them, so there is nothing to change. */
static ta_status keep_places(ta_planner *planner, ta_error *error) {
  (void)planner;
  (void)error;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_tflite_own = {
    .id = TA_PLANNER_OWN,
    .turn = "largest first, after what lives throughout",
    .execute = execute,
    .reset = reset,
    .reset_after = reset_after,
    .release = keep_places,
    .acquire = keep_places,
    .dispose = dispose,
};

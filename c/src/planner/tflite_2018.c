/* TensorFlow Lite's memory planner as it entered in January 2018 (spec: plan, execute, reset over an online
 * best-fit arena), without its faults.
 *
 * The arena holds the tensors that are placed and whose last step has not been executed. A step places what
 * it brings into the world, temporaries first, then frees what dies with it; so steps executed in order place
 * around exactly the tensors that live then.
 *
 * Steps may also come out of order: a tensor can need a place at a step before one that was executed already
 * (its step was skipped, or it had no bytes or was dynamic at the time). Tensors that will have been freed
 * by "now" still live after that step, so such a late tensor is placed around every tensor whose life
 * overlaps its own, and around everything in the arena. */
#include <string.h>

#include "arena/arena.h"
#include "base/num.h"
#include "base/sort.h"
#include "graph/lives_2018.h"
#include "planner/subgraph.h"

/* The low bit of a journal entry. */
enum { PLACED = 0, FREED = 1 };

typedef struct state_2018 {
  ta_lives_2018 lives;
  ta_arena rw, persistent;
  ta_entry **entries;  /* by tensor: what holds its bytes in the rw arena now, or NULL */
  uint32_t *by_offset; /* what is placed in the rw arena, sorted, once a tensor has come late */
  uint32_t n_by_offset;
  bool sorted;       /* by_offset is kept up to date */
  uint32_t *journal; /* what an execute call has done, to be undone: a tensor twice, and FREED */
  uint32_t n_journal;
  int32_t frontier; /* the last step that was executed, or -1 */
} state_2018;

static ta_status make_lives(ta_planner *planner, ta_error *error) {
  uint32_t n = planner->n_tensors;
  state_2018 *state = TA_TAKE(&planner->region, 1, state_2018);
  if (!state) return ta_fail_memory(error);
  ta_status status = ta_lives_2018_make(ta_planned_subgraph(planner), planner->options.subgraph,
                                        &planner->region, &state->lives, error);
  if (status) return status;
  state->entries = TA_TAKE(&planner->region, n, ta_entry *);
  state->by_offset = TA_TAKE(&planner->region, n, uint32_t);
  state->journal = TA_TAKE(&planner->region, 2 * (size_t)n, uint32_t);
  if (!state->entries || !state->by_offset || !state->journal) return ta_fail_memory(error);
  ta_arena_init(&state->rw, &planner->region, planner->options.alignment);
  ta_arena_init(&state->persistent, &planner->region, planner->options.alignment);
  state->frontier = -1;
  status = ta_report_unproduced(planner, state->lives.first, state->lives.reader, error);
  if (status) return status;
  planner->runtime_state = state;
  return TA_OK;
}

/* Persistent tensors are never freed, whatever reads them last. */
static void refresh(const ta_planner *planner, uint32_t tensor) {
  const state_2018 *state = planner->runtime_state;
  const ta_lives_2018 *lives = &state->lives;
  ta_buffer *buffer = &planner->buffers[tensor];
  bool produced = lives->first[tensor] >= 0;
  if (!ta_keeps_place(planner, buffer)) {
    ta_move_to_arena(buffer, produced ? ta_arena_for(buffer->bytes, buffer->type) : TA_ARENA_NOT);
    buffer->in_plan = produced && ta_is_arena_type(buffer->type);
  }
  bool persistent = buffer->arena == TA_ARENA_PERSISTENT_PLACE;
  buffer->first = lives->first[tensor];
  buffer->last = produced && persistent ? (int32_t)lives->n_steps - 1 : lives->last[tensor];
}

static ta_status refresh_lives(ta_planner *planner, ta_error *error) {
  (void)error;
  for (uint32_t t = 0; t < planner->n_tensors; t++) refresh(planner, t);
  return TA_OK;
}

const ta_runtime ta_runtime_tflite_2018 = {
    .id = TA_RUNTIME_TFLITE_2018,
    .make_buffers = ta_make_subgraph_buffers,
    .make_lives = make_lives,
    .refresh_lives = refresh_lives,
};

/* ---- late tensors ---------------------------------------------------------------------------------------
 */

static bool is_in_the_way(const ta_planner *planner, uint32_t other, uint32_t late) {
  const state_2018 *state = planner->runtime_state;
  if (state->entries[other]) return true;
  return state->lives.first[other] <= state->lives.last[late] &&
         state->lives.first[late] <= state->lives.last[other];
}

static bool lower_first(const void *context, uint32_t a, uint32_t b) {
  const ta_buffer *buffers = context;
  if (buffers[a].offset != buffers[b].offset) return buffers[a].offset < buffers[b].offset;
  return a < b;
}

/* Before the first late tensor: all that is placed, sorted. */
static void sort_by_offset(ta_planner *planner) {
  state_2018 *state = planner->runtime_state;
  if (state->sorted) return;
  state->sorted = true;
  state->n_by_offset = 0;
  for (uint32_t t = 0; t < planner->n_tensors; t++) {
    const ta_buffer *buffer = &planner->buffers[t];
    if (ta_is_placed(buffer) && buffer->arena == TA_ARENA_RW_PLACE)
      state->by_offset[state->n_by_offset++] = t;
  }
  ta_sort(state->by_offset, state->n_by_offset, lower_first, planner->buffers);
}

/* After that: one more. */
static void enter_by_offset(ta_planner *planner, uint32_t tensor) {
  state_2018 *state = planner->runtime_state;
  if (!state->sorted) return;
  uint32_t low = 0, high = state->n_by_offset;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lower_first(planner->buffers, state->by_offset[middle], tensor)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  memmove(state->by_offset + low + 1, state->by_offset + low,
          (state->n_by_offset - low) * sizeof *state->by_offset);
  state->by_offset[low] = tensor;
  state->n_by_offset++;
}

/* The arena's own rule, over tensors that need not live at the same time and so may lie over each other. */
static bool find_late_place(ta_planner *planner, uint32_t tensor, uint64_t *offset) {
  const state_2018 *state = planner->runtime_state;
  uint64_t bytes = planner->buffers[tensor].bytes, end = 0, best = UINT64_MAX, aligned;
  sort_by_offset(planner);
  for (uint32_t i = 0; i < state->n_by_offset; i++) {
    uint32_t other = state->by_offset[i];
    if (!is_in_the_way(planner, other, tensor)) continue;
    uint64_t next = planner->buffers[other].offset;
    if (next > end && next - end < best && ta_align_up(end, planner->options.alignment, &aligned) &&
        aligned <= next && next - aligned >= bytes) {
      best = next - end;
      *offset = aligned;
    }
    end = ta_max_u64(end, next + planner->placed_bytes[other]);
  }
  return best != UINT64_MAX || ta_align_up(end, planner->options.alignment, offset);
}

/* ---- placing and freeing --------------------------------------------------------------------------------
 */

static ta_status place_rw(ta_planner *planner, uint32_t tensor, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  ta_buffer *buffer = &planner->buffers[tensor];
  ta_entry *entry;
  if (state->lives.first[tensor] > state->frontier) {
    ta_status status = ta_arena_allocate(&state->rw, buffer->bytes, &entry, error);
    if (status) return status;
    buffer->offset = entry->offset;
  } else {
    uint64_t offset = 0;
    if (!find_late_place(planner, tensor, &offset)) return TA_E_LIMIT;
    ta_status status = ta_arena_allocate_at(&state->rw, offset, buffer->bytes, &entry, error);
    if (status) return status;
    buffer->offset = offset;
  }
  state->entries[tensor] = entry;
  return TA_OK;
}

static ta_status place(ta_planner *planner, uint32_t tensor, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  ta_buffer *buffer = &planner->buffers[tensor];
  uint8_t arena = ta_arena_for(buffer->bytes, buffer->type);
  if (arena == TA_ARENA_NOT || ta_is_placed(buffer)) return TA_OK;
  ta_status status;
  if (arena == TA_ARENA_RW_PLACE) {
    status = place_rw(planner, tensor, error);
  } else {
    ta_entry *entry;
    status = ta_arena_allocate(&state->persistent, buffer->bytes, &entry, error);
    if (!status) buffer->offset = entry->offset;
  }
  if (status == TA_E_LIMIT) return ta_fail_past_limit(planner, tensor, error);
  if (status) return status;
  if (arena == TA_ARENA_RW_PLACE) enter_by_offset(planner, tensor);
  planner->placed_bytes[tensor] = buffer->bytes;
  buffer->arena = arena;
  buffer->in_plan = 1;
  state->journal[state->n_journal++] = tensor << 1 | PLACED;
  ta_take_turn(planner, tensor);
  refresh(planner, tensor);
  return TA_OK;
}

static void free_entry(state_2018 *state, uint32_t tensor) {
  if (!state->entries[tensor]) return;
  ta_arena_deallocate(&state->rw, state->entries[tensor]);
  state->entries[tensor] = NULL;
}

static void end_life(state_2018 *state, uint32_t tensor) {
  if (!state->entries[tensor]) return;
  free_entry(state, tensor);
  state->journal[state->n_journal++] = tensor << 1 | FREED;
}

static ta_status execute_step(ta_planner *planner, uint32_t step, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  const ta_lives_2018 *lives = &state->lives;
  for (uint32_t i = lives->born.start[step]; i < lives->born.start[step + 1]; i++) {
    uint32_t tensor = lives->born.at[i];
    ta_status status = place(planner, tensor, error);
    if (status) return status;
    /* A late tensor may have died before the last step that was executed: it is in nobody's way now. */
    if (lives->last[tensor] <= state->frontier) end_life(state, tensor);
  }
  for (uint32_t i = lives->dying.start[step]; i < lives->dying.start[step + 1]; i++)
    end_life(state, lives->dying.at[i]);
  state->frontier = ta_max_i32(state->frontier, (int32_t)step);
  return TA_OK;
}

/* The entries that the range may need are there before anything moves, so that only a size past the limit can
 * stop it half-way, and undoing that needs no memory. */
static ta_status reserve(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born;
  uint32_t rw = 0, persistent = 0;
  for (uint32_t i = born->start[first]; i < born->start[last + 1]; i++) {
    const ta_buffer *buffer = &planner->buffers[born->at[i]];
    if (ta_is_placed(buffer)) continue;
    uint8_t arena = ta_arena_for(buffer->bytes, buffer->type);
    rw += arena == TA_ARENA_RW_PLACE;
    persistent += arena == TA_ARENA_PERSISTENT_PLACE;
  }
  ta_status status = ta_arena_reserve(&state->rw, rw, error);
  return status ? status : ta_arena_reserve(&state->persistent, persistent, error);
}

/* Before anything moves: a placed tensor cannot have grown when its first step is executed again. */
static ta_status check_growth(const ta_planner *planner, uint32_t step, ta_error *error) {
  const state_2018 *state = planner->runtime_state;
  for (uint32_t i = state->lives.born.start[step]; i < state->lives.born.start[step + 1]; i++) {
    uint32_t t = state->lives.born.at[i];
    const ta_buffer *buffer = &planner->buffers[t];
    if (ta_is_placed(buffer) && ta_is_arena_type(buffer->type) && buffer->bytes > planner->placed_bytes[t])
      return ta_fail_grew(planner, t, planner->placed_bytes[t], error);
  }
  return TA_OK;
}

static void undo_placing(ta_planner *planner, uint32_t tensor) {
  state_2018 *state = planner->runtime_state;
  if (planner->buffers[tensor].arena == TA_ARENA_RW_PLACE) {
    free_entry(state, tensor);
  } else {
    ta_arena_deallocate(&state->persistent, state->persistent.last); /* nothing persistent lies behind it */
  }
  planner->buffers[tensor].offset = TA_NO_OFFSET;
  refresh(planner, tensor);
}

/* The last first. What had been freed finds its bytes free, and an entry: those that the call took are back.
 */
static void undo(ta_planner *planner) {
  state_2018 *state = planner->runtime_state;
  while (state->n_journal > 0) {
    uint32_t done = state->journal[--state->n_journal], tensor = done >> 1;
    if ((done & 1) == PLACED) {
      undo_placing(planner, tensor);
    } else {
      ta_arena_allocate_at(&state->rw, planner->buffers[tensor].offset, planner->placed_bytes[tensor],
                           &state->entries[tensor], NULL);
    }
  }
  state->sorted = false;
}

/* All or nothing. */
static ta_status execute_steps(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  uint64_t rw_mark = state->rw.mark, persistent_mark = state->persistent.mark;
  uint32_t n_turns = planner->n_turns;
  int32_t frontier = state->frontier;
  ta_status status = TA_OK;
  state->n_journal = 0;
  for (int32_t k = first; k <= last && !status; k++) status = execute_step(planner, (uint32_t)k, error);
  if (!status) return TA_OK;
  undo(planner);
  state->rw.mark = rw_mark;
  state->persistent.mark = persistent_mark;
  planner->n_turns = n_turns;
  state->frontier = frontier;
  return status;
}

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  ta_status status = TA_OK;
  for (int32_t k = first; k <= last && !status; k++) status = check_growth(planner, (uint32_t)k, error);
  if (!status) status = reserve(planner, first, last, error);
  if (!status) status = execute_steps(planner, first, last, error);
  planner->arena_bytes = state->rw.mark;
  planner->persistent_bytes = state->persistent.mark;
  return status;
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)error;
  state_2018 *state = planner->runtime_state;
  for (uint32_t t = 0; t < planner->n_tensors; t++) {
    state->entries[t] = NULL;
  }
  ta_arena_clear(&state->rw);
  ta_arena_clear(&state->persistent);
  state->frontier = -1;
  state->sorted = false;
  return TA_OK;
}

static bool is_placed_rw(const ta_buffer *buffer) {
  return ta_is_placed(buffer) && buffer->arena == TA_ARENA_RW_PLACE;
}

/* Whether reset_after(node) brings it back: placed by then, freed since. */
static bool comes_back(const ta_planner *planner, uint32_t tensor, int32_t node) {
  const state_2018 *state = planner->runtime_state;
  return is_placed_rw(&planner->buffers[tensor]) && !state->entries[tensor] &&
         state->lives.first[tensor] <= node;
}

/* After `node`: first what came later goes, then what had been freed later comes back. All that is left
 * lives when `node` ends, so nothing lies over anything. */
static ta_status reset_after(ta_planner *planner, int32_t node, ta_error *error) {
  state_2018 *state = planner->runtime_state;
  const ta_by_step *born = &state->lives.born, *dying = &state->lives.dying;
  if (node >= state->frontier) return TA_OK;
  uint32_t from = (uint32_t)(node + 1), to = (uint32_t)(state->frontier + 1), back = 0;
  for (uint32_t i = dying->start[from]; i < dying->start[to]; i++)
    back += comes_back(planner, dying->at[i], node);
  ta_status status = ta_arena_reserve(&state->rw, back, error);
  if (status) return status;
  for (uint32_t i = born->start[from]; i < born->start[to]; i++) {
    uint32_t t = born->at[i];
    if (!is_placed_rw(&planner->buffers[t])) continue;
    free_entry(state, t);
    planner->buffers[t].offset = TA_NO_OFFSET;
  }
  for (uint32_t i = dying->start[from]; i < dying->start[to] && !status; i++) {
    uint32_t t = dying->at[i];
    if (!comes_back(planner, t, node)) continue;
    status = ta_arena_allocate_at(&state->rw, planner->buffers[t].offset, planner->placed_bytes[t],
                                  &state->entries[t], error);
  }
  state->frontier = node;
  state->sorted = false;
  return status;
}

const ta_planner_kind ta_planner_kind_tflite_2018_own = {
    .id = TA_PLANNER_OWN,
    .turn = "in the order in which the steps need them",
    .execute = execute,
    .reset = reset,
    .reset_after = reset_after,
};

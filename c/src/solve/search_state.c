#include "solve/search_state.h"

#include <string.h>

enum { PIECES, SECTIONS, CELLS, BLOCKS, TRAIL, COUNTS };

#define ARRAY(field, count) TA_ARRAY(ta_state, field, count)

bool ta_state_new(ta_state *state, ta_region *region, const ta_part *part, uint32_t rules) {
  static const ta_array arrays[] = {
      ARRAY(size, PIECES),        ARRAY(low, PIECES),       ARRAY(limit, PIECES),   ARRAY(alignment, PIECES),
      ARRAY(last_change, PIECES), ARRAY(cell, PIECES),      ARRAY(placed, PIECES),  ARRAY(placer, PIECES),
      ARRAY(floor, SECTIONS),     ARRAY(support, SECTIONS), ARRAY(total, SECTIONS), ARRAY(ceiling, SECTIONS),
      ARRAY(pad, SECTIONS),       ARRAY(live, SECTIONS),    ARRAY(lived, SECTIONS), ARRAY(crossing, SECTIONS),
      ARRAY(list, SECTIONS),      ARRAY(dirty, SECTIONS),   ARRAY(members, CELLS),  ARRAY(slots, CELLS),
      ARRAY(block, BLOCKS),       ARRAY(stale, BLOCKS),     ARRAY(trail, TRAIL)};
  *state = (ta_state){.region = region, .part = part, .rules = rules};
  state->trail_capacity = (uint32_t)(part->cells + part->pairs) + 2 * part->n + 64;
  const size_t counts[COUNTS] = {[PIECES] = part->n,
                                 [SECTIONS] = part->sections,
                                 [CELLS] = (size_t)part->cells,
                                 [BLOCKS] = part->sections / TA_BLOCK + 1,
                                 [TRAIL] = state->trail_capacity};
  return ta_region_take_arrays(region, state, arrays, sizeof arrays / sizeof arrays[0], counts);
}

/* Makes room for one more change. */
static bool grow_trail(ta_state *state) {
  if (state->n_trail < state->trail_capacity) return true;
  ta_change *longer = TA_TAKE(state->region, (size_t)state->trail_capacity * 2, ta_change);
  if (!longer) {
    state->out_of_memory = true;
    return false;
  }
  memcpy(longer, state->trail, state->n_trail * sizeof *longer);
  state->trail = longer;
  state->trail_capacity *= 2;
  return true;
}

static bool note(ta_state *state, uint32_t kind, uint32_t index, ta_level old, uint32_t previous) {
  if (!grow_trail(state)) return false;
  state->trail[state->n_trail++] = (ta_change){kind, index, old, previous, state->frame};
  return true;
}

static bool fail_piece(ta_state *state, uint32_t piece, uint64_t height) {
  state->failed_piece = piece;
  state->failed_section = TA_NO_INDEX;
  state->failed_height = height;
  return false;
}

static bool fail_section(ta_state *state, uint32_t section, uint64_t height) {
  state->failed_piece = TA_NO_INDEX;
  state->failed_section = section;
  state->failed_height = height;
  return false;
}

static ta_level aligned(const ta_state *state, uint32_t piece, ta_level level) {
  ta_level alignment = state->alignment[piece];
  if (alignment == 1) return level;
  ta_level rest = level % alignment;
  return rest == 0 ? level : level + (alignment - rest);
}

static uint64_t piece_height(const ta_state *state, uint32_t piece, uint64_t level) {
  return (level + state->size[piece]) * state->part->unit - state->part->pieces[piece].pad;
}

static void set_floor(ta_state *state, uint32_t section, ta_level floor, uint32_t support) {
  state->floor[section] = floor;
  state->support[section] = support;
  state->stale[section / TA_BLOCK] = 1;
}

static ta_level lowest_of(const ta_state *state, uint32_t from, uint32_t to) {
  ta_level lowest = TA_CLOSED;
  for (uint32_t s = from; s < to; s++) {
    if (state->floor[s] < lowest) lowest = state->floor[s];
  }
  return lowest;
}

ta_level ta_state_lowest(ta_state *state, uint32_t from, uint32_t to) {
  ta_level lowest = TA_CLOSED;
  while (from < to) {
    uint32_t block = from / TA_BLOCK, end = (block + 1) * TA_BLOCK;
    ta_level here;
    if (from % TA_BLOCK != 0 || end > to) {
      if (end > to) end = to;
      here = lowest_of(state, from, end);
    } else {
      if (state->stale[block]) state->block[block] = lowest_of(state, from, end);
      state->stale[block] = 0;
      here = state->block[block];
    }
    if (here < lowest) lowest = here;
    from = end;
  }
  return lowest;
}

/* The floor of a section that has none: the least `low` of its pieces. */
static bool find_floor(ta_state *state, uint32_t section) {
  ta_level floor = TA_CLOSED;
  uint32_t support = 0;
  const uint32_t *members = state->members + state->list[section];
  for (uint32_t i = 0; i < state->live[section]; i++) {
    ta_level low = state->low[members[i]];
    if (low < floor) {
      floor = low;
      support = 1;
    } else {
      support += low == floor;
    }
  }
  if (!note(state, TA_CHANGE_FLOOR, section, state->floor[section], 0)) return false;
  set_floor(state, section, floor, support);
  if (floor == TA_CLOSED || floor + state->total[section] <= state->ceiling[section]) return true;
  return fail_section(state, section, ta_section_height(state, section, floor));
}

static bool find_floors(ta_state *state) {
  bool good = true;
  for (uint32_t i = 0; i < state->n_dirty && good; i++) good = find_floor(state, state->dirty[i]);
  state->n_dirty = 0;
  return good;
}

static void lose_support(ta_state *state, uint32_t section) {
  if (--state->support[section] == 0) state->dirty[state->n_dirty++] = section;
}

/* The piece goes no lower than `level`. Floors are left to find_floors. */
static bool raise(ta_state *state, uint32_t piece, ta_level level, uint32_t kind) {
  ta_level old = state->low[piece];
  if (level <= old) return true;
  const ta_piece *p = &state->part->pieces[piece];
  if (p->fixed != TA_NO_UNITS) return fail_piece(state, piece, TA_NEVER);
  level = aligned(state, piece, level);
  if (!note(state, kind, piece, old, state->last_change[piece])) return false;
  state->last_change[piece] = state->n_trail - 1;
  state->low[piece] = level;
  for (uint32_t s = p->from; s < p->to; s++) {
    if (state->floor[s] == old) lose_support(state, s);
  }
  if (level + state->size[piece] <= state->limit[piece]) return true;
  return fail_piece(state, piece, piece_height(state, piece, level));
}

static void leave_section(ta_state *state, uint32_t piece, uint32_t section) {
  uint32_t *members = state->members + state->list[section];
  uint32_t *slot = &state->slots[state->cell[piece] + section - state->part->pieces[piece].from];
  uint32_t last = members[--state->live[section]];
  uint32_t *last_slot = &state->slots[state->cell[last] + section - state->part->pieces[last].from];
  uint32_t swap = *slot;
  members[*slot] = last;
  members[*last_slot] = piece;
  *slot = *last_slot;
  *last_slot = swap;
  state->total[section] -= state->size[piece];
}

/* Raises every unplaced piece that lives with this one to `level`. */
static bool raise_neighbours(ta_state *state, const ta_piece *p, ta_level level) {
  const uint32_t *members = state->members + state->list[p->from];
  for (uint32_t i = 0; i < state->live[p->from]; i++) {
    if (!raise(state, members[i], level, TA_CHANGE_LOW)) return false;
  }
  for (uint32_t i = state->part->starts[p->from + 1]; i < state->part->starts[p->to]; i++) {
    if (!state->placed[i] && !raise(state, i, level, TA_CHANGE_LOW)) return false;
  }
  return true;
}

bool ta_state_place(ta_state *state, uint32_t piece) {
  const ta_piece *p = &state->part->pieces[piece];
  ta_level level = state->low[piece];
  if (!note(state, TA_CHANGE_PLACED, piece, 0, 0)) return false;
  state->placed[piece] = 1;
  state->placer[piece] = state->frame;
  for (uint32_t s = p->from; s < p->to; s++) {
    leave_section(state, piece, s);
    if (state->floor[s] == level) lose_support(state, s);
  }
  for (uint32_t s = p->from; s + 1 < p->to; s++) state->crossing[s]--;
  if (raise_neighbours(state, p, level + state->size[piece]) && find_floors(state)) return true;
  state->n_dirty = 0;
  return false;
}

bool ta_state_raise_section(ta_state *state, uint32_t section, ta_level level) {
  const uint32_t *members = state->members + state->list[section];
  for (uint32_t i = 0; i < state->live[section]; i++) {
    if (!raise(state, members[i], level, TA_CHANGE_RAISED)) {
      state->n_dirty = 0;
      return false;
    }
  }
  return find_floors(state);
}

static void undo_placed(ta_state *state, uint32_t piece) {
  const ta_piece *p = &state->part->pieces[piece];
  state->placed[piece] = 0;
  for (uint32_t s = p->from; s < p->to; s++) { /* it stands right behind the unplaced */
    state->live[s]++;
    state->total[s] += state->size[piece];
    if (state->floor[s] == state->low[piece]) state->support[s]++;
  }
  for (uint32_t s = p->from; s + 1 < p->to; s++) state->crossing[s]++;
}

static void undo_low(ta_state *state, const ta_change *change) {
  const ta_piece *p = &state->part->pieces[change->index];
  state->low[change->index] = change->old;
  state->last_change[change->index] = change->previous;
  for (uint32_t s = p->from; s < p->to; s++) {
    if (state->floor[s] == change->old) state->support[s]++;
  }
}

void ta_state_undo(ta_state *state, uint32_t mark) {
  while (state->n_trail > mark) {
    const ta_change *change = &state->trail[--state->n_trail];
    switch (change->kind) {
    case TA_CHANGE_LOW:
    case TA_CHANGE_RAISED:
      undo_low(state, change);
      break;
    case TA_CHANGE_FLOOR:
      set_floor(state, change->index, change->old, 0);
      break;
    default:
      undo_placed(state, change->index);
      break;
    }
  }
}

static void start_pieces(ta_state *state) {
  const ta_part *part = state->part;
  uint32_t cells = 0;
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    state->size[i] = p->size;
    state->alignment[i] = p->alignment;
    state->low[i] = p->fixed == TA_NO_UNITS ? 0 : p->fixed;
    state->limit[i] = (state->capacity + p->pad) / part->unit;
    state->last_change[i] = TA_NO_INDEX;
    state->placed[i] = 0;
    state->cell[i] = cells;
    cells += p->to - p->from;
  }
}

static void start_sections(ta_state *state) {
  const ta_part *part = state->part;
  for (uint32_t s = 0; s < part->sections; s++) {
    state->total[s] = state->live[s] = state->crossing[s] = 0;
    state->pad[s] = 0;
  }
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    for (uint32_t s = p->from; s < p->to; s++) {
      state->slots[state->cell[i] + s - p->from] = state->live[s]++;
      state->total[s] += state->size[i];
      state->crossing[s] += s + 1 < p->to;
      if (p->pad > state->pad[s]) state->pad[s] = p->pad;
    }
  }
  uint32_t at = 0;
  for (uint32_t s = 0; s < part->sections; s++) {
    state->list[s] = at;
    state->lived[s] = state->live[s];
    at += state->live[s];
    state->ceiling[s] = (state->capacity + state->pad[s]) / part->unit;
    set_floor(state, s, TA_CLOSED, 0);
  }
  for (uint32_t i = 0; i < part->n; i++) {
    const ta_piece *p = &part->pieces[i];
    for (uint32_t s = p->from; s < p->to; s++) {
      state->members[state->list[s] + state->slots[state->cell[i] + s - p->from]] = i;
    }
  }
}

bool ta_state_start(ta_state *state, uint64_t capacity) {
  state->capacity = capacity;
  state->n_trail = state->n_dirty = 0;
  start_pieces(state);
  start_sections(state);
  for (uint32_t s = 0; s < state->part->sections; s++) {
    if (!find_floor(state, s)) return false;
  }
  state->n_trail = 0;
  for (uint32_t i = 0; i < state->part->n; i++) {
    if (state->low[i] + state->size[i] > state->limit[i]) {
      return fail_piece(state, i, piece_height(state, i, state->low[i]));
    }
  }
  return true;
}

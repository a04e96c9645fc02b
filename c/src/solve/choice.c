#include "solve/choice.h"

enum { MOST_BLOCKS = 8 };

/* How good a section is to decide next: the lowest score is taken, of equal ones the first. */
typedef struct score {
  uint64_t first, second;
} score;

static score score_of(const ta_search *s, uint32_t section, ta_level slack) {
  const ta_state *state = &s->state;
  uint64_t options = (uint64_t)state->support[section] * 2 + (slack != 0);
  switch (s->pick) {
  case TA_PICK_TIGHT:
    return (score){slack, state->support[section]};
  case TA_PICK_LEFT:
    return (score){options, 0};
  case TA_PICK_CROWDED:
    return (score){UINT32_MAX - state->live[section], slack};
  default:
    return (score){options, slack};
  }
}

/* Looks at the lowest sections of the first few blocks that have one. */
bool ta_choose_section(ta_search *s, ta_choice_frame *f) {
  ta_state *state = &s->state;
  ta_level lowest = ta_state_lowest(state, f->where.from, f->where.to);
  f->level = lowest;
  if (lowest == TA_CLOSED) return false;
  score best = {UINT64_MAX, UINT64_MAX};
  uint32_t blocks = 0, end;
  for (uint32_t from = f->where.from; from < f->where.to && blocks < MOST_BLOCKS; from = end) {
    end = (from / TA_BLOCK + 1) * TA_BLOCK;
    if (end > f->where.to) end = f->where.to;
    if (ta_state_lowest(state, from, end) != lowest) continue;
    blocks++;
    for (uint32_t at = from; at < end; at++) {
      if (state->floor[at] != lowest) continue;
      score now = score_of(s, at, state->ceiling[at] - lowest - state->total[at]);
      if (now.first > best.first || (now.first == best.first && now.second >= best.second)) continue;
      best = now;
      f->section = at;
    }
  }
  return true;
}

static bool before(const ta_search *s, uint32_t a, uint32_t b) {
  return s->worth[a] != s->worth[b] ? s->worth[a] > s->worth[b] : a < b;
}

bool ta_find_choices(ta_search *s, ta_choice_frame *f) {
  const ta_state *state = &s->state;
  uint32_t at = f->section;
  uint32_t *choices =
      ta_search_grow(s, s->choices, &s->choice_capacity, s->n_choices, state->live[at] + 1, sizeof(uint32_t));
  if (!choices) return false;
  s->choices = choices;
  f->choice_from = f->next = s->n_choices;
  const uint32_t *members = state->members + state->list[at];
  for (uint32_t i = 0; i < state->live[at]; i++) {
    uint32_t piece = members[i];
    if (state->low[piece] != f->level) continue;
    uint32_t twin = s->part->pieces[piece].twin;
    if (RULE(s, SYMMETRY) && twin != TA_NO_INDEX && !state->placed[twin]) continue;
    uint32_t to = s->n_choices++;
    while (to > f->choice_from && before(s, piece, s->choices[to - 1])) {
      s->choices[to] = s->choices[to - 1];
      to--;
    }
    s->choices[to] = piece;
  }
  s->choices[s->n_choices++] = TA_NO_INDEX; /* nothing lies on the floor */
  f->choice_to = s->n_choices;
  return true;
}

/* The level below which no piece of the section can go when none lies on its floor. Those that could lie
 * there would then rest on something else: the end of another unplaced piece, not of this section, that
 * lives with one of them. TA_CLOSED: there is no such thing. */
static ta_level next_level(const ta_search *s, const ta_choice_frame *f) {
  const ta_state *state = &s->state;
  const ta_part *part = s->part;
  uint32_t at = f->section, from = at, to = at + 1;
  ta_level next = TA_CLOSED;
  const uint32_t *members = state->members + state->list[at];
  for (uint32_t i = 0; i < state->live[at]; i++) {
    uint32_t piece = members[i];
    if (state->low[piece] != f->level) {
      if (state->low[piece] < next) next = state->low[piece];
      continue;
    }
    if (part->pieces[piece].from < from) from = part->pieces[piece].from;
    if (part->pieces[piece].to > to) to = part->pieces[piece].to;
  }
  if (!RULE(s, SUPPORT)) return f->level + 1;
  members = state->members + state->list[from];
  for (uint32_t i = 0; i < state->live[from]; i++) {
    ta_level end = state->low[members[i]] + state->size[members[i]];
    if (part->pieces[members[i]].to <= at && end < next) next = end;
  }
  for (uint32_t i = part->starts[from + 1]; i < part->starts[to]; i++) {
    if (state->placed[i] || (part->pieces[i].from <= at && part->pieces[i].to > at)) continue;
    ta_level end = state->low[i] + state->size[i];
    if (end < next) next = end;
  }
  return next;
}

/* After the floor was raised: whether a piece that could have lain on it now has room to be slid under. */
static bool leaves_hole(const ta_search *s, const ta_choice_frame *f) {
  const ta_state *state = &s->state;
  for (uint32_t i = f->choice_from; i + 1 < f->choice_to; i++) {
    uint32_t piece = s->choices[i];
    ta_level end = f->level + state->size[piece];
    const ta_piece *p = &s->part->pieces[piece];
    uint32_t at = p->from;
    while (at < p->to && state->floor[at] >= end) at++;
    if (at == p->to) return true;
  }
  return false;
}

/* The sections on which it rests how far next_level raises the floor: those of the pieces that could lie on
 * it, and of all unplaced pieces that live with them. */
static void note_why(ta_search *s, const ta_choice_frame *f) {
  const ta_state *state = &s->state;
  uint32_t from = f->section, to = from + 1;
  for (uint32_t i = f->choice_from; i + 1 < f->choice_to; i++) {
    const ta_piece *p = &s->part->pieces[s->choices[i]];
    if (p->from < from) from = p->from;
    if (p->to > to) to = p->to;
  }
  ta_blame_reach *reach = &s->blamer.reach[state->frame];
  reach->why_from = from;
  reach->why_to = to;
  const uint32_t *members = state->members + state->list[from];
  for (uint32_t i = 0; i < state->live[from]; i++) {
    const ta_piece *p = &s->part->pieces[members[i]];
    if (p->from < reach->why_from) reach->why_from = p->from;
    if (p->to > reach->why_to) reach->why_to = p->to;
  }
  for (uint32_t i = s->part->starts[from + 1]; i < s->part->starts[to]; i++) {
    if (!state->placed[i] && s->part->pieces[i].to > reach->why_to) reach->why_to = s->part->pieces[i].to;
  }
}

bool ta_leave_floor_empty(ta_search *s, const ta_choice_frame *f, uint64_t *needs) {
  ta_blame *now = &s->blamer.now;
  uint64_t height = ta_section_height(&s->state, f->section, (uint64_t)f->level + 1);
  if (height > s->state.capacity) { /* it is full to the last unit: whoever made the floor */
    *needs = height;
    return false;
  }
  ta_level next = next_level(s, f);
  if (RULE(s, BACKJUMP)) {
    if (s->state.frame < s->blamer.frames) note_why(s, f);
    ta_blame_raise(&s->blamer, now, s->state.frame);
  }
  *needs = TA_NEVER;
  if (next == TA_CLOSED) return false;
  if (next + s->state.total[f->section] > s->state.ceiling[f->section]) {
    *needs = ta_section_height(&s->state, f->section, next);
    return false;
  }
  if (!ta_state_raise_section(&s->state, f->section, next)) {
    *needs = s->state.failed_height;
    if (!now->all) ta_blame_failure(s);
    return false;
  }
  return !(RULE(s, DOMINANCE) && leaves_hole(s, f));
}

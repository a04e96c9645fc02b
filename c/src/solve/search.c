#include <string.h>

#include "solve/choice.h"

enum { MOST_HASHED = 4096 };

void *ta_search_grow(ta_search *s, void *array, uint32_t *capacity, uint32_t used, uint32_t more,
                     size_t size) {
  if (*capacity - used >= more) return array;
  uint32_t wanted = *capacity * 2 > used + more ? *capacity * 2 : used + more;
  void *longer = ta_region_take(s->region, wanted, size);
  if (!longer) return NULL;
  memcpy(longer, array, used * size);
  *capacity = wanted;
  return longer;
}

ta_search *ta_search_new(ta_region *region, const ta_part *part, uint32_t rules, ta_nogoods *nogoods) {
  ta_search *s = TA_TAKE(region, 1, ta_search);
  if (!s || !ta_state_new(&s->state, region, part, rules)) return NULL;
  if (!ta_blamer_new(&s->blamer, region, &s->state)) return NULL;
  s->region = region;
  s->part = part;
  s->nogoods = nogoods;
  s->worth = TA_TAKE(region, part->n, uint64_t);
  s->frame_capacity = s->todo_capacity = s->choice_capacity = part->n + 16;
  s->frames = TA_TAKE(region, s->frame_capacity, ta_choice_frame);
  s->todo = TA_TAKE(region, s->todo_capacity, ta_component);
  s->choices = TA_TAKE(region, s->choice_capacity, uint32_t);
  return s->worth && s->frames && s->todo && s->choices ? s : NULL;
}

/* A figure from 1024 to 1535 for the piece, the same for the same seed. */
static uint64_t noise(uint32_t seed, uint32_t piece) {
  uint64_t key[2] = {0, 0};
  ta_nogood_mix(key, seed, piece);
  return 1024 + (key[0] >> 40) % 512;
}

static void find_worths(ta_search *s, ta_strategy strategy) {
  for (uint32_t i = 0; i < s->part->n; i++) {
    const ta_piece *p = &s->part->pieces[i];
    uint64_t life = p->to - p->from;
    uint64_t worth = strategy.preference == TA_PREFER_LONG    ? life
                     : strategy.preference == TA_PREFER_LARGE ? p->size
                                                              : p->size * life;
    if (worth > UINT64_MAX >> 12) worth = UINT64_MAX >> 12;
    s->worth[i] = worth * (strategy.seed == 0 ? 1024 : noise(strategy.seed, i));
  }
}

static void return_to(ta_search *s, uint32_t at) {
  const ta_choice_frame *f = &s->frames[at];
  ta_state_undo(&s->state, f->trail_mark);
  s->n_todo = f->todo_mark;
  s->n_frames = at + 1;
  s->n_choices = f->choice_to;
}

/* Whether the component's states are remembered: hashing takes as long as it has pieces. */
static bool remembers(const ta_search *s, ta_component where) {
  uint32_t pieces = s->part->starts[where.to] - s->part->starts[where.from];
  return RULE(s, NOGOODS) && pieces <= MOST_HASHED;
}

/* A component cannot keep to the capacity; blamer.now says why. Its parent tries its next choice, if its
 * present one is to blame; if not, it fails for the same reason, and so on. */
static void fail_component(ta_search *s, uint32_t parent, uint64_t needs) {
  ta_blame *now = &s->blamer.now;
  while (parent != TA_NO_INDEX) {
    ta_choice_frame *f = &s->frames[parent];
    return_to(s, parent);
    if (ta_blames(&s->blamer, now, parent)) {
      ta_blame_note(&s->blamer, parent);
      if (needs < f->needs) f->needs = needs;
      return;
    }
    if (remembers(s, f->where)) ta_nogoods_add(s->nogoods, f->key, needs);
    parent = f->where.parent;
  }
  s->outcome = TA_SEARCH_FAILED;
  s->needs = needs;
}

/* All choices of the newest frame have failed. What is on its floor was decided by those who made the floor:
 * who raised the pieces still to come, and who placed the others. */
static void fail_frame(ta_search *s) {
  uint32_t at = s->n_frames - 1;
  ta_choice_frame *f = &s->frames[at];
  ta_blame *now = &s->blamer.now;
  if (remembers(s, f->where)) ta_nogoods_add(s->nogoods, f->key, f->needs);
  const ta_blame *failures = ta_blame_failures(&s->blamer, at);
  now->all = failures->all || !RULE(s, BACKJUMP);
  if (!now->all) {
    ta_blame_clear(&s->blamer, now);
    ta_blame_join(&s->blamer, now, failures);
    ta_blame_floor(&s->blamer, now, f->section, at);
    ta_blame_placed(&s->blamer, now, f->section);
  }
  fail_component(s, f->where.parent, f->needs);
}

void ta_blame_failure(ta_search *s) {
  ta_blame *now = &s->blamer.now;
  if (s->state.failed_section != TA_NO_INDEX) {
    ta_blame_floor(&s->blamer, now, s->state.failed_section, s->state.frame);
  } else {
    ta_blame_low(&s->blamer, now, s->state.failed_piece);
  }
}

void ta_search_start(ta_search *s, uint64_t capacity, ta_strategy strategy) {
  s->pick = strategy.pick;
  find_worths(s, strategy);
  s->outcome = TA_SEARCH_RUNNING;
  s->n_frames = s->n_choices = 0;
  s->n_todo = 1;
  s->todo[0] = (ta_component){0, s->part->sections, TA_NO_INDEX};
  if (!ta_state_start(&s->state, capacity)) fail_component(s, TA_NO_INDEX, s->state.failed_height);
}

/* After a piece of the component was placed: the runs of its sections that unplaced pieces still join. Only
 * borders that the piece crossed can have come apart. */
static bool push_components(ta_search *s, ta_component where, const ta_piece *placed) {
  const ta_state *state = &s->state;
  ta_component *todo = ta_search_grow(s, s->todo, &s->todo_capacity, s->n_todo, placed->to - placed->from,
                                      sizeof(ta_component));
  if (!todo) return false;
  s->todo = todo;
  uint32_t from = where.from;
  for (uint32_t at = placed->from; at + 1 < placed->to && RULE(s, DECOMPOSE); at++) {
    if (state->crossing[at] != 0) continue;
    if (from < at || state->live[at] != 0) s->todo[s->n_todo++] = (ta_component){from, at + 1, where.parent};
    from = at + 1;
  }
  if (where.to - from > 1 || state->live[from] != 0) {
    s->todo[s->n_todo++] = (ta_component){from, where.to, where.parent};
  }
  return true;
}

static bool push_whole(ta_search *s, ta_component where) {
  ta_component *todo = ta_search_grow(s, s->todo, &s->todo_capacity, s->n_todo, 1, sizeof(ta_component));
  if (!todo) return false;
  s->todo = todo;
  s->todo[s->n_todo++] = where;
  return true;
}

static void find_key(const ta_search *s, ta_choice_frame *f) {
  f->key[0] = f->key[1] = 0;
  const ta_state *state = &s->state;
  for (uint32_t i = s->part->starts[f->where.from]; i < s->part->starts[f->where.to]; i++) {
    if (!state->placed[i]) ta_nogood_mix(f->key, i, state->low[i]);
  }
}

/* Blames who made a component what it is: who raised its unplaced pieces. */
static void blame_component(ta_search *s, ta_component where) {
  ta_blame *now = &s->blamer.now;
  now->all = !RULE(s, BACKJUMP);
  if (now->all) return;
  ta_blame_clear(&s->blamer, now);
  for (uint32_t i = s->part->starts[where.from]; i < s->part->starts[where.to]; i++) {
    if (!s->state.placed[i]) ta_blame_low(&s->blamer, now, i);
  }
}

static bool open_frame(ta_search *s) {
  ta_component where = s->todo[--s->n_todo];
  ta_choice_frame *frames =
      ta_search_grow(s, s->frames, &s->frame_capacity, s->n_frames, 1, sizeof(ta_choice_frame));
  if (!frames) return false;
  s->frames = frames;
  ta_choice_frame *f = &s->frames[s->n_frames];
  f->where = where;
  if (!ta_choose_section(s, f)) return true; /* nothing left in it */
  if (remembers(s, where)) {
    find_key(s, f);
    uint64_t needs = ta_nogoods_find(s->nogoods, f->key);
    if (needs > s->state.capacity) {
      blame_component(s, where);
      fail_component(s, where.parent, needs);
      return true;
    }
  }
  f->trail_mark = s->state.n_trail;
  f->todo_mark = s->n_todo;
  f->needs = TA_NEVER;
  if (!ta_find_choices(s, f)) return false;
  ta_blame_begin(&s->blamer, s->n_frames, where.parent);
  s->n_frames++;
  return true;
}

/* Nobody is to blame yet for what the choice will do. */
static void begin_blame(ta_search *s, const ta_choice_frame *f, uint32_t piece) {
  uint32_t at = s->state.frame;
  ta_blame_clear(&s->blamer, &s->blamer.now);
  s->blamer.now.all = ta_blame_failures(&s->blamer, at)->all || !RULE(s, BACKJUMP);
  if (at >= s->blamer.frames) return;
  const ta_piece *p = &s->part->pieces[piece == TA_NO_INDEX ? 0 : piece];
  s->blamer.reach[at].from = piece == TA_NO_INDEX ? f->section : p->from;
  s->blamer.reach[at].to = piece == TA_NO_INDEX ? f->section + 1 : p->to;
}

static bool try_choice(ta_search *s, ta_choice_frame *f) {
  uint32_t at = s->n_frames - 1, piece = s->choices[f->next++];
  ta_component where = f->where;
  uint64_t needs;
  bool good;
  where.parent = s->state.frame = at;
  s->nodes++;
  begin_blame(s, f, piece);
  if (piece == TA_NO_INDEX) {
    good = ta_leave_floor_empty(s, f, &needs);
  } else {
    good = ta_state_place(&s->state, piece);
    needs = s->state.failed_height;
    if (!good && !s->blamer.now.all) ta_blame_failure(s);
  }
  if (s->state.out_of_memory) return false;
  if (good && piece == TA_NO_INDEX) return push_whole(s, where);
  if (good) return push_components(s, where, &s->part->pieces[piece]);
  ta_blame_frame(&s->blamer, &s->blamer.now, at);
  fail_component(s, at, needs);
  return true;
}

/* The newest frame's component is open: its present choice has left nothing to do, or failed. */
static bool between_choices(const ta_search *s, const ta_choice_frame *f) {
  return s->n_todo == f->todo_mark && s->state.n_trail == f->trail_mark;
}

ta_outcome ta_search_run(ta_search *s, uint64_t max_nodes) {
  uint64_t end = s->nodes + max_nodes;
  while (s->outcome == TA_SEARCH_RUNNING) {
    ta_choice_frame *f = s->n_frames ? &s->frames[s->n_frames - 1] : NULL;
    if (!f || !between_choices(s, f)) {
      if (s->n_todo == 0) {
        s->outcome = TA_SEARCH_FOUND;
      } else if (!open_frame(s)) {
        return TA_SEARCH_MEMORY;
      }
    } else if (f->next == f->choice_to) {
      fail_frame(s);
    } else {
      if (s->nodes >= end) break;
      if (!try_choice(s, f)) return TA_SEARCH_MEMORY;
    }
  }
  return s->outcome;
}

uint64_t ta_search_nodes(const ta_search *s) {
  return s->nodes;
}
uint64_t ta_search_capacity(const ta_search *s) {
  return s->state.capacity;
}
uint64_t ta_search_needs(const ta_search *s) {
  return s->needs;
}
const ta_level *ta_search_levels(const ta_search *s) {
  return s->state.low;
}

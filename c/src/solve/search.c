#include "solve/search.h"

#include <string.h>

#include "solve/blame.h"

enum { MOST_BLOCKS = 8, MOST_HASHED = 4096 };

typedef struct component {
  uint32_t from, to; /* sections */
  uint32_t parent;   /* the frame whose choice made it */
} component;

typedef struct frame {
  component where;
  uint32_t section;
  ta_level level;
  uint32_t trail_mark, todo_mark;
  uint32_t choice_from, choice_to, next; /* its pieces in `choices` */
  uint64_t needs;                        /* the least height of all choices tried so far */
  uint64_t key[2];
} frame;

struct ta_search {
  ta_region *region;
  const ta_part *part;
  ta_nogoods *nogoods;
  ta_state state;
  ta_blamer blamer;
  ta_pick pick;
  uint64_t *worth; /* of each piece: the highest is tried first */
  uint64_t nodes;
  uint64_t needs;
  ta_outcome outcome;

  frame *frames;
  uint32_t n_frames, frame_capacity;
  component *todo;
  uint32_t n_todo, todo_capacity;
  uint32_t *choices;
  uint32_t n_choices, choice_capacity;
};

#define RULE(search, name) (((search)->state.rules & TA_RULE_##name) != 0)

static bool grow(ta_search *s, void **array, uint32_t *capacity, uint32_t used, uint32_t more, size_t size) {
  if (*capacity - used >= more) return true;
  uint32_t wanted = *capacity * 2 > used + more ? *capacity * 2 : used + more;
  void *longer = ta_region_take(s->region, wanted, size);
  if (!longer) return false;
  memcpy(longer, *array, used * size);
  *array = longer;
  *capacity = wanted;
  return true;
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
  s->frames = TA_TAKE(region, s->frame_capacity, frame);
  s->todo = TA_TAKE(region, s->todo_capacity, component);
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
  const frame *f = &s->frames[at];
  ta_state_undo(&s->state, f->trail_mark);
  s->n_todo = f->todo_mark;
  s->n_frames = at + 1;
  s->n_choices = f->choice_to;
}

/* Whether the component's states are remembered: hashing takes as long as it has pieces. */
static bool remembers(const ta_search *s, component where) {
  uint32_t pieces = s->part->starts[where.to] - s->part->starts[where.from];
  return RULE(s, NOGOODS) && pieces <= MOST_HASHED;
}

/* A component cannot keep to the capacity; blamer.now says why. Its parent tries its next choice, if its
 * present one is to blame; if not, it fails for the same reason, and so on. */
static void fail_component(ta_search *s, uint32_t parent, uint64_t needs) {
  ta_blame *now = &s->blamer.now;
  while (parent != TA_NO_INDEX) {
    frame *f = &s->frames[parent];
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
  frame *f = &s->frames[at];
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

/* Blames who made a piece or a section too high, as the state has noted it. */
static void blame_state(ta_search *s) {
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
  s->todo[0] = (component){0, s->part->sections, TA_NO_INDEX};
  if (!ta_state_start(&s->state, capacity)) fail_component(s, TA_NO_INDEX, s->state.failed_height);
}

/* After a piece of the component was placed: the runs of its sections that unplaced pieces still join. Only
 * borders that the piece crossed can have come apart. */
static bool push_components(ta_search *s, component where, const ta_piece *placed) {
  const ta_state *state = &s->state;
  if (!grow(s, (void **)&s->todo, &s->todo_capacity, s->n_todo, placed->to - placed->from, sizeof(component)))
    return false;
  uint32_t from = where.from;
  for (uint32_t at = placed->from; at + 1 < placed->to && RULE(s, DECOMPOSE); at++) {
    if (state->crossing[at] != 0) continue;
    if (from < at || state->live[at] != 0) s->todo[s->n_todo++] = (component){from, at + 1, where.parent};
    from = at + 1;
  }
  if (where.to - from > 1 || state->live[from] != 0) {
    s->todo[s->n_todo++] = (component){from, where.to, where.parent};
  }
  return true;
}

static bool push_whole(ta_search *s, component where) {
  if (!grow(s, (void **)&s->todo, &s->todo_capacity, s->n_todo, 1, sizeof(component))) return false;
  s->todo[s->n_todo++] = where;
  return true;
}

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
static bool choose_section(ta_search *s, frame *f) {
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

static void find_key(const ta_search *s, frame *f) {
  f->key[0] = f->key[1] = 0;
  const ta_state *state = &s->state;
  for (uint32_t i = s->part->starts[f->where.from]; i < s->part->starts[f->where.to]; i++) {
    if (!state->placed[i]) ta_nogood_mix(f->key, i, state->low[i]);
  }
}

static bool before(const ta_search *s, uint32_t a, uint32_t b) {
  return s->worth[a] != s->worth[b] ? s->worth[a] > s->worth[b] : a < b;
}

static bool find_choices(ta_search *s, frame *f) {
  const ta_state *state = &s->state;
  uint32_t at = f->section;
  if (!grow(s, (void **)&s->choices, &s->choice_capacity, s->n_choices, state->live[at] + 1,
            sizeof(uint32_t)))
    return false;
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
static ta_level next_level(const ta_search *s, const frame *f) {
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
static bool leaves_hole(const ta_search *s, const frame *f) {
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
static void note_why(ta_search *s, const frame *f) {
  const ta_state *state = &s->state;
  uint32_t from = f->section, to = from + 1;
  for (uint32_t i = f->choice_from; i + 1 < f->choice_to; i++) {
    const ta_piece *p = &s->part->pieces[s->choices[i]];
    if (p->from < from) from = p->from;
    if (p->to > to) to = p->to;
  }
  ta_reach *reach = &s->blamer.reach[state->frame];
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

/* Leaves the floor empty. When that fails, blamer.now says why. */
static bool raise_floor(ta_search *s, const frame *f, uint64_t *needs) {
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
    if (!now->all) blame_state(s);
    return false;
  }
  return !(RULE(s, DOMINANCE) && leaves_hole(s, f));
}

/* Blames who made a component what it is: who raised its unplaced pieces. */
static void blame_component(ta_search *s, component where) {
  ta_blame *now = &s->blamer.now;
  now->all = !RULE(s, BACKJUMP);
  if (now->all) return;
  ta_blame_clear(&s->blamer, now);
  for (uint32_t i = s->part->starts[where.from]; i < s->part->starts[where.to]; i++) {
    if (!s->state.placed[i]) ta_blame_low(&s->blamer, now, i);
  }
}

static bool open_frame(ta_search *s) {
  component where = s->todo[--s->n_todo];
  if (!grow(s, (void **)&s->frames, &s->frame_capacity, s->n_frames, 1, sizeof(frame))) return false;
  frame *f = &s->frames[s->n_frames];
  f->where = where;
  if (!choose_section(s, f)) return true; /* nothing left in it */
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
  if (!find_choices(s, f)) return false;
  ta_blame_begin(&s->blamer, s->n_frames, where.parent);
  s->n_frames++;
  return true;
}

/* Nobody is to blame yet for what the choice will do. */
static void begin_blame(ta_search *s, const frame *f, uint32_t piece) {
  uint32_t at = s->state.frame;
  ta_blame_clear(&s->blamer, &s->blamer.now);
  s->blamer.now.all = ta_blame_failures(&s->blamer, at)->all || !RULE(s, BACKJUMP);
  if (at >= s->blamer.frames) return;
  const ta_piece *p = &s->part->pieces[piece == TA_NO_INDEX ? 0 : piece];
  s->blamer.reach[at].from = piece == TA_NO_INDEX ? f->section : p->from;
  s->blamer.reach[at].to = piece == TA_NO_INDEX ? f->section + 1 : p->to;
}

static bool try_choice(ta_search *s, frame *f) {
  uint32_t at = s->n_frames - 1, piece = s->choices[f->next++];
  component where = f->where;
  uint64_t needs;
  bool good;
  where.parent = s->state.frame = at;
  s->nodes++;
  begin_blame(s, f, piece);
  if (piece == TA_NO_INDEX) {
    good = raise_floor(s, f, &needs);
  } else {
    good = ta_state_place(&s->state, piece);
    needs = s->state.failed_height;
    if (!good && !s->blamer.now.all) blame_state(s);
  }
  if (s->state.out_of_memory) return false;
  if (good && piece == TA_NO_INDEX) return push_whole(s, where);
  if (good) return push_components(s, where, &s->part->pieces[piece]);
  ta_blame_frame(&s->blamer, &s->blamer.now, at);
  fail_component(s, at, needs);
  return true;
}

/* The newest frame's component is open: its present choice has left nothing to do, or failed. */
static bool between_choices(const ta_search *s, const frame *f) {
  return s->n_todo == f->todo_mark && s->state.n_trail == f->trail_mark;
}

ta_outcome ta_search_run(ta_search *s, uint64_t max_nodes) {
  uint64_t end = s->nodes + max_nodes;
  while (s->outcome == TA_SEARCH_RUNNING) {
    frame *f = s->n_frames ? &s->frames[s->n_frames - 1] : NULL;
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

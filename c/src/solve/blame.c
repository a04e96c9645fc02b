#include "solve/blame.h"

#include <string.h>

enum { MOST_WORDS = 64 };

static bool take_sets(ta_blame **sets, ta_region *region, uint32_t frames, uint32_t words) {
  *sets = TA_TAKE(region, frames, ta_blame);
  uint64_t *bits = TA_TAKE(region, (size_t)frames * words, uint64_t);
  if (!*sets || !bits) return false;
  for (uint32_t i = 0; i < frames; i++) (*sets)[i].bits = bits + (size_t)i * words;
  return true;
}

/* A search is seldom deeper than half as many frames again as there are pieces. */
bool ta_blamer_new(ta_blamer *blamer, ta_region *region, const ta_state *state) {
  uint32_t words = (state->part->n / 2 * 3) / 64 + 1;
  *blamer = (ta_blamer){.state = state, .words = words < MOST_WORDS ? words : MOST_WORDS};
  blamer->frames = blamer->words * 64;
  blamer->everyone.all = blamer->now.all = true;
  blamer->everyone.bits = TA_TAKE(region, blamer->words, uint64_t);
  blamer->now.bits = TA_TAKE(region, blamer->words, uint64_t);
  return blamer->everyone.bits && blamer->now.bits &&
         take_sets(&blamer->failures, region, blamer->frames, blamer->words) &&
         take_sets(&blamer->above, region, blamer->frames, blamer->words) &&
         (blamer->reach = TA_TAKE(region, blamer->frames, ta_blame_reach)) != NULL;
}

void ta_blame_clear(const ta_blamer *blamer, ta_blame *blame) {
  if (blame == &blamer->everyone) return;
  blame->all = false;
  memset(blame->bits, 0, blamer->words * sizeof *blame->bits);
}

void ta_blame_frame(const ta_blamer *blamer, ta_blame *blame, uint32_t frame) {
  if (frame >= blamer->frames) {
    blame->all = true;
  } else {
    blame->bits[frame / 64] |= UINT64_C(1) << frame % 64;
  }
}

bool ta_blames(const ta_blamer *blamer, const ta_blame *blame, uint32_t frame) {
  return blame->all || frame >= blamer->frames || (blame->bits[frame / 64] >> frame % 64 & 1);
}

void ta_blame_join(const ta_blamer *blamer, ta_blame *blame, const ta_blame *other) {
  blame->all = blame->all || other->all;
  for (uint32_t i = 0; i < blamer->words; i++) blame->bits[i] |= other->bits[i];
}

void ta_blame_begin(ta_blamer *blamer, uint32_t frame, uint32_t parent) {
  if (frame >= blamer->frames) return;
  ta_blame *above = &blamer->above[frame];
  ta_blame_clear(blamer, &blamer->failures[frame]);
  ta_blame_clear(blamer, above);
  blamer->reach[frame].parent = parent;
  if (parent == TA_NO_INDEX) return;
  ta_blame_join(blamer, above, &blamer->above[parent]);
  ta_blame_frame(blamer, above, parent);
}

void ta_blame_raise(ta_blamer *blamer, ta_blame *blame, uint32_t frame) {
  if (frame >= blamer->frames) blame->all = true;
  if (blame->all) return;
  uint32_t from = blamer->reach[frame].why_from, to = blamer->reach[frame].why_to;
  for (uint32_t at = blamer->reach[frame].parent; at != TA_NO_INDEX; at = blamer->reach[at].parent) {
    const ta_blame_reach *reach = &blamer->reach[at];
    if (reach->from >= to || reach->to <= from || ta_blames(blamer, blame, at)) continue;
    ta_blame_frame(blamer, blame, at);
  }
}

void ta_blame_low(ta_blamer *blamer, ta_blame *blame, uint32_t piece) {
  const ta_change *trail = blamer->state->trail;
  uint32_t next;
  for (uint32_t at = blamer->state->last_change[piece]; at != TA_NO_INDEX; at = next) {
    uint32_t frame = trail[at].frame;
    next = trail[at].previous;
    if (frame >= blamer->frames) {
      blame->all = true;
      return;
    }
    uint64_t bit = UINT64_C(1) << frame % 64;
    bool known = (blame->bits[frame / 64] & bit) != 0;
    blame->bits[frame / 64] |= bit;
    if (trail[at].kind == TA_CHANGE_RAISED && !known) ta_blame_raise(blamer, blame, frame);
  }
}

/* Whether everyone above the frame is to blame already. */
static bool is_complete(const ta_blamer *blamer, const ta_blame *blame, uint32_t frame) {
  const uint64_t *above = blamer->above[frame].bits;
  uint64_t missing = 0;
  for (uint32_t i = 0; i < blamer->words; i++) missing |= above[i] & ~blame->bits[i];
  return missing == 0;
}

void ta_blame_floor(ta_blamer *blamer, ta_blame *blame, uint32_t section, uint32_t frame) {
  const ta_state *state = blamer->state;
  const uint32_t *members = state->members + state->list[section];
  if (frame >= blamer->frames) blame->all = true;
  for (uint32_t i = 0; i < state->live[section] && !blame->all; i++) {
    ta_blame_low(blamer, blame, members[i]);
    if (is_complete(blamer, blame, frame)) blame->all = true;
  }
}

void ta_blame_placed(ta_blamer *blamer, ta_blame *blame, uint32_t section) {
  const ta_state *state = blamer->state;
  const uint32_t *members = state->members + state->list[section];
  for (uint32_t i = state->live[section]; i < state->lived[section]; i++) {
    ta_blame_frame(blamer, blame, state->placer[members[i]]);
  }
}

static void forgive(const ta_blamer *blamer, ta_blame *blame, uint32_t frame) {
  if (frame < blamer->frames) blame->bits[frame / 64] &= ~(UINT64_C(1) << frame % 64);
}

void ta_blame_note(ta_blamer *blamer, uint32_t frame) {
  if (frame >= blamer->frames) return;
  ta_blame *failures = &blamer->failures[frame];
  forgive(blamer, &blamer->now, frame);
  ta_blame_join(blamer, failures, &blamer->now);
  if (is_complete(blamer, failures, frame)) failures->all = true;
}

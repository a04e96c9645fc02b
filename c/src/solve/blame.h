/* Why something failed: the set of frames (choices on the search's stack) that together make it fail,
 * whatever the others chose. A frame that is not in the set has no other choice worth trying.
 *
 * What is blamed rests on this: an unplaced piece lies at its `low` or higher because of the choices that
 * raised it, each of which the trail still has, and of no others. */
#ifndef TA_SOLVE_BLAME_H
#define TA_SOLVE_BLAME_H

#include "solve/search_state.h"

typedef struct ta_blame {
  uint64_t *bits; /* one a frame */
  bool all;       /* every frame is to blame */
} ta_blame;

/* What a frame's present choice has to do with. */
typedef struct ta_blame_reach {
  uint32_t parent;   /* the frame under whose choice it stands */
  uint32_t from, to; /* the sections of the piece that it placed, or the section whose floor it left empty */
  uint32_t why_from, why_to; /* that floor rose as far as it did because of what lies in these sections */
} ta_blame_reach;

typedef struct ta_blamer {
  const ta_state *state;
  uint32_t words;        /* of each set of bits */
  uint32_t frames;       /* that have bits; those past them are blamed as `all` */
  ta_blame *failures;    /* of each frame: who has failed its choices so far */
  ta_blame everyone;     /* stands for it where a frame has none */
  ta_blame *above;       /* of each frame: its parent, its parent's, and so on */
  ta_blame_reach *reach; /* of each frame's present choice */
  ta_blame now;          /* of the failure that is being dealt with */
} ta_blamer;

/* False: out of memory. */
bool ta_blamer_new(ta_blamer *blamer, ta_region *region, const ta_state *state);

static inline ta_blame *ta_blame_failures(ta_blamer *blamer, uint32_t frame) {
  return frame < blamer->frames ? &blamer->failures[frame] : &blamer->everyone;
}

/* A frame begins under `parent` (TA_NO_INDEX: none). */
void ta_blame_begin(ta_blamer *blamer, uint32_t frame, uint32_t parent);

/* One more choice of the frame has failed, because of blamer->now. When everyone above is to blame, that is
 * noted, and why its further choices fail need not be found out. */
void ta_blame_note(ta_blamer *blamer, uint32_t frame);

void ta_blame_clear(const ta_blamer *blamer, ta_blame *blame);
void ta_blame_frame(const ta_blamer *blamer, ta_blame *blame, uint32_t frame);
bool ta_blames(const ta_blamer *blamer, const ta_blame *blame, uint32_t frame);
void ta_blame_join(const ta_blamer *blamer, ta_blame *blame, const ta_blame *other);

/* Those who raised the piece to where it is. */
void ta_blame_low(ta_blamer *blamer, ta_blame *blame, uint32_t piece);
/* Those on whom it rests that the frame, which left its floor empty, raised it so far: whoever decided
 * anything in the sections [why_from, why_to). */
void ta_blame_raise(ta_blamer *blamer, ta_blame *blame, uint32_t frame);
/* Those who raised the section's unplaced pieces: `all`, when that is everyone above the frame. */
void ta_blame_floor(ta_blamer *blamer, ta_blame *blame, uint32_t section, uint32_t frame);
/* Those who placed the section's placed pieces. */
void ta_blame_placed(ta_blamer *blamer, ta_blame *blame, uint32_t section);

#endif

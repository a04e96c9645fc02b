/* The exact search in one part: is there a plan of at most `capacity` bytes? A depth-first search on an
 * explicit stack, run in slices.
 *
 * A node takes the lowest section (of a component: a run of sections that the others share no unplaced piece
 * with) and decides what lies on its floor: one of the pieces that can go no lower, or none of them, which
 * raises the floor. Every plan in which nothing can be moved down is met on exactly one such path. */
#ifndef TA_SOLVE_SEARCH_H
#define TA_SOLVE_SEARCH_H

#include "solve/nogoods.h"
#include "solve/search_state.h"

/* Which of the lowest sections a node decides. */
typedef enum ta_pick {
  TA_PICK_FEWEST = 0,  /* that with the fewest pieces for its floor */
  TA_PICK_TIGHT = 1,   /* that with the least room to spare */
  TA_PICK_LEFT = 2,    /* the fewest pieces; of equal ones the first in time */
  TA_PICK_CROWDED = 3, /* that with the most pieces still to come */
  TA_PICKS = 4
} ta_pick;

/* Which of the pieces is tried first on the floor. */
typedef enum ta_preference {
  TA_PREFER_LONG = 0,  /* the longest life */
  TA_PREFER_LARGE = 1, /* the largest size */
  TA_PREFER_AREA = 2,  /* size times life */
  TA_PREFERENCES = 3
} ta_preference;

typedef struct ta_strategy {
  ta_pick pick;
  ta_preference preference;
  uint32_t seed; /* 0: as the preference says; others change its figures by up to a half */
} ta_strategy;

typedef enum ta_outcome {
  TA_SEARCH_RUNNING,
  TA_SEARCH_FOUND,  /* every piece is placed */
  TA_SEARCH_FAILED, /* no plan: every plan needs at least `needs` bytes */
  TA_SEARCH_MEMORY
} ta_outcome;

typedef struct ta_search ta_search;

/* NULL: out of memory. `nogoods` may be shared by searches of the same part. */
ta_search *ta_search_new(ta_region *region, const ta_part *part, uint32_t rules, ta_nogoods *nogoods);

/* From the beginning. */
void ta_search_start(ta_search *search, uint64_t capacity, ta_strategy strategy);

ta_outcome ta_search_run(ta_search *search, uint64_t max_nodes);

uint64_t ta_search_nodes(const ta_search *search);
uint64_t ta_search_capacity(const ta_search *search);
uint64_t ta_search_needs(const ta_search *search);         /* FAILED */
const ta_level *ta_search_levels(const ta_search *search); /* FOUND: one a piece */

#endif

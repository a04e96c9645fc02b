/* The state of a search in one part: which pieces are placed, how low each of the others can still go, and a
 * trail by which every change is taken back. Placing goes from the lowest place up, so that what lies below
 * the unplaced pieces never changes any more. No memory is taken after ta_state_new but for a longer trail.
 */
#ifndef TA_SOLVE_SEARCH_STATE_H
#define TA_SOLVE_SEARCH_STATE_H

#include "solve/part.h"

typedef uint64_t ta_level; /* a height in the part's units */

#define TA_CLOSED UINT64_MAX /* the floor of a section that has no unplaced piece */
#define TA_BLOCK  64
#define TA_NEVER  UINT64_MAX /* a height in bytes: no plan at all */

typedef struct ta_change {
  uint32_t kind, index;
  ta_level old;
  uint32_t previous; /* LOW and RAISED: the piece's change before this one, or TA_NO_INDEX */
  uint32_t frame;    /* the search's frame that made it */
} ta_change;

/* A piece's `low`, because another was placed (LOW) or a floor was left empty (RAISED). */
enum { TA_CHANGE_LOW, TA_CHANGE_RAISED, TA_CHANGE_FLOOR, TA_CHANGE_PLACED };

typedef struct ta_state {
  ta_region *region; /* a longer trail comes from here */
  const ta_part *part;
  uint32_t rules;
  uint64_t capacity; /* bytes */

  /* of each piece */
  ta_level *size, *low; /* `low`: no plan that continues this state has the piece lower */
  ta_level *limit;      /* the highest end under the capacity */
  ta_level *alignment;
  uint32_t *last_change; /* the newest LOW change of each piece, or TA_NO_INDEX */
  uint32_t *cell;        /* where the piece's entries in `slots` begin */
  uint8_t *placed;
  uint32_t *placer; /* the frame that placed it */

  /* of each section */
  ta_level *floor;    /* the least `low` of its unplaced pieces */
  ta_level *block;    /* the least floor of each TA_BLOCK sections, where it is not stale */
  uint8_t *stale;     /* one a block */
  uint32_t *support;  /* how many of them have it */
  ta_level *total;    /* the sum of their sizes */
  ta_level *ceiling;  /* the highest end of the last of them under the capacity */
  uint64_t *pad;      /* bytes: the largest pad of a piece that lives here */
  uint32_t *live;     /* how many unplaced pieces live here */
  uint32_t *lived;    /* how many pieces in all */
  uint32_t *crossing; /* how many of them live in the next section too */
  uint32_t *list;     /* where the section's entries in `members` begin */

  uint32_t *members; /* each section's pieces, the unplaced first */
  uint32_t *slots;   /* of piece p in its section s: slots[cell[p] + s - from] is its place in `members` */

  uint32_t *dirty; /* sections whose floor has lost its support */
  uint32_t n_dirty;

  ta_change *trail;
  uint32_t n_trail, trail_capacity;
  bool out_of_memory;
  uint32_t frame; /* the search's present frame: set before a change is made */

  /* the last failure: which section or piece, and the height it needs */
  uint32_t failed_section, failed_piece;
  uint64_t failed_height;
} ta_state;

/* False: out of memory. */
bool ta_state_new(ta_state *state, ta_region *region, const ta_part *part, uint32_t rules);

/* Everything unplaced, under this capacity (bytes). False: it is too small already. */
bool ta_state_start(ta_state *state, uint64_t capacity);

/* Places the piece at its lowest place. False: some piece or section cannot keep to the capacity then. */
bool ta_state_place(ta_state *state, uint32_t piece);

/* No unplaced piece of the section goes below `level`. */
bool ta_state_raise_section(ta_state *state, uint32_t section, ta_level level);

/* Takes back every change from the trail's entry `mark` on. */
void ta_state_undo(ta_state *state, uint32_t mark);

/* The lowest floor of the sections [from, to). O(sections / TA_BLOCK), and the blocks that have changed. */
ta_level ta_state_lowest(ta_state *state, uint32_t from, uint32_t to);

/* The height in bytes that a section needs when its unplaced pieces start at `level`. */
static inline uint64_t ta_section_height(const ta_state *state, uint32_t section, uint64_t level) {
  return (level + state->total[section]) * state->part->unit - state->pad[section];
}

#endif

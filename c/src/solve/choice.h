/* A node of the search: which section it decides, what may lie on its floor, and what follows when nothing
 * does. The struct is shared by the files of the search, and by nobody else. */
#ifndef TA_SOLVE_CHOICE_H
#define TA_SOLVE_CHOICE_H

#include "solve/blame.h"
#include "solve/search.h"

typedef struct ta_component {
  uint32_t from, to; /* sections */
  uint32_t parent;   /* the frame whose choice made it */
} ta_component;

typedef struct ta_choice_frame {
  ta_component where;
  uint32_t section;
  ta_level level;
  uint32_t trail_mark, todo_mark;
  uint32_t choice_from, choice_to, next; /* its pieces in `choices` */
  uint64_t needs;                        /* the least height of all choices tried so far */
  uint64_t key[2];
} ta_choice_frame;

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

  ta_choice_frame *frames;
  uint32_t n_frames, frame_capacity;
  ta_component *todo;
  uint32_t n_todo, todo_capacity;
  uint32_t *choices;
  uint32_t n_choices, choice_capacity;
};

#define RULE(search, name) (((search)->state.rules & TA_RULE_##name) != 0)

/* An array of the search with room for `more` elements behind the `used`: the same, or a longer copy. NULL:
 * out of memory, the array stays. */
void *ta_search_grow(ta_search *s, void *array, uint32_t *capacity, uint32_t used, uint32_t more,
                     size_t size);

/* Blames who made a piece or a section too high, as the state has noted it. */
void ta_blame_failure(ta_search *s);

/* Fills in the frame's section and level. False: nothing of the component is left to place. */
bool ta_choose_section(ta_search *s, ta_choice_frame *f);

/* Lists the pieces that may lie on the floor, the best first, and after them TA_NO_INDEX: none. False: out of
 * memory. */
bool ta_find_choices(ta_search *s, ta_choice_frame *f);

/* Leaves the floor empty, which raises it. When that fails, *needs is the height that it needs, and
 * blamer.now says why. */
bool ta_leave_floor_empty(ta_search *s, const ta_choice_frame *f, uint64_t *needs);

#endif

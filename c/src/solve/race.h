/* Several searches of one part, taking turns by the nodes they have spent:
 *
 *   dives  start anew again and again, each with another strategy and few nodes, under capacities between
 *          the bound and the best plan's height. They find plans;
 *   below  one search at the lower bound. When it fails the bound rises to what it found to be needed;
 *   above  one search just below the best plan. When it fails the best plan is proved.
 *
 * They share what they learn: a state that fails needs its height whoever comes to it. */
#ifndef TA_SOLVE_RACE_H
#define TA_SOLVE_RACE_H

#include "solve/search.h"

typedef struct ta_race ta_race;

/* What is known of a part's plans, bytes; `levels` (units) is the best plan. */
typedef struct ta_known {
  uint64_t *levels;
  uint64_t height, bound;
} ta_known;

/* Whether the exact search can take the part on: its lists fit in memory, and a dive takes no minutes. */
bool ta_race_can(const ta_part *part);

/* NULL: out of memory. */
ta_race *ta_race_new(const ta_allocator *allocator, const ta_part *part, uint32_t rules);
void ta_race_free(ta_race *race);

/* Spends at most *nodes, which are counted down, to find a plan of at most `goal` bytes, or to prove that
 * there is none; comes back sooner when `known` has changed. With `decide`, nothing between the goal and the
 * present height is of interest. Errors: MEMORY, after which it may be called again. */
ta_status ta_race_run(ta_race *race, ta_known *known, uint64_t goal, bool decide, uint64_t *nodes,
                      ta_error *error);

#endif

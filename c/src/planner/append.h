/* Buffers one behind the other, nothing reused. */
#ifndef TA_PLANNER_APPEND_H
#define TA_PLANNER_APPEND_H

#include "planner/planner.h"

/* Gives every buffer of the arenas whose bits (1 << ta_arena_id) are set its place: the fixed ones theirs,
 * the others in order behind them all, each aligned. Those that share are left out. Sets the arenas' marks.
 * Errors, after which nothing has changed: LIMIT. */
ta_status ta_append_buffers(ta_planner *planner, uint32_t arenas, ta_error *error);

/* Those that share lie inside their roots: at the start, or where a row's alias says. */
void ta_place_sharers(ta_planner *planner);

#endif

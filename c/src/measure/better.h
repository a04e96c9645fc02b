/* Whether a better plan than a list's own is there for the asking. */
#ifndef TA_MEASURE_BETTER_H
#define TA_MEASURE_BETTER_H

#include "planner/planner.h"

/* ta_summary's better_bytes; kept in the planner. Costs what optimal's heuristics cost, once. Errors: MEMORY.
 */
ta_status ta_better_measure(ta_planner *planner, uint64_t *bytes, ta_error *error);

#endif

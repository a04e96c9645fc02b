/* Plans that are found at once, for parts of any length: the first ones that the search has to beat. */
#ifndef TA_SOLVE_HEURISTICS_H
#define TA_SOLVE_HEURISTICS_H

#include "solve/part.h"

/* Tries a portfolio and leaves the lowest plan in `levels` (units, one a piece) and its height in *height
 * (bytes). O(n log n), and for those that look at every pair of pieces that live together, as many steps as
 * there are pairs; where pairs are too many, or `bound` is reached, those are left out. Errors: LIMIT,
 * MEMORY. */
ta_status ta_place_greedily(const ta_part *part, const ta_allocator *allocator, uint64_t *levels,
                            uint64_t *height, ta_error *error);

#endif

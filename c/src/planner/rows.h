/* Runtime `none`: each row of a buffer list is a buffer; a view's bytes are its root's. */
#ifndef TA_PLANNER_ROWS_H
#define TA_PLANNER_ROWS_H

#include "planner/planner.h"

extern const ta_runtime ta_runtime_none;
extern const ta_planner_kind ta_planner_kind_rows_own;

/* What a buffer's offset must be a multiple of: the planner's alignment; for rows, together with the row's
 * own and what its views ask of it. */
uint64_t ta_placing_alignment(const ta_planner *planner, uint32_t buffer);

/* The offset that binds the buffer, from the list, for itself or through one of its views; TA_NO_OFFSET:
 * none.
 */
uint64_t ta_placing_fixed(const ta_planner *planner, uint32_t buffer);

/* The same, or what ta_planner_fix gave it instead. */
uint64_t ta_fixed_place(const ta_planner *planner, uint32_t buffer);

/* Whether all fixed places can be had together. Errors: ARGUMENT, MALFORMED (of a list's own), LIMIT, MEMORY.
 */
ta_status ta_check_fixed(const ta_planner *planner, ta_error *error);

#endif

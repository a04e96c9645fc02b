/* What LiteRT's own planner destroys: values that a node overwrites in place while others still read them,
 * and bytes that a node writes after the tensor's life. Listed among the planner's problems, as of now. */
#ifndef TA_PLANNER_LOSSES_H
#define TA_PLANNER_LOSSES_H

#include "graph/lives_tflite.h"
#include "planner/planner.h"

typedef struct ta_losses {
  ta_region region;  /* of the problems listed last */
  ta_problems other; /* the planner's problems without them */
} ta_losses;

/* When the planner has listed its other problems. Takes no memory. */
void ta_losses_begin(ta_losses *losses, const ta_planner *planner);

/* Lists them anew for the lives and sharers that the buffers have now, and sets planner->unsound. After a
 * failure the old list stands. O(tensors + listings). Errors: MEMORY. */
ta_status ta_losses_find(ta_losses *losses, ta_planner *planner, const ta_lives_tflite *lives,
                         ta_error *error);

void ta_losses_free(ta_losses *losses);

#endif

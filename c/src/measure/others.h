/* The arenas that a runtime has at the same time for the model's other subgraphs. */
#ifndef TA_MEASURE_OTHERS_H
#define TA_MEASURE_OTHERS_H

#include "planner/planner.h"

typedef struct ta_others {
  uint32_t subgraphs;
  uint64_t bytes; /* their arenas together, persistent ones too; TA_NO_OFFSET: not all can be planned */
} ta_others;

/* Plans each subgraph but the planner's own, by the runtime's own planner. None for a runtime that plans all
 * together and for what has one subgraph. Errors: MEMORY. */
ta_status ta_others_measure(const ta_planner *planner, ta_others *out, ta_error *error);

#endif

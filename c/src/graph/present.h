/* Lists in which every entry must be there. */
#ifndef TA_GRAPH_PRESENT_H
#define TA_GRAPH_PRESENT_H

#include "graph/graph.h"

/* Refuses a list of node `node` (TA_NO_INDEX: of the graph itself) in which an entry is absent. `what` is
 * what the list is one of. Errors: INDEX. */
ta_status ta_check_present(const ta_list *tensors, const char *what, uint32_t subgraph, uint32_t node,
                           ta_error *error);

#endif

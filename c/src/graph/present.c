#include "graph/present.h"

ta_status ta_check_present(const ta_list *tensors, const char *what, uint32_t subgraph, uint32_t node,
                           ta_error *error) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] >= 0) continue;
    if (node == TA_NO_INDEX) {
      return ta_fail_at(error, TA_E_INDEX, subgraph, node, TA_NO_INDEX,
                        "graph %s %u is -1: no place in this list can be absent; leave it out", what, i);
    }
    return ta_fail_at(error, TA_E_INDEX, subgraph, node, TA_NO_INDEX,
                      "node %u %s %u is -1: only inputs and outputs can be absent; leave it out", node, what,
                      i);
  }
  return TA_OK;
}

#include "planner/planner.h"

void ta_planner_marks(const ta_planner *planner, uint64_t *arena_bytes, uint64_t *persistent_bytes) {
  *arena_bytes = planner->arena_bytes;
  *persistent_bytes = planner->persistent_bytes;
}

uint32_t ta_planner_runtime(const ta_planner *planner) {
  return planner->options.runtime;
}

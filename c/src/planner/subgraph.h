/* What the TensorFlow Lite runtimes share: a plan is of one subgraph, its buffers are the subgraph's tensors,
 * and its steps are the subgraph's nodes. */
#ifndef TA_PLANNER_SUBGRAPH_H
#define TA_PLANNER_SUBGRAPH_H

#include "planner/planner.h"

static inline const ta_subgraph *ta_planned_subgraph(const ta_planner *planner) {
  return &planner->model->subgraphs[planner->options.subgraph];
}

/* ta_runtime's make_buffers for them. O(tensors + nodes). */
ta_status ta_make_subgraph_buffers(ta_planner *planner, ta_error *error);

/* The arena that a tensor of these bytes and this type is placed in. */
static inline uint8_t ta_arena_for(uint64_t bytes, uint32_t type) {
  if (bytes == 0) return TA_ARENA_NOT;
  if (type == TA_ARENA_RW) return TA_ARENA_RW_PLACE;
  return type == TA_ARENA_RW_PERSISTENT ? TA_ARENA_PERSISTENT_PLACE : TA_ARENA_NOT;
}

static inline bool ta_is_arena_type(uint32_t type) {
  return type == TA_ARENA_RW || type == TA_ARENA_RW_PERSISTENT;
}

static inline bool ta_is_placed(const ta_buffer *buffer) {
  return buffer->offset != TA_NO_OFFSET;
}

/* Whether what the buffer has is the runtime's own planner's doing, which is not undone when bytes or type
 * change. (linear and optimal place everything anew each time.) */
static inline bool ta_keeps_place(const ta_planner *planner, const ta_buffer *buffer) {
  return ta_is_placed(buffer) && planner->kind->id == TA_PLANNER_OWN;
}

/* Which arena the buffer belongs to now. A place in another one says nothing any more. */
static inline void ta_move_to_arena(ta_buffer *buffer, uint8_t arena) {
  if (buffer->arena != arena) buffer->offset = TA_NO_OFFSET;
  buffer->arena = arena;
}

/* Lists, as problems, the arena tensors that nodes read and none writes (they are never placed), and those
 * that are read before the first node that writes them. `first` and `reader` by tensor, -1 for none. */
ta_status ta_report_unproduced(ta_planner *planner, const int32_t *first, const int32_t *reader,
                               ta_error *error);

/* GREW: the tensor, placed with `placed` bytes, is larger now and its first step was to be executed. */
ta_status ta_fail_grew(const ta_planner *planner, uint32_t tensor, uint64_t placed, ta_error *error);

/* LIMIT: the tensor's place would end past the largest offset. */
ta_status ta_fail_past_limit(const ta_planner *planner, uint32_t tensor, ta_error *error);

#endif

/* The linear planner: buffers one after the other, in order, each aligned, nothing reused. What any other
 * plan is measured against, and what a host without a planner does. */
#include "base/error.h"
#include "base/num.h"
#include "planner/rows.h"

/* Behind `*end`, which then moves on. */
static bool append(uint64_t bytes, uint64_t alignment, uint64_t *end, uint64_t *offset) {
  return ta_align_up(*end, alignment, offset) && ta_add(*offset, bytes, end);
}

/* Where a row's offset column says it must lie, or TA_NO_OFFSET. */
static uint64_t fixed_offset(const ta_planner *planner, const ta_buffer *buffer) {
  return ta_placing_fixed(planner, (uint32_t)(buffer - planner->buffers));
}

/* Fixed buffers first: the others come behind them all. */
static ta_status place_fixed(ta_planner *planner, bool keep, uint64_t *end, ta_error *error) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i];
    uint64_t offset = fixed_offset(planner, buffer), own_end;
    if (offset == TA_NO_OFFSET || buffer->arena == TA_ARENA_NOT) continue;
    if (!ta_add(offset, buffer->bytes, &own_end))
      return ta_fail(error, TA_E_LIMIT, "row %u ends past the largest offset, %L", buffer->index);
    if (keep) buffer->offset = offset;
    *end = ta_max_u64(*end, own_end);
  }
  return TA_OK;
}

/* A buffer that shares lies inside its root: at its start, or where a row's alias says. */
static void place_shared(ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i];
    if (buffer->shares == TA_NO_INDEX) continue;
    uint64_t root = planner->buffers[buffer->shares].offset;
    uint64_t inside = buffer->kind == TA_BUFFER_ROW ? planner->model->rows[buffer->index].alias_bytes : 0;
    buffer->offset = root == TA_NO_OFFSET ? TA_NO_OFFSET : root + inside;
  }
}

/* Without `keep` nothing changes: it tells whether all will find a place. */
static ta_status lay_out(ta_planner *planner, bool keep, ta_error *error) {
  uint64_t rw = 0, persistent = 0;
  ta_status status = place_fixed(planner, keep, &rw, error);
  if (status) return status;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i];
    if (fixed_offset(planner, buffer) != TA_NO_OFFSET) continue;
    uint64_t offset = TA_NO_OFFSET, *end = buffer->arena == TA_ARENA_RW_PLACE ? &rw : &persistent;
    bool placed = buffer->arena != TA_ARENA_NOT && buffer->shares == TA_NO_INDEX;
    if (placed && !append(buffer->bytes, ta_planned_alignment(planner, buffer), end, &offset))
      return ta_fail(error, TA_E_LIMIT,
                     "buffer %u (%U bytes) would end past the largest offset, %L: make the buffers smaller",
                     i, buffer->bytes);
    if (keep) buffer->offset = offset;
    if (keep && placed) ta_take_turn(planner, i);
  }
  if (!keep) return TA_OK;
  place_shared(planner);
  planner->arena_bytes = rw;
  planner->persistent_bytes = persistent;
  return TA_OK;
}

static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  if (!ta_covers_all_steps(planner, first, last)) return ta_fail_partial_range(planner, error);
  ta_status status = ta_check_fixed(planner, NULL, error);
  if (!status) status = lay_out(planner, false, error);
  if (status) return status;
  planner->n_turns = 0;
  return lay_out(planner, true, error);
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)planner;
  (void)error;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_linear = {
    .id = TA_PLANNER_LINEAR,
    .turn = "one after the other, in the model's order",
    .execute = execute,
    .reset = reset,
};

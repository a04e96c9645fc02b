#include "planner/append.h"

#include "base/error.h"
#include "base/num.h"
#include "planner/rows.h"

/* The end of what lies in each arena so far. */
typedef uint64_t ends[TA_ARENA_PERSISTENT_PLACE + 1];

static bool is_appended(const ta_buffer *buffer, uint32_t arenas) {
  return buffer->in_plan && buffer->shares == TA_NO_INDEX && buffer->bytes > 0 &&
         (arenas >> buffer->arena & 1) != 0;
}

static ta_status fail_past_limit(const ta_buffer *buffer, uint32_t at, ta_error *error) {
  return ta_fail(error, TA_E_LIMIT,
                 "buffer %u (%U bytes) would end past the largest offset, %L: make the buffers smaller", at,
                 buffer->bytes);
}

static void take_place(ta_planner *planner, uint32_t at, uint64_t offset) {
  planner->buffers[at].offset = offset;
  if (planner->kind->turn) ta_take_turn(planner, at);
}

/* Without `keep` nothing changes: it tells whether all will find a place. */
static ta_status append(ta_planner *planner, uint32_t arenas, bool keep, ends end, ta_error *error) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    uint64_t offset = ta_fixed_place(planner, i), own_end;
    if (offset == TA_NO_OFFSET || !is_appended(buffer, arenas)) continue;
    if (!ta_add(offset, buffer->bytes, &own_end)) return fail_past_limit(buffer, i, error);
    end[buffer->arena] = ta_max_u64(end[buffer->arena], own_end);
    if (keep) take_place(planner, i, offset);
  }
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    uint64_t offset;
    if (ta_fixed_place(planner, i) != TA_NO_OFFSET || !is_appended(buffer, arenas)) continue;
    if (!ta_align_up(end[buffer->arena], ta_placing_alignment(planner, i), &offset) ||
        !ta_add(offset, buffer->bytes, &end[buffer->arena])) {
      return fail_past_limit(buffer, i, error);
    }
    if (keep) take_place(planner, i, offset);
  }
  return TA_OK;
}

ta_status ta_append_buffers(ta_planner *planner, uint32_t arenas, ta_error *error) {
  ends tried = {0}, end = {0};
  ta_status status = append(planner, arenas, false, tried, error);
  if (status == TA_OK) status = append(planner, arenas, true, end, error);
  if (status != TA_OK) return status;
  if (arenas >> TA_ARENA_RW_PLACE & 1) planner->arena_bytes = end[TA_ARENA_RW_PLACE];
  if (arenas >> TA_ARENA_PERSISTENT_PLACE & 1) planner->persistent_bytes = end[TA_ARENA_PERSISTENT_PLACE];
  return TA_OK;
}

void ta_place_sharers(ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i];
    if (!buffer->in_plan || buffer->shares == TA_NO_INDEX) continue;
    uint64_t root = planner->buffers[buffer->shares].offset;
    uint64_t inside = buffer->kind == TA_BUFFER_ROW ? planner->model->rows[buffer->index].alias_bytes : 0;
    buffer->offset = root == TA_NO_OFFSET || buffer->bytes == 0 ? TA_NO_OFFSET : root + inside;
  }
}

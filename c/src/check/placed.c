/* The claims of a planner, taken through its public calls as any host would. */
#include "base/error.h"
#include "base/num.h"
#include "graph/graph.h"

/* Where the file's offline plan puts a tensor that TFLM's planner, which gives no place below 0, has not. */
static int64_t place_before_arena(const ta_model *model, const ta_buffer *buffer, uint32_t at) {
  if (!buffer->in_plan || !model->has_offline_plan || at >= model->offline_offsets.n) return TA_NOT_CLAIMED;
  int32_t offset = model->offline_offsets.at[at];
  return offset < -1 ? offset : TA_NOT_CLAIMED;
}

/* A view lies where its root does, whatever the plan aligns. */
static uint64_t row_alignment(const ta_row *row, uint64_t alignment) {
  return row->alias == TA_NO_INDEX ? ta_max_u64(alignment, row->alignment) : row->alignment;
}

static ta_claim claim_of(const ta_model *model, const ta_buffer *buffer, uint32_t at, uint64_t alignment) {
  bool row = buffer->kind == TA_BUFFER_ROW;
  int64_t offset =
      buffer->offset == TA_NO_OFFSET ? place_before_arena(model, buffer, at) : (int64_t)buffer->offset;
  return (ta_claim){.offset = offset,
                    .bytes = offset == TA_NOT_CLAIMED ? 0 : buffer->bytes,
                    .alignment = row ? row_alignment(&model->rows[buffer->index], alignment) : alignment,
                    .first = buffer->first,
                    .last = buffer->last,
                    .group = buffer->shares == TA_NO_INDEX ? at : buffer->shares,
                    .arena = buffer->arena == TA_ARENA_PERSISTENT_PLACE};
}

/* A variable keeps its value from one run to the next, whatever life it is given; tflite-2018 knows none. */
static void keep_variables(const ta_model *model, const ta_planner *planner, ta_claim *claims) {
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  if (ta_planner_runtime(planner) == TA_RUNTIME_TFLITE_2018) return;
  for (uint32_t start = 0; start < n; start++) {
    if (buffers[start].kind != TA_BUFFER_TENSOR || buffers[start].index != 0) continue;
    ta_list variables = model->subgraphs[buffers[start].subgraph].variables;
    for (uint32_t i = 0; i < variables.n; i++) {
      if (variables.at[i] < 0) continue;
      ta_claim *claim = &claims[start + (uint32_t)variables.at[i]];
      claim->first = -1;
      claim->last = INT32_MAX;
    }
  }
}

ta_status ta_verify_planner(const ta_allocator *allocator, const ta_model *model, ta_planner *planner,
                            ta_clash *clashes, uint32_t capacity, ta_verdict *out, ta_error *error) {
  *out = (ta_verdict){0, 0, 0};
  ta_summary summary;
  ta_status status = ta_planner_summary(planner, &summary, error);
  if (status != TA_OK) return status;
  const uint64_t sizes[2] = {summary.arena_bytes, summary.persistent_bytes};
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  ta_region region;
  ta_region_init(&region, allocator);
  ta_claim *claims = TA_TAKE(&region, n, ta_claim);
  status = claims ? TA_OK : ta_fail_memory(error);
  if (status == TA_OK) {
    for (uint32_t i = 0; i < n; i++) claims[i] = claim_of(model, &buffers[i], i, summary.tensor_alignment);
    keep_variables(model, planner, claims);
    status = ta_verify(allocator, claims, n, sizes, clashes, capacity, out, error);
  }
  ta_region_free(&region);
  return status;
}

/* A plan written into its model's file, and what TFLM makes of such a file. */
#include "base/error.h"
#include "measure/whole.h"
#include "planner/planner.h"

/* Which flat tensors must have no offset: variables, which TFLM then keeps out of the head; given one they
 * would lose what they hold between two runs. And TFLM looks a variable's offset up as if its subgraph were
 * the first: what stands at its index there must have none either, or the variable gets no place at all. */
static void keep_online(const ta_planner *planner, int32_t *offsets) {
  for (uint32_t i = 0; i < planner->n_tensors; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (!planner->model->subgraphs[buffer->subgraph].tensors[buffer->index].is_variable) continue;
    offsets[i] = offsets[buffer->index] = -1;
  }
}

ta_status ta_plan_to_file(const ta_planner *planner, uint8_t **bytes, size_t *len, ta_error *error) {
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  int32_t *offsets = TA_TAKE(&work, planner->n_tensors, int32_t);
  ta_status status = offsets ? TA_OK : ta_fail_memory(error);
  for (uint32_t i = 0; offsets && i < planner->n_tensors; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    bool placed = buffer->arena == TA_ARENA_RW_PLACE && buffer->offset <= INT32_MAX;
    offsets[i] = placed ? (int32_t)buffer->offset : -1;
  }
  if (!status) {
    keep_online(planner, offsets);
    status =
        ta_offline_write(&planner->allocator, planner->model, offsets, planner->n_tensors, bytes, len, error);
  }
  ta_region_free(&work);
  return status;
}

static ta_status measure_model(const ta_model *model, const ta_allocator *allocator, uint32_t target,
                               uint32_t kernels, ta_whole *out, ta_error *error) {
  ta_tflm_plan plan;
  ta_region work;
  uint64_t head = 0;
  ta_overlap overlaps;
  ta_region_init(&work, allocator);
  ta_status status = ta_tflm_make_buffers(model, target, kernels, &work, &plan, error);
  if (!status) status = ta_tflm_make_lives(&plan, &work, error);
  if (!status) status = ta_tflm_place(&plan, allocator, NULL, NULL, &head, &overlaps, error);
  if (!status) status = ta_whole_measure(&plan, TA_PLANNER_OWN, head, &work, out, error);
  out->items = NULL;
  out->n_items = out->capacity = 0;
  ta_region_free(&work);
  return status;
}

ta_status ta_file_measure(const ta_allocator *allocator, const uint8_t *bytes, size_t len, uint32_t target,
                          uint32_t kernels, ta_whole *out, ta_error *error) {
  ta_model *model;
  ta_status status = ta_model_open(allocator, bytes, len, NULL, &model, error);
  if (status) return status;
  status = measure_model(model, allocator, target, kernels, out, error);
  ta_model_free(model);
  return status;
}

/* Where a constant's bytes are. */
#include "graph/graph.h"

ta_bytes ta_tensor_data(const ta_model *model, const ta_tensor *tensor) {
  ta_bytes none = {NULL, 0};
  if (!tensor->has_data || tensor->buffer >= model->n_constants) return none;
  const ta_constant *constant = &model->constants[tensor->buffer];
  if (constant->external || !ta_bytes_hold(model->file, constant->position, constant->bytes, 1)) return none;
  return (ta_bytes){model->file.at + constant->position, (size_t)constant->bytes};
}

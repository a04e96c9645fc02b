#include "kernels/quantities.h"

#include "base/num.h"
#include "kernels/query.h"
#include "model/flatbuf.h"

ta_status ta_svdf_units(const ta_query *op, uint64_t *out) {
  int32_t rank = 0;
  uint64_t filters = 0;
  ta_status status = ta_query_option_i32(op, 0, 0, &rank);
  if (!status) status = ta_query_dim(op, INPUT(1), 0, &filters);
  if (status) return status;
  if (rank < 1) return ta_query_refuse(op, "its option rank is below 1");
  *out = filters / (uint64_t)rank;
  return TA_OK;
}

ta_status ta_lstm_batch(const ta_query *op, uint64_t *out) {
  int8_t time_major = 0;
  ta_status status = ta_query_option_i8(op, 3, &time_major);
  return status ? status : ta_query_dim(op, INPUT(0), time_major ? 1 : 0, out);
}

ta_status ta_detection_most(const ta_query *op, uint64_t *out) {
  uint64_t classes = 0, detections = 0;
  ta_status status = ta_query_custom(op, "num_classes", &classes);
  if (!status) status = ta_query_custom(op, "max_detections", &detections);
  *out = ta_max_u64(classes, detections);
  return status;
}

ta_status ta_detection_least(const ta_query *op, uint64_t *out) {
  uint64_t boxes = 0, detections = 0;
  ta_status status = ta_query_dim(op, INPUT(0), 1, &boxes);
  if (!status) status = ta_query_custom(op, "max_detections", &detections);
  *out = ta_min_u64(boxes, detections);
  return status;
}

ta_status ta_reshape_prepare(const ta_query *op, ta_requests *to) {
  const ta_shape *output = NULL, *input = NULL;
  ta_status status = ta_query_require(op, OUTPUT(0), NULL, &output);
  if (!status) status = ta_query_require(op, INPUT(0), NULL, &input);
  if (status) return status;
  ta_list dims = output->dims;
  if (op->node->inputs.n == 1 && dims.n == 1 && dims.at[0] == 0) {
    return ta_query_set_shape(op, OUTPUT(0), (ta_list){NULL, 0});
  }

  if (output->known) return TA_OK;
  if (dims.n > TA_MOST_COPIED_DIMS) return ta_query_too_many_dims(op);

  uint32_t stretch = 0, unknown = 0;
  uint64_t others = 1, elems = input->elems;
  for (uint32_t i = 0; i < dims.n; i++) {
    if (dims.at[i] < 0) {
      stretch = i;
      unknown++;
    } else if (!ta_mul(others, (uint64_t)dims.at[i], &others)) {
      return ta_query_too_large(op);
    }
  }
  status = ta_query_request(op, to, 4 + 4 * (uint64_t)dims.n, 1);
  if (status || unknown > 1 || !ta_query_known(op, INPUT(0))) return status;
  if (others == 0 || elems % others != 0) return ta_query_refuse(op, "its -1 has no whole value");
  if (elems / others > INT32_MAX) return ta_query_too_large(op);
  int32_t *filled = TA_TAKE(op->needs->region, dims.n, int32_t);
  if (!filled) return ta_fail_memory(op->error);
  for (uint32_t i = 0; i < dims.n; i++) filled[i] = dims.at[i];
  filled[stretch] = (int32_t)(elems / others);
  return ta_query_set_shape(op, OUTPUT(0), (ta_list){filled, dims.n});
}

/* Whether any of a tensor's zero points is not 0. The graph keeps only how many there are, so they are read
 * from the file: Model.subgraphs[g].tensors[t].quantization.zero_point. */
static ta_status any_zero_point(const ta_query *op, uint32_t tensor, bool *any) {
  ta_flat flat;
  ta_flat_table root, subgraph, entry, quantization;
  *any = false;
  ta_flat_init(&flat, op->needs->model->file, op->error);
  if (!ta_flat_root(&flat, &root)) return flat.status;
  if (!ta_flat_entry(ta_flat_vector_of(&root, 2, 4), op->subgraph, &subgraph)) return flat.status;
  if (!ta_flat_entry(ta_flat_vector_of(&subgraph, 0, 4), tensor, &entry)) return flat.status;
  if (!ta_flat_child(&entry, 4, &quantization)) return flat.status;
  ta_flat_vector points = ta_flat_vector_of(&quantization, 3, 8);
  if (points.n > op->needs->zero_points_left) {
    return ta_fail_at(op->error, TA_E_LIMIT, op->subgraph, op->index, TA_NO_INDEX,
                      "the ops read the zero points of the same tensors too often");
  }
  op->needs->zero_points_left -= points.n;
  for (uint32_t i = 0; i < points.n; i++) {
    if (ta_load_u64(op->needs->model->file.at + points.at + 8 * (uint64_t)i) != 0) *any = true;
  }
  return flat.status;
}

ta_status ta_decode_prepare(const ta_query *op, ta_requests *to) {
  static const uint16_t state_bytes[][2] = {{36, 72}, {28, 56}, {40, 80}}; /* 32-bit, 64-bit pointers */
  enum { PRUNING = 2 };
  for (uint32_t k = 0; k < op->node->outputs.n; k++) {
    const ta_tensor *output = ta_query_tensor(op, OUTPUT((int)k));
    ta_bytes ancillary = ta_query_constant(op, INPUT((int)(2 * k + 1)));
    if (!output) return ta_query_refuse(op, "one of its outputs is missing");
    if (ancillary.len == 0) return ta_query_refuse(op, "an ancillary input is no constant in the file");
    uint8_t kind = ancillary.at[0];
    if (kind > PRUNING) return ta_query_refuse(op, "an ancillary input is of no known kind");
    ta_status status = ta_query_request(op, to, state_bytes[kind][op->needs->target->wide], 1);
    if (status) return status;
    if (kind != PRUNING || output->scales <= 1) continue;
    bool any = false;
    status = any_zero_point(op, (uint32_t)op->node->outputs.at[k], &any);
    if (!status && any) status = ta_query_request(op, to, output->scales, 1);
    if (status) return status;
  }
  return TA_OK;
}

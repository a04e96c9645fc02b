#include "kernels/quantities.h"

#include "base/num.h"
#include "kernels/query.h"
#include "model/flatbuf.h"

uint64_t ta_svdf_units(ta_query *op) {
  int32_t rank = ta_query_option_i32(op, 0, 0);
  uint64_t filters = ta_query_dim(op, INPUT(1), 0);
  if (rank >= 1) return filters / (uint64_t)rank;
  ta_query_refuse(op, "its option rank is below 1");
  return 0;
}

uint64_t ta_lstm_batch(ta_query *op) {
  return ta_query_dim(op, INPUT(0), ta_query_option_i8(op, 3) ? 1 : 0);
}

uint64_t ta_detection_most(ta_query *op) {
  uint64_t classes = ta_query_custom(op, "num_classes");
  return ta_max_u64(classes, ta_query_custom(op, "max_detections"));
}

uint64_t ta_detection_least(ta_query *op) {
  uint64_t boxes = ta_query_dim(op, INPUT(0), 1);
  return ta_min_u64(boxes, ta_query_custom(op, "max_detections"));
}

void ta_reshape_prepare(ta_query *op) {
  const ta_shape *output = ta_query_require(op, OUTPUT(0));
  uint64_t elems = ta_query_elems(op, INPUT(0));
  ta_list dims = output->dims;
  if (op->node->inputs.n == 1 && dims.n == 1 && dims.at[0] == 0) {
    ta_query_set_shape(op, OUTPUT(0), &(ta_list){NULL, 0});
    return;
  }
  if (output->known || op->status) return;
  int32_t *filled = ta_query_take_dims(op, dims.n);
  if (!filled) return;

  uint32_t stretch = 0, unknown = 0;
  uint64_t others = 1;
  for (uint32_t i = 0; i < dims.n; i++) {
    filled[i] = dims.at[i];
    if (dims.at[i] < 0) {
      stretch = i;
      unknown++;
    } else {
      others = ta_query_mul(op, others, (uint64_t)dims.at[i]);
    }
  }
  ta_query_request(op, 4 + 4 * (uint64_t)dims.n, 1);
  if (op->status || unknown > 1 || !ta_query_known(op, INPUT(0))) return;
  if (others == 0 || elems % others != 0) {
    ta_query_refuse(op, "its -1 has no whole value");
  } else if (elems / others > INT32_MAX) {
    ta_query_too_large(op);
  } else {
    filled[stretch] = (int32_t)(elems / others);
    ta_query_set_shape(op, OUTPUT(0), &(ta_list){filled, dims.n});
  }
}

/* Entry `index` of the list of tables in a field. */
static bool entry_of(const ta_flat_table *table, uint32_t slot, uint32_t index, ta_flat_table *out) {
  ta_flat_vector list = ta_flat_vector_of(table, slot, 4);
  return index < list.n && ta_flat_entry(&list, index, out);
}

/* Whether any of a tensor's zero points is not 0. The graph keeps only how many there are, so they are read
 * from the file: Model.subgraphs[g].tensors[t].quantization.zero_point. */
static bool any_zero_point(ta_query *op, uint32_t tensor) {
  ta_flat flat;
  ta_flat_table root, subgraph, entry, quantization;
  bool any = false;
  ta_flat_init(&flat, op->needs->model->file, op->error);
  if (ta_flat_root(&flat, &root) && entry_of(&root, 2, op->subgraph, &subgraph) &&
      entry_of(&subgraph, 0, tensor, &entry) && ta_flat_child(&entry, 4, &quantization)) {
    ta_flat_vector points = ta_flat_vector_of(&quantization, 3, 8);
    if (points.n > op->needs->zero_points_left) {
      op->status = ta_fail_at(op->error, TA_E_LIMIT, op->subgraph, op->index, TA_NO_INDEX,
                              "the ops read the zero points of the same tensors too often");
      return false;
    }
    op->needs->zero_points_left -= points.n;
    for (uint32_t i = 0; i < points.n; i++) {
      if (ta_load_u64(op->needs->model->file.at + points.at + 8 * (uint64_t)i) != 0) any = true;
    }
  }
  op->status = flat.status;
  return any;
}

void ta_decode_prepare(ta_query *op) {
  static const uint8_t state_bytes[][2] = {{36, 72}, {28, 56}, {40, 80}}; /* 32-bit, 64-bit pointers */
  enum { PRUNING = 2 };
  for (uint32_t k = 0; k < op->node->outputs.n && !op->status; k++) {
    const ta_tensor *output = ta_query_tensor(op, OUTPUT((int)k));
    ta_bytes ancillary = ta_query_constant(op, INPUT((int)(2 * k + 1)));
    if (!output) {
      ta_query_refuse(op, "one of its outputs is missing");
    } else if (ancillary.len == 0) {
      ta_query_refuse(op, "an ancillary input is no constant in the file");
    } else if (ancillary.at[0] > PRUNING) {
      ta_query_refuse(op, "an ancillary input is of no known kind");
    } else {
      ta_query_request(op, state_bytes[ancillary.at[0]][op->needs->target->wide], 1);
      if (op->status || ancillary.at[0] != PRUNING || output->scales <= 1) continue;
      if (any_zero_point(op, (uint32_t)op->node->outputs.at[k])) ta_query_request(op, output->scales, 1);
    }
  }
}

#include "kernels/requests.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "kernels/quantities.h"
#include "kernels/query.h"
#include "kernels/signal.h"

ta_status ta_requests_add(ta_requests *to, ta_region *region, const ta_request *request, ta_error *error) {
  if (to->n == to->capacity) {
    if (to->capacity > UINT32_MAX / 4) {
      return ta_fail_at(error, TA_E_LIMIT, request->subgraph, request->node, TA_NO_INDEX,
                        "the operators make more requests than this library counts");
    }
    uint32_t capacity = to->capacity ? 2 * to->capacity : 64;
    ta_request *grown = TA_TAKE(region, capacity, ta_request);
    if (!grown) return ta_fail_memory(error);
    if (to->n) memcpy(grown, to->at, to->n * sizeof *grown);
    to->at = grown;
    to->capacity = capacity;
  }
  to->at[to->n++] = *request;
  return TA_OK;
}

bool ta_when_holds(ta_query *op, uint8_t when) {
  uint8_t type = ta_query_type(op);
  bool small = type == TA_DTYPE_INT8 || type == TA_DTYPE_INT16;
  const ta_tensor *filter = ta_query_tensor(op, INPUT(1));
  switch ((ta_when)when) {
  case TA_ALWAYS:
    return true;
  case TA_IF_INT8:
    return type == TA_DTYPE_INT8;
  case TA_IF_INT16:
    return type == TA_DTYPE_INT16;
  case TA_IF_INT8_INT16:
    return small;
  case TA_IF_FLOAT:
    return type == TA_DTYPE_FLOAT32;
  case TA_IF_NOT_FLOAT:
    return type != TA_DTYPE_FLOAT32;
  case TA_IF_INT4_FILTER:
    return filter && filter->dtype == TA_DTYPE_INT4;
  case TA_IF_PER_CHANNEL:
    return type != TA_DTYPE_FLOAT32 && filter && filter->scales > 1;
  case TA_IF_INT16_BIAS:
    return type == TA_DTYPE_INT16 && ta_query_dtype(op, INPUT(3)) == TA_DTYPE_INT16;
  case TA_IF_ADJ_X:
    return ta_query_option_i8(op, 0) != 0;
  case TA_IF_NOT_ADJ_Y:
    return ta_query_option_i8(op, 1) == 0;
  case TA_IF_INT8_MVE:
    return type == TA_DTYPE_INT8 && op->needs->kernels == TA_KERNELS_CMSIS_NN_MVE;
  case TA_IF_INT8_INT16_DSP:
    return small && op->needs->kernels == TA_KERNELS_CMSIS_NN_DSP;
  }
  return false;
}

static uint64_t own_value(ta_query *op, int which) {
  static uint64_t (*const functions[])(ta_query *) = {
      [TA_OWN_SVDF_UNITS] = ta_svdf_units,
      [TA_OWN_LSTM_BATCH] = ta_lstm_batch,
      [TA_OWN_DETECTION_MOST] = ta_detection_most,
      [TA_OWN_DETECTION_LEAST] = ta_detection_least,
      [TA_OWN_SIGNAL_FRAMES] = ta_signal_frames,
      [TA_OWN_SIGNAL_CHANNELS] = ta_signal_channels,
      [TA_OWN_SIGNAL_DELAY] = ta_signal_delay,
      [TA_OWN_SIGNAL_FRAME] = ta_signal_frame,
      [TA_OWN_SIGNAL_CONTEXT] = ta_signal_context,
      [TA_OWN_SIGNAL_ITEM] = ta_signal_item,
      [TA_OWN_SIGNAL_FFT_STATE] = ta_signal_fft_state,
      [TA_OWN_SIGNAL_INVERSE_FFT_STATE] = ta_signal_inverse_fft_state,
  };
  return functions[which](op);
}

static uint64_t custom_value(ta_query *op, int which) {
  static const char *const keys[] = {
      [TA_KEY_MAX_DETECTIONS] = "max_detections",
      [TA_KEY_NUM_CHANNELS] = "num_channels",
      [TA_KEY_FFT_LENGTH] = "fft_length",
  };
  return ta_query_custom(op, keys[which]);
}

static uint64_t factor_value(ta_query *op, const ta_factor *factor) {
  switch ((ta_factor_kind)factor->kind) {
  case TA_F_ONE:
    return 1;
  case TA_F_DIM:
    return ta_query_dim(op, factor->tensor, factor->which);
  case TA_F_ELEMS:
    return ta_query_elems(op, factor->tensor);
  case TA_F_BYTES:
    return ta_query_require(op, factor->tensor)->bytes;
  case TA_F_RANK:
    return ta_query_require(op, factor->tensor)->dims.n;
  case TA_F_ITEM:
    ta_query_require(op, factor->tensor);
    return ta_tflm_item_bytes(ta_query_dtype(op, factor->tensor));
  case TA_F_SCALES:
    ta_query_require(op, factor->tensor);
    return op->status ? 0 : ta_query_tensor(op, factor->tensor)->scales;
  case TA_F_INPUTS:
    return op->node->inputs.n;
  case TA_F_OUTPUTS:
    return op->node->outputs.n;
  case TA_F_CUSTOM:
    return custom_value(op, factor->which);
  case TA_F_OWN:
    return own_value(op, factor->which);
  }
  return 0;
}

/* bytes = plus + times * factor * factor * factor. */
static uint64_t term_bytes(ta_query *op, const ta_term *term) {
  bool wide = op->needs->target->wide;
  uint64_t bytes = term->times[wide];
  for (int i = 0; i < TA_FACTORS && bytes != 0; i++)
    bytes = ta_query_mul(op, bytes, factor_value(op, &term->factor[i]));
  return ta_query_add(op, bytes, term->plus[wide]);
}

/* Prepare replaces the shape of output 0: a later operator sees the new one, and it is the one planned. */
static void replace_shape(ta_query *op) {
  if (!ta_query_known(op, INPUT(0)) || !ta_query_known(op, INPUT(op->node->inputs.n > 1 ? 1 : 0))) return;
  ta_list dims = op->more->resize(op);
  ta_query_set_shape(op, OUTPUT(0), &dims);
}

static void run_term(ta_query *op, const ta_term *term) {
  if (term->emit) {
    term->emit(op);
    return;
  }
  uint64_t bytes = term_bytes(op, term), count = factor_value(op, &term->each);
  ta_query_request(op, bytes, ta_query_mul(op, count, term->requests ? term->requests : 1));
  if (term->resize && !op->status) replace_shape(op);
}

void ta_terms_run(ta_query *op, const ta_term *terms, ta_requests *to) {
  op->to = to;
  for (const ta_term *term = terms; term && !term->end && !op->status; term++) {
    if (ta_when_holds(op, term->when) && !op->status) run_term(op, term);
  }
}

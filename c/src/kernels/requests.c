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

static bool adjoint(const ta_query *op, uint32_t slot, ta_status *status) {
  int8_t value = 0;
  *status = ta_query_option_i8(op, slot, &value);
  return value != 0;
}

bool ta_when_holds(const ta_query *op, uint8_t when, ta_status *status) {
  *status = TA_OK;
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
    return adjoint(op, 0, status);
  case TA_IF_NOT_ADJ_Y:
    return !adjoint(op, 1, status);
  case TA_IF_INT8_MVE:
    return type == TA_DTYPE_INT8 && op->needs->kernels == TA_KERNELS_CMSIS_NN_MVE;
  case TA_IF_INT8_INT16_DSP:
    return small && op->needs->kernels == TA_KERNELS_CMSIS_NN_DSP;
  }
  return false;
}

static ta_status own_value(const ta_query *op, int which, uint64_t *out) {
  static ta_status (*const functions[])(const ta_query *, uint64_t *) = {
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
  return functions[which](op, out);
}

static ta_status custom_value(const ta_query *op, int which, uint64_t *out) {
  static const char *const keys[] = {
      [TA_KEY_MAX_DETECTIONS] = "max_detections",
      [TA_KEY_NUM_CHANNELS] = "num_channels",
      [TA_KEY_FFT_LENGTH] = "fft_length",
  };
  return ta_query_custom(op, keys[which], out);
}

static ta_status factor_value(const ta_query *op, const ta_factor *factor, uint64_t *out) {
  const ta_tensor *tensor = NULL;
  const ta_shape *shape = NULL;
  ta_status status = TA_OK;
  switch ((ta_factor_kind)factor->kind) {
  case TA_F_ONE:
    *out = 1;
    return TA_OK;
  case TA_F_DIM:
    return ta_query_dim(op, factor->tensor, factor->which, out);
  case TA_F_ELEMS:
    return ta_query_elems(op, factor->tensor, out);
  case TA_F_INPUTS:
    *out = op->node->inputs.n;
    return TA_OK;
  case TA_F_OUTPUTS:
    *out = op->node->outputs.n;
    return TA_OK;
  case TA_F_CUSTOM:
    return custom_value(op, factor->which, out);
  case TA_F_OWN:
    return own_value(op, factor->which, out);
  case TA_F_BYTES:
  case TA_F_RANK:
  case TA_F_ITEM:
  case TA_F_SCALES:
    break;
  }
  status = ta_query_require(op, factor->tensor, &tensor, &shape);
  if (status) return status;
  *out = factor->kind == TA_F_BYTES  ? shape->bytes
         : factor->kind == TA_F_RANK ? shape->dims.n
         : factor->kind == TA_F_ITEM ? ta_tflm_item_bytes(tensor->dtype)
                                     : tensor->scales;
  return TA_OK;
}

/* bytes = plus + times * factor * factor * factor. */
static ta_status term_bytes(const ta_query *op, const ta_term *term, uint64_t *out) {
  bool wide = op->needs->target->wide;
  uint64_t bytes = term->times[wide];
  for (int i = 0; i < TA_FACTORS && bytes != 0; i++) {
    uint64_t value = 0;
    ta_status status = factor_value(op, &term->factor[i], &value);
    if (status) return status;
    if (!ta_mul(bytes, value, &bytes)) return ta_query_too_large(op);
  }
  return ta_add(bytes, term->plus[wide], out) ? TA_OK : ta_query_too_large(op);
}

/* Prepare replaces the shape of output 0: a later operator sees the new one, and it is the one planned. */
static ta_status replace_shape(const ta_query *op) {
  if (!ta_query_known(op, INPUT(0)) || !ta_query_known(op, INPUT(op->node->inputs.n > 1 ? 1 : 0)))
    return TA_OK;
  ta_list dims;
  ta_status status = op->row->resize(op, &dims);
  return status ? status : ta_query_set_shape(op, OUTPUT(0), dims);
}

static ta_status run_term(const ta_query *op, const ta_term *term, ta_requests *to) {
  if (term->emit) return term->emit(op, to);
  uint64_t bytes = 0, count = 0;
  ta_status status = term_bytes(op, term, &bytes);
  if (!status) status = factor_value(op, &term->each, &count);
  if (status) return status;
  if (!ta_mul(count, term->requests ? term->requests : 1, &count)) return ta_query_too_large(op);
  status = ta_query_request(op, to, bytes, count);
  return status || !term->resize ? status : replace_shape(op);
}

ta_status ta_terms_run(const ta_query *op, const ta_term *terms, ta_requests *to) {
  for (const ta_term *term = terms; term && !term->end; term++) {
    ta_status status = TA_OK;
    bool holds = ta_when_holds(op, term->when, &status);
    if (!status && holds) status = run_term(op, term, to);
    if (status) return status;
  }
  return TA_OK;
}

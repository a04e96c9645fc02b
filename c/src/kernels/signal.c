#include "kernels/signal.h"

#include "base/num.h"
#include "kernels/query.h"

/* Product of all but the last `without` dimensions of the input; 0 when one is not known. */
static ta_status leading(const ta_query *op, int without, uint64_t *out) {
  ta_status status = ta_query_elems(op, INPUT(0), out);
  for (int k = 1; k <= without && !status; k++) {
    uint64_t dim = 0;
    status = ta_query_dim(op, INPUT(0), -k, &dim);
    if (status || !ta_query_known(op, INPUT(0))) return status;
    if (dim == 0) return ta_query_refuse(op, "its input has a dimension of 0");
    *out /= dim;
  }
  return status;
}

ta_status ta_signal_frames(const ta_query *op, uint64_t *out) {
  return leading(op, 1, out);
}

ta_status ta_signal_channels(const ta_query *op, uint64_t *out) {
  return leading(op, 2, out);
}

ta_status ta_signal_delay(const ta_query *op, uint64_t *out) {
  uint64_t frame = 0, delay = 0;
  ta_status status = ta_query_dim(op, INPUT(0), -1, &frame);
  if (!status) status = ta_query_custom(op, "delay_length", &delay);
  *out = frame + delay;
  return status;
}

ta_status ta_signal_frame(const ta_query *op, uint64_t *out) {
  uint64_t size = 0, step = 0;
  ta_status status = ta_query_custom(op, "frame_size", &size);
  if (!status) status = ta_query_custom(op, "frame_step", &step);
  if (status) return status;
  if (step == 0) return ta_query_refuse(op, "its option frame_step is 0");
  return ta_align_up(size, step, out) ? TA_OK : ta_query_too_large(op);
}

ta_status ta_signal_context(const ta_query *op, uint64_t *out) {
  uint64_t left = 0, right = 0;
  ta_status status = ta_query_custom(op, "stacker_left_context", &left);
  if (!status) status = ta_query_custom(op, "stacker_right_context", &right);
  *out = left + right + 1;
  return status;
}

static ta_status option_type(const ta_query *op, uint8_t *type) {
  uint64_t number = 0;
  ta_status status = ta_query_custom(op, "T", &number);
  if (status) return status;
  if (number >= TA_DTYPE_NONE || ta_tflm_item_bytes((uint8_t)number) == 0) {
    return ta_query_refuse(op, "its option T is no type that TFLM has");
  }
  *type = (uint8_t)number;
  return TA_OK;
}

ta_status ta_signal_item(const ta_query *op, uint64_t *out) {
  uint8_t type = 0;
  ta_status status = option_type(op, &type);
  *out = ta_tflm_item_bytes(type);
  return status;
}

/* The twiddles and factors of a complex transform of half the length h, and what packs a real one into it:
 * 3 pointers + 264 + c h + c floor(3 h / 2), c = bytes of a complex number. */
ta_status ta_signal_fft_state(const ta_query *op, uint64_t *out) {
  uint64_t length = 0;
  uint8_t type = 0;
  ta_status status = ta_query_custom(op, "fft_length", &length);
  if (!status) status = option_type(op, &type);
  if (status) return status;
  uint64_t half = length / 2, complex = type == TA_DTYPE_INT16 ? 4 : 8;
  *out = 3 * (uint64_t)op->needs->target->pointer.bytes + 264 + complex * half + complex * (3 * half / 2);
  return TA_OK;
}

ta_status ta_signal_inverse_fft_state(const ta_query *op, uint64_t *out) {
  uint8_t type = 0;
  ta_status status = ta_signal_fft_state(op, out);
  if (!status) status = option_type(op, &type);
  if (!status && type == TA_DTYPE_FLOAT32) *out += op->needs->target->wide ? 16 : 8;
  return status;
}

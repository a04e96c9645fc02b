#include "kernels/signal.h"

#include "base/num.h"
#include "kernels/query.h"

/* Product of all but the last `without` dimensions of the input; 0 when one is not known. */
static uint64_t leading(ta_query *op, int without) {
  uint64_t elems = ta_query_elems(op, INPUT(0));
  for (int k = 1; k <= without; k++) {
    uint64_t dim = ta_query_dim(op, INPUT(0), -k);
    if (op->status || !ta_query_known(op, INPUT(0))) return elems;
    if (dim == 0) {
      ta_query_refuse(op, "its input has a dimension of 0");
      return 0;
    }
    elems /= dim;
  }
  return elems;
}

uint64_t ta_signal_frames(ta_query *op) {
  return leading(op, 1);
}

uint64_t ta_signal_channels(ta_query *op) {
  return leading(op, 2);
}

uint64_t ta_signal_delay(ta_query *op) {
  uint64_t frame = ta_query_dim(op, INPUT(0), -1);
  return frame + ta_query_custom(op, "delay_length");
}

uint64_t ta_signal_frame(ta_query *op) {
  uint64_t size = ta_query_custom(op, "frame_size"), step = ta_query_custom(op, "frame_step");
  if (step == 0) {
    ta_query_refuse(op, "its option frame_step is 0");
    return 0;
  }
  return ta_query_align(op, size, step);
}

uint64_t ta_signal_context(ta_query *op) {
  uint64_t left = ta_query_custom(op, "stacker_left_context");
  return left + ta_query_custom(op, "stacker_right_context") + 1;
}

static uint8_t option_type(ta_query *op) {
  uint64_t number = ta_query_custom(op, "T");
  if (number < TA_DTYPE_NONE && ta_tflm_item_bytes((uint8_t)number) != 0) return (uint8_t)number;
  ta_query_refuse(op, "its option T is no type that TFLM has");
  return TA_DTYPE_NONE;
}

uint64_t ta_signal_item(ta_query *op) {
  return ta_tflm_item_bytes(option_type(op));
}

/* The twiddles and factors of a complex transform of half the length h, and what packs a real one into it:
 * 3 pointers + 264 + c h + c floor(3 h / 2), c = bytes of a complex number. */
uint64_t ta_signal_fft_state(ta_query *op) {
  uint64_t half = ta_query_custom(op, "fft_length") / 2;
  uint64_t complex = option_type(op) == TA_DTYPE_INT16 ? 4 : 8;
  return 3 * (uint64_t)op->needs->target->pointer.bytes + 264 + complex * half + complex * (3 * half / 2);
}

uint64_t ta_signal_inverse_fft_state(ta_query *op) {
  uint64_t bytes = ta_signal_fft_state(op);
  if (option_type(op) == TA_DTYPE_FLOAT32) bytes += op->needs->target->wide ? 16 : 8;
  return bytes;
}

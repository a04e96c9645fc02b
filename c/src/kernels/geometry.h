/* Windows that slide over an image: how many outputs, how much padding. */
#ifndef TA_KERNELS_GEOMETRY_H
#define TA_KERNELS_GEOMETRY_H

#include <stdint.h>

enum { TA_PADDING_SAME = 0, TA_PADDING_VALID = 1 };

/* SAME: ceil(input / stride); VALID: ceil((input - filter + 1) / stride), 0 when the filter is larger.
 * `filter` is the dilated one. stride and filter are 1 or more. */
static inline uint64_t ta_window_output(uint64_t input, uint64_t filter, uint64_t stride, int padding) {
  if (padding == TA_PADDING_SAME) return (input + stride - 1) / stride;
  return input < filter ? 0 : (input - filter) / stride + 1;
}

/* The padding in front (top or left). */
static inline uint64_t ta_window_padding(uint64_t input, uint64_t output, uint64_t filter, uint64_t stride) {
  if (output == 0) return 0;
  uint64_t covered = (output - 1) * stride + filter;
  return covered > input ? (covered - input) / 2 : 0;
}

#endif

/* Checked arithmetic. Sizes and offsets are bytes in a uint64_t, at most TA_MAX_BYTES (2^53 - 1), so that
 * every one of them is an exact JavaScript number. Each function returns false, and leaves *out alone, when
 * the result would pass that limit. */
#ifndef TA_BASE_NUM_H
#define TA_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor_arena.h"

bool ta_add(uint64_t a, uint64_t b, uint64_t *out);
bool ta_mul(uint64_t a, uint64_t b, uint64_t *out);
/* The smallest multiple of `alignment` (1 or more, not only powers of two) that is at least `value`. */
bool ta_align_up(uint64_t value, uint64_t alignment, uint64_t *out);

/* The greatest common divisor; that of 0 and a number is the number. */
uint64_t ta_gcd(uint64_t a, uint64_t b);
/* The least common multiple of two numbers that are not 0. */
bool ta_lcm(uint64_t a, uint64_t b, uint64_t *out);

/* Whether it can be asked of an offset: a power of two up to TA_MAX_ALIGNMENT. */
static inline bool ta_is_alignment(uint64_t value) {
  return value != 0 && value <= TA_MAX_ALIGNMENT && (value & (value - 1)) == 0;
}
/* What every text says of one that cannot, after its name and value. */
#define TA_ALIGNMENT_RULE "give a power of two from 1 to 1048576"

static inline uint64_t ta_max_u64(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}
static inline uint64_t ta_min_u64(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static inline int64_t ta_max_i64(int64_t a, int64_t b) {
  return a > b ? a : b;
}
static inline int32_t ta_max_i32(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static inline int32_t ta_min_i32(int32_t a, int32_t b) {
  return a < b ? a : b;
}

#endif

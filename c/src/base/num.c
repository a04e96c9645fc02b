#include "base/num.h"

bool ta_add(uint64_t a, uint64_t b, uint64_t *out) {
  if (a > TA_MAX_BYTES || b > TA_MAX_BYTES - a) return false;
  *out = a + b;
  return true;
}

bool ta_mul(uint64_t a, uint64_t b, uint64_t *out) {
  if (b != 0 && a > TA_MAX_BYTES / b) return false;
  *out = a * b;
  return true;
}

bool ta_align_up(uint64_t value, uint64_t alignment, uint64_t *out) {
  if (value > TA_MAX_BYTES) return false;
  uint64_t rest = value % alignment;
  return rest == 0 ? ta_add(value, 0, out) : ta_add(value, alignment - rest, out);
}

uint64_t ta_gcd(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool ta_lcm(uint64_t a, uint64_t b, uint64_t *out) {
  return ta_mul(a / ta_gcd(a, b), b, out);
}

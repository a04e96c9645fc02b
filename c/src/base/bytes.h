/* A bounded reader over bytes that a stranger wrote: little-endian, any alignment, never past the end. */
#ifndef TA_BASE_BYTES_H
#define TA_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ta_bytes {
  const uint8_t *at;
  size_t len;
} ta_bytes;

/* Whether [position, position + count * size) lies inside. */
static inline bool ta_bytes_hold(ta_bytes bytes, uint64_t position, uint64_t count, uint64_t size) {
  if (position > bytes.len) return false;
  return size == 0 || count <= (bytes.len - position) / size;
}

/* Unchecked little-endian loads: ask ta_bytes_hold first. */
static inline uint16_t ta_load_u16(const uint8_t *p) {
  return (uint16_t)(p[0] | p[1] << 8);
}
static inline uint32_t ta_load_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline int32_t ta_load_i32(const uint8_t *p) {
  return (int32_t)ta_load_u32(p);
}
static inline uint64_t ta_load_u64(const uint8_t *p) {
  return (uint64_t)ta_load_u32(p) | (uint64_t)ta_load_u32(p + 4) << 32;
}

#endif

#include "model/flexbuf.h"

#include <string.h>

enum {
  TYPE_INT = 1,
  TYPE_UINT = 2,
  TYPE_INDIRECT_INT = 6,
  TYPE_INDIRECT_UINT = 7,
  TYPE_MAP = 9,
  TYPE_BOOL = 26
};

static bool is_width(uint32_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

/* The unsigned number of `width` bytes at `at`. */
static bool load(const ta_bytes *bytes, uint64_t at, uint32_t width, uint64_t *out) {
  if (!ta_bytes_hold(*bytes, at, 1, width)) return false;
  uint64_t value = 0;
  for (uint32_t i = width; i-- > 0;) value = value << 8 | bytes->at[at + i];
  *out = value;
  return true;
}

/* Where the reference at `at` leads: it is subtracted from its own position. */
static bool follow(const ta_bytes *bytes, uint64_t at, uint32_t width, uint64_t *out) {
  uint64_t back;
  if (!load(bytes, at, width, &back) || back > at) return false;
  *out = at - back;
  return true;
}

/* The three words before a map's first value: reference to its keys, width of those, count. */
static bool read_map(ta_bytes bytes, uint64_t at, uint32_t width, ta_flex_map *out) {
  uint64_t n, key_width, keys;
  if (at < 3 * (uint64_t)width) return false;
  if (!load(&bytes, at - width, width, &n) || !load(&bytes, at - 2 * (uint64_t)width, width, &key_width))
    return false;
  if (!follow(&bytes, at - 3 * (uint64_t)width, width, &keys)) return false;
  if (key_width > 8 || !is_width((uint32_t)key_width) || n > UINT32_MAX) return false;
  if (!ta_bytes_hold(bytes, keys, n, key_width) || !ta_bytes_hold(bytes, at, n, (uint64_t)width + 1))
    return false;
  *out = (ta_flex_map){.bytes = bytes,
                       .keys = keys,
                       .values = at,
                       .types = at + n * width,
                       .n = (uint32_t)n,
                       .key_width = (uint8_t)key_width,
                       .value_width = (uint8_t)width};
  return true;
}

bool ta_flex_map_of(ta_bytes bytes, ta_flex_map *out) {
  memset(out, 0, sizeof *out);
  if (bytes.len < 3) return false;
  uint32_t root_width = bytes.at[bytes.len - 1];
  uint32_t type = bytes.at[bytes.len - 2];
  if (!is_width(root_width) || bytes.len - 2 < root_width || type >> 2 != TYPE_MAP) return false;
  uint64_t at;
  return follow(&bytes, bytes.len - 2 - root_width, root_width, &at) &&
         read_map(bytes, at, 1u << (type & 3), out);
}

/* strcmp of key `index` with `wanted`; looks no further than `wanted` is long. A key outside the bytes counts
 * as larger than everything. */
static int compare_key(const ta_flex_map *map, uint32_t index, const char *wanted) {
  uint64_t at;
  if (!follow(&map->bytes, map->keys + (uint64_t)index * map->key_width, map->key_width, &at)) return 1;
  for (;; at++, wanted++) {
    if (at >= map->bytes.len) return 1;
    uint8_t have = map->bytes.at[at], want = (uint8_t)*wanted;
    if (have != want) return have < want ? -1 : 1;
    if (want == 0) return 0;
  }
}

/* `bits` as a signed number of `width` bytes. */
static int64_t extend(uint64_t bits, uint32_t width) {
  uint64_t sign = UINT64_C(1) << (8 * width - 1);
  return (int64_t)((bits ^ sign) - sign);
}

static int64_t value_at(const ta_flex_map *map, uint32_t index, int64_t otherwise) {
  uint32_t packed = map->bytes.at[map->types + index];
  uint32_t type = packed >> 2, width = map->value_width;
  uint64_t at = map->values + (uint64_t)index * width;
  uint64_t bits;
  if (type == TYPE_INDIRECT_INT || type == TYPE_INDIRECT_UINT) {
    if (!follow(&map->bytes, at, width, &at)) return otherwise;
    width = 1u << (packed & 3);
  }
  if (!load(&map->bytes, at, width, &bits)) return otherwise;
  switch (type) {
  case TYPE_INT:
  case TYPE_INDIRECT_INT:
    return extend(bits, width);
  case TYPE_UINT:
  case TYPE_INDIRECT_UINT:
  case TYPE_BOOL:
    return bits <= INT64_MAX ? (int64_t)bits : otherwise;
  default:
    return otherwise;
  }
}

int64_t ta_flex_int(const ta_flex_map *map, const char *key, int64_t otherwise) {
  uint32_t low = 0, high = map->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = compare_key(map, middle, key);
    if (order == 0) return value_at(map, middle, otherwise);
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return otherwise;
}

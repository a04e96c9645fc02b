#include "base/order.h"

#include <string.h>

void ta_order_by_key(uint32_t *indices, uint32_t *scratch, uint32_t count, const uint64_t *keys) {
  uint64_t any = 0, all = UINT64_MAX;
  for (uint32_t i = 0; i < count; i++) {
    any |= keys[indices[i]];
    all &= keys[indices[i]];
  }
  uint64_t differ = any & ~all;
  uint32_t *from = indices, *to = scratch;
  for (uint32_t shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xFF) == 0) continue;
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < count; i++) starts[(keys[from[i]] >> shift & 0xFF) + 1]++;
    for (uint32_t digit = 0; digit < 256; digit++) starts[digit + 1] += starts[digit];
    for (uint32_t i = 0; i < count; i++) to[starts[keys[from[i]] >> shift & 0xFF]++] = from[i];
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != indices && count) memcpy(indices, from, count * sizeof *indices);
}

bool ta_order(const ta_allocator *allocator, uint32_t *list, uint32_t count, ta_key key,
              const void *context) {
  ta_region work;
  ta_region_init(&work, allocator);
  uint64_t *keys = TA_TAKE(&work, count, uint64_t);
  uint32_t *places = TA_TAKE(&work, count, uint32_t), *scratch = TA_TAKE(&work, count, uint32_t);
  bool good = keys && places && scratch;
  for (uint32_t i = 0; i < count && good; i++) {
    places[i] = i;
    keys[i] = key(context, list[i]);
  }
  if (good) ta_order_by_key(places, scratch, count, keys);
  for (uint32_t i = 0; i < count && good; i++) scratch[i] = list[places[i]];
  if (good && count) memcpy(list, scratch, count * sizeof *list);
  ta_region_free(&work);
  return good;
}

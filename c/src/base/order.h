/* Stable orders by 64-bit keys, for lists of a million: least significant byte first, a pass a byte, and no
 * pass over bytes in which all keys agree. Equal keys keep their order, so that ties fall to the index. */
#ifndef TA_BASE_ORDER_H
#define TA_BASE_ORDER_H

#include <stdbool.h>

#include "base/region.h"

/* Reorders `indices` (positions in `keys`) by ascending key. `scratch` holds `count` entries. */
void ta_order_by_key(uint32_t *indices, uint32_t *scratch, uint32_t count, const uint64_t *keys);

/* The key of an entry of a list. */
typedef uint64_t (*ta_key)(const void *context, uint32_t entry);

/* Reorders `list` by ascending key. Takes 16 bytes an entry from the allocator, and gives them back. False:
 * out of memory, the list stays. */
bool ta_order(const ta_allocator *allocator, uint32_t *list, uint32_t count, ta_key key, const void *context);

/* The key that orders signed steps. */
static inline uint64_t ta_step_key(int32_t step) {
  return (uint64_t)((int64_t)step + INT64_C(0x80000000));
}

#endif

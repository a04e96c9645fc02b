#include "base/region.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 20 };

struct ta_block {
  ta_block *older;
  size_t bytes; /* of the whole block, this header included */
};

#define HEADER_BYTES ((sizeof(ta_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static void *libc_alloc(void *context, size_t bytes) {
  (void)context;
  return malloc(bytes);
}

static void libc_free(void *context, void *pointer, size_t bytes) {
  (void)context;
  (void)bytes;
  free(pointer);
}

ta_allocator ta_allocator_or_libc(const ta_allocator *allocator) {
  if (allocator) return *allocator;
  return (ta_allocator){libc_alloc, libc_free, NULL};
}

void ta_region_init(ta_region *region, const ta_allocator *allocator) {
  memset(region, 0, sizeof *region);
  region->allocator = ta_allocator_or_libc(allocator);
}

/* Blocks double, up to a megabyte a step, so that n bytes taken in small pieces cost O(n) and waste little.
 */
static bool add_block(ta_region *region, size_t bytes) {
  size_t step = region->newest ? region->newest->bytes * 2 : FIRST_BLOCK;
  if (step > LARGEST_STEP) step = LARGEST_STEP;
  if (bytes > SIZE_MAX - HEADER_BYTES - ALIGNMENT) return false;
  size_t whole = bytes + HEADER_BYTES + ALIGNMENT;
  if (whole < step) whole = step;
  ta_block *block = region->allocator.alloc(region->allocator.context, whole);
  if (!block) return false;
  block->older = region->newest;
  block->bytes = whole;
  region->newest = block;
  uint8_t *start = (uint8_t *)block + HEADER_BYTES;
  size_t past = (uintptr_t)start % ALIGNMENT;
  region->at = past ? start + (ALIGNMENT - past) : start;
  region->end = (uint8_t *)block + whole;
  return true;
}

void *ta_region_take(ta_region *region, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size) return NULL;
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!region->newest || (size_t)(region->end - region->at) < bytes) {
    if (!add_block(region, bytes)) return NULL;
  }
  void *taken = region->at;
  region->at += bytes;
  memset(taken, 0, bytes);
  return taken;
}

bool ta_region_take_arrays(ta_region *region, void *owner, const ta_array *arrays, size_t n,
                           const size_t *counts) {
  for (size_t i = 0; i < n; i++) {
    void *taken = ta_region_take(region, counts[arrays[i].count], arrays[i].size);
    if (!taken) return false;
    memcpy((char *)owner + arrays[i].pointer, &taken, sizeof taken);
  }
  return true;
}

void ta_region_free(ta_region *region) {
  while (region->newest) {
    ta_block *block = region->newest;
    region->newest = block->older;
    region->allocator.free(region->allocator.context, block, block->bytes);
  }
  region->at = region->end = NULL;
}

/* A region: all the memory that one handle owns, in chained blocks from one allocator, freed as a whole. */
#ifndef TA_BASE_REGION_H
#define TA_BASE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor_arena.h"

typedef struct ta_block ta_block;

typedef struct ta_region {
  ta_allocator allocator;
  ta_block *newest; /* its free end is [at, end) */
  uint8_t *at, *end;
} ta_region;

/* What NULL means as an allocator: the C library's malloc and free. */
ta_allocator ta_allocator_or_libc(const ta_allocator *allocator);

/* `allocator` may be NULL: the C library's malloc and free. Takes no memory yet. */
void ta_region_init(ta_region *region, const ta_allocator *allocator);

/* `count` elements of `size` bytes, all zero, aligned to 16. NULL when the product overflows or the allocator
 * gives nothing; what was taken before stays. `count` of 0 gives a valid pointer to nothing. */
void *ta_region_take(ta_region *region, size_t count, size_t size);

/* Gives every block back. The region may be used again. */
void ta_region_free(ta_region *region);

/* Arrays that a struct points to, taken together. */
typedef struct ta_array {
  uint16_t pointer; /* where in the struct */
  uint8_t size;     /* of an element, bytes */
  uint8_t count;    /* which of the counts */
} ta_array;

#define TA_ARRAY(type, field, count)                                                                         \
  { offsetof(type, field), sizeof *((type *)NULL)->field, (count) }

/* Whether there was memory for all `n` arrays, whose lengths `counts` has. */
bool ta_region_take_arrays(ta_region *region, void *owner, const ta_array *arrays, size_t n,
                           const size_t *counts);

/* ta_region_take with the element type spelt once. */
#define TA_TAKE(region, count, type) ((type *)ta_region_take((region), (count), sizeof(type)))

#endif

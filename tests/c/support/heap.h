/* An allocator that counts what it gives, and may be made to fail. */
#ifndef TA_TESTS_HEAP_H
#define TA_TESTS_HEAP_H

#include "tensor_arena.h"

typedef struct heap {
  size_t held, most; /* bytes: now, and at most so far */
  long left;         /* allocations until it fails; below 0: never */
} heap;

/* `h` must outlive what is allocated with it. */
ta_allocator heap_allocator(heap *h);

#endif

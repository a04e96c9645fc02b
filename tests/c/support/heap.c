#include "support/heap.h"

#include <stdlib.h>

static void *take(void *context, size_t bytes) {
  heap *h = context;
  if (h->left == 0) return NULL;
  if (h->left > 0) h->left--;
  h->held += bytes;
  if (h->held > h->most) h->most = h->held;
  return malloc(bytes);
}

static void give_back(void *context, void *pointer, size_t bytes) {
  heap *h = context;
  h->held -= bytes;
  free(pointer);
}

ta_allocator heap_allocator(heap *h) {
  return (ta_allocator){take, give_back, h};
}

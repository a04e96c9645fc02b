#include "base/sort.h"

/* Heapsort's sift: the element at `root` sinks until both children come before it. */
static void sink(uint32_t *heap, size_t root, size_t count, ta_before before, const void *context) {
  uint32_t sinking = heap[root];
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && before(context, heap[child], heap[child + 1])) child++;
    if (!before(context, sinking, heap[child])) break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = sinking;
}

static bool is_sorted(const uint32_t *indices, size_t count, ta_before before, const void *context) {
  for (size_t i = 1; i < count; i++) {
    if (before(context, indices[i], indices[i - 1])) return false;
  }
  return true;
}

void ta_sort(uint32_t *indices, size_t count, ta_before before, const void *context) {
  if (is_sorted(indices, count, before, context)) return;
  for (size_t root = count / 2; root-- > 0;) sink(indices, root, count, before, context);
  for (size_t last = count; last-- > 1;) {
    uint32_t largest = indices[0];
    indices[0] = indices[last];
    indices[last] = largest;
    sink(indices, 0, last, before, context);
  }
}

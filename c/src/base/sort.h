/* The project's own sort, so that every target orders alike: libc's qsort differs in how it treats ties. */
#ifndef TA_BASE_SORT_H
#define TA_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether element a comes strictly before element b. Must be a total order: end it with the index. */
typedef bool (*ta_before)(const void *context, uint32_t a, uint32_t b);

/* Sorts `count` indices by `before`, in place, O(n log n) comparisons at worst, no memory of its own. */
void ta_sort(uint32_t *indices, size_t count, ta_before before, const void *context);

#endif

/* States that have failed, with the height that every plan which continues them needs. A state is known by
 * 128 bits of hash over its unplaced pieces and their lowest places. The table has a fixed size; a newer
 * state takes the place of an older one. */
#ifndef TA_SOLVE_NOGOODS_H
#define TA_SOLVE_NOGOODS_H

#include <stdbool.h>

#include "base/region.h"

typedef struct ta_nogood {
  uint64_t key[2];
  uint64_t needs; /* bytes; 0: an empty entry */
} ta_nogood;

typedef struct ta_nogoods {
  ta_nogood *at;
  uint32_t mask;
} ta_nogoods;

/* `entries` is a power of two. False: out of memory. */
bool ta_nogoods_new(ta_nogoods *table, ta_region *region, uint32_t entries);
void ta_nogoods_add(ta_nogoods *table, const uint64_t key[2], uint64_t needs);
/* What the state needs, or 0 when it is not known. */
uint64_t ta_nogoods_find(const ta_nogoods *table, const uint64_t key[2]);

/* Adds one fact to a state's key: that `what` is at `where`. The order of adding does not matter. */
static inline void ta_nogood_mix(uint64_t key[2], uint32_t what, uint64_t where) {
  uint64_t x = (where + 1) * UINT64_C(0x9E3779B97F4A7C15) + what * UINT64_C(0xC2B2AE3D27D4EB4F);
  x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  x ^= x >> 29;
  key[0] += x;
  key[1] ^= (x * UINT64_C(0xBF58476D1CE4E5B9)) ^ x >> 31;
}

#endif

/* Items made ready for placing. A *section* is a longest run of steps to which no item is added after one
 * has left: two items live together if and only if they share a section. A *part* is a run of sections
 * between two moments at which nothing lives; parts are planned apart. Offsets are counted in *units*, the
 * largest number of bytes of which every offset that matters is a multiple. */
#ifndef TA_SOLVE_PART_H
#define TA_SOLVE_PART_H

#include "solve/solve.h"

#define TA_NO_UNITS UINT64_MAX

/* An item of a part. Ordered by first section, last section, then larger size; equal ones by index. */
typedef struct ta_piece {
  uint64_t size;      /* units, rounded up */
  uint64_t alignment; /* units, 1 where every unit will do */
  uint64_t fixed;     /* units, or TA_NO_UNITS */
  uint64_t pad;       /* bytes that rounding added to the size */
  uint32_t from, to;  /* sections [from, to) of its part */
  uint32_t item;      /* index in the caller's list */
  uint32_t twin;      /* the piece before this one when the two are identical, else TA_NO_INDEX */
} ta_piece;

typedef struct ta_part {
  ta_piece *pieces;
  uint32_t n, sections;
  uint32_t *starts; /* sections + 1 entries: the first piece whose `from` is this section or a later one */
  uint64_t cells;   /* the sum of to - from over the pieces */
  uint64_t pairs;   /* how many pairs live together */
  uint64_t unit;    /* bytes */
  uint64_t bound;   /* bytes: no plan of the part is lower */
} ta_part;

typedef struct ta_parts {
  ta_part *at;
  uint32_t n;
} ta_parts;

/* Everything is taken from `region`. Errors: LIMIT, MEMORY. */
ta_status ta_parts_make(ta_region *region, const ta_item *items, uint32_t n, ta_parts *parts,
                        ta_error *error);

/* The height, in bytes, of a plan that has the pieces at these levels. */
uint64_t ta_part_height(const ta_part *part, const uint64_t *levels);

#endif

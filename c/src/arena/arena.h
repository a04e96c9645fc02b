/* The online arena: a best-fit allocator that decides, one request after the other, at which offset a block
 * of bytes goes. It is TensorFlow Lite's SimpleMemoryArena of January 2018, choice for choice, in O(log n):
 *
 *   The live entries lie in offset order. The gap before an entry runs from the end of the previous one (or
 *   0). A request takes the smallest gap in which it fits once the gap's start is aligned; of equal gaps,
 *   the lowest. Only when it fits in none does it go behind the last entry.
 *
 * The smallest gap is judged unaligned, while whether it fits is judged aligned. So the gaps are kept in a
 * tree by (unaligned bytes, offset), and each subtree knows the most bytes that an aligned request can have
 * in it. That takes one alignment for the arena's life.
 *
 * Offsets need no memory behind them: backing.h adds it where somebody wants to use the arena. */
#ifndef TA_ARENA_ARENA_H
#define TA_ARENA_ARENA_H

#include "arena/tree.h"
#include "base/region.h"

/* A live entry. Read `offset` and `bytes`; the rest is the arena's. */
typedef struct ta_entry ta_entry;
struct ta_entry {
  uint64_t offset, bytes;
  ta_entry *before, *after; /* its neighbours in offset order */
  ta_tree_node by_offset;
  ta_tree_node gap; /* the gap in front of it */
};

typedef struct ta_arena {
  ta_region *region; /* borrowed: entries come from it; what is deallocated is used again */
  uint64_t alignment;
  uint64_t mark; /* the high-water mark: the largest offset + bytes since the last clear, not rounded */
  ta_entry *first, *last, *unused;
  uint32_t n_live, n_unused;
  ta_tree by_offset;
  ta_tree gaps; /* those with room for at least one byte */
} ta_arena;

/* An empty arena. `alignment` (a power of two) holds for every entry. `region` must outlive the arena. */
void ta_arena_init(ta_arena *arena, ta_region *region, uint64_t alignment);

/* Makes sure that `n` more entries can be made without asking for memory. O(n). Errors: MEMORY. */
ta_status ta_arena_reserve(ta_arena *arena, uint32_t n, ta_error *error);

/* Finds a place for `bytes` (1 or more). *entry is valid until it is deallocated or the arena cleared.
 * O(log n) of the live entries. Errors: LIMIT, MEMORY; the arena is then as before. */
ta_status ta_arena_allocate(ta_arena *arena, uint64_t bytes, ta_entry **entry, ta_error *error);

/* An entry at an offset that the caller has chosen (aligned or not). O(log n). Errors: ARGUMENT (bytes of a
 * live entry lie there), LIMIT, MEMORY. */
ta_status ta_arena_allocate_at(ta_arena *arena, uint64_t offset, uint64_t bytes, ta_entry **entry,
                               ta_error *error);

/* Ends a live entry. The mark stays. O(log n). */
void ta_arena_deallocate(ta_arena *arena, ta_entry *entry);

/* Ends every entry and sets the mark to 0. O(1). */
void ta_arena_clear(ta_arena *arena);

#endif

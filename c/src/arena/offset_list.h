/* Placed buffers in offset order, in blocks of up to 64 slots: adding one shifts a block, not the list. */
#ifndef TA_ARENA_OFFSET_LIST_H
#define TA_ARENA_OFFSET_LIST_H

#include <stdbool.h>

#include "base/region.h"

enum { TA_BLOCK_SLOTS = 64 };

/* A buffer with its place and its life. */
typedef struct ta_placed {
  uint64_t offset, end;
  int32_t first, last; /* both included */
  uint32_t item;
} ta_placed;

/* Bytes from offset up to end. */
typedef struct ta_extent {
  uint64_t offset, end;
} ta_extent;

/* Slots 0 .. n - 1 are used, in offset order (equal offsets: in the order of adding). n is 1 or more. */
typedef struct ta_offset_block {
  ta_extent at[TA_BLOCK_SLOTS];
  struct {
    int32_t first, last;
  } life[TA_BLOCK_SLOTS];
  uint32_t item[TA_BLOCK_SLOTS];
  uint64_t reach; /* the largest end in this block and all before it */
  uint32_t n, ordinal;
  uint32_t id; /* stays; below the list's n_ids */
} ta_offset_block;

typedef struct ta_offset_list {
  ta_region *region;
  ta_offset_block **blocks; /* in offset order */
  uint64_t *starts;         /* the blocks' first offsets, in the same order */
  uint32_t *ids;            /* and their ids */
  ta_offset_block **unused; /* a stack */
  uint32_t n_blocks, n_unused, capacity;
  uint32_t n_ids;
} ta_offset_list;

/* An empty list; its memory comes from the region when it is needed. */
void ta_offset_list_init(ta_offset_list *list, ta_region *region);

/* Adds a buffer. *block and *slot say where it is now; *split is the block that took the upper half of a full
 * one, or NULL. O(log n), and O(n / 64) when a block is split. False: no memory; the list is as before. */
bool ta_offset_list_add(ta_offset_list *list, const ta_placed *placed, ta_offset_block **block,
                        uint32_t *slot, ta_offset_block **split);

/* The last slot whose offset is at most `offset`; the list's first slot when there is none. The list is not
 * empty. */
void ta_offset_list_last_up_to(const ta_offset_list *list, uint64_t offset, ta_offset_block **block,
                               uint32_t *slot);

/* Finds a buffer by its offset and item. */
void ta_offset_list_find(const ta_offset_list *list, uint64_t offset, uint32_t item, ta_offset_block **block,
                         uint32_t *slot);

/* Takes a slot out. A block that is then empty leaves the list (its n is 0). O(n / 64). */
void ta_offset_list_remove(ta_offset_list *list, ta_offset_block *block, uint32_t slot);

/* Gives a slot another offset, between those of its neighbours. */
void ta_offset_list_move(ta_offset_list *list, ta_offset_block *block, uint32_t slot, uint64_t offset);

void ta_offset_list_clear(ta_offset_list *list);

/* The lowest slot of a set that is not empty. */
static inline uint32_t ta_lowest_slot(uint64_t slots) {
  return (uint32_t)__builtin_ctzll(slots);
}

static inline uint64_t ta_used_slots(const ta_offset_block *block) {
  return block->n == TA_BLOCK_SLOTS ? UINT64_MAX : (UINT64_C(1) << block->n) - 1;
}

/* The slots whose lives overlap first .. last. */
uint64_t ta_live_slots(const ta_offset_block *block, int32_t first, int32_t last);

#endif

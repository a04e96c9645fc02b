/* Memory behind an arena: one buffer that grows with the arena's high-water mark. */
#ifndef TA_ARENA_BACKING_H
#define TA_ARENA_BACKING_H

#include "arena/arena.h"

typedef struct ta_backing {
  ta_allocator allocator;
  uint64_t alignment; /* of the base; a power of two */
  void *block;        /* as the allocator gave it */
  size_t block_bytes;
  uint8_t *base; /* aligned; NULL before the first commit and after release */
  size_t bytes;  /* usable from base on */
} ta_backing;

/* `allocator` may be NULL: the C library's. Takes no memory yet. */
void ta_backing_init(ta_backing *backing, const ta_allocator *allocator, uint64_t alignment);

/* Makes the buffer at least as large as the arena's mark. It never shrinks; when it grows it at least
 * doubles, moves, and keeps its contents. Entries' addresses hold until the next commit that grows it.
 * Errors: MEMORY; the buffer is then as before. Cost: O(mark) bytes copied over all commits together. */
ta_status ta_backing_commit(ta_backing *backing, const ta_arena *arena, ta_error *error);

/* The address of an entry. The arena must have been committed since the entry was made. */
uint8_t *ta_backing_resolve(const ta_backing *backing, const ta_entry *entry);

/* Gives the buffer back; its contents are lost. Commit takes it again. */
void ta_backing_release(ta_backing *backing);

#endif

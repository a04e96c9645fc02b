#include "arena/backing.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"

void ta_backing_init(ta_backing *backing, const ta_allocator *allocator, uint64_t alignment) {
  memset(backing, 0, sizeof *backing);
  backing->allocator = ta_allocator_or_libc(allocator);
  backing->alignment = alignment;
}

ta_status ta_backing_commit(ta_backing *backing, const ta_arena *arena, ta_error *error) {
  if (arena->mark <= backing->bytes) return TA_OK;
  size_t slack = (size_t)backing->alignment - 1;
  if (arena->mark > SIZE_MAX / 4) return ta_fail_memory(error);
  size_t bytes = (size_t)ta_max_u64(arena->mark, (uint64_t)backing->bytes * 2);
  void *block = backing->allocator.alloc(backing->allocator.context, bytes + slack);
  if (!block) return ta_fail_memory(error);
  size_t past = (size_t)((uintptr_t)block & slack);
  uint8_t *base = (uint8_t *)block + (past ? (size_t)backing->alignment - past : 0);
  if (backing->bytes) memcpy(base, backing->base, backing->bytes);
  ta_backing_release(backing);
  backing->block = block;
  backing->block_bytes = bytes + slack;
  backing->base = base;
  backing->bytes = bytes;
  return TA_OK;
}

uint8_t *ta_backing_resolve(const ta_backing *backing, const ta_entry *entry) {
  return backing->base + entry->offset;
}

void ta_backing_release(ta_backing *backing) {
  if (backing->block)
    backing->allocator.free(backing->allocator.context, backing->block, backing->block_bytes);
  backing->block = NULL;
  backing->base = NULL;
  backing->bytes = backing->block_bytes = 0;
}

#include "arena/arena.h"

#include <string.h>

#include "base/error.h"
#include "base/num.h"

#define ENTRY_OF(node, member) ((ta_entry *)(void *)((char *)(node)-offsetof(ta_entry, member)))

void ta_arena_init(ta_arena *arena, ta_region *region, uint64_t alignment) {
  memset(arena, 0, sizeof *arena);
  arena->region = region;
  arena->alignment = alignment;
}

static uint64_t end_of(const ta_entry *entry) {
  return entry ? entry->offset + entry->bytes : 0;
}

static uint64_t gap_start(const ta_entry *entry) {
  return end_of(entry->before);
}

/* Enters the gap in front of the entry into the tree when something fits there. */
static void open_gap(ta_arena *arena, ta_entry *entry) {
  uint64_t start = gap_start(entry), aligned;
  entry->gap.room = 0;
  if (!ta_align_up(start, arena->alignment, &aligned) || aligned >= entry->offset) return;
  entry->gap.key = entry->offset - start;
  entry->gap.tie = start;
  entry->gap.room = entry->offset - aligned;
  ta_tree_insert(&arena->gaps, &entry->gap);
}

static void close_gap(ta_arena *arena, ta_entry *entry) {
  if (entry->gap.room) ta_tree_remove(&arena->gaps, &entry->gap);
  entry->gap.room = 0;
}

ta_status ta_arena_reserve(ta_arena *arena, uint32_t n, ta_error *error) {
  if (arena->n_unused >= n) return TA_OK;
  uint32_t more = n - arena->n_unused;
  ta_entry *entries = TA_TAKE(arena->region, more, ta_entry);
  if (!entries) return ta_fail_memory(error);
  for (uint32_t i = 0; i < more; i++) {
    entries[i].after = arena->unused;
    arena->unused = &entries[i];
  }
  arena->n_unused = n;
  return TA_OK;
}

static ta_entry *take_entry(ta_arena *arena, ta_error *error) {
  if (ta_arena_reserve(arena, 1, error)) return NULL;
  ta_entry *entry = arena->unused;
  arena->unused = entry->after;
  arena->n_unused--;
  arena->n_live++;
  return entry;
}

/* Makes an entry behind `before` (NULL: in front of all). Its bytes are known to be free. */
static ta_status insert(ta_arena *arena, ta_entry *before, uint64_t offset, uint64_t bytes, ta_entry **out,
                        ta_error *error) {
  uint64_t end;
  if (!ta_add(offset, bytes, &end))
    return ta_fail(error, TA_E_LIMIT,
                   "%U bytes at offset %U end past the largest offset, %L: make the tensors smaller", bytes,
                   offset);
  ta_entry *entry = take_entry(arena, error);
  if (!entry) return TA_E_MEMORY;
  ta_entry *after = before ? before->after : arena->first;
  if (after) close_gap(arena, after);
  *entry = (ta_entry){.offset = offset, .bytes = bytes, .before = before, .after = after};
  *(before ? &before->after : &arena->first) = entry;
  *(after ? &after->before : &arena->last) = entry;
  entry->by_offset.key = offset;
  ta_tree_insert(&arena->by_offset, &entry->by_offset);
  open_gap(arena, entry);
  if (after) open_gap(arena, after);
  arena->mark = ta_max_u64(arena->mark, end);
  *out = entry;
  return TA_OK;
}

ta_status ta_arena_allocate(ta_arena *arena, uint64_t bytes, ta_entry **entry, ta_error *error) {
  ta_tree_node *gap = ta_tree_first_with_room(&arena->gaps, bytes);
  ta_entry *before = gap ? ENTRY_OF(gap, gap)->before : arena->last;
  uint64_t offset;
  if (!ta_align_up(end_of(before), arena->alignment, &offset)) offset = TA_MAX_BYTES;
  return insert(arena, before, offset, bytes, entry, error);
}

ta_status ta_arena_allocate_at(ta_arena *arena, uint64_t offset, uint64_t bytes, ta_entry **entry,
                               ta_error *error) {
  ta_tree_node *node = ta_tree_last_up_to(&arena->by_offset, offset);
  ta_entry *before = node ? ENTRY_OF(node, by_offset) : NULL;
  const ta_entry *after = before ? before->after : arena->first;
  if (end_of(before) > offset || (after && after->offset - offset < bytes))
    return ta_fail(error, TA_E_ARGUMENT, "%U bytes at offset %U lie over a live entry: deallocate it first",
                   bytes, offset);
  return insert(arena, before, offset, bytes, entry, error);
}

void ta_arena_deallocate(ta_arena *arena, ta_entry *entry) {
  ta_entry *before = entry->before, *after = entry->after;
  close_gap(arena, entry);
  if (after) close_gap(arena, after);
  ta_tree_remove(&arena->by_offset, &entry->by_offset);
  *(before ? &before->after : &arena->first) = after;
  *(after ? &after->before : &arena->last) = before;
  if (after) open_gap(arena, after);
  entry->after = arena->unused;
  arena->unused = entry;
  arena->n_unused++;
  arena->n_live--;
}

void ta_arena_clear(ta_arena *arena) {
  if (arena->last) {
    arena->last->after = arena->unused;
    arena->unused = arena->first;
  }
  arena->n_unused += arena->n_live;
  arena->n_live = 0;
  arena->first = arena->last = NULL;
  arena->by_offset.root = arena->gaps.root = NULL;
  arena->mark = 0;
}

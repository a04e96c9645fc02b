/* malloc and free for the WebAssembly modules: what both builds need of a heap, in a fiftieth of the size of
 * their C libraries' own. The core asks for few and large blocks (regions), so one list of free blocks in
 * address order, first fit, joined with their neighbours when freed, is enough. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 16, PAGE = 65536 };

/* In front of every block, taken or free; `next` counts only while it is free. */
typedef struct block {
  size_t bytes; /* this header included, a multiple of ALIGNMENT */
  struct block *next;
  uint64_t padding; /* makes the header ALIGNMENT bytes */
} block;

_Static_assert(sizeof(block) == ALIGNMENT, "blocks keep their alignment");

extern unsigned char __heap_base; /* from the linker: the first byte that nobody uses */

static block *free_blocks;
static uintptr_t heap_end; /* 0 until the first block is asked for */

static block *after(block *of) {
  return (block *)(void *)((unsigned char *)of + of->bytes);
}

/* Puts a block in its place in the list, joined with the free blocks that touch it. */
static void give(block *freed) {
  block *before = NULL, *behind = free_blocks;
  while (behind && behind < freed) {
    before = behind;
    behind = behind->next;
  }
  freed->next = behind;
  if (behind && after(freed) == behind) {
    freed->bytes += behind->bytes;
    freed->next = behind->next;
  }
  if (!before) {
    free_blocks = freed;
  } else if (after(before) == freed) {
    before->bytes += freed->bytes;
    before->next = freed->next;
  } else {
    before->next = freed;
  }
}

/* Makes the memory larger, by whole pages, and gives the new bytes to the list. */
static bool grow(size_t bytes) {
  if (heap_end == 0) {
    uintptr_t start = ((uintptr_t)&__heap_base + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    heap_end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    if (heap_end >= start + 2 * sizeof(block)) {
      block *first = (block *)start;
      first->bytes = heap_end - start;
      give(first);
    }
  }
  size_t pages = (bytes + PAGE - 1) / PAGE;
  if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return false;
  block *added = (block *)heap_end;
  added->bytes = pages * PAGE;
  heap_end += added->bytes;
  give(added);
  return true;
}

/* The first free block that is large enough, cut to size. */
static block *take(size_t bytes) {
  for (block **at = &free_blocks; *at; at = &(*at)->next) {
    block *found = *at;
    if (found->bytes < bytes) continue;
    if (found->bytes - bytes < 2 * sizeof(block)) {
      *at = found->next;
    } else {
      size_t rest = found->bytes - bytes;
      found->bytes = bytes;
      *at = after(found);
      (*at)->bytes = rest;
      (*at)->next = found->next;
    }
    return found;
  }
  return NULL;
}

void *malloc(size_t bytes) {
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t whole = (bytes + sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block *taken = take(whole);
  if (!taken && grow(whole)) taken = take(whole);
  return taken ? taken + 1 : NULL;
}

void free(void *pointer) {
  if (pointer) give((block *)pointer - 1);
}

#include "arena/offset_list.h"

#include <string.h>

#include "base/num.h"

void ta_offset_list_init(ta_offset_list *list, ta_region *region) {
  memset(list, 0, sizeof *list);
  list->region = region;
}

/* ---- blocks ---------------------------------------------------------------------------------------------
 */

static bool make_room(ta_offset_list *list) {
  if (list->n_blocks + list->n_unused < list->capacity) return true;
  uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
  ta_offset_block **blocks = TA_TAKE(list->region, capacity, ta_offset_block *);
  ta_offset_block **unused = TA_TAKE(list->region, capacity, ta_offset_block *);
  uint64_t *starts = TA_TAKE(list->region, capacity, uint64_t);
  uint32_t *ids = TA_TAKE(list->region, capacity, uint32_t);
  if (!blocks || !unused || !starts || !ids) return false;
  if (list->n_blocks) memcpy(blocks, list->blocks, list->n_blocks * sizeof blocks[0]);
  if (list->n_blocks) memcpy(starts, list->starts, list->n_blocks * sizeof starts[0]);
  if (list->n_blocks) memcpy(ids, list->ids, list->n_blocks * sizeof ids[0]);
  if (list->n_unused) memcpy(unused, list->unused, list->n_unused * sizeof unused[0]);
  list->blocks = blocks;
  list->starts = starts;
  list->ids = ids;
  list->unused = unused;
  list->capacity = capacity;
  return true;
}

static void renumber(ta_offset_list *list, uint32_t from) {
  for (uint32_t o = from; o < list->n_blocks; o++) list->blocks[o]->ordinal = o;
}

/* An empty block at that place among the blocks. */
static ta_offset_block *add_block(ta_offset_list *list, uint32_t ordinal) {
  if (list->n_unused == 0) {
    if (!make_room(list)) return NULL;
    ta_offset_block *taken = TA_TAKE(list->region, 1, ta_offset_block);
    if (!taken) return NULL;
    taken->id = list->n_ids++;
    list->unused[list->n_unused++] = taken;
  }
  ta_offset_block *block = list->unused[--list->n_unused];
  block->n = 0;
  block->reach = 0;
  memmove(list->blocks + ordinal + 1, list->blocks + ordinal,
          (list->n_blocks - ordinal) * sizeof list->blocks[0]);
  memmove(list->starts + ordinal + 1, list->starts + ordinal,
          (list->n_blocks - ordinal) * sizeof list->starts[0]);
  memmove(list->ids + ordinal + 1, list->ids + ordinal, (list->n_blocks - ordinal) * sizeof list->ids[0]);
  list->blocks[ordinal] = block;
  list->ids[ordinal] = block->id;
  list->n_blocks++;
  renumber(list, ordinal);
  return block;
}

/* Brings the reaches up to date, in that block and on until one stays as it is. */
static void update_reach(ta_offset_list *list, uint32_t ordinal) {
  uint64_t reach = ordinal ? list->blocks[ordinal - 1]->reach : 0;
  for (uint32_t o = ordinal; o < list->n_blocks; o++) {
    ta_offset_block *block = list->blocks[o];
    for (uint32_t i = 0; i < block->n; i++) reach = ta_max_u64(reach, block->at[i].end);
    if (block->reach == reach && o > ordinal) return;
    block->reach = reach;
  }
}

/* The upper half of a full block moves to a new one behind it. */
static ta_offset_block *split_block(ta_offset_list *list, ta_offset_block *block) {
  enum { KEPT = TA_BLOCK_SLOTS / 2, MOVED = TA_BLOCK_SLOTS - KEPT };
  ta_offset_block *upper = add_block(list, block->ordinal + 1);
  if (!upper) return NULL;
  memcpy(upper->at, block->at + KEPT, MOVED * sizeof upper->at[0]);
  memcpy(upper->life, block->life + KEPT, MOVED * sizeof upper->life[0]);
  memcpy(upper->item, block->item + KEPT, MOVED * sizeof upper->item[0]);
  block->n = KEPT;
  upper->n = MOVED;
  upper->reach = block->reach;
  list->starts[upper->ordinal] = upper->at[0].offset;
  update_reach(list, block->ordinal);
  return upper;
}

/* The last block that starts at or below the offset (the first when none does). */
static uint32_t block_for(const ta_offset_list *list, uint64_t offset) {
  uint32_t low = 0, high = list->n_blocks;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (list->starts[middle] <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* ---- slots ----------------------------------------------------------------------------------------------
 */

/* Moves the slots from `from` on by `by` places: 1 opens one, -1 closes the one before. */
static void shift_slots(ta_offset_block *block, uint32_t from, int by) {
  uint32_t count = block->n - from, to = (uint32_t)((int)from + by);
  memmove(block->at + to, block->at + from, count * sizeof block->at[0]);
  memmove(block->life + to, block->life + from, count * sizeof block->life[0]);
  memmove(block->item + to, block->item + from, count * sizeof block->item[0]);
}

bool ta_offset_list_add(ta_offset_list *list, const ta_placed *placed, ta_offset_block **block,
                        uint32_t *slot, ta_offset_block **split) {
  *split = NULL;
  if (list->n_blocks == 0 && !add_block(list, 0)) return false;
  ta_offset_block *into = list->blocks[block_for(list, placed->offset)];
  if (into->n == TA_BLOCK_SLOTS) {
    *split = split_block(list, into);
    if (!*split) return false;
    if ((*split)->at[0].offset <= placed->offset) into = *split;
  }
  uint32_t at = into->n;
  while (at > 0 && into->at[at - 1].offset > placed->offset) at--;
  shift_slots(into, at, 1);
  into->at[at].offset = placed->offset;
  into->at[at].end = placed->end;
  into->life[at].first = placed->first;
  into->life[at].last = placed->last;
  into->item[at] = placed->item;
  into->n++;
  list->starts[into->ordinal] = into->at[0].offset;
  for (uint32_t o = into->ordinal; o < list->n_blocks && list->blocks[o]->reach < placed->end; o++)
    list->blocks[o]->reach = placed->end;
  *block = into;
  *slot = at;
  return true;
}

void ta_offset_list_last_up_to(const ta_offset_list *list, uint64_t offset, ta_offset_block **block,
                               uint32_t *slot) {
  const ta_offset_block *found = *block = list->blocks[block_for(list, offset)];
  uint32_t low = 0, high = found->n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (found->at[middle].offset <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *slot = low;
}

void ta_offset_list_find(const ta_offset_list *list, uint64_t offset, uint32_t item, ta_offset_block **block,
                         uint32_t *slot) {
  /* Equal offsets can fill several blocks: from the last one back. */
  for (uint32_t o = block_for(list, offset) + 1; o-- > 0;) {
    *block = list->blocks[o];
    for (*slot = 0; *slot < (*block)->n; (*slot)++) {
      if ((*block)->item[*slot] == item) return;
    }
  }
}

void ta_offset_list_remove(ta_offset_list *list, ta_offset_block *block, uint32_t slot) {
  shift_slots(block, slot + 1, -1);
  uint32_t ordinal = block->ordinal;
  if (--block->n == 0) {
    list->n_blocks--;
    memmove(list->blocks + ordinal, list->blocks + ordinal + 1,
            (list->n_blocks - ordinal) * sizeof list->blocks[0]);
    memmove(list->starts + ordinal, list->starts + ordinal + 1,
            (list->n_blocks - ordinal) * sizeof list->starts[0]);
    memmove(list->ids + ordinal, list->ids + ordinal + 1, (list->n_blocks - ordinal) * sizeof list->ids[0]);
    renumber(list, ordinal);
    list->unused[list->n_unused++] = block;
  } else {
    list->starts[ordinal] = block->at[0].offset;
  }
  update_reach(list, ordinal);
}

void ta_offset_list_move(ta_offset_list *list, ta_offset_block *block, uint32_t slot, uint64_t offset) {
  block->at[slot].offset = offset;
  list->starts[block->ordinal] = block->at[0].offset;
}

void ta_offset_list_clear(ta_offset_list *list) {
  while (list->n_blocks) list->unused[list->n_unused++] = list->blocks[--list->n_blocks];
}

uint64_t ta_live_slots(const ta_offset_block *block, int32_t first, int32_t last) {
  uint64_t live = 0; /* without branches: half of them would be guessed wrong */
  for (uint32_t i = 0; i < block->n; i++)
    live |= (uint64_t)((block->life[i].first <= last) & (block->life[i].last >= first)) << i;
  return live;
}

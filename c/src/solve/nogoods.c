#include "solve/nogoods.h"

enum { WAYS = 2 };

bool ta_nogoods_new(ta_nogoods *table, ta_region *region, uint32_t entries) {
  table->at = TA_TAKE(region, entries, ta_nogood);
  table->mask = entries - 1;
  return table->at != NULL;
}

static ta_nogood *slot_of(const ta_nogoods *table, const uint64_t key[2]) {
  return &table->at[(uint32_t)(key[1] ^ key[0] >> 17) & table->mask & ~(uint32_t)(WAYS - 1)];
}

static bool same(const ta_nogood *entry, const uint64_t key[2]) {
  return entry->key[0] == key[0] && entry->key[1] == key[1] && entry->needs != 0;
}

void ta_nogoods_add(ta_nogoods *table, const uint64_t key[2], uint64_t needs) {
  ta_nogood *entry = slot_of(table, key);
  if (!same(&entry[0], key)) { /* the newest first, the one before it second */
    ta_nogood kept = entry[0];
    if (same(&entry[1], key) && entry[1].needs > needs) needs = entry[1].needs;
    entry[1] = kept;
    entry[0] = (ta_nogood){{key[0], key[1]}, 0};
  }
  if (needs > entry[0].needs) entry[0].needs = needs;
}

uint64_t ta_nogoods_find(const ta_nogoods *table, const uint64_t key[2]) {
  const ta_nogood *entry = slot_of(table, key);
  for (uint32_t way = 0; way < WAYS; way++) {
    if (same(&entry[way], key)) return entry[way].needs;
  }
  return 0;
}

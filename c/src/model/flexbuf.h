/* FlexBuffers maps: how custom operators keep their options. Read where they lie; every step is checked
 * against the bytes, and a lookup costs O(log n) of the map's keys whatever they hold. */
#ifndef TA_MODEL_FLEXBUF_H
#define TA_MODEL_FLEXBUF_H

#include "base/bytes.h"

typedef struct ta_flex_map {
  ta_bytes bytes;
  uint64_t keys, values, types; /* positions of the first of each */
  uint32_t n;
  uint8_t key_width, value_width; /* bytes */
} ta_flex_map;

/* False, and an empty map, when the bytes are no FlexBuffers map. */
bool ta_flex_map_of(ta_bytes bytes, ta_flex_map *out);

/* The integer (or bool) of a key; `otherwise` when the map has no such key or keeps something else there. */
int64_t ta_flex_int(const ta_flex_map *map, const char *key, int64_t otherwise);

#endif

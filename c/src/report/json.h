/* The one JSON writer. Commas, quotes and escapes are its business; key order is the caller's. Output has no
 * white space, and is the same bytes on every target. */
#ifndef TA_REPORT_JSON_H
#define TA_REPORT_JSON_H

#include "base/text.h"

/* At most 32 levels deep: its callers' shapes are fixed. */
typedef struct ta_json {
  ta_text *out;
  uint32_t has_items; /* a bit a level: a value stands there already */
  uint32_t is_object; /* a bit a level */
  uint32_t depth;
  bool after_key;
} ta_json;

ta_json ta_json_start(ta_text *out);

void ta_json_object(ta_json *json);
void ta_json_array(ta_json *json);
/* Ends the innermost object or array. */
void ta_json_end(ta_json *json);

/* The next value is this key's. Keys are our own and need no escapes. */
void ta_json_key(ta_json *json, const char *key);

void ta_json_u64(ta_json *json, uint64_t value);
void ta_json_i32(ta_json *json, int32_t value);
void ta_json_bool(ta_json *json, bool value);
void ta_json_null(ta_json *json);
/* Bytes that are not UTF-8 become U+FFFD. */
void ta_json_str(ta_json *json, ta_str value);
void ta_json_literal(ta_json *json, const char *value);

/* null for TA_NO_OFFSET. */
void ta_json_offset(ta_json *json, uint64_t offset);
/* null for TA_NO_INDEX. */
void ta_json_index(ta_json *json, uint32_t index);

#endif

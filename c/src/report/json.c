#include "report/json.h"

#include <string.h>

ta_json ta_json_start(ta_text *out) {
  return (ta_json){.out = out};
}

/* What stands before a value: a comma between the items of an array; after a key, nothing. */
static void before_value(ta_json *json) {
  uint32_t level = UINT32_C(1) << json->depth;
  if (!json->after_key && (json->has_items & level)) ta_text_bytes(json->out, ",", 1);
  json->has_items |= level;
  json->after_key = false;
}

static void open(ta_json *json, bool object) {
  before_value(json);
  json->depth++;
  uint32_t level = UINT32_C(1) << json->depth;
  json->has_items &= ~level;
  json->is_object = object ? json->is_object | level : json->is_object & ~level;
  ta_text_bytes(json->out, object ? "{" : "[", 1);
}

void ta_json_object(ta_json *json) {
  open(json, true);
}

void ta_json_array(ta_json *json) {
  open(json, false);
}

void ta_json_end(ta_json *json) {
  bool object = json->is_object >> json->depth & 1;
  json->depth--;
  ta_text_bytes(json->out, object ? "}" : "]", 1);
}

void ta_json_key(ta_json *json, const char *key) {
  before_value(json);
  ta_text_format(json->out, "\"%s\":", key);
  json->after_key = true;
}

void ta_json_u64(ta_json *json, uint64_t value) {
  before_value(json);
  ta_text_format(json->out, "%U", value);
}

void ta_json_i32(ta_json *json, int32_t value) {
  before_value(json);
  ta_text_format(json->out, "%i", value);
}

void ta_json_bool(ta_json *json, bool value) {
  before_value(json);
  ta_text_format(json->out, value ? "true" : "false");
}

void ta_json_null(ta_json *json) {
  before_value(json);
  ta_text_bytes(json->out, "null", 4);
}

static void put_escape(ta_text *out, uint32_t code) {
  static const char hex[] = "0123456789abcdef";
  switch (code) {
  case '"':
    ta_text_bytes(out, "\\\"", 2);
    return;
  case '\\':
    ta_text_bytes(out, "\\\\", 2);
    return;
  case '\n':
    ta_text_bytes(out, "\\n", 2);
    return;
  case '\t':
    ta_text_bytes(out, "\\t", 2);
    return;
  default:
    break;
  }
  char escape[6] = {'\\', 'u', '0', '0', hex[code >> 4 & 15], hex[code & 15]};
  ta_text_bytes(out, escape, sizeof escape);
}

void ta_json_str(ta_json *json, ta_str value) {
  before_value(json);
  ta_text_bytes(json->out, "\"", 1);
  size_t plain = 0; /* where the run that needs no escape started */
  for (size_t i = 0; i < value.len;) {
    size_t from = i;
    uint32_t code = ta_utf8_next(value, &i);
    if (code >= ' ' && code != '"' && code != '\\') continue;
    ta_text_format(json->out, "%S", (ta_str){value.at + plain, from - plain});
    put_escape(json->out, code);
    plain = i;
  }
  if (plain < value.len) ta_text_format(json->out, "%S", (ta_str){value.at + plain, value.len - plain});
  ta_text_bytes(json->out, "\"", 1);
}

void ta_json_literal(ta_json *json, const char *value) {
  ta_json_str(json, (ta_str){value, strlen(value)});
}

void ta_json_offset(ta_json *json, uint64_t offset) {
  if (offset == TA_NO_OFFSET)
    ta_json_null(json);
  else
    ta_json_u64(json, offset);
}

void ta_json_index(ta_json *json, uint32_t index) {
  if (index == TA_NO_INDEX)
    ta_json_null(json);
  else
    ta_json_u64(json, index);
}

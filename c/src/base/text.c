#include "base/text.h"

#include <string.h>

#include "base/region.h"

bool ta_str_equal(const ta_str *a, const ta_str *b) {
  return a->len == b->len && (a->len == 0 || memcmp(a->at, b->at, a->len) == 0);
}

void ta_text_init(ta_text *text, const ta_allocator *allocator) {
  memset(text, 0, sizeof *text);
  text->allocator = ta_allocator_or_libc(allocator);
}

void ta_text_init_fixed(ta_text *text, char *storage, size_t capacity) {
  memset(text, 0, sizeof *text);
  text->at = storage;
  text->capacity = capacity;
  text->fixed = true;
  if (capacity) storage[0] = 0;
}

void ta_text_free(ta_text *text) {
  if (!text->fixed && text->at) text->allocator.free(text->allocator.context, text->at, text->capacity);
  text->at = NULL;
  text->len = text->capacity = 0;
}

static bool grow(ta_text *text, size_t more) {
  if (more > SIZE_MAX / 4 || text->len > SIZE_MAX / 4) return false;
  size_t wanted = text->len + more;
  if (wanted <= text->capacity) return true;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < wanted) capacity *= 2;
  char *at = text->allocator.alloc(text->allocator.context, capacity);
  if (!at) return false;
  if (text->at) {
    memcpy(at, text->at, text->len);
    text->allocator.free(text->allocator.context, text->at, text->capacity);
  }
  text->at = at;
  text->capacity = capacity;
  return true;
}

/* The text is full: end it with "..." after a whole character, and drop what follows. */
static void cut(ta_text *text) {
  text->failed = true;
  if (text->capacity < 4) return;
  size_t keep = text->capacity - 4;
  while (keep > 0 && ((unsigned char)text->at[keep] & 0xC0) == 0x80) keep--;
  memcpy(text->at + keep, "...", 4);
  text->len = keep + 3;
}

void ta_text_bytes(ta_text *text, const char *at, size_t len) {
  if (text->failed || len == 0) return;
  if (!text->fixed) {
    if (!grow(text, len)) {
      text->failed = true;
      return;
    }
    memcpy(text->at + text->len, at, len);
    text->len += len;
    return;
  }
  if (text->capacity == 0) return;
  size_t room = text->capacity - 1 - text->len;
  size_t fits = len < room ? len : room;
  memcpy(text->at + text->len, at, fits);
  text->len += fits;
  text->at[text->len] = 0;
  if (fits < len) cut(text);
}

uint32_t ta_utf8_next(ta_str str, size_t *at) {
  const unsigned char *s = (const unsigned char *)str.at + *at;
  size_t left = str.len - *at;
  uint32_t lead = s[0];
  (*at)++;
  if (lead < 0x80) return lead;
  size_t more = lead >= 0xF0 && lead < 0xF5 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead >= 0xF5 || left <= more) return 0xFFFD;
  uint32_t code = lead & (0x3Fu >> more);
  for (size_t i = 1; i <= more; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0xFFFD;
    code = code << 6 | (s[i] & 0x3Fu);
  }
  bool overlong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return 0xFFFD;
  *at += more;
  return code;
}

static void put_str(ta_text *text, const ta_str *str) {
  size_t at = 0;
  while (at < str->len) {
    size_t from = at;
    uint32_t code = ta_utf8_next(*str, &at);
    if (text->escape && text->escape(text, code)) continue;
    if (code == 0xFFFD && at - from == 1) {
      ta_text_bytes(text, "\xEF\xBF\xBD", 3);
    } else {
      ta_text_bytes(text, str->at + from, at - from);
    }
  }
}

static void put_name(ta_text *text, const ta_str *name) {
  if (name->len == 0) return;
  ta_text_bytes(text, " (", 2);
  put_str(text, name);
  ta_text_bytes(text, ")", 1);
}

/* In groups of three: a comma before every third digit but the first. */
static void put_number(ta_text *text, uint64_t value, uint32_t base, size_t least_digits, bool grouped) {
  char digits[32];
  size_t at = sizeof digits;
  for (size_t n = 0; value != 0 || n < least_digits; n++) {
    if (grouped && n > 0 && n % 3 == 0) digits[--at] = ',';
    digits[--at] = "0123456789ABCDEF"[value % base];
    value /= base;
  }
  ta_text_bytes(text, digits + at, sizeof digits - at);
}

static void put_unless(ta_text *text, uint64_t value, uint64_t none) {
  if (value == none) {
    ta_text_bytes(text, "null", 4);
  } else {
    put_number(text, value, 10, 1, false);
  }
}

void ta_text_vformat(ta_text *text, const char *format, va_list arguments) {
  const char *from = format;
  for (const char *p = format; *p; p++) {
    if (*p != '%') continue;
    ta_text_bytes(text, from, (size_t)(p - from));
    switch (*++p) {
    case 's': {
      const char *s = va_arg(arguments, const char *);
      ta_text_bytes(text, s, strlen(s));
      break;
    }
    case 'T':
      put_str(text, va_arg(arguments, const ta_str *));
      break;
    case 'M':
      put_name(text, va_arg(arguments, const ta_str *));
      break;
    case 'u':
      put_number(text, va_arg(arguments, uint32_t), 10, 1, false);
      break;
    case 'U':
    case 'G':
      put_number(text, va_arg(arguments, uint64_t), 10, 1, *p == 'G');
      break;
    case 'I':
      put_unless(text, va_arg(arguments, uint32_t), TA_NO_INDEX);
      break;
    case 'O':
      put_unless(text, va_arg(arguments, uint64_t), TA_NO_OFFSET);
      break;
    case 'L':
      put_number(text, TA_MAX_BYTES, 10, 1, false);
      break;
    case ',':
      if (text->len > 0 && text->at[text->len - 1] != '[') ta_text_bytes(text, ",", 1);
      break;
    case 'b':
      put_str(text, va_arg(arguments, int) ? &TA_STR("true") : &TA_STR("false"));
      break;
    case 'X':
      ta_text_bytes(text, "0x", 2);
      put_number(text, va_arg(arguments, uint64_t), 16, 4, false);
      break;
    case 'i': {
      int64_t value = va_arg(arguments, int32_t);
      if (value < 0) ta_text_bytes(text, "-", 1);
      put_number(text, (uint64_t)(value < 0 ? -value : value), 10, 1, false);
      break;
    }
    default:
      ta_text_bytes(text, p, 1);
      break;
    }
    from = p + 1;
  }
  ta_text_bytes(text, from, strlen(from));
}

void ta_text_format(ta_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_text_vformat(text, format, arguments);
  va_end(arguments);
}

bool ta_is_hidden(uint32_t code) {
  static const uint32_t ranges[][2] = {
#define HIDDEN(first, last) {first, last},
#include "base/hidden.def"
#undef HIDDEN
  };
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
    if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
  return false;
}

bool ta_escape_hidden(ta_text *text, uint32_t code) {
  static const char hex[] = "0123456789abcdef";
  if (!ta_is_hidden(code)) return false;
  const char escape[] = {'\\',          'u', hex[code >> 12 & 15], hex[code >> 8 & 15], hex[code >> 4 & 15],
                         hex[code & 15]};
  ta_text_bytes(text, escape, sizeof escape);
  return true;
}

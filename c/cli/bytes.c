/* Reads sizes with units and fractions, exactly. */
#include "bytes.h"

#include <stdbool.h>
#include <stddef.h>

#include "tensor_arena.h"

/* 2^-20 has 20 decimal places: with more, nothing is a whole number of bytes. */
enum { MOST_PLACES = 20 };

static const char *skip_blank(const char *text) {
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
  return text;
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  c = lower(c);
  return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* Digits, which decimal ones may have , and _ between; NULL: there are none, or too many. */
static const char *read_whole(const char *text, uint64_t *out) {
  bool is_hex = text[0] == '0' && lower(text[1]) == 'x';
  unsigned base = is_hex ? 16 : 10;
  uint64_t value = 0;
  if (is_hex) text += 2;
  if (digit(*text) >= base) return NULL;
  for (; digit(*text) < base || (!is_hex && (*text == ',' || *text == '_')); text++) {
    if (*text == ',' || *text == '_') continue;
    value = value * base + digit(*text);
    if (value > TA_MAX_BYTES) return NULL;
  }
  *out = value;
  return is_hex && *text == '.' ? NULL : text;
}

/* The power of two of a unit, or -1. */
static int unit_bits(const char *text) {
  static const struct {
    const char *name;
    int bits;
  } units[] = {{"", 0}, {"b", 0}, {"k", 10}, {"kb", 10}, {"kib", 10}, {"m", 20}, {"mb", 20}, {"mib", 20}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    size_t at = 0;
    while (units[i].name[at] != '\0' && lower(text[at]) == units[i].name[at]) at++;
    if (units[i].name[at] == '\0' && *skip_blank(text + at) == '\0') return units[i].bits;
  }
  return -1;
}

/* Twice a decimal fraction, whose digits keep their places; the carry goes into the whole part. */
static unsigned twice(uint8_t *places, size_t n) {
  unsigned carry = 0;
  for (size_t i = n; i-- > 0;) {
    unsigned value = 2 * places[i] + carry;
    places[i] = (uint8_t)(value % 10);
    carry = value / 10;
  }
  return carry;
}

bytes_read read_bytes(const char *text, uint64_t *out) {
  uint64_t value = 0;
  uint8_t places[MOST_PLACES] = {0};
  size_t n = 0;
  bool is_whole = true;
  text = read_whole(skip_blank(text), &value);
  if (text == NULL) return BYTES_NONE;
  if (*text == '.') {
    if (digit(*++text) > 9) return BYTES_NONE;
    for (; digit(*text) <= 9; text++) {
      if (n < MOST_PLACES)
        places[n++] = (uint8_t)digit(*text);
      else if (*text != '0')
        is_whole = false;
    }
  }
  int bits = unit_bits(skip_blank(text));
  if (bits < 0) return BYTES_NONE;
  for (; bits > 0; bits--) {
    value = 2 * value + twice(places, n);
    if (value > TA_MAX_BYTES) return BYTES_NONE;
  }
  for (size_t i = 0; i < n; i++) is_whole = is_whole && places[i] == 0;
  *out = value;
  return is_whole ? BYTES_GOOD : BYTES_NOT_WHOLE;
}

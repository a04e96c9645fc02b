/* Finds and decodes the byte arrays of C source, without understanding C: comments, literals and braces are
 * enough. */
#include "model/c_array.h"

#include "model/tflite.h"

enum { HEAD_BYTES = 8, BYTE_MOST = 255, BYTE_LEAST = -128 };

typedef struct cursor {
  ta_bytes text;
  size_t at;
} cursor;

/* 0 past the end. */
static uint8_t peek(const cursor *c, size_t ahead) {
  return ahead < c->text.len - c->at ? c->text.at[c->at + ahead] : 0;
}

static bool at_end(const cursor *c) {
  return c->at == c->text.len;
}

static bool take(cursor *c, uint8_t wanted) {
  if (at_end(c) || c->text.at[c->at] != wanted) return false;
  c->at++;
  return true;
}

static bool is_blank(uint8_t c) {
  return c == ' ' || (c >= 9 && c <= 13);
}

static bool is_word(uint8_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
}

static int digit(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

static bool skip_comment(cursor *c) {
  if (peek(c, 0) != '/' || (peek(c, 1) != '/' && peek(c, 1) != '*')) return false;
  bool is_line = peek(c, 1) == '/';
  for (c->at += 2; !at_end(c); c->at++) {
    if (is_line && peek(c, 0) == '\n') return true;
    if (is_line || peek(c, 0) != '*' || peek(c, 1) != '/') continue;
    c->at += 2;
    return true;
  }
  return true;
}

/* A literal ends on its line. */
static bool skip_literal(cursor *c) {
  uint8_t quote = peek(c, 0);
  if (quote != '"' && quote != '\'') return false;
  for (c->at++; !at_end(c) && peek(c, 0) != '\n';) {
    if (take(c, quote)) return true;
    c->at += peek(c, 0) == '\\' && c->text.len - c->at > 1 ? 2 : 1;
  }
  return true;
}

static void skip_blank(cursor *c) {
  while (!at_end(c)) {
    if (is_blank(peek(c, 0)))
      c->at++;
    else if (!skip_comment(c))
      return;
  }
}

/* A number that a byte, with or without a sign, can have. Where there is none, the cursor stands behind what
   it took for one, which is never a brace. */
static bool read_byte(cursor *c, uint8_t *out) {
  bool negative = take(c, '-');
  int base = 10, value = 0;
  bool any = take(c, '0');
  if (any) base = take(c, 'x') || take(c, 'X') ? 16 : 8;
  if (base == 16) any = false;
  for (; digit(peek(c, 0)) < base; any = true, c->at++) {
    value = value * base + digit(peek(c, 0));
    if (value > BYTE_MOST) return false;
  }
  if (!take(c, 'u')) take(c, 'U');
  if (!any || is_word(peek(c, 0)) || (negative && -value < BYTE_LEAST)) return false;
  *out = (uint8_t)(negative ? -value : value);
  return true;
}

typedef struct list {
  size_t begins, bytes;
  uint8_t head[HEAD_BYTES];
  bool broken; /* something that is no byte stands in it */
} list;

/* The numbers at the cursor, which then stands at what follows them. `out` may be NULL. */
static list read_list(cursor *c, uint8_t *out) {
  list found = {c->at, 0, {0}, false};
  for (;;) {
    skip_blank(c);
    size_t at = c->at;
    uint8_t byte;
    if (!read_byte(c, &byte)) {
      found.broken = c->at != at;
      return found;
    }
    if (out) out[found.bytes] = byte;
    if (found.bytes < HEAD_BYTES) found.head[found.bytes] = byte;
    found.bytes++;
    skip_blank(c);
    if (!take(c, ',')) return found;
  }
}

static void consider(ta_c_arrays *best, const list *found, bool is_closed, bool is_cut) {
  bool is_model =
      ta_tflite_is((ta_bytes){found->head, found->bytes < HEAD_BYTES ? found->bytes : HEAD_BYTES});
  if (is_model && is_closed && found->bytes > best->bytes) {
    best->begins = found->begins;
    best->bytes = found->bytes;
  }
  if (is_model && is_cut) best->cut = true;
  if (!is_model && is_closed && found->bytes >= HEAD_BYTES) best->others = true;
}

ta_c_arrays ta_c_arrays_find(ta_bytes text) {
  ta_c_arrays best = {0, 0, false, false};
  cursor c = {text, 0};
  list bare = read_list(&c, NULL);
  consider(&best, &bare, at_end(&c) && !bare.broken, false);
  while (!at_end(&c)) {
    if (skip_comment(&c) || skip_literal(&c)) continue;
    if (!take(&c, '{')) {
      c.at++;
      continue;
    }
    list found = read_list(&c, NULL);
    bool is_cut = at_end(&c);
    consider(&best, &found, take(&c, '}') && !found.broken, is_cut);
  }
  return best;
}

ta_status ta_c_array_unpack(ta_model *model, const ta_c_arrays *found, ta_error *error) {
  uint8_t *bytes = TA_TAKE(&model->region, found->bytes, uint8_t);
  if (!bytes) return ta_fail_memory(error);
  cursor c = {model->file, found->begins};
  read_list(&c, bytes);
  model->file = (ta_bytes){bytes, found->bytes};
  return TA_OK;
}

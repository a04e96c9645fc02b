#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

_Noreturn void fuzz_fail(const char *what) {
  fprintf(stderr, "fuzz: not so: %s\n", what);
  abort();
}

void fuzz_print_clash(const ta_clash *clash) {
  fprintf(stderr,
          "fuzz: clash of kind %" PRIu32 ", buffers %" PRIu32 " and %" PRIu32 ", bytes %" PRIu64
          " to %" PRIu64 ", steps %" PRId32 " to %" PRId32 "\n",
          clash->kind, clash->a, clash->b, clash->low, clash->high, clash->first, clash->last);
}

uint32_t fuzz_u8(fuzz_input *input) {
  if (input->left == 0) return 0;
  input->left--;
  return *input->at++;
}

uint32_t fuzz_below(fuzz_input *input, uint32_t n) {
  uint32_t value = fuzz_u8(input);
  if (n > 256) value |= fuzz_u8(input) << 8;
  return n == 0 ? 0 : value % n;
}

uint64_t fuzz_u64(fuzz_input *input) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)fuzz_u8(input) << (8 * i);
  return value;
}

void fuzz_check_status(ta_status status, const ta_error *error) {
  FUZZ_CHECK(strcmp(ta_status_name((int32_t)status), "unknown") != 0, "every status has a name");
  if (status == TA_OK) return;
  FUZZ_CHECK(error->status == (int32_t)status, "the error carries the status that was returned");
  FUZZ_CHECK(memchr(error->text, 0, sizeof error->text) != NULL, "the error's text ends");
  FUZZ_CHECK(error->text[0] != '\0', "an error has a sentence");
  FUZZ_CHECK(status != TA_E_MEMORY, "small inputs need little memory");
}

/* ---- JSON ---- */

typedef struct json_reader {
  const uint8_t *at, *end;
} json_reader;

static void skip_space(json_reader *in) {
  while (in->at < in->end && memchr(" \n\r\t", *in->at, 4) != NULL) in->at++;
}

static int take(json_reader *in, char c) {
  skip_space(in);
  if (in->at == in->end || *in->at != (uint8_t)c) return 0;
  in->at++;
  return 1;
}

/* One well-formed UTF-8 character of more than a byte. */
static int take_wide(json_reader *in) {
  static const uint32_t least[] = {0x80, 0x800, 0x10000};
  uint32_t lead = *in->at, more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4 || (size_t)(in->end - in->at) <= more) return 0;
  uint32_t value = lead & (0x3Fu >> more);
  for (uint32_t i = 1; i <= more; i++) {
    if ((in->at[i] & 0xC0) != 0x80) return 0;
    value = value << 6 | (in->at[i] & 0x3F);
  }
  in->at += more + 1;
  return value >= least[more - 1] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

static int take_string(json_reader *in) {
  if (!take(in, '"')) return 0;
  while (in->at < in->end && *in->at != '"') {
    if (*in->at < 0x20) return 0;
    if (*in->at >= 0x80) {
      if (!take_wide(in)) return 0;
    } else if (*in->at == '\\') {
      if (in->end - in->at < 2 || memchr("\"\\/bfnrtu", in->at[1], 9) == NULL) return 0;
      in->at += 2;
    } else {
      in->at++;
    }
  }
  return take(in, '"');
}

static int take_scalar(json_reader *in) {
  static const char *const words[] = {"true", "false", "null"};
  skip_space(in);
  if (in->at < in->end && *in->at == '"') return take_string(in);
  for (size_t i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(in->end - in->at) >= n && memcmp(in->at, words[i], n) == 0) {
      in->at += n;
      return 1;
    }
  }
  const uint8_t *start = in->at;
  while (in->at < in->end && memchr("-+.eE0123456789", *in->at, 15) != NULL) in->at++;
  return in->at > start;
}

/* Opens as many lists and objects as there are, up to the first scalar or the end of an empty one. */
int fuzz_is_json(const char *text, size_t len) {
  enum { MAX_DEPTH = 64 };
  char open[MAX_DEPTH];
  size_t depth = 0;
  json_reader in = {(const uint8_t *)text, (const uint8_t *)text + len};
  for (;;) {
    int ended = 0;
    if (depth > 0 && open[depth - 1] == '}' && !(take_string(&in) && take(&in, ':'))) return 0;
    char closing = take(&in, '[') ? ']' : take(&in, '{') ? '}' : 0;
    if (closing != 0) {
      open[depth] = closing;
      if (take(&in, open[depth])) {
        ended = 1;
      } else if (++depth == MAX_DEPTH) {
        return 0;
      }
    } else {
      if (!take_scalar(&in)) return 0;
      ended = 1;
    }
    if (!ended) continue;
    while (depth > 0 && take(&in, open[depth - 1])) depth--;
    if (depth == 0) break;
    if (!take(&in, ',')) return 0;
  }
  skip_space(&in);
  return in.at == in.end;
}

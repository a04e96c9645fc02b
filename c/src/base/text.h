/* Text: a growing UTF-8 buffer with a tiny formatter. It exists so that the core needs no stdio (which is
 * large in wasm and not the same everywhere). Reports and error texts are built on it. */
#ifndef TA_BASE_TEXT_H
#define TA_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor_arena.h"

/* Bytes somebody else owns; not NUL-terminated, not always UTF-8. */
typedef struct ta_str {
  const char *at;
  size_t len;
} ta_str;

#define TA_STR(literal) ((ta_str){("" literal), sizeof(literal) - 1})

bool ta_str_equal(const ta_str *a, const ta_str *b);

/* Grows by the allocator, or stays within `at[0..capacity)` when `fixed` (then the end is cut, at a whole
 * character, and "..." says so). After a failed growth `failed` is set and further text is dropped. */
typedef struct ta_text ta_text;
struct ta_text {
  char *at;
  size_t len, capacity;
  ta_allocator allocator;
  bool fixed, failed;
  /* Where the text's language gives a character of a %T a meaning: writes something else for it. False: it
   * means itself. NULL: all do. */
  bool (*escape)(ta_text *text, uint32_t code);
};

/* `allocator` may be NULL: the C library's. */
void ta_text_init(ta_text *text, const ta_allocator *allocator);
void ta_text_init_fixed(ta_text *text, char *storage, size_t capacity);
/* Frees a growing text. */
void ta_text_free(ta_text *text);

void ta_text_bytes(ta_text *text, const char *at, size_t len);

/* Marks, and what each takes (texts by address, which costs a call less than copies):
 *   %s const char *         %T const ta_str *, invalid UTF-8 becomes U+FFFD
 *   %u uint32_t             %M const ta_str *, a name: " (NAME)", and nothing where there is none
 *   %i int32_t              %I uint32_t, null for TA_NO_INDEX
 *   %U uint64_t             %O uint64_t, null for TA_NO_OFFSET
 *   %b int, true or false   %G uint64_t in groups of three, 55,296
 *   %, a comma, but not behind a "["           %L TA_MAX_BYTES
 *   %% a per cent sign      %X uint64_t as 0x-hexadecimal with at least four digits
 * Nothing else. */
void ta_text_format(ta_text *text, const char *format, ...);
void ta_text_vformat(ta_text *text, const char *format, va_list arguments);

/* Whether a character steers a terminal, breaks a line, or turns the direction of what follows (hidden.def).
 */
bool ta_is_hidden(uint32_t code);

/* As a text's `escape`, in text for people: what is hidden is written as \uXXXX. */
bool ta_escape_hidden(ta_text *text, uint32_t code);

/* Decodes one character of `str` at *at and moves *at on; an invalid byte gives U+FFFD and moves by one. */
uint32_t ta_utf8_next(ta_str str, size_t *at);

#endif

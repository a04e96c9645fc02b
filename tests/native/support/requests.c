#include "native/support/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8 };

uint32_t get_word(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void put_word(uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) putchar((int)(word >> shift & 255));
}

void put_bytes(const void *bytes, size_t length) {
  put_word((uint32_t)length);
  fwrite(bytes, 1, length, stdout);
}

void put_place(const ta_error *error) {
  put_word((uint32_t)error->subgraph);
  put_word((uint32_t)error->node);
  put_word((uint32_t)error->tensor);
}

void put_text(ta_status status, const ta_error *error, const char *text, size_t length) {
  if (status == TA_OK)
    put_bytes(text, length);
  else
    put_bytes(error->text, strlen(error->text));
}

/* NULL when there are not so many. */
static uint8_t *read_bytes(uint32_t length) {
  uint8_t *bytes = malloc(length + 1u);
  if (bytes != NULL && fread(bytes, 1, length, stdin) == length) return bytes;
  free(bytes);
  return NULL;
}

int answer_requests(uint32_t words, answer_request answer) {
  uint8_t packed[4 * MOST_WORDS];
  while (fread(packed, 4, words, stdin) == words) {
    uint32_t header[MOST_WORDS];
    for (uint32_t i = 0; i < words; i++) header[i] = get_word(packed + 4 * i);
    uint8_t *bytes = read_bytes(header[words - 1]);
    if (bytes == NULL) return 3;
    answer(header, bytes);
    free(bytes);
  }
  return ferror(stdin) || ferror(stdout) ? 5 : 0;
}

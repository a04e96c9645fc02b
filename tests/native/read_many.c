/* Opens many inputs in one run: what the reader's tests ask. Standard input holds requests, standard output
 * gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: length, then `length` bytes of a file
 *   answer:  status, subgraph, node, tensor (-1: none), length, then `length` bytes: the description, or the
 *            error's sentence
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor_arena.h"

static uint32_t get_word(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_word(uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) putchar((int)(word >> shift & 255));
}

static void answer(ta_status status, const ta_error *error, const char *text, size_t length) {
  put_word((uint32_t)status);
  put_word((uint32_t)error->subgraph);
  put_word((uint32_t)error->node);
  put_word((uint32_t)error->tensor);
  put_word((uint32_t)length);
  fwrite(text, 1, length, stdout);
}

static void describe(const unsigned char *bytes, size_t length) {
  ta_error error;
  ta_model *model = NULL;
  const char *text = NULL;
  size_t text_length = 0;
  ta_status status = ta_model_open(NULL, bytes, length, "", &model, &error);
  if (status == TA_OK) status = ta_model_describe(model, &text, &text_length, &error);
  if (status == TA_OK)
    answer(status, &error, text, text_length);
  else
    answer(status, &error, error.text, strlen(error.text));
  ta_model_free(model);
}

int main(void) {
  unsigned char header[4];
  while (fread(header, 1, sizeof header, stdin) == sizeof header) {
    uint32_t length = get_word(header);
    unsigned char *bytes = malloc(length + 1u);
    if (bytes == NULL || fread(bytes, 1, length, stdin) != length) {
      free(bytes);
      return 3;
    }
    describe(bytes, length);
    free(bytes);
  }
  return ferror(stdin) || ferror(stdout) ? 5 : 0;
}

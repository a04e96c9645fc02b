/* Writes offline plans into many files in one run. Standard input holds requests, standard output gets an
 * answer to each; all words are 32 bits, little-endian.
 *
 *   request: number of offsets, length, the offsets, then `length` bytes of a .tflite file
 *   answer:  status, length, then `length` bytes: the new file, or the error's sentence
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

static void answer(ta_status status, const void *bytes, size_t length) {
  put_word((uint32_t)status);
  put_word((uint32_t)length);
  fwrite(bytes, 1, length, stdout);
}

static void write_plan(const int32_t *offsets, uint32_t n, const unsigned char *bytes, size_t length) {
  ta_error error;
  ta_model *model = NULL;
  uint8_t *written = NULL;
  size_t written_length = 0;
  ta_status status = ta_model_open(NULL, bytes, length, "", &model, &error);
  if (status == TA_OK) status = ta_offline_write(NULL, model, offsets, n, &written, &written_length, &error);
  if (status == TA_OK)
    answer(status, written, written_length);
  else
    answer(status, error.text, strlen(error.text));
  free(written);
  ta_model_free(model);
}

int main(void) {
  unsigned char header[8];
  while (fread(header, 1, sizeof header, stdin) == sizeof header) {
    uint32_t n = get_word(header), length = get_word(header + 4);
    int32_t *offsets = malloc(4u * (size_t)n + 1);
    unsigned char *bytes = malloc(length + 1u);
    if (offsets == NULL || bytes == NULL) return 5;
    for (uint32_t i = 0; i < n; i++) {
      unsigned char word[4];
      if (fread(word, 1, 4, stdin) != 4) return 3;
      offsets[i] = (int32_t)get_word(word);
    }
    if (fread(bytes, 1, length, stdin) != length) return 3;
    write_plan(offsets, n, bytes, length);
    free(offsets);
    free(bytes);
  }
  return ferror(stdin) || ferror(stdout) ? 5 : 0;
}

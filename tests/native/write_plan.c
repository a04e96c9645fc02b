/* Writes offline plans into many files in one run. Standard input holds requests, standard output gets an
 * answer to each; all words are 32 bits, little-endian.
 *
 *   request: number of offsets, length, then `length` bytes: the offsets and a .tflite file
 *   answer:  status, length, then `length` bytes: the new file, or the error's sentence
 */
#include <stdlib.h>

#include "native/support/requests.h"

static void write_plan(const uint32_t *header, const uint8_t *bytes) {
  uint32_t n = header[0];
  size_t length = header[1] - 4 * (size_t)n;
  int32_t *offsets = malloc(4 * (size_t)n + 1);
  if (offsets == NULL) abort();
  for (uint32_t i = 0; i < n; i++) offsets[i] = (int32_t)get_word(bytes + 4 * (size_t)i);
  ta_error error;
  ta_model *model = NULL;
  uint8_t *written = NULL;
  size_t written_length = 0;
  ta_status status = ta_model_open(NULL, bytes + 4 * (size_t)n, length, "", &model, &error);
  if (status == TA_OK) status = ta_offline_write(NULL, model, offsets, n, &written, &written_length, &error);
  put_word((uint32_t)status);
  put_text(status, &error, (const char *)written, written_length);
  free(offsets);
  free(written);
  ta_model_free(model);
}

int main(void) {
  return answer_requests(2, write_plan);
}

/* Opens many inputs in one run: what the reader's tests ask. Standard input holds requests, standard output
 * gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: length, then `length` bytes of a file
 *   answer:  status, subgraph, node, tensor (-1: none), length, then `length` bytes: the description, or the
 *            error's sentence
 */
#include "native/support/requests.h"

static void describe(const uint32_t *length, const uint8_t *bytes) {
  ta_error error;
  ta_model *model = NULL;
  const char *text = NULL;
  size_t text_length = 0;
  ta_status status = ta_model_open(NULL, bytes, *length, "", &model, &error);
  if (status == TA_OK) status = ta_model_describe(model, &text, &text_length, &error);
  put_word((uint32_t)status);
  put_place(&error);
  put_text(status, &error, text, text_length);
  ta_model_free(model);
}

int main(void) {
  return answer_requests(1, describe);
}

/* Holds many pairs of models against each other in one run. Standard input holds requests, standard output
 * gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: bytes of the new model, length of both, then the new model and the old
 *   answer:  status, answer, operators, node, old node, length, then the reason, or the error's sentence
 */
#include <string.h>

#include "native/support/requests.h"

enum { NEW_LENGTH, LENGTH, REQUEST_WORDS };

static void compare(const uint32_t *request, const uint8_t *bytes) {
  ta_error error;
  ta_model *new_model = NULL, *old_model = NULL;
  ta_same same = {0};
  uint32_t n = request[NEW_LENGTH];
  ta_status status = ta_model_open(NULL, bytes, n, "", &new_model, &error);
  if (status == TA_OK) status = ta_model_open(NULL, bytes + n, request[LENGTH] - n, "", &old_model, &error);
  if (status == TA_OK) status = ta_verify_same(NULL, new_model, old_model, &same, &error);
  put_word((uint32_t)status);
  put_word(same.answer);
  put_word(same.operators);
  put_word(same.node);
  put_word(same.old_node);
  put_text(status, &error, same.text, strlen(same.text));
  ta_model_free(new_model);
  ta_model_free(old_model);
}

int main(void) {
  return answer_requests(REQUEST_WORDS, compare);
}

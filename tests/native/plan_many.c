/* Plans many inputs in one run: what the determinism test compares across builds. Standard input holds
 * requests, standard output gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: runtime, planner, alignment, subgraph, kernels, search nodes, format, length, then `length`
 * bytes answer:  status, length, then `length` bytes: the report, or the error's sentence
 */
#include "native/support/requests.h"

enum { RUNTIME, PLANNER, ALIGNMENT, SUBGRAPH, KERNELS, NODES, FORMAT, LENGTH, REQUEST_WORDS };

static void plan(const uint32_t *request, const uint8_t *bytes) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = request[RUNTIME];
  options.planner = request[PLANNER];
  options.alignment = request[ALIGNMENT];
  options.subgraph = request[SUBGRAPH];
  options.kernels = request[KERNELS];
  options.max_nodes = request[NODES];

  ta_error error;
  ta_model *model = NULL;
  ta_planner *planner = NULL;
  const char *text = NULL;
  size_t length = 0;
  ta_status status = ta_model_open(NULL, bytes, request[LENGTH], "", &model, &error);
  if (status == TA_OK) status = ta_planner_new(NULL, model, &options, &planner, &error);
  if (status == TA_OK) status = ta_planner_plan(planner, &error);
  if (status == TA_OK) status = ta_planner_execute(planner, 0, INT32_MAX, &error);
  if (status == TA_OK) status = ta_planner_report(planner, request[FORMAT], &text, &length, &error);
  put_word((uint32_t)status);
  put_text(status, &error, text, length);
  ta_planner_free(planner);
  ta_model_free(model);
}

int main(void) {
  return answer_requests(REQUEST_WORDS, plan);
}

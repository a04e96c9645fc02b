/* Plans many models under tflm, or sizes their whole arenas, in one run. Standard input holds requests,
 * standard output gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: call (0 plan, 1 size), target, kernels, planner, format, budget (0: none), length, then `length`
 *            bytes of a file
 *   answer:  status, subgraph, node, tensor (-1: none), length, then `length` bytes: the report, or the
 *            error's sentence
 */
#include "native/support/requests.h"

enum { CALL, TARGET, KERNELS, PLANNER, FORMAT, BUDGET, LENGTH, REQUEST_WORDS };

static ta_status plan(const uint32_t *request, const ta_model *model, ta_planner **planner, const char **text,
                      size_t *length, ta_error *error) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = TA_RUNTIME_TFLM;
  options.planner = request[PLANNER];
  options.kernels = request[KERNELS];
  ta_status status = ta_planner_new(NULL, model, &options, planner, error);
  if (status == TA_OK) status = ta_planner_plan(*planner, error);
  if (status == TA_OK) status = ta_planner_execute(*planner, 0, INT32_MAX, error);
  return status == TA_OK ? ta_planner_report(*planner, request[FORMAT], text, length, error) : status;
}

static ta_status size(const uint32_t *request, ta_model *model, const char **text, size_t *length,
                      ta_error *error) {
  ta_size_options options;
  ta_size_options_init(&options);
  options.target = request[TARGET];
  options.kernels = request[KERNELS];
  options.planner = request[PLANNER];
  options.format = request[FORMAT];
  if (request[BUDGET] != 0) options.budget_bytes = request[BUDGET];
  return ta_model_size(model, &options, NULL, text, length, error);
}

static void run(const uint32_t *request, const uint8_t *bytes) {
  ta_error error = {0};
  ta_model *model = NULL;
  ta_planner *planner = NULL;
  const char *text = NULL;
  size_t length = 0;
  ta_status status = ta_model_open(NULL, bytes, request[LENGTH], "", &model, &error);
  if (status == TA_OK) {
    status = request[CALL] == 0 ? plan(request, model, &planner, &text, &length, &error)
                                : size(request, model, &text, &length, &error);
  }
  put_word((uint32_t)status);
  put_place(&error);
  put_text(status, &error, text, length);
  ta_planner_free(planner);
  ta_model_free(model);
}

int main(void) {
  return answer_requests(REQUEST_WORDS, run);
}

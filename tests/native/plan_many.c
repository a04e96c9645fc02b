/* Plans many inputs in one run: what the determinism test compares across builds. Standard input holds
 * requests, standard output gets an answer to each; all words are 32 bits, little-endian.
 *
 *   request: runtime, method, alignment, subgraph, kernels, search nodes, format, length, then `length` bytes
 *   answer:  status, length, then `length` bytes: the report, or the error's sentence
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor_arena.h"

enum { RUNTIME, METHOD, ALIGNMENT, SUBGRAPH, KERNELS, NODES, FORMAT, LENGTH, REQUEST_WORDS };

static uint32_t get_word(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_word(uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) putchar((int)(word >> shift & 255));
}

static void answer(ta_status status, const char *text, size_t length) {
  put_word((uint32_t)status);
  put_word((uint32_t)length);
  fwrite(text, 1, length, stdout);
}

static void plan(const uint32_t *request, const unsigned char *bytes) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = request[RUNTIME];
  options.method = request[METHOD];
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
  if (status == TA_OK)
    answer(status, text, length);
  else
    answer(status, error.text, strlen(error.text));
  ta_planner_free(planner);
  ta_model_free(model);
}

int main(void) {
  unsigned char header[4 * REQUEST_WORDS];
  while (fread(header, 1, sizeof header, stdin) == sizeof header) {
    uint32_t request[REQUEST_WORDS];
    for (int i = 0; i < REQUEST_WORDS; i++) request[i] = get_word(header + 4 * i);
    unsigned char *bytes = malloc(request[LENGTH] + 1u);
    if (bytes == NULL || fread(bytes, 1, request[LENGTH], stdin) != request[LENGTH]) {
      free(bytes);
      return 3;
    }
    plan(request, bytes);
    free(bytes);
  }
  return ferror(stdin) || ferror(stdout) ? 5 : 0;
}

/* Writes offline plans into a model that a stranger sent, and reads them back. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "graph/graph.h"

enum { MOST_TENSORS = 4096 };

static uint32_t count_tensors(const ta_model *model) {
  uint64_t n = 0;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) n += model->subgraphs[g].n_tensors;
  return n > MOST_TENSORS ? MOST_TENSORS + 1 : (uint32_t)n;
}

static void check_read_back(const uint8_t *bytes, size_t len, const int32_t *offsets, uint32_t n,
                            const ta_model *original) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, bytes, len, NULL, &model, &error);
  fuzz_check_status(status, &error);
  FUZZ_CHECK(status == TA_OK, "what was written can be read");
  FUZZ_CHECK(model->has_offline_plan && model->offline_offsets.n == n, "it has the plan");
  FUZZ_CHECK(n == 0 || memcmp(model->offline_offsets.at, offsets, n * sizeof *offsets) == 0,
             "offset by offset");
  FUZZ_CHECK(model->n_subgraphs == original->n_subgraphs && model->n_constants >= original->n_constants &&
                 count_tensors(model) == n,
             "and everything that was there");
  ta_model_free(model);
}

static void measure(ta_model *model, uint32_t sum) {
  const char *text = NULL;
  size_t len = 0;
  ta_size size;
  ta_size_options options;
  ta_error error;
  ta_size_options_init(&options);
  options.target = sum % 3;
  options.kernels = sum / 3 % 4;
  options.budget_bytes = sum % 2 ? 4096 : TA_NO_OFFSET;
  ta_status status = ta_model_size(model, &options, &size, &text, &len, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  FUZZ_CHECK(fuzz_is_json(text, len), "an itemised arena is JSON");
  FUZZ_CHECK(size.arena_used_bytes == size.head_bytes + size.tail_bytes, "head and tail make the arena");
  FUZZ_CHECK(size.min_arena_bytes >= size.arena_used_bytes, "what is used fits into the smallest arena");
}

void fuzz_offline(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, NULL, &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  uint32_t n = count_tensors(model), sum = 0;
  int32_t offsets[MOST_TENSORS];
  for (size_t i = 0; i < size; i++) sum += data[i];
  for (uint32_t i = 0; i < n && i < MOST_TENSORS; i++)
    offsets[i] = (i + sum) % 3 == 0 ? -1 : (int32_t)(16 * (i * sum % 1024));
  if (n <= MOST_TENSORS) {
    uint8_t *written = NULL;
    size_t len = 0;
    status = ta_offline_write(NULL, model, offsets, n, &written, &len, &error);
    fuzz_check_status(status, &error);
    if (status == TA_OK) check_read_back(written, len, offsets, n, model);
    free(written);
  }
  measure(model, sum);
  ta_model_free(model);
}

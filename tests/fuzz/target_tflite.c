#include "fuzz/fuzz.h"

void fuzz_tflite(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, "fuzzed", &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  fuzz_describe(model);
  for (uint32_t method = TA_METHOD_OWN; method <= TA_METHOD_OPTIMAL; method++) {
    fuzz_plan(model, TA_RUNTIME_TFLITE_2018, method, 0);
    fuzz_plan(model, TA_RUNTIME_TFLITE, method, 0);
    fuzz_plan(model, TA_RUNTIME_TFLM, method, 0);
  }
  ta_model_free(model);
}

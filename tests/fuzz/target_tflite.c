#include "fuzz/fuzz.h"

enum { SMALL_BYTES = 1500, CHOICES = 9 };

void fuzz_tflite(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, "fuzzed", &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  fuzz_describe(model);
  /* Every planner on small files; on the others one, that depends on the bytes, so that more files are tried.
   */
  uint32_t sum = 0, choice = 0;
  for (size_t i = 0; i < size; i++) sum += data[i];
  for (uint32_t kind = TA_PLANNER_OWN; kind <= TA_PLANNER_OPTIMAL; kind++) {
    for (uint32_t runtime = TA_RUNTIME_TFLITE_2018; runtime <= TA_RUNTIME_TFLM; runtime++) {
      if (size <= SMALL_BYTES || choice == sum % CHOICES) fuzz_plan(model, runtime, kind, 0);
      choice++;
    }
  }
  ta_model_free(model);
}

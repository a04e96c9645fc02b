#include "fuzz/fuzz.h"

/* Does the block's own operations; what they answer is not known, only that they answer. */
static void apply_all(const ta_model *model, uint32_t runtime, uint32_t kind) {
  ta_planner_options options;
  ta_planner *planner = NULL;
  ta_error error;
  ta_planner_options_init(&options);
  options.runtime = runtime;
  options.planner = kind;
  options.max_nodes = 200;
  ta_status status = ta_planner_new(NULL, model, &options, &planner, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  for (uint32_t i = 0; i <= ta_model_operations(model); i++) {
    status = ta_planner_apply(planner, i, &error);
    fuzz_check_status(status, &error);
  }
  FUZZ_CHECK(status == TA_E_INDEX, "there is no operation past the last");
  ta_planner_free(planner);
}

void fuzz_block(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, NULL, &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  fuzz_describe(model);
  for (uint32_t kind = TA_PLANNER_OWN; kind <= TA_PLANNER_OPTIMAL; kind++) {
    for (uint32_t runtime = TA_RUNTIME_TFLITE_2018; runtime <= TA_RUNTIME_TFLITE; runtime++) {
      fuzz_plan(model, runtime, kind, 0);
      apply_all(model, runtime, kind);
    }
  }
  ta_model_free(model);
}

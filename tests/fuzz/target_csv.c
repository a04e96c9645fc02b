#include <stddef.h>

#include "fuzz/fuzz.h"

void fuzz_csv(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, "fuzzed.csv", &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  fuzz_describe(model);
  if (ta_model_kind(model) == TA_KIND_CSV) {
    ta_clash clashes[4];
    ta_verdict verdict;
    status = ta_verify_rows(NULL, model, TA_NO_OFFSET, clashes, 4, &verdict, &error);
    fuzz_check_status(status, &error);
    if (status == TA_OK) {
      FUZZ_CHECK(verdict.listed <= 4 && verdict.listed <= verdict.clashes,
                 "no more clashes are listed than there are");
      FUZZ_CHECK((verdict.sound == 1) == (verdict.clashes == 0), "sound means no clash");
    }
    fuzz_plan(model, TA_RUNTIME_NONE, TA_PLANNER_OWN, 0);
    fuzz_plan(model, TA_RUNTIME_NONE, TA_PLANNER_LINEAR, 0);
    fuzz_plan(model, TA_RUNTIME_NONE, TA_PLANNER_OPTIMAL, 0);
  }
  ta_model_free(model);
}

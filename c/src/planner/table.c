/* The runtimes and planners there are. */
#include "planner/rows.h"

extern const ta_runtime ta_runtime_tflite_2018;
extern const ta_method ta_method_tflite_2018_own;
extern const ta_runtime ta_runtime_tflite;
extern const ta_method ta_method_tflite_own;
extern const ta_runtime ta_runtime_tflm;
extern const ta_method ta_method_tflm_own;
extern const ta_method ta_method_linear;
extern const ta_method ta_method_optimal;

static const ta_runtime *const runtimes[] = {
    &ta_runtime_tflite_2018,
    &ta_runtime_tflite,
    &ta_runtime_tflm,
    &ta_runtime_none,
};

typedef struct method_row {
  uint32_t runtime; /* TA_RUNTIME_DEFAULT: for all */
  const ta_method *method;
} method_row;

static const method_row methods[] = {
    {TA_RUNTIME_TFLITE_2018, &ta_method_tflite_2018_own},
    {TA_RUNTIME_TFLITE, &ta_method_tflite_own},
    {TA_RUNTIME_TFLM, &ta_method_tflm_own},
    {TA_RUNTIME_DEFAULT, &ta_method_linear},
    {TA_RUNTIME_DEFAULT, &ta_method_optimal},
};

const ta_runtime *ta_runtime_find(uint32_t id) {
  for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
    if (runtimes[i]->id == id) return runtimes[i];
  }
  return NULL;
}

const ta_method *ta_method_find(uint32_t method, uint32_t runtime) {
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    const method_row *row = &methods[i];
    if (row->method->id == method && (row->runtime == runtime || row->runtime == TA_RUNTIME_DEFAULT))
      return row->method;
  }
  return NULL;
}

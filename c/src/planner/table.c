/* The runtimes and planners there are. */
#include "planner/rows.h"

extern const ta_runtime ta_runtime_tflite_2018;
extern const ta_planner_kind ta_planner_kind_tflite_2018_own;
extern const ta_runtime ta_runtime_tflite;
extern const ta_planner_kind ta_planner_kind_tflite_own;
extern const ta_runtime ta_runtime_tflm;
extern const ta_planner_kind ta_planner_kind_tflm_own;
extern const ta_planner_kind ta_planner_kind_linear;
extern const ta_planner_kind ta_planner_kind_optimal;

static const ta_runtime *const runtimes[] = {
    &ta_runtime_tflite_2018,
    &ta_runtime_tflite,
    &ta_runtime_tflm,
    &ta_runtime_none,
};

typedef struct planner_row {
  uint32_t runtime; /* TA_RUNTIME_DEFAULT: for all */
  const ta_planner_kind *kind;
} planner_row;

static const planner_row planners[] = {
    {TA_RUNTIME_TFLITE_2018, &ta_planner_kind_tflite_2018_own},
    {TA_RUNTIME_TFLITE, &ta_planner_kind_tflite_own},
    {TA_RUNTIME_TFLM, &ta_planner_kind_tflm_own},
    {TA_RUNTIME_NONE, &ta_planner_kind_rows_own},
    {TA_RUNTIME_DEFAULT, &ta_planner_kind_linear},
    {TA_RUNTIME_DEFAULT, &ta_planner_kind_optimal},
};

const ta_runtime *ta_runtime_find(uint32_t id) {
  for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
    if (runtimes[i]->id == id) return runtimes[i];
  }
  return NULL;
}

const ta_planner_kind *ta_planner_kind_find(uint32_t planner, uint32_t runtime) {
  for (size_t i = 0; i < sizeof planners / sizeof planners[0]; i++) {
    const planner_row *row = &planners[i];
    if (row->kind->id == planner && (row->runtime == runtime || row->runtime == TA_RUNTIME_DEFAULT))
      return row->kind;
  }
  return NULL;
}

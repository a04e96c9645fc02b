/* The interpreter's walk over a packed graph block. What the host does comes from the bytes of the block's
 * operations: they are there to be any. */
#include "fuzz/fuzz.h"

enum { MOST_STEPS = 60 };

static void walk_under(const ta_model *model, uint32_t runtime, fuzz_input input) {
  ta_planner_options options;
  ta_walk *walk = NULL;
  ta_error error;
  uint32_t n = 0;
  ta_planner_options_init(&options);
  options.runtime = runtime;
  ta_status status = ta_walk_new(NULL, model, &options, &walk, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  ta_planner_buffers(ta_walk_planner(walk), &n);
  for (int step = 0; step < MOST_STEPS && input.left > 0; step++) {
    ta_walk_step at = {-1, -1, -1, 0};
    uint32_t choice = fuzz_u8(&input) % 8;
    if (choice == 0) {
      status = ta_walk_allocate(walk, &at, &error);
    } else if (choice < 4) {
      uint32_t tensor = fuzz_below(&input, n + 1);
      status = ta_walk_set_bytes(walk, tensor, fuzz_u8(&input) * 8u, &error);
    } else {
      status = ta_walk_next(walk, &at, &error);
      if (status == TA_OK) fuzz_check_sound(model, ta_walk_planner(walk));
    }
    fuzz_check_status(status, &error);
  }
  ta_walk_free(walk);
}

void fuzz_walk(const uint8_t *data, size_t size) {
  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, data, size, NULL, &model, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  size_t skipped = size > MOST_STEPS * 3 ? size - MOST_STEPS * 3 : 0;
  walk_under(model, TA_RUNTIME_TFLITE_2018, (fuzz_input){data + skipped, size - skipped});
  walk_under(model, TA_RUNTIME_TFLITE, (fuzz_input){data + skipped, size - skipped});
  ta_model_free(model);
}

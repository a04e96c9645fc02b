/* The builds of TFLM: how large its run-time objects are on each target. One place for every struct size. */
#ifndef TA_KERNELS_TARGET_H
#define TA_KERNELS_TARGET_H

#include <stdbool.h>

#include "tensor_arena.h"

/* What TFLM takes from the arena for one object: bytes, rounded down to `align` from the arena's end. */
typedef struct ta_object {
  uint16_t bytes;
  uint8_t align;
} ta_object;

typedef struct ta_tflm_target {
  bool wide;        /* 64-bit pointers */
  bool short_enums; /* an enum takes the fewest bytes that hold it (arm-none-eabi-gcc's default) */
  ta_object pointer;
  ta_object single_arena_allocator, greedy_planner, linear_planner, micro_allocator;
  ta_object resource_variables, resource_variable;
  ta_object builtin_data_allocator, subgraph_allocations;
  ta_object eval_tensor, node_and_registration, scratch_handle;
  ta_object tensor, quantization;            /* TfLiteTensor, TfLiteAffineQuantization */
  uint16_t scratch_request, allocation_info; /* while planning only */
} ta_tflm_target;

/* NULL for a number that is no ta_target. */
const ta_tflm_target *ta_tflm_target_find(uint32_t target);

#endif

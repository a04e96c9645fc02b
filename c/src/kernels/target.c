#include "kernels/target.h"

/* The two 32-bit targets differ only in TfLiteTensor here: it holds enums. */
#define ILP32_OBJECTS                                                                                        \
  .pointer = {4, 4}, .single_arena_allocator = {36, 4}, .greedy_planner = {44, 4},                           \
  .linear_planner = {4108, 4}, .micro_allocator = {36, 4}, .resource_variables = {12, 16},                   \
  .resource_variable = {20, 16}, .builtin_data_allocator = {8, 4}, .subgraph_allocations = {8, 4},           \
  .eval_tensor = {12, 4}, .node_and_registration = {32, 4}, .scratch_handle = {4, 4},                        \
  .quantization = {12, 4}, .scratch_request = 12, .allocation_info = 24

static const ta_tflm_target targets[] = {
    [TA_TARGET_CORTEX_M] = {.short_enums = true, .tensor = {32, 4}, ILP32_OBJECTS},
    [TA_TARGET_ILP32] = {.tensor = {40, 4}, ILP32_OBJECTS},
    [TA_TARGET_LP64] = {.wide = true,
                        .pointer = {8, 8},
                        .single_arena_allocator = {72, 8},
                        .greedy_planner = {72, 8},
                        .linear_planner = {8216, 8},
                        .micro_allocator = {72, 8},
                        .resource_variables = {16, 16},
                        .resource_variable = {40, 16},
                        .builtin_data_allocator = {16, 8},
                        .subgraph_allocations = {16, 8},
                        .eval_tensor = {24, 8},
                        .node_and_registration = {64, 8},
                        .scratch_handle = {8, 8},
                        .tensor = {64, 8},
                        .quantization = {24, 8},
                        .scratch_request = 16,
                        .allocation_info = 32},
};

const ta_tflm_target *ta_tflm_target_find(uint32_t target) {
  return target < sizeof targets / sizeof *targets ? &targets[target] : NULL;
}

/* The whole arena that TensorFlow Lite Micro needs for a plan. It takes memory from both ends of one block:
 *
 *   base                                                                                        base + arena
 *   | head: the planned buffers, reused over time | free | tail: what is kept for good, newest to the left |
 *
 * While AllocateTensors runs, lists of its own stand between the two; the smallest arena it accepts has room
 * for them, too. */
#ifndef TA_MEASURE_WHOLE_H
#define TA_MEASURE_WHOLE_H

#include "planner/tflm_plan.h"

typedef enum ta_size_item_id {
#define SIZE_ITEM(number, id, ...) TA_SIZE_##id = number,
#include "tensor_arena_words.def"
  TA_SIZE_ITEMS /* how many there are */
} ta_size_item_id;

/* A part of the tail; `bytes` holds what alignment adds, so that the items add up to the tail. */
typedef struct ta_size_item {
  uint64_t bytes;
  uint32_t subgraph, node, tensor; /* TA_NO_INDEX: not about one */
  uint32_t what;                   /* ta_size_item_id */
} ta_size_item;

typedef struct ta_whole {
  uint64_t head_bytes, tail_bytes;
  uint64_t used_bytes; /* both: what arena_used_bytes() says */
  uint64_t min_bytes;  /* the smallest arena, in steps of 16 and 16-aligned, that AllocateTensors accepts;
                          TA_NO_OFFSET: not known (linear) */
  ta_size_item *items; /* of the tail, in the order in which TFLM takes them */
  uint32_t n_items, capacity;
} ta_whole;

/* Measures what `plan` needs whose head comes to `head_bytes`. `planner`: TA_PLANNER_LINEAR for TFLM's linear
 * planner, whose object is another. The items are from `region`. Errors: LIMIT, MEMORY. */
ta_status ta_whole_measure(const ta_tflm_plan *plan, uint32_t planner, uint64_t head_bytes, ta_region *region,
                           ta_whole *out, ta_error *error);

/* The model's file with the planner's places in it as an offline plan, for TFLM's own planner to follow:
 * *bytes has *len and goes back to the planner's allocator. Scratch buffers cannot be given an offset, and
 * variables must have none. Errors: those of ta_offline_write. */
ta_status ta_plan_to_file(const ta_planner *planner, uint8_t **bytes, size_t *len, ta_error *error);

/* What TFLM needs for a .tflite file under its own planner. `out` comes without items. Errors: those of
 * ta_model_open and of TFLM's own planning. */
ta_status ta_file_measure(const ta_allocator *allocator, const uint8_t *bytes, size_t len, uint32_t target,
                          uint32_t kernels, ta_whole *out, ta_error *error);

#endif

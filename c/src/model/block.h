/* The packed graph block: tensor_arena.h says how it is laid out. */
#ifndef TA_MODEL_BLOCK_H
#define TA_MODEL_BLOCK_H

#include "graph/graph.h"

/* One operation of a block, decoded. */
typedef struct ta_operation {
  ta_operation_code code;
  int32_t first, second;
  uint64_t bytes;
} ta_operation;

/* Whether the bytes begin like a block, of this version or another. */
bool ta_block_is(ta_bytes bytes);

/* Reads model->file, all of it, into a model of one subgraph. The names point into the block. O(n) time and
 * memory in the block's bytes. Errors: TRUNCATED, MALFORMED, INDEX, LIMIT, UNSUPPORTED (another version),
 * MEMORY. */
ta_status ta_block_read(ta_model *model, ta_error *error);

/* Operation `index`, below ta_model_operations, of a model that ta_block_read has read. O(1). */
ta_operation ta_block_operation(const ta_model *model, uint32_t index);

#endif

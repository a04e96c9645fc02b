/* The builtin operators of the .tflite format. */
#ifndef TA_GRAPH_OPS_H
#define TA_GRAPH_OPS_H

#include "base/text.h"

/* TA_OP_ADD, TA_OP_AVERAGE_POOL_2D, ...: what ta_node.op holds. */
typedef enum ta_op {
#define OP(number, name, inplace) TA_OP_##name = number,
#include "graph/ops.def"
#undef OP
  TA_OPS /* how many there are */
} ta_op;

/* The bits of ta_node.inplace: what an operator lets TensorFlow Lite do with output 0. */
enum {
  TA_UNMODIFIED = 1, /* the output holds the very data of the input */
  TA_SHARE_0 = 4,    /* the output may take the place of input 0 */
  TA_SHARE_1 = 8,
  TA_SHARE_2 = 16,
  TA_SHARABLE_INPUTS = 3 /* inputs that have such a bit */
};

/* The operator's name ("CONV_2D"), or an empty string for a number past the list. */
ta_str ta_op_name(uint32_t op);

/* Its in-place mask; 0 for a number past the list. */
uint8_t ta_op_inplace(uint32_t op);

#endif

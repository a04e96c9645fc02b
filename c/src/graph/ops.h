/* The builtin operators of the .tflite format. */
#ifndef TA_GRAPH_OPS_H
#define TA_GRAPH_OPS_H

#include "base/text.h"

/* TA_OP_ADD, TA_OP_AVERAGE_POOL_2D, ...: what ta_node.op holds. */
typedef enum ta_op {
#define OP(number, name, inplace, reach) TA_OP_##name = number,
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

/* What a row (or column) of an operator's output needs of the rows of its inputs. */
typedef enum ta_reach {
  TA_REACH_ALL = 0,    /* possibly everything */
  TA_REACH_STATE,      /* everything, and what others with a state have left: their mutual order counts */
  TA_REACH_EACH,       /* the same row of its input */
  TA_REACH_BROADCAST,  /* the same row of each input that has as many */
  TA_REACH_JOIN,       /* the same row of all inputs, unless they are joined along the rows */
  TA_REACH_PAD,        /* the row that the padding has moved */
  TA_REACH_FILTER,     /* the rows under its filter (input 1), which slides over input 0 */
  TA_REACH_POOL,       /* the rows under its window */
  TA_REACH_TRANSPOSED, /* the rows of input 2 whose filter covers it */
  TA_REACH_NEAREST,    /* the nearest row of a smaller image */
  TA_REACH_BILINEAR,   /* the two nearest */
  TA_REACH_GATHER,     /* a block of rows */
  TA_REACH_SPREAD      /* the row whose block it is in */
} ta_reach;

/* The operator's name ("CONV_2D"), or an empty string for a number past the list. */
ta_str ta_op_name(uint32_t op);

/* Its in-place mask; 0 for a number past the list. */
uint8_t ta_op_inplace(uint32_t op);

/* TA_REACH_STATE for a number past the list: nothing is known of it. */
ta_reach ta_op_reach(uint32_t op);

#endif

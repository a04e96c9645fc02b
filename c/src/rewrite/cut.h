/* How an operator may be cut into strips: which rows (axis 0) and columns (axis 1) of its inputs a part of
 * its output needs, and which rows come out of a part of its input. */
#ifndef TA_REWRITE_CUT_H
#define TA_REWRITE_CUT_H

#include "rewrite/draft.h"

typedef struct ta_cut_axis {
  int32_t in, out; /* sizes of the whole input and output */
  int32_t stride;
  int32_t extent;  /* rows under the dilated filter */
  int32_t before;  /* padding in front of the whole input */
  int32_t factor;  /* of a resize; the block of SPACE_TO_DEPTH and DEPTH_TO_SPACE */
  int32_t pads[2]; /* of PAD: in front, behind */
} ta_cut_axis;

typedef struct ta_cut {
  uint8_t reach;   /* a ta_reach; TA_REACH_ALL: the operator may not stand in a window */
  bool same;       /* padding SAME */
  bool half_pixel; /* a bilinear resize counts from the pixels' middles */
  int8_t joined;   /* the axis along which CONCATENATION joins, where it is one of the two; else -1 */
  bool pads_channels;
  uint32_t strips; /* the inputs that are cut: bit k for input k */
  ta_cut_axis axis[2];
} ta_cut;

/* Reads what the rules need. `kernels`: ta_kernels, for operators that may be cut with some only. */
void ta_cut_read(const ta_draft *draft, uint32_t op, uint32_t kernels, ta_cut *out);

/* Whether a tensor can be cut: NHWC of batch 1, known sizes, FLOAT32, INT8 or INT16, no variable. */
bool ta_is_cuttable(const ta_tensor *tensor);

/* The rows of the input that rows `out` need; `whole` where the operator needs all of them. */
ta_range ta_cut_need(const ta_cut *cut, int axis, ta_range out);

/* The same before it is cut to the input: rows outside are padding. */
ta_range ta_cut_raw(const ta_cut *cut, int axis, ta_range out);

/* What a strip holds of a tensor: rows `stored`, of which `valid` are as in the original. */
typedef struct ta_held_range {
  ta_range stored, valid;
} ta_held_range;

/* What comes out when the operator runs with its own options on a strip that holds `in`. False: it is not
 * aligned, its outputs lie between those of the whole. */
bool ta_cut_keep(const ta_cut *cut, int axis, ta_held_range in, ta_held_range *out);

/* The part k of n of an axis of `length` rows; `least`: the smallest such length of the window's outputs. */
ta_range ta_cut_part(int32_t length, int32_t least, uint32_t k, uint32_t n);

#endif

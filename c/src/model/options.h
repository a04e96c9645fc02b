/* The options of the operators that work on images, decoded. */
#ifndef TA_MODEL_OPTIONS_H
#define TA_MODEL_OPTIONS_H

#include "graph/graph.h"
#include "model/schema.h"

enum { TA_PADDING_OF_SAME = 0, TA_PADDING_OF_VALID = 1, TA_ACTIVATION_NONE = 0 };

/* Pairs are vertical, horizontal. What the operator's table does not have is 0, dilation 1. */
typedef struct ta_options {
  int32_t stride[2], dilation[2];
  int32_t filter[2]; /* of pools; a convolution's filter is a tensor */
  int32_t axis;      /* of CONCATENATION, as written */
  int32_t block;     /* of SPACE_TO_DEPTH and DEPTH_TO_SPACE */
  uint8_t padding, activation;
  bool align_corners, half_pixel;
} ta_options;

/* Reads the options of an operator whose reach is neither ALL nor STATE (graph/ops.h). False: it has none, or
 * those of another operator. */
bool ta_options_read(const ta_model *model, const ta_node *node, ta_options *out);

/* Which table an operator's options are, and its tag in the union; TA_SCHEMA_EMPTY where the fields are of no
 * concern here. */
typedef struct ta_options_kind {
  ta_schema schema;
  uint8_t tag;
} ta_options_kind;
ta_options_kind ta_options_kind_of(uint32_t op);

/* Whether the two tensors have one and the same scale and zero point for all their values, or none both. */
bool ta_scale_equal(const ta_model *model, const ta_tensor *a, const ta_tensor *b);

#endif

#include "model/options.h"

#include <string.h>

#include "model/flatbuf.h"

typedef struct options_row {
  uint8_t op, tag, schema;
} options_row;

static const options_row rows[] = {
    {TA_OP_CONV_2D, 1, TA_SCHEMA_CONV},
    {TA_OP_DEPTHWISE_CONV_2D, 2, TA_SCHEMA_DEPTHWISE},
    {TA_OP_AVERAGE_POOL_2D, 5, TA_SCHEMA_POOL},
    {TA_OP_MAX_POOL_2D, 5, TA_SCHEMA_POOL},
    {TA_OP_CONCATENATION, 10, TA_SCHEMA_CONCATENATION},
    {TA_OP_RESIZE_BILINEAR, 15, TA_SCHEMA_RESIZE_BILINEAR},
    {TA_OP_SPACE_TO_DEPTH, 19, TA_SCHEMA_BLOCK},
    {TA_OP_PAD, 22, TA_SCHEMA_EMPTY},
    {TA_OP_SLICE, 48, TA_SCHEMA_EMPTY},
    {TA_OP_TRANSPOSE_CONV, 49, TA_SCHEMA_TRANSPOSE_CONV},
    {TA_OP_RESIZE_NEAREST_NEIGHBOR, 74, TA_SCHEMA_RESIZE_NEAREST},
    {TA_OP_DEPTH_TO_SPACE, 94, TA_SCHEMA_BLOCK},
};

ta_options_kind ta_options_kind_of(uint32_t op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].op == op) return (ta_options_kind){(ta_schema)rows[i].schema, rows[i].tag};
  }
  return (ta_options_kind){TA_SCHEMA_EMPTY, 0};
}

/* Convolutions and pools have padding and strides in the same slots. */
static void read_window(const ta_flat_table *table, ta_options *out) {
  out->padding = ta_flat_u8(table, TA_CONV_PADDING, TA_PADDING_OF_SAME);
  out->stride[0] = ta_flat_i32(table, TA_CONV_STRIDE_H, 0);
  out->stride[1] = ta_flat_i32(table, TA_CONV_STRIDE_W, 0);
}

static void read_dilation(const ta_flat_table *table, uint32_t vertical, uint32_t horizontal,
                          ta_options *out) {
  out->dilation[0] = ta_flat_i32(table, vertical, 1);
  out->dilation[1] = ta_flat_i32(table, horizontal, 1);
}

static void read_fields(const ta_flat_table *table, ta_schema schema, ta_options *out) {
  switch (schema) {
  case TA_SCHEMA_CONV:
    read_window(table, out);
    read_dilation(table, TA_CONV_DILATION_H, TA_CONV_DILATION_W, out);
    break;
  case TA_SCHEMA_DEPTHWISE:
    read_window(table, out);
    read_dilation(table, TA_DEPTHWISE_DILATION_H, TA_DEPTHWISE_DILATION_W, out);
    break;
  case TA_SCHEMA_TRANSPOSE_CONV:
    read_window(table, out);
    break;
  case TA_SCHEMA_POOL:
    read_window(table, out);
    out->filter[0] = ta_flat_i32(table, TA_POOL_FILTER_H, 0);
    out->filter[1] = ta_flat_i32(table, TA_POOL_FILTER_W, 0);
    break;
  case TA_SCHEMA_CONCATENATION:
    out->axis = ta_flat_i32(table, TA_CONCATENATION_AXIS, 0);
    out->activation = ta_flat_u8(table, TA_CONCATENATION_ACTIVATION, TA_ACTIVATION_NONE);
    break;
  case TA_SCHEMA_RESIZE_BILINEAR:
    out->align_corners = ta_flat_u8(table, TA_RESIZE_BILINEAR_ALIGN_CORNERS, 0) != 0;
    out->half_pixel = ta_flat_u8(table, TA_RESIZE_BILINEAR_HALF_PIXEL, 0) != 0;
    break;
  case TA_SCHEMA_RESIZE_NEAREST:
    out->align_corners = ta_flat_u8(table, TA_RESIZE_NEAREST_ALIGN_CORNERS, 0) != 0;
    out->half_pixel = ta_flat_u8(table, TA_RESIZE_NEAREST_HALF_PIXEL, 0) != 0;
    break;
  case TA_SCHEMA_BLOCK:
    out->block = ta_flat_i32(table, TA_BLOCK_SIZE, 0);
    break;
  default:
    break;
  }
}

bool ta_options_read(const ta_model *model, const ta_node *node, ta_options *out) {
  *out = (ta_options){.dilation = {1, 1}};
  ta_options_kind kind = ta_options_kind_of(node->op);
  if (kind.schema == TA_SCHEMA_EMPTY) return true;
  if (node->options == 0 || node->options_tag != kind.tag) return false;
  ta_flat flat;
  ta_flat_table table;
  ta_flat_init(&flat, model->file, NULL);
  if (!ta_flat_table_at(&flat, node->options, &table)) return false;
  read_fields(&table, kind.schema, out);
  return flat.status == TA_OK;
}

/* The bytes of a tensor's only scale and zero point; false when it has several, or only one of the two. */
static bool read_scale(const ta_model *model, const ta_tensor *tensor, uint8_t *scale, uint8_t *zero_point) {
  ta_flat flat;
  ta_flat_table table;
  if (tensor->scales != 1 || tensor->zero_points != 1) return false;
  ta_flat_init(&flat, model->file, NULL);
  if (!ta_flat_table_at(&flat, tensor->quantization, &table)) return false;
  ta_flat_vector scales = ta_flat_vector_of(&table, TA_QUANTIZATION_SCALE, 4);
  ta_flat_vector zeros = ta_flat_vector_of(&table, TA_QUANTIZATION_ZERO_POINT, 8);
  if (scales.n != 1 || zeros.n != 1) return false;
  memcpy(scale, model->file.at + scales.at, 4);
  memcpy(zero_point, model->file.at + zeros.at, 8);
  return true;
}

bool ta_scale_equal(const ta_model *model, const ta_tensor *a, const ta_tensor *b) {
  uint8_t scales[2][4], zeros[2][8];
  if (a->scales == 0 && b->scales == 0) return true;
  return read_scale(model, a, scales[0], zeros[0]) && read_scale(model, b, scales[1], zeros[1]) &&
         memcmp(scales[0], scales[1], sizeof scales[0]) == 0 &&
         memcmp(zeros[0], zeros[1], sizeof zeros[0]) == 0;
}

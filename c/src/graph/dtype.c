#include "graph/dtype.h"

#include "base/num.h"

typedef struct dtype_row {
  const char *name;
  uint8_t bits;
} dtype_row;

static const dtype_row rows[] = {
    [TA_DTYPE_FLOAT32] = {"float32", 32},
    [TA_DTYPE_FLOAT16] = {"float16", 16},
    [TA_DTYPE_INT32] = {"int32", 32},
    [TA_DTYPE_UINT8] = {"uint8", 8},
    [TA_DTYPE_INT64] = {"int64", 64},
    [TA_DTYPE_STRING] = {"string", 0},
    [TA_DTYPE_BOOL] = {"bool", 8},
    [TA_DTYPE_INT16] = {"int16", 16},
    [TA_DTYPE_COMPLEX64] = {"complex64", 64},
    [TA_DTYPE_INT8] = {"int8", 8},
    [TA_DTYPE_FLOAT64] = {"float64", 64},
    [TA_DTYPE_COMPLEX128] = {"complex128", 128},
    [TA_DTYPE_UINT64] = {"uint64", 64},
    [TA_DTYPE_RESOURCE] = {"resource", 0},
    [TA_DTYPE_VARIANT] = {"variant", 0},
    [TA_DTYPE_UINT32] = {"uint32", 32},
    [TA_DTYPE_UINT16] = {"uint16", 16},
    [TA_DTYPE_INT4] = {"int4", 4},
    [TA_DTYPE_BFLOAT16] = {"bfloat16", 16},
    [TA_DTYPE_INT2] = {"int2", 2},
    [TA_DTYPE_UINT4] = {"uint4", 4},
    [TA_DTYPE_FLOAT8_E4M3FN] = {"float8_e4m3fn", 8},
    [TA_DTYPE_FLOAT8_E5M2] = {"float8_e5m2", 8},
};

static const dtype_row *row_of(uint8_t dtype) {
  return dtype < sizeof rows / sizeof rows[0] ? &rows[dtype] : NULL;
}

const char *ta_dtype_name(uint8_t dtype) {
  const dtype_row *row = row_of(dtype);
  return row ? row->name : NULL;
}

uint32_t ta_dtype_bits(uint8_t dtype) {
  const dtype_row *row = row_of(dtype);
  return row ? row->bits : 0;
}

bool ta_shape_elements(const ta_list *shape, uint64_t *elements) {
  for (uint32_t d = 0; d < shape->n; d++) {
    if (shape->at[d] == 0) {
      *elements = 0;
      return true;
    }
  }
  uint64_t product = 1;
  for (uint32_t d = 0; d < shape->n; d++) {
    if (!ta_mul(product, (uint64_t)shape->at[d], &product)) return false;
  }
  *elements = product;
  return true;
}

bool ta_packed_bytes(uint64_t elements, uint32_t bits, uint64_t *bytes) {
  if (bits % 8 == 0) return ta_mul(elements, bits / 8, bytes);
  uint32_t per_byte = 8 / bits;
  *bytes = elements / per_byte + (elements % per_byte != 0);
  return true;
}

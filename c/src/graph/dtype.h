/* Element types of the .tflite format, and the bytes a tensor of them takes. */
#ifndef TA_GRAPH_DTYPE_H
#define TA_GRAPH_DTYPE_H

#include "graph/graph.h"

/* The TensorType numbers that rules name. */
enum {
  TA_DTYPE_FLOAT32 = 0,
  TA_DTYPE_FLOAT16 = 1,
  TA_DTYPE_INT32 = 2,
  TA_DTYPE_UINT8 = 3,
  TA_DTYPE_INT64 = 4,
  TA_DTYPE_STRING = 5,
  TA_DTYPE_BOOL = 6,
  TA_DTYPE_INT16 = 7,
  TA_DTYPE_COMPLEX64 = 8,
  TA_DTYPE_INT8 = 9,
  TA_DTYPE_FLOAT64 = 10,
  TA_DTYPE_COMPLEX128 = 11,
  TA_DTYPE_UINT64 = 12,
  TA_DTYPE_RESOURCE = 13,
  TA_DTYPE_VARIANT = 14,
  TA_DTYPE_UINT32 = 15,
  TA_DTYPE_UINT16 = 16,
  TA_DTYPE_INT4 = 17,
  TA_DTYPE_BFLOAT16 = 18,
  TA_DTYPE_INT2 = 19,
  TA_DTYPE_UINT4 = 20,
  TA_DTYPE_FLOAT8_E4M3FN = 21,
  TA_DTYPE_FLOAT8_E5M2 = 22
};

/* "float32", "int8", ...; NULL for a number past the list. Static text. */
const char *ta_dtype_name(uint8_t dtype);

/* Bits of one element; 0 when it has no fixed size (string, resource, variant, a number past the list). */
uint32_t ta_dtype_bits(uint8_t dtype);

/* The product of a shape whose values are all 0 or more: an empty shape is one element. False when it passes
 * TA_MAX_BYTES (a 0 anywhere makes it 0, whatever the others are). */
bool ta_shape_elements(const ta_list *shape, uint64_t *elements);

/* Bytes of `elements` elements of `bits` each, packed without gaps and rounded up to a byte. False past
 * TA_MAX_BYTES. */
bool ta_packed_bytes(uint64_t elements, uint32_t bits, uint64_t *bytes);

#endif

/* The .tflite format's slot numbers, and what stands in each slot: one list (schema.def) for whoever reads or
 * writes a file. */
#ifndef TA_MODEL_SCHEMA_H
#define TA_MODEL_SCHEMA_H

#include <stdint.h>

/* TA_MODEL_VERSION, TA_TENSOR_SHAPE, ...: slots of a table. */
enum {
#define FIELD(table, slot, name, kind) TA_##table##_##name = (slot),
#include "model/schema.def"
#undef FIELD
};

/* Which table. */
typedef enum ta_schema {
  TA_SCHEMA_MODEL,
  TA_SCHEMA_OPCODE,
  TA_SCHEMA_SUBGRAPH,
  TA_SCHEMA_TENSOR,
  TA_SCHEMA_QUANTIZATION,
  TA_SCHEMA_OPERATOR,
  TA_SCHEMA_BUFFER,
  TA_SCHEMA_METADATA,
  TA_SCHEMA_SIGNATURE,
  TA_SCHEMA_TENSOR_MAP,
  TA_SCHEMA_EXTERNAL,
  TA_SCHEMA_CONV,
  TA_SCHEMA_DEPTHWISE,
  TA_SCHEMA_TRANSPOSE_CONV,
  TA_SCHEMA_POOL,
  TA_SCHEMA_CONCATENATION,
  TA_SCHEMA_RESIZE_BILINEAR,
  TA_SCHEMA_RESIZE_NEAREST,
  TA_SCHEMA_BLOCK,
  TA_SCHEMAS,
  TA_SCHEMA_EMPTY = TA_SCHEMAS /* a table without fields */
} ta_schema;

typedef enum ta_field_kind {
  TA_FIELD_NONE = 0, /* no such slot */
  TA_FIELD_BYTE,
  TA_FIELD_WORD,
  TA_FIELD_LONG,
  TA_FIELD_REFERENCE
} ta_field_kind;

/* More than any table has. */
#define TA_SCHEMA_MOST_SLOTS 16u

ta_field_kind ta_schema_kind(ta_schema table, uint32_t slot);

/* How many bytes a field of that kind takes: 0, 1, 4 or 8. */
uint32_t ta_field_bytes(ta_field_kind kind);

#endif

#include "model/schema.h"

static const uint8_t kinds[TA_SCHEMAS][TA_SCHEMA_MOST_SLOTS] = {
#define FIELD(table, slot, name, kind) [TA_SCHEMA_##table][slot] = TA_FIELD_##kind,
#include "model/schema.def"
#undef FIELD
};

ta_field_kind ta_schema_kind(ta_schema table, uint32_t slot) {
  if (table >= TA_SCHEMAS || slot >= TA_SCHEMA_MOST_SLOTS) return TA_FIELD_NONE;
  return (ta_field_kind)kinds[table][slot];
}

uint32_t ta_field_bytes(ta_field_kind kind) {
  static const uint8_t bytes[] = {[TA_FIELD_NONE] = 0,
                                  [TA_FIELD_BYTE] = 1,
                                  [TA_FIELD_WORD] = 4,
                                  [TA_FIELD_LONG] = 8,
                                  [TA_FIELD_REFERENCE] = 4};
  return bytes[kind];
}

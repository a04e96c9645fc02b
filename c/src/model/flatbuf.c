#include "model/flatbuf.h"

enum { TABLE_COST = 8 /* the reference to it and its own first word */ };

void ta_flat_init(ta_flat *flat, ta_bytes file, ta_error *error) {
  flat->file = file;
  flat->left = (uint64_t)file.len * TA_FLAT_SHARING + TA_FLAT_SMALLEST;
  flat->status = TA_OK;
  flat->error = error;
}

/* A reference, or what it refers to, lies outside the file. */
static bool fail_outside(ta_flat *flat, uint64_t from, uint64_t to) {
  if (flat->status) return false;
  flat->status =
      ta_fail_at_byte(flat->error, TA_E_TRUNCATED, from,
                      "the file ends at byte %U, before what byte %U refers to (byte %U): it is cut short or "
                      "damaged; get it again",
                      (uint64_t)flat->file.len, from, to);
  return false;
}

static bool fail_vtable(ta_flat *flat, uint64_t position) {
  if (flat->status) return false;
  flat->status = ta_fail_at_byte(
      flat->error, TA_E_MALFORMED, position,
      "the table at byte %U has no valid list of fields: the file is damaged; get it again", position);
  return false;
}

bool ta_flat_charge(ta_flat *flat, uint64_t bytes, uint64_t position) {
  if (flat->status) return false;
  if (bytes <= flat->left) {
    flat->left -= bytes;
    return true;
  }
  flat->status = ta_fail_at_byte(
      flat->error, TA_E_LIMIT, position,
      "the file refers to the same parts so often (last at byte %U) that reading it means more "
      "than %u times its size: no converter writes such a file",
      position, TA_FLAT_SHARING);
  return false;
}

bool ta_flat_table_at(ta_flat *flat, uint64_t position, ta_flat_table *out) {
  *out = (ta_flat_table){flat, 0, 0, 0};
  if (flat->status) return false;
  if (!ta_bytes_hold(flat->file, position, 1, 4)) return fail_outside(flat, position, position + 4);
  if (!ta_flat_charge(flat, TABLE_COST, position)) return false;
  int64_t vtable = (int64_t)position - ta_load_i32(flat->file.at + position);
  if (vtable < 0) return fail_vtable(flat, position);
  if (!ta_bytes_hold(flat->file, (uint64_t)vtable, 2, 2))
    return fail_outside(flat, position, (uint64_t)vtable);
  uint32_t bytes = ta_load_u16(flat->file.at + vtable);
  if (bytes < 4 || bytes % 2 != 0) return fail_vtable(flat, position);
  if (!ta_bytes_hold(flat->file, (uint64_t)vtable, bytes, 1))
    return fail_outside(flat, position, (uint64_t)vtable);
  *out = (ta_flat_table){flat, position, (uint64_t)vtable, bytes};
  return true;
}

/* Where the reference at `from` (which must be inside) leads. */
static uint64_t follow(const ta_flat *flat, uint64_t from) {
  return from + ta_load_u32(flat->file.at + from);
}

bool ta_flat_root(ta_flat *flat, ta_flat_table *out) {
  *out = (ta_flat_table){flat, 0, 0, 0};
  if (!ta_bytes_hold(flat->file, 0, 1, 4)) return fail_outside(flat, 0, 4);
  return ta_flat_table_at(flat, follow(flat, 0), out);
}

bool ta_flat_entry(const ta_flat_vector *vector, uint32_t i, ta_flat_table *out) {
  return ta_flat_table_at(vector->flat, follow(vector->flat, vector->at + 4 * (uint64_t)i), out);
}

uint64_t ta_flat_field(const ta_flat_table *table, uint32_t slot, uint32_t bytes) {
  ta_flat *flat = table->flat;
  if (slot >= ta_flat_slots(table) || flat->status) return 0;
  uint32_t offset = ta_load_u16(flat->file.at + table->vtable + 4 + 2 * (uint64_t)slot);
  if (offset == 0) return 0;
  if (offset < 4) {
    fail_vtable(flat, table->at);
    return 0;
  }
  if (!ta_bytes_hold(flat->file, table->at + offset, 1, bytes)) {
    fail_outside(flat, table->at, table->at + offset + bytes);
    return 0;
  }
  return table->at + offset;
}

uint32_t ta_flat_slots(const ta_flat_table *table) {
  return table->vtable_bytes ? (table->vtable_bytes - 4) / 2 : 0;
}

bool ta_flat_has(const ta_flat_table *table, uint32_t slot) {
  return ta_flat_field(table, slot, 1) != 0;
}

uint8_t ta_flat_u8(const ta_flat_table *table, uint32_t slot, uint8_t otherwise) {
  uint64_t at = ta_flat_field(table, slot, 1);
  return at ? table->flat->file.at[at] : otherwise;
}

int8_t ta_flat_i8(const ta_flat_table *table, uint32_t slot, int8_t otherwise) {
  return (int8_t)ta_flat_u8(table, slot, (uint8_t)otherwise);
}

uint32_t ta_flat_u32(const ta_flat_table *table, uint32_t slot, uint32_t otherwise) {
  uint64_t at = ta_flat_field(table, slot, 4);
  return at ? ta_load_u32(table->flat->file.at + at) : otherwise;
}

int32_t ta_flat_i32(const ta_flat_table *table, uint32_t slot, int32_t otherwise) {
  return (int32_t)ta_flat_u32(table, slot, (uint32_t)otherwise);
}

uint64_t ta_flat_u64(const ta_flat_table *table, uint32_t slot, uint64_t otherwise) {
  uint64_t at = ta_flat_field(table, slot, 8);
  return at ? ta_load_u64(table->flat->file.at + at) : otherwise;
}

bool ta_flat_child(const ta_flat_table *table, uint32_t slot, ta_flat_table *out) {
  *out = (ta_flat_table){table->flat, 0, 0, 0};
  uint64_t at = ta_flat_field(table, slot, 4);
  return at && ta_flat_table_at(table->flat, follow(table->flat, at), out);
}

ta_flat_vector ta_flat_vector_of(const ta_flat_table *table, uint32_t slot, uint32_t element_bytes) {
  ta_flat *flat = table->flat;
  ta_flat_vector none = {flat, 0, 0};
  uint64_t from = ta_flat_field(table, slot, 4);
  if (!from) return none;
  uint64_t at = follow(flat, from);
  if (!ta_bytes_hold(flat->file, at, 1, 4)) {
    fail_outside(flat, from, at + 4);
    return none;
  }
  uint32_t n = ta_load_u32(flat->file.at + at);
  if (!ta_bytes_hold(flat->file, at + 4, n, element_bytes)) {
    fail_outside(flat, from, at + 4 + (uint64_t)n * element_bytes);
    return none;
  }
  return (ta_flat_vector){flat, at + 4, n};
}

int32_t ta_flat_vector_i32(const ta_flat_vector *vector, uint32_t i) {
  return ta_load_i32(vector->flat->file.at + vector->at + 4 * (uint64_t)i);
}

ta_str ta_flat_string(const ta_flat_table *table, uint32_t slot) {
  ta_flat_vector bytes = ta_flat_vector_of(table, slot, 1);
  if (bytes.n == 0 || !ta_flat_charge(table->flat, bytes.n, bytes.at)) return (ta_str){"", 0};
  return (ta_str){(const char *)table->flat->file.at + bytes.at, bytes.n};
}

#include "model/flatbuf_write.h"

#include <string.h>

#include "base/num.h"
#include "base/region.h"

enum { WORD = 4, ROOT_BYTES = 8, ALIGNMENT = 16 };

/* FlatBuffers positions fit a signed 32-bit word. */
#define LARGEST_FILE UINT64_C(0x7FFFFFFF)

static void set(ta_flat_writer *writer, uint64_t at, uint64_t value, uint32_t bytes) {
  if (!writer->to) return;
  for (uint32_t i = 0; i < bytes; i++) writer->to[at + i] = (uint8_t)(value >> 8 * i);
}

static uint64_t aligned(uint64_t position, uint64_t alignment) {
  return (position + alignment - 1) / alignment * alignment;
}

/* Takes `bytes` at the running position, which stays a multiple of 4. */
static uint64_t deal(ta_flat_writer *writer, uint64_t bytes) {
  uint64_t at = writer->at;
  writer->at = aligned(at + bytes, WORD);
  return at;
}

/* ---- tables ----
 *
 * The vtable comes first, then the table: a word that leads back to the vtable, and the fields by slot, each
 * aligned to its size. */

static bool is_present(uint32_t present, uint32_t slot) {
  return (present >> slot & 1) != 0;
}

/* Where the field of `slot` begins in its table; for a slot past the last one, where the table ends. */
static uint32_t offset_of(ta_schema schema, uint32_t present, uint32_t slot) {
  uint32_t offset = WORD;
  for (uint32_t s = 0; s < TA_SCHEMA_MOST_SLOTS; s++) {
    uint32_t bytes = is_present(present, s) ? ta_field_bytes(ta_schema_kind(schema, s)) : 0;
    if (bytes == 0) continue;
    offset = (uint32_t)aligned(offset, bytes);
    if (s == slot) return offset;
    offset += bytes;
  }
  return offset;
}

static bool has_long(ta_schema schema, uint32_t present) {
  for (uint32_t s = 0; s < TA_SCHEMA_MOST_SLOTS; s++) {
    if (is_present(present, s) && ta_schema_kind(schema, s) == TA_FIELD_LONG) return true;
  }
  return false;
}

static uint32_t slots_of(uint32_t present) {
  uint32_t slots = 0;
  while (slots < TA_SCHEMA_MOST_SLOTS && present >> slots) slots++;
  return slots;
}

/* The vtable of these fields: one that is there, or a new one. */
static uint64_t put_vtable(ta_flat_writer *writer, ta_schema schema, uint32_t present) {
  for (uint32_t i = 0; i < writer->n_vtables; i++) {
    const ta_flat_vtable *known = &writer->vtables[i];
    if (known->schema == schema && known->present == present) return known->at;
  }
  uint32_t slots = slots_of(present);
  uint64_t at = deal(writer, WORD + 2 * (uint64_t)slots);
  set(writer, at, WORD + 2 * slots, 2);
  set(writer, at + 2, offset_of(schema, present, TA_SCHEMA_MOST_SLOTS), 2);
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (is_present(present, slot))
      set(writer, at + WORD + 2 * (uint64_t)slot, offset_of(schema, present, slot), 2);
  }
  if (writer->n_vtables < TA_FLAT_VTABLES)
    writer->vtables[writer->n_vtables++] = (ta_flat_vtable){at, schema, present};
  return at;
}

ta_flat_new ta_flat_put_table(ta_flat_writer *writer, ta_schema schema, uint32_t present) {
  ta_flat_new table = {.schema = schema, .present = present};
  uint64_t vtable = put_vtable(writer, schema, present);
  if (has_long(schema, present)) writer->at = aligned(writer->at, 8);
  table.at = deal(writer, offset_of(schema, present, TA_SCHEMA_MOST_SLOTS));
  set(writer, table.at, table.at - vtable, WORD);
  return table;
}

uint64_t ta_flat_place(const ta_flat_new *table, uint32_t slot) {
  return table->at + offset_of(table->schema, table->present, slot);
}

void ta_flat_set(ta_flat_writer *writer, const ta_flat_new *table, uint32_t slot, uint64_t value) {
  set(writer, ta_flat_place(table, slot), value, ta_field_bytes(ta_schema_kind(table->schema, slot)));
}

static void copy_field(ta_flat_writer *writer, const ta_flat_new *table, const ta_flat_table *old,
                       uint32_t slot) {
  ta_field_kind kind = ta_schema_kind(table->schema, slot);
  uint32_t bytes = ta_field_bytes(kind);
  uint64_t from = ta_flat_field(old, slot, bytes);
  if (from == 0 || !writer->to) return;
  if (kind == TA_FIELD_REFERENCE) {
    ta_flat_refer_as(writer, ta_flat_place(table, slot), from);
  } else {
    memcpy(writer->to + ta_flat_place(table, slot), writer->file.at + from, bytes);
  }
}

ta_flat_new ta_flat_put_copy(ta_flat_writer *writer, ta_schema schema, const ta_flat_table *old,
                             uint32_t also, uint32_t without) {
  uint32_t present = also;
  for (uint32_t slot = 0; slot < TA_SCHEMA_MOST_SLOTS; slot++) {
    bool known = ta_schema_kind(schema, slot) != TA_FIELD_NONE;
    if (known && ta_flat_has(old, slot) && !is_present(without, slot)) present |= TA_SLOT(slot);
  }
  ta_flat_new table = ta_flat_put_table(writer, schema, present);
  for (uint32_t slot = 0; slot < TA_SCHEMA_MOST_SLOTS; slot++) {
    if (is_present(present, slot)) copy_field(writer, &table, old, slot);
  }
  return table;
}

bool ta_flat_has_unknown(const ta_flat_table *table, ta_schema schema) {
  for (uint32_t slot = 0; slot < ta_flat_slots(table); slot++) {
    if (ta_schema_kind(schema, slot) == TA_FIELD_NONE && ta_flat_has(table, slot)) return true;
  }
  return false;
}

/* ---- vectors ---- */

uint64_t ta_flat_put_words(ta_flat_writer *writer, uint64_t count) {
  uint64_t at = deal(writer, WORD + WORD * count);
  set(writer, at, count, WORD);
  return at;
}

uint64_t ta_flat_put_bytes(ta_flat_writer *writer, uint64_t count) {
  writer->at = aligned(writer->at + WORD, ALIGNMENT) - WORD; /* so that what follows the count is aligned */
  uint64_t at = deal(writer, WORD + count);
  set(writer, at, count, WORD);
  return at;
}

uint64_t ta_flat_put_string(ta_flat_writer *writer, ta_str text) {
  uint64_t at = deal(writer, WORD + text.len + 1);
  set(writer, at, text.len, WORD);
  if (writer->to && text.len) memcpy(writer->to + at + WORD, text.at, text.len);
  return at;
}

uint64_t ta_flat_element(uint64_t vector, uint32_t i) {
  return vector + WORD + WORD * (uint64_t)i;
}

void ta_flat_set_word(ta_flat_writer *writer, uint64_t at, uint32_t value) {
  set(writer, at, value, WORD);
}

/* ---- references ---- */

void ta_flat_refer(ta_flat_writer *writer, uint64_t from, uint64_t to) {
  set(writer, from, to - from, WORD);
}

void ta_flat_refer_old(ta_flat_writer *writer, uint64_t from, uint64_t position) {
  ta_flat_refer(writer, from, writer->old + position);
}

void ta_flat_refer_as(ta_flat_writer *writer, uint64_t from, uint64_t reference) {
  ta_flat_refer_old(writer, from, reference + ta_load_u32(writer->file.at + reference));
}

/* ---- the file ---- */

static void put_all(ta_flat_writer *writer, ta_flat_parts *parts, void *context) {
  writer->at = ROOT_BYTES;
  writer->n_vtables = 0;
  parts(writer, context);
  writer->old = aligned(writer->at, ALIGNMENT);
}

ta_status ta_flat_write(const ta_allocator *allocator, ta_bytes file, ta_flat_parts *parts, void *context,
                        uint8_t **out, size_t *out_len, ta_error *error) {
  ta_flat_writer writer = {.file = file};
  put_all(&writer, parts, context);
  uint64_t bytes = writer.old + file.len;
  if (bytes > LARGEST_FILE)
    return ta_fail(error, TA_E_LIMIT,
                   "the written file would have %U bytes, and a .tflite file has at most %U", bytes,
                   LARGEST_FILE);
  ta_allocator from = ta_allocator_or_libc(allocator);
  writer.to = from.alloc(from.context, (size_t)bytes);
  if (!writer.to) return ta_fail_memory(error);
  memset(writer.to, 0, (size_t)writer.old);
  memcpy(writer.to + writer.old, file.at, file.len);
  memcpy(writer.to + WORD, file.at + WORD, WORD);
  put_all(&writer, parts, context);
  /* The root is the first part: its vtable, then the table, which knows how long the vtable is. */
  set(&writer, 0, ROOT_BYTES + aligned(ta_load_u16(writer.to + ROOT_BYTES), WORD), WORD);
  *out = writer.to;
  *out_len = (size_t)bytes;
  return TA_OK;
}

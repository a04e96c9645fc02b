/* FlatBuffers, read where they lie, by field number. Everything is hostile until it has been checked: each
 * read stays inside the file, and what is read in all is limited in proportion to the file, so that a crafted
 * one in which a thousand places share a large part costs no more than an honest one of its size.
 *
 * Failure is sticky: the first one fills the error and stays in `flat->status`; from then on every read gives
 * the default and every vector is empty. A loop looks at the status once an entry. */
#ifndef TA_MODEL_FLATBUF_H
#define TA_MODEL_FLATBUF_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"

/* Tables, lists and strings may be read for this many bytes in all. A file in which nothing is shared needs
 * no more than its own length. */
#define TA_FLAT_SHARING  4u
#define TA_FLAT_SMALLEST 4096u

typedef struct ta_flat {
  ta_bytes file;
  uint64_t left; /* bytes that may still be read */
  ta_status status;
  ta_error *error;
} ta_flat;

typedef struct ta_flat_table {
  ta_flat *flat;
  uint64_t at, vtable;   /* positions in the file */
  uint32_t vtable_bytes; /* 0: no table, every field absent */
} ta_flat_table;

/* n elements, all inside the file. */
typedef struct ta_flat_vector {
  ta_flat *flat;
  uint64_t at; /* of the first element */
  uint32_t n;
} ta_flat_vector;

/* `error` may be NULL. Takes no memory. */
void ta_flat_init(ta_flat *flat, ta_bytes file, ta_error *error);

/* The root table, the table at a byte position (a ta_node's options), and entry i of a vector of tables.
 * False, with no table in *out, when there is none to be had: then the status says why. */
bool ta_flat_root(ta_flat *flat, ta_flat_table *out);
bool ta_flat_table_at(ta_flat *flat, uint64_t position, ta_flat_table *out);
bool ta_flat_entry(const ta_flat_vector *vector, uint32_t i, ta_flat_table *out);

/* Fields of a table. Absent: the default, an empty vector or string, no child. */
bool ta_flat_has(const ta_flat_table *table, uint32_t slot);
uint8_t ta_flat_u8(const ta_flat_table *table, uint32_t slot, uint8_t otherwise);
int8_t ta_flat_i8(const ta_flat_table *table, uint32_t slot, int8_t otherwise);
int32_t ta_flat_i32(const ta_flat_table *table, uint32_t slot, int32_t otherwise);
uint32_t ta_flat_u32(const ta_flat_table *table, uint32_t slot, uint32_t otherwise);
uint64_t ta_flat_u64(const ta_flat_table *table, uint32_t slot, uint64_t otherwise);
ta_str ta_flat_string(const ta_flat_table *table, uint32_t slot);
bool ta_flat_child(const ta_flat_table *table, uint32_t slot, ta_flat_table *out);
ta_flat_vector ta_flat_vector_of(const ta_flat_table *table, uint32_t slot, uint32_t element_bytes);

/* Element i (i < n) of a vector of ints. */
int32_t ta_flat_vector_i32(const ta_flat_vector *vector, uint32_t i);

/* Takes `bytes` from what may still be read: for lists, before they are copied. False when nothing is left.
 */
bool ta_flat_charge(ta_flat *flat, uint64_t bytes, uint64_t position);

/* The position of a field of `bytes` bytes, all inside the file, or 0 when it is absent. */
uint64_t ta_flat_field(const ta_flat_table *table, uint32_t slot, uint32_t bytes);

/* How many slots the table's vtable has room for: more than a schema knows means a newer one. */
uint32_t ta_flat_slots(const ta_flat_table *table);

#endif

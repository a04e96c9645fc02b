/* Writes a FlatBuffers file without taking the old one apart: new parts stand in front, the old bytes
 * unchanged behind them, moved by a multiple of 16, because references lead forward only. What has not
 * changed is referred to where it lies.
 *
 *   0    reference to the root, file identifier
 *   8    new tables, vectors and strings, parents before what they refer to
 *   old  the old file
 *
 * The parts are put down by a function that is run twice: the first time it only measures, so that the file
 * is one allocation of its length. Both times must put the same parts in the same order. */
#ifndef TA_MODEL_FLATBUF_WRITE_H
#define TA_MODEL_FLATBUF_WRITE_H

#include "model/flatbuf.h"
#include "model/schema.h"

/* Tables with the same fields share a vtable: so many of them are remembered. */
enum { TA_FLAT_VTABLES = 32 };

typedef struct ta_flat_vtable {
  uint64_t at;
  ta_schema schema;
  uint32_t present;
} ta_flat_vtable;

typedef struct ta_flat_writer {
  ta_bytes file; /* the old one */
  uint8_t *to;   /* the new one; NULL while measuring */
  uint64_t at;   /* where the next part goes */
  uint64_t old;  /* where the old file stands in the new one; 0 while measuring */
  ta_flat_vtable vtables[TA_FLAT_VTABLES];
  uint32_t n_vtables;
} ta_flat_writer;

/* Puts down all parts; the first must be the root table. */
typedef void ta_flat_parts(ta_flat_writer *writer, void *context);

/* *out has *out_len bytes and is the caller's, from `allocator` (NULL: malloc). `file` must be a readable
 * file of this identifier. Errors: LIMIT (more than 2 GiB), MEMORY. */
ta_status ta_flat_write(const ta_allocator *allocator, ta_bytes file, ta_flat_parts *parts, void *context,
                        uint8_t **out, size_t *out_len, ta_error *error);

/* A table being written. */
typedef struct ta_flat_new {
  uint64_t at;
  ta_schema schema;
  uint32_t present; /* the slots it has, a bit each */
} ta_flat_new;

#define TA_SLOT(slot) (UINT32_C(1) << (slot))

/* A table with these slots, all fields 0. */
ta_flat_new ta_flat_put_table(ta_flat_writer *writer, ta_schema schema, uint32_t present);

/* A table with what `old` has but for the slots in `without`, and the slots in `also` (0 where `old` has
 * none): scalars copied, references to what they referred to. */
ta_flat_new ta_flat_put_copy(ta_flat_writer *writer, ta_schema schema, const ta_flat_table *old,
                             uint32_t also, uint32_t without);

/* A vector of `count` elements of 1 or 4 bytes, all 0; returns where its count stands. That of bytes begins
 * at a multiple of 16. ta_flat_element: where element i of 4 bytes stands. */
uint64_t ta_flat_put_bytes(ta_flat_writer *writer, uint64_t count);
uint64_t ta_flat_put_words(ta_flat_writer *writer, uint64_t count);
uint64_t ta_flat_put_string(ta_flat_writer *writer, ta_str text);
uint64_t ta_flat_element(uint64_t vector, uint32_t i);

/* Gives a scalar field its value (of a present slot). */
void ta_flat_set(ta_flat_writer *writer, const ta_flat_new *table, uint32_t slot, uint64_t value);
/* Where a field stands, for ta_flat_refer. */
uint64_t ta_flat_place(const ta_flat_new *table, uint32_t slot);
void ta_flat_set_word(ta_flat_writer *writer, uint64_t at, uint32_t value);

/* The word at `from` leads to a new part at `to`; to where the old file's reference at `reference` leads; to
 * the old file's position `position`. */
void ta_flat_refer(ta_flat_writer *writer, uint64_t from, uint64_t to);
void ta_flat_refer_as(ta_flat_writer *writer, uint64_t from, uint64_t reference);
void ta_flat_refer_old(ta_flat_writer *writer, uint64_t from, uint64_t position);

/* Whether the table has fields that the schema list does not know, which a copy would lose. */
bool ta_flat_has_unknown(const ta_flat_table *table, ta_schema schema);

#endif

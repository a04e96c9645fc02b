/* Writes an offline plan into a .tflite file without taking the file apart: a new root goes in front of the
 * old bytes, because FlatBuffers references lead forward only.
 *
 *   root reference, "TFL3"
 *   vtable and table of the new Model: each old field again, pointing into the old bytes, but for
 *   buffers: the old entries and one more,
 *   metadata: the old entries and one more,
 *   the new Metadata table, the new Buffer table, the name, the payload (16-aligned),
 *   the old file (16-aligned).
 */
#include <string.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/flatbuf.h"
#include "model/tflite.h"

enum { ALIGNMENT = 16, ROOT_BYTES = 8, WORD = 4 };
enum { NAME_BYTES = sizeof TA_OFFLINE_NAME - 1, HEADER_BYTES = TA_OFFLINE_HEADER_WORDS * WORD };

/* FlatBuffers positions fit a signed 32-bit word. */
#define LARGEST_FILE UINT64_C(0x7FFFFFFF)

/* A new table: its vtable comes first. All fields are words. */
typedef struct new_table {
  uint64_t vtable, at;
  uint32_t slots, fields;
} new_table;

typedef struct writer {
  const ta_model *model;
  const int32_t *offsets;
  uint32_t n;
  ta_error *error;

  ta_flat flat; /* of the old file */
  ta_flat_table root;
  ta_flat_vector old_buffers, old_metadata;

  uint8_t *to; /* the new file, and where its parts stand in it */
  new_table new_model, entry, buffer;
  uint64_t buffers, metadata, name, payload, old;
} writer;

/* ---- refusals ---- */

static ta_status refuse(writer *w, const char *sentence) {
  return ta_fail(w->error, TA_E_UNSUPPORTED, "no offline plan can be written into this file: %s", sentence);
}

static ta_status check_offsets(const writer *w) {
  uint64_t tensors = 0;
  for (uint32_t g = 0; g < w->model->n_subgraphs; g++) tensors += w->model->subgraphs[g].n_tensors;
  if (w->n != tensors)
    return ta_fail(w->error, TA_E_ARGUMENT,
                   "%u offsets for %U tensors: give one for each tensor of every subgraph", w->n, tensors);
  for (uint32_t t = 0; t < w->n; t++) {
    if (w->offsets[t] < -1)
      return ta_fail(w->error, TA_E_ARGUMENT,
                     "offset %u is %i: give one of 0 or more, or -1 for a place found at run time", t,
                     w->offsets[t]);
  }
  return TA_OK;
}

/* What stands in the old Model, and whether all of it can be carried over. */
static ta_status read_old(writer *w) {
  ta_flat_init(&w->flat, w->model->file, w->error);
  if (!ta_flat_root(&w->flat, &w->root)) return w->flat.status;
  for (uint32_t slot = TA_MODEL_SLOTS; slot < ta_flat_slots(&w->root); slot++) {
    if (ta_flat_has(&w->root, slot))
      return refuse(w, "its root has fields newer than this library, which would be lost");
  }
  w->old_buffers = ta_flat_vector_of(&w->root, TA_MODEL_BUFFERS, WORD);
  w->old_metadata = ta_flat_vector_of(&w->root, TA_MODEL_METADATA, WORD);
  /* The reader has looked at the other fields but not at these. */
  ta_flat_vector_of(&w->root, TA_MODEL_DESCRIPTION, 1);
  ta_flat_vector_of(&w->root, TA_MODEL_METADATA_BUFFER, WORD);
  if (w->flat.status) return w->flat.status;
  if (w->model->fixed_positions)
    return refuse(w, "it refers to its own bytes by position (Buffer.offset), so they cannot be moved");
  if (w->old_buffers.n == 0) return refuse(w, "it has no buffers, not even the empty one that comes first");
  return TA_OK;
}

static ta_status check_length(const writer *w, uint64_t bytes) {
  if (bytes <= LARGEST_FILE) return TA_OK;
  return ta_fail(w->error, TA_E_LIMIT,
                 "the written file would have %U bytes, and a .tflite file has at most %U", bytes,
                 LARGEST_FILE);
}

/* ---- the new front ---- */

static bool is_new_vector(uint32_t slot) {
  return slot == TA_MODEL_BUFFERS || slot == TA_MODEL_METADATA;
}

static bool has_field(const writer *w, uint32_t slot) {
  return is_new_vector(slot) || ta_flat_has(&w->root, slot);
}

/* Takes `bytes` at the running position, which stays a multiple of 4. */
static uint64_t deal(uint64_t *position, uint64_t bytes) {
  uint64_t at = *position;
  *position += (bytes + WORD - 1) / WORD * WORD;
  return at;
}

static new_table deal_table(uint64_t *position, uint32_t slots, uint32_t fields) {
  new_table table = {.slots = slots, .fields = fields};
  table.vtable = deal(position, WORD + 2 * (uint64_t)slots);
  table.at = deal(position, WORD + WORD * (uint64_t)fields);
  return table;
}

static uint64_t aligned(uint64_t position) {
  return (position + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void lay_out(writer *w) {
  uint32_t slots = TA_MODEL_METADATA + 1, fields = 0;
  for (uint32_t slot = 0; slot < TA_MODEL_SLOTS; slot++) {
    if (!has_field(w, slot)) continue;
    fields++;
    if (slot >= slots) slots = slot + 1;
  }
  uint64_t position = ROOT_BYTES;
  w->new_model = deal_table(&position, slots, fields);
  w->buffers = deal(&position, WORD + WORD * ((uint64_t)w->old_buffers.n + 1));
  w->metadata = deal(&position, WORD + WORD * ((uint64_t)w->old_metadata.n + 1));
  w->entry = deal_table(&position, TA_METADATA_BUFFER + 1, 2);
  w->buffer = deal_table(&position, TA_BUFFER_DATA + 1, 1);
  w->name = deal(&position, WORD + NAME_BYTES + 1);
  position = aligned(position + WORD) - WORD; /* so that what follows the count is aligned */
  w->payload = deal(&position, WORD + HEADER_BYTES + WORD * (uint64_t)w->n);
  w->old = aligned(position);
}

static void set16(writer *w, uint64_t at, uint64_t value) {
  w->to[at] = (uint8_t)value;
  w->to[at + 1] = (uint8_t)(value >> 8);
}

static void set32(writer *w, uint64_t at, uint32_t value) {
  for (uint32_t i = 0; i < WORD; i++) w->to[at + i] = (uint8_t)(value >> 8 * i);
}

/* The word at `from` leads to `to`. */
static void refer(writer *w, uint64_t from, uint64_t to) {
  set32(w, from, (uint32_t)(to - from));
}

/* Where the old file's reference at `from` leads, in the new file. */
static uint64_t moved(const writer *w, uint64_t from) {
  return w->old + from + ta_load_u32(w->flat.file.at + from);
}

static void start_table(writer *w, const new_table *table) {
  set16(w, table->vtable, WORD + 2 * (uint64_t)table->slots);
  set16(w, table->vtable + 2, WORD + WORD * (uint64_t)table->fields);
  set32(w, table->at, (uint32_t)(table->at - table->vtable));
}

/* Makes field `index` of the table that of `slot`, and says where it stands. */
static uint64_t field(writer *w, const new_table *table, uint32_t slot, uint32_t index) {
  uint64_t offset = WORD + WORD * (uint64_t)index;
  set16(w, table->vtable + WORD + 2 * (uint64_t)slot, offset);
  return table->at + offset;
}

static void write_model(writer *w) {
  refer(w, 0, w->new_model.at);
  memcpy(w->to + WORD, "TFL3", WORD);
  start_table(w, &w->new_model);
  uint32_t index = 0;
  for (uint32_t slot = 0; slot < TA_MODEL_SLOTS; slot++) {
    if (!has_field(w, slot)) continue;
    uint64_t to = field(w, &w->new_model, slot, index++);
    if (slot == TA_MODEL_VERSION)
      set32(w, to, ta_flat_u32(&w->root, slot, 0));
    else if (is_new_vector(slot))
      refer(w, to, slot == TA_MODEL_BUFFERS ? w->buffers : w->metadata);
    else
      refer(w, to, moved(w, ta_flat_field(&w->root, slot, WORD)));
  }
}

/* The old entries, and one more that leads to `added`. */
static void write_entries(writer *w, const ta_flat_vector *old, uint64_t vector, uint64_t added) {
  set32(w, vector, old->n + 1);
  for (uint32_t i = 0; i < old->n; i++) {
    uint64_t entry = WORD * (uint64_t)i;
    refer(w, vector + WORD + entry, moved(w, old->at + entry));
  }
  refer(w, vector + WORD + WORD * (uint64_t)old->n, added);
}

static void write_offsets(writer *w, uint64_t at) {
  for (uint32_t t = 0; t < w->n; t++) set32(w, at + WORD * (uint64_t)t, (uint32_t)w->offsets[t]);
}

static void write_plan(writer *w) {
  start_table(w, &w->entry);
  refer(w, field(w, &w->entry, TA_METADATA_NAME, 0), w->name);
  set32(w, field(w, &w->entry, TA_METADATA_BUFFER, 1), w->old_buffers.n);
  start_table(w, &w->buffer);
  refer(w, field(w, &w->buffer, TA_BUFFER_DATA, 0), w->payload);
  set32(w, w->name, NAME_BYTES);
  memcpy(w->to + w->name + WORD, TA_OFFLINE_NAME, NAME_BYTES);
  set32(w, w->payload, HEADER_BYTES + WORD * w->n);
  uint64_t words = w->payload + WORD;
  set32(w, words + WORD, w->model->n_subgraphs); /* after the version, 0 */
  set32(w, words + 2 * WORD, w->n);
  write_offsets(w, words + HEADER_BYTES);
}

static ta_status take_file(writer *w, const ta_allocator *allocator, uint64_t bytes) {
  ta_status status = check_length(w, bytes);
  if (status) return status;
  ta_allocator from = ta_allocator_or_libc(allocator);
  w->to = from.alloc(from.context, (size_t)bytes);
  return w->to ? TA_OK : ta_fail_memory(w->error);
}

static ta_status write_in_front(writer *w, const ta_allocator *allocator, size_t *out_len) {
  lay_out(w);
  uint64_t bytes = w->old + w->flat.file.len;
  ta_status status = take_file(w, allocator, bytes);
  if (status) return status;
  memset(w->to, 0, (size_t)w->old);
  write_model(w);
  write_entries(w, &w->old_buffers, w->buffers, w->buffer.at);
  write_entries(w, &w->old_metadata, w->metadata, w->entry.at);
  write_plan(w);
  memcpy(w->to + w->old, w->flat.file.at, w->flat.file.len);
  *out_len = (size_t)bytes;
  return TA_OK;
}

/* ---- a plan that is there already ---- */

/* The buffer of the last offline plan's entry: the one that is read. */
static uint32_t find_plan(writer *w) {
  uint32_t buffer = TA_NO_INDEX;
  for (uint32_t i = 0; i < w->old_metadata.n; i++) {
    ta_flat_table entry;
    if (!ta_flat_entry(&w->old_metadata, i, &entry)) break;
    ta_str name = ta_flat_string(&entry, TA_METADATA_NAME);
    if (ta_str_equal(&name, &TA_STR(TA_OFFLINE_NAME))) buffer = ta_flat_u32(&entry, TA_METADATA_BUFFER, 0);
  }
  return buffer;
}

static bool is_tensors_buffer(const ta_model *model, uint32_t buffer) {
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    for (uint32_t t = 0; t < model->subgraphs[g].n_tensors; t++) {
      if (model->subgraphs[g].tensors[t].buffer == buffer) return true;
    }
  }
  return false;
}

static ta_status overwrite(writer *w, const ta_allocator *allocator, uint32_t buffer, size_t *out_len) {
  const ta_constant *plan = &w->model->constants[buffer];
  if (plan->bytes != HEADER_BYTES + WORD * (uint64_t)w->n)
    return refuse(w, "it has a plan of another length, and two would contradict each other");
  if (is_tensors_buffer(w->model, buffer)) return refuse(w, "its plan's buffer is a tensor's data, too");
  ta_status status = take_file(w, allocator, w->flat.file.len);
  if (status) return status;
  memcpy(w->to, w->flat.file.at, w->flat.file.len);
  write_offsets(w, plan->position + HEADER_BYTES);
  *out_len = w->flat.file.len;
  return TA_OK;
}

ta_status ta_offline_write(const ta_allocator *allocator, const ta_model *model, const int32_t *offsets,
                           uint32_t n, uint8_t **out, size_t *out_len, ta_error *error) {
  ta_error_clear(error);
  *out = NULL;
  *out_len = 0;
  writer w = {.model = model, .offsets = offsets, .n = n, .error = error};
  if (model->kind != TA_KIND_TFLITE) return refuse(&w, "it is no .tflite model");
  ta_status status = check_offsets(&w);
  if (!status) status = read_old(&w);
  if (status) return status;
  uint32_t buffer = model->has_offline_plan ? find_plan(&w) : TA_NO_INDEX;
  if (w.flat.status) return w.flat.status;
  status = buffer == TA_NO_INDEX ? write_in_front(&w, allocator, out_len)
                                 : overwrite(&w, allocator, buffer, out_len);
  if (!status) *out = w.to;
  return status;
}

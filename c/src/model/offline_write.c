/* Writes an offline plan into a .tflite file, in front of what the file has. The new parts:
 *
 *   the Model: each old field again, pointing into the old bytes, but for
 *   buffers: the old entries and one more,
 *   metadata: the old entries and one more,
 *   the new Metadata table, the new Buffer table, the name, the payload.
 */
#include <string.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/flatbuf_write.h"
#include "model/tflite.h"

enum { WORD = 4, HEADER_BYTES = TA_OFFLINE_HEADER_WORDS * WORD };

typedef struct plan_writer {
  const ta_model *model;
  const int32_t *offsets;
  uint32_t n;
  ta_error *error;

  ta_flat flat; /* of the old file */
  ta_flat_table root;
  ta_flat_vector old_buffers, old_metadata;
} plan_writer;

/* ---- refusals ---- */

static ta_status refuse(plan_writer *w, const char *sentence) {
  return ta_fail(w->error, TA_E_UNSUPPORTED, "no offline plan can be written into this file: %s", sentence);
}

static ta_status check_offsets(const plan_writer *w) {
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
static ta_status read_old(plan_writer *w) {
  ta_flat_init(&w->flat, w->model->file, w->error);
  if (!ta_flat_root(&w->flat, &w->root)) return w->flat.status;
  if (ta_flat_has_unknown(&w->root, TA_SCHEMA_MODEL))
    return refuse(w, "its root has fields newer than this library, which would be lost");
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

/* ---- the new front ---- */

/* The old entries, and room for one more. */
static uint64_t put_entries(ta_flat_writer *to, const ta_flat_vector *old) {
  uint64_t vector = ta_flat_put_words(to, (uint64_t)old->n + 1);
  for (uint32_t i = 0; i < old->n; i++)
    ta_flat_refer_as(to, ta_flat_element(vector, i), ta_flat_element(old->at - WORD, i));
  return vector;
}

static void set_words(ta_flat_writer *to, uint64_t vector, uint32_t first, const int32_t *values,
                      uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    ta_flat_set_word(to, ta_flat_element(vector, first + i), (uint32_t)values[i]);
}

static void put_front(ta_flat_writer *to, void *context) {
  plan_writer *w = context;
  ta_flat_new model = ta_flat_put_copy(to, TA_SCHEMA_MODEL, &w->root,
                                       TA_SLOT(TA_MODEL_BUFFERS) | TA_SLOT(TA_MODEL_METADATA), 0);
  uint64_t buffers = put_entries(to, &w->old_buffers);
  ta_flat_refer(to, ta_flat_place(&model, TA_MODEL_BUFFERS), buffers);
  uint64_t metadata = put_entries(to, &w->old_metadata);
  ta_flat_refer(to, ta_flat_place(&model, TA_MODEL_METADATA), metadata);

  ta_flat_new entry =
      ta_flat_put_table(to, TA_SCHEMA_METADATA, TA_SLOT(TA_METADATA_NAME) | TA_SLOT(TA_METADATA_BUFFER));
  ta_flat_refer(to, ta_flat_element(metadata, w->old_metadata.n), entry.at);
  ta_flat_set(to, &entry, TA_METADATA_BUFFER, w->old_buffers.n);
  ta_flat_new buffer = ta_flat_put_table(to, TA_SCHEMA_BUFFER, TA_SLOT(TA_BUFFER_DATA));
  ta_flat_refer(to, ta_flat_element(buffers, w->old_buffers.n), buffer.at);
  ta_flat_refer(to, ta_flat_place(&entry, TA_METADATA_NAME), ta_flat_put_string(to, TA_STR(TA_OFFLINE_NAME)));

  const int32_t header[TA_OFFLINE_HEADER_WORDS] = {0, (int32_t)w->model->n_subgraphs, (int32_t)w->n};
  uint64_t payload = ta_flat_put_bytes(to, HEADER_BYTES + WORD * (uint64_t)w->n);
  ta_flat_refer(to, ta_flat_place(&buffer, TA_BUFFER_DATA), payload);
  set_words(to, payload, 0, header, TA_OFFLINE_HEADER_WORDS);
  set_words(to, payload, TA_OFFLINE_HEADER_WORDS, w->offsets, w->n);
}

/* ---- a plan that is there already ---- */

/* The buffer of the last offline plan's entry: the one that is read. */
static uint32_t find_plan(plan_writer *w) {
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

static ta_status overwrite(plan_writer *w, const ta_allocator *allocator, uint32_t buffer, uint8_t **out,
                           size_t *out_len) {
  const ta_constant *plan = &w->model->constants[buffer];
  ta_bytes file = w->flat.file;
  if (plan->bytes != HEADER_BYTES + WORD * (uint64_t)w->n)
    return refuse(w, "it has a plan of another length, and two would contradict each other");
  if (is_tensors_buffer(w->model, buffer)) return refuse(w, "its plan's buffer is a tensor's data, too");
  ta_allocator from = ta_allocator_or_libc(allocator);
  uint8_t *copy = from.alloc(from.context, file.len);
  if (!copy) return ta_fail_memory(w->error);
  memcpy(copy, file.at, file.len);
  ta_flat_writer to = {.file = file, .to = copy};
  set_words(&to, plan->position - WORD, TA_OFFLINE_HEADER_WORDS, w->offsets, w->n);
  *out = copy;
  *out_len = file.len;
  return TA_OK;
}

ta_status ta_offline_write(const ta_allocator *allocator, const ta_model *model, const int32_t *offsets,
                           uint32_t n, uint8_t **out, size_t *out_len, ta_error *error) {
  ta_error_clear(error);
  *out = NULL;
  *out_len = 0;
  plan_writer w = {.model = model, .offsets = offsets, .n = n, .error = error};
  if (model->kind != TA_KIND_TFLITE) return refuse(&w, "it is no .tflite model");
  ta_status status = check_offsets(&w);
  if (!status) status = read_old(&w);
  if (status) return status;
  uint32_t buffer = model->has_offline_plan ? find_plan(&w) : TA_NO_INDEX;
  if (w.flat.status) return w.flat.status;
  if (buffer != TA_NO_INDEX) return overwrite(&w, allocator, buffer, out, out_len);
  return ta_flat_write(allocator, model->file, put_front, &w, out, out_len, error);
}

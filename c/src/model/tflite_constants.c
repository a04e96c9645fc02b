/* Constant data, in each of the three ways a file keeps it: inside a Buffer, elsewhere in the file at
 * Buffer.offset, or in another file (an external buffer). */
#include "base/num.h"
#include "base/sort.h"
#include "model/tflite.h"
#include "model/tflite_reader.h"

static ta_status read_buffer(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_constant *constant = &reader->model->constants[index];
  ta_flat_vector data = ta_flat_vector_of(table, TA_BUFFER_DATA, 1);
  uint64_t offset = ta_flat_u64(table, TA_BUFFER_OFFSET, 0);
  uint64_t size = ta_flat_u64(table, TA_BUFFER_SIZE, 0);
  if (reader->flat.status) return reader->flat.status;
  if (data.n) {
    constant->position = data.at;
    constant->bytes = data.n;
    return TA_OK;
  }
  if (offset <= 1 || size <= 1) return TA_OK;
  if (!ta_bytes_hold(reader->flat.file, offset, size, 1))
    return ta_fail_at_byte(
        reader->error, TA_E_TRUNCATED, table->at,
        "buffer %u lies at byte %U and has %U bytes, but the file ends at byte %U: it is cut short or "
        "damaged; get it again",
        index, offset, size, (uint64_t)reader->flat.file.len);
  constant->position = offset;
  constant->bytes = size;
  constant->by_offset = true;
  reader->model->fixed_positions = true;
  return TA_OK;
}

static ta_status read_external(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_constant *constant = &reader->model->constants[reader->n_buffers + index];
  uint32_t group = ta_flat_u32(table, TA_EXTERNAL_GROUP, 0);
  uint64_t length = ta_flat_u64(table, TA_EXTERNAL_LENGTH, 0);
  reader->external_ids[index] = ta_flat_u32(table, TA_EXTERNAL_ID, 0);
  reader->externals_by_id[index] = index;
  if (reader->flat.status) return reader->flat.status;
  if (group >= reader->n_groups)
    return ta_fail_at_byte(reader->error, TA_E_INDEX, table->at,
                           "external buffer %u refers to group %u of %u: " TA_DAMAGED, index, group,
                           reader->n_groups);
  if (length > TA_MAX_BYTES)
    return ta_fail_at_byte(reader->error, TA_E_LIMIT, table->at,
                           "external buffer %u has %U bytes, more than the limit of %L", index, length);
  constant->bytes = length;
  constant->external = true;
  return TA_OK;
}

static bool id_before(const void *context, uint32_t a, uint32_t b) {
  const uint32_t *ids = context;
  return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
}

uint32_t ta_reader_external(const ta_reader *reader, uint32_t id) {
  uint32_t low = 0, high = reader->n_externals;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (reader->external_ids[reader->externals_by_id[middle]] < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == reader->n_externals || reader->external_ids[reader->externals_by_id[low]] != id)
    return TA_NO_INDEX;
  return reader->n_buffers + reader->externals_by_id[low];
}

static ta_status read_externals(ta_reader *reader, const ta_flat_table *root, const ta_flat_vector *vector) {
  reader->n_groups = ta_flat_vector_of(root, TA_MODEL_EXTERNAL_BUFFER_GROUPS, 4).n;
  reader->external_ids = TA_TAKE(&reader->scratch, vector->n, uint32_t);
  reader->externals_by_id = TA_TAKE(&reader->scratch, vector->n, uint32_t);
  reader->n_externals = vector->n;
  const void *taken = reader->external_ids ? reader->externals_by_id : NULL;
  ta_status status = ta_reader_each(reader, vector, taken, read_external);
  if (!status) ta_sort(reader->externals_by_id, vector->n, id_before, reader->external_ids);
  return status;
}

ta_status ta_reader_constants(ta_reader *reader, const ta_flat_table *root) {
  ta_model *model = reader->model;
  ta_flat_vector buffers = ta_flat_vector_of(root, TA_MODEL_BUFFERS, 4);
  ta_flat_vector externals = ta_flat_vector_of(root, TA_MODEL_EXTERNAL_BUFFERS, 4);
  uint64_t n = (uint64_t)buffers.n + externals.n;
  model->constants = TA_TAKE(&model->region, (size_t)n, ta_constant);
  model->n_constants = (uint32_t)n;
  reader->n_buffers = buffers.n;
  ta_status status = ta_reader_each(reader, &buffers, model->constants, read_buffer);
  return status ? status : read_externals(reader, root, &externals);
}

ta_status ta_reader_constant_bytes(ta_reader *reader) {
  ta_model *model = reader->model;
  bool *counted = TA_TAKE(&reader->scratch, model->n_constants, bool);
  if (!counted) return ta_fail_memory(reader->error);
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    for (uint32_t t = 0; t < model->subgraphs[g].n_tensors; t++) {
      const ta_tensor *tensor = &model->subgraphs[g].tensors[t];
      if (!tensor->is_constant || counted[tensor->buffer]) continue;
      counted[tensor->buffer] = true;
      if (!ta_add(model->constant_bytes, model->constants[tensor->buffer].bytes, &model->constant_bytes))
        return ta_fail_at(reader->error, TA_E_LIMIT, g, TA_NO_INDEX, t,
                          "the constants up to subgraph %u tensor %u have more bytes than the limit of %L", g,
                          t);
    }
  }
  return TA_OK;
}

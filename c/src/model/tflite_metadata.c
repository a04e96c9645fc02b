/* Signatures and metadata, among it the offline plan: offsets that the file itself gives its tensors. */
#include "base/num.h"
#include "model/tflite.h"
#include "model/tflite_reader.h"

static ta_status check_map(ta_reader *reader, const ta_flat_table *table, uint32_t slot, const char *role,
                           uint32_t signature, uint32_t subgraph) {
  ta_flat_vector maps = ta_flat_vector_of(table, slot, 4);
  uint32_t n = reader->model->subgraphs[subgraph].n_tensors;
  for (uint32_t i = 0; i < maps.n; i++) {
    ta_flat_table map;
    if (!ta_flat_entry(&maps, i, &map)) break;
    uint32_t tensor = ta_flat_u32(&map, TA_TENSOR_MAP_INDEX, 0);
    if (!reader->flat.status && tensor >= n)
      return ta_fail_at(reader->error, TA_E_INDEX, subgraph, TA_NO_INDEX, TA_NO_INDEX,
                        "signature %u %s %u refers to tensor %u of %u: " TA_DAMAGED, signature, role, i,
                        tensor, n);
  }
  return reader->flat.status;
}

static ta_status read_signature(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_signature *signature = &reader->model->signatures[index];
  signature->key = ta_flat_string(table, TA_SIGNATURE_KEY);
  signature->subgraph = ta_flat_u32(table, TA_SIGNATURE_SUBGRAPH, 0);
  if (reader->flat.status) return reader->flat.status;
  if (signature->subgraph >= reader->model->n_subgraphs)
    return ta_reader_fail(reader, TA_E_INDEX, TA_NO_INDEX, TA_NO_INDEX,
                          "signature %u refers to subgraph %u of %u", index, signature->subgraph,
                          reader->model->n_subgraphs);
  ta_status status = check_map(reader, table, TA_SIGNATURE_INPUTS, "input", index, signature->subgraph);
  return status ? status
                : check_map(reader, table, TA_SIGNATURE_OUTPUTS, "output", index, signature->subgraph);
}

ta_status ta_reader_signatures(ta_reader *reader, const ta_flat_table *root) {
  ta_model *model = reader->model;
  ta_flat_vector vector = ta_flat_vector_of(root, TA_MODEL_SIGNATURE_DEFS, 4);
  model->signatures = TA_TAKE(&model->region, vector.n, ta_signature);
  model->n_signatures = vector.n;
  return ta_reader_each(reader, &vector, model->signatures, read_signature);
}

/* Tensors of every subgraph: what an offline plan's offsets are one each of. Each took 4 bytes of the file or
 * more, so the sum stays small. */
static uint64_t count_tensors(const ta_model *model) {
  uint64_t n = 0;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) n += model->subgraphs[g].n_tensors;
  return n;
}

/* TensorFlow Lite Micro checks every such entry and takes the last. */
static ta_status read_offline_plan(ta_reader *reader, uint32_t index, const ta_constant *buffer) {
  ta_model *model = reader->model;
  uint64_t present = buffer->by_offset ? 0 : buffer->bytes;
  if (present == 0)
    return ta_fail(reader->error, TA_E_MALFORMED,
                   "the offline plan in metadata %u has no data: remove the entry or write the plan again",
                   index);
  const uint8_t *words = model->file.at + buffer->position;
  uint64_t needed = 4 * (uint64_t)TA_OFFLINE_HEADER_WORDS;
  uint32_t n = present >= needed ? ta_load_u32(words + 8) : 0;
  needed += 4 * (uint64_t)n;
  if (present < needed)
    return ta_fail_at_byte(
        reader->error, TA_E_MALFORMED, buffer->position,
        "the offline plan in metadata %u is cut short: %U bytes needed, %U present; write the plan again",
        index, needed, present);
  uint64_t n_tensors = count_tensors(model);
  if (n != n_tensors)
    return ta_fail_at_byte(
        reader->error, TA_E_MALFORMED, buffer->position,
        "the offline plan in metadata %u has %u offsets for %U tensors: write the plan again for this "
        "model",
        index, n, n_tensors);
  if (!ta_flat_charge(&reader->flat, 4 * (uint64_t)n, buffer->position)) return reader->flat.status;
  int32_t *offsets = TA_TAKE(&model->region, n, int32_t);
  if (!offsets) return ta_fail_memory(reader->error);
  for (uint32_t t = 0; t < n; t++)
    offsets[t] = ta_load_i32(words + 4 * ((size_t)TA_OFFLINE_HEADER_WORDS + t));
  model->offline_offsets = (ta_list){offsets, n};
  model->has_offline_plan = true;
  if (buffer->position % 4 == 0) return TA_OK;
  return ta_problem_add(
      &model->problems, &model->region, "offline-plan-unaligned", TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX,
      reader->error,
      "the offline plan in metadata %u lies at byte %U, not a multiple of 4: TensorFlow Lite Micro "
      "reads it as words and may fault",
      index, buffer->position);
}

static ta_status read_entry(ta_reader *reader, const ta_flat_table *table, uint32_t index) {
  ta_model *model = reader->model;
  ta_str name = ta_flat_string(table, TA_METADATA_NAME);
  uint32_t buffer = ta_flat_u32(table, TA_METADATA_BUFFER, 0);
  if (reader->flat.status) return reader->flat.status;
  model->metadata[index] = name;
  if (buffer >= reader->n_buffers)
    return ta_reader_fail(reader, TA_E_INDEX, TA_NO_INDEX, TA_NO_INDEX,
                          "metadata %u%M refers to buffer %u of %u", index, &name, buffer, reader->n_buffers);
  if (!ta_str_equal(&name, &TA_STR(TA_OFFLINE_NAME))) return TA_OK;
  return read_offline_plan(reader, index, &model->constants[buffer]);
}

ta_status ta_reader_metadata(ta_reader *reader, const ta_flat_table *root) {
  ta_model *model = reader->model;
  ta_flat_vector vector = ta_flat_vector_of(root, TA_MODEL_METADATA, 4);
  model->metadata = TA_TAKE(&model->region, vector.n, ta_str);
  model->n_metadata = vector.n;
  return ta_reader_each(reader, &vector, model->metadata, read_entry);
}

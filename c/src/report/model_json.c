/* A model described as JSON: what the package's model.subgraphs, .tensors, .nodes, .signatures and .problems
 * are. Keys keep their order; the shape may grow, never shrink. */
#include "graph/dtype.h"
#include "report/json.h"
#include "report/problems_json.h"

static const char *const kind_names[] = {
    [TA_KIND_TFLITE] = "tflite", [TA_KIND_GRAPH] = "graph", [TA_KIND_CSV] = "csv"};

static const char *const type_names[] = {
    [TA_ARENA_RW] = "arena_rw", [TA_ARENA_RW_PERSISTENT] = "arena_rw_persistent",
    [TA_DYNAMIC] = "dynamic",   [TA_MMAP_RO] = "mmap_ro",
    [TA_NONE] = "none",         [TA_CUSTOM] = "custom"};

static void write_str(ta_json *json, const char *key, ta_str value) {
  ta_json_key(json, key);
  ta_json_str(json, value);
}

static void write_u64(ta_json *json, const char *key, uint64_t value) {
  ta_json_key(json, key);
  ta_json_u64(json, value);
}

static void write_bool(ta_json *json, const char *key, bool value) {
  ta_json_key(json, key);
  ta_json_bool(json, value);
}

static void write_list(ta_json *json, const char *key, ta_list list) {
  ta_json_key(json, key);
  ta_json_array(json);
  for (uint32_t i = 0; i < list.n; i++) ta_json_i32(json, list.at[i]);
  ta_json_end(json);
}

/* A type past the list shows as its number. */
static void write_dtype(ta_json *json, uint8_t dtype) {
  const char *name = ta_dtype_name(dtype);
  ta_json_key(json, "dtype");
  if (name)
    ta_json_literal(json, name);
  else if (dtype == TA_DTYPE_NONE)
    ta_json_null(json);
  else
    ta_json_u64(json, dtype);
}

/* What only a model file knows of a tensor. */
static void write_file_facts(ta_json *json, const ta_tensor *tensor) {
  write_dtype(json, tensor->dtype);
  write_list(json, "shape", tensor->shape);
  if (tensor->signature.n) write_list(json, "shape_signature", tensor->signature);
}

/* Of Model.buffers; null for data in another file. */
static void write_buffer(ta_json *json, const ta_model *model, uint32_t buffer) {
  bool external = buffer != TA_NO_INDEX && model->constants[buffer].external;
  ta_json_key(json, "buffer");
  ta_json_index(json, external ? TA_NO_INDEX : buffer);
}

static void write_tensor(ta_json *json, const ta_model *model, const ta_tensor *tensor) {
  ta_kind kind = model->kind;
  ta_json_object(json);
  write_str(json, "name", tensor->name);
  if (kind == TA_KIND_TFLITE) write_file_facts(json, tensor);
  ta_json_key(json, "bytes");
  if (tensor->unknown_size)
    ta_json_null(json);
  else
    ta_json_u64(json, tensor->bytes);
  ta_json_key(json, "type");
  ta_json_literal(json, type_names[tensor->type]);
  write_bool(json, "is_variable", tensor->is_variable);
  write_bool(json, "is_constant", tensor->is_constant);
  if (kind == TA_KIND_TFLITE) {
    write_buffer(json, model, tensor->buffer);
    write_bool(json, "sparse", tensor->sparse);
    write_u64(json, "scales", tensor->scales);
    write_u64(json, "zero_points", tensor->zero_points);
  }
  ta_json_end(json);
}

static void write_node(ta_json *json, ta_kind kind, const ta_node *node) {
  ta_json_object(json);
  write_str(json, "name", node->name);
  if (kind == TA_KIND_TFLITE) {
    write_u64(json, "op", node->op);
    write_u64(json, "version", node->version);
  }
  write_list(json, "inputs", node->inputs);
  write_list(json, "outputs", node->outputs);
  write_list(json, "temporaries", node->temporaries);
  write_list(json, "intermediates", node->intermediates);
  write_list(json, "calls", node->calls);
  write_u64(json, "inplace", node->inplace);
  ta_json_end(json);
}

static void write_subgraph(ta_json *json, const ta_model *model, const ta_subgraph *subgraph) {
  ta_json_object(json);
  write_str(json, "name", subgraph->name);
  ta_json_key(json, "tensors");
  ta_json_array(json);
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) write_tensor(json, model, &subgraph->tensors[t]);
  ta_json_end(json);
  ta_json_key(json, "nodes");
  ta_json_array(json);
  for (uint32_t i = 0; i < subgraph->n_nodes; i++) write_node(json, model->kind, &subgraph->nodes[i]);
  ta_json_end(json);
  write_list(json, "inputs", subgraph->inputs);
  write_list(json, "outputs", subgraph->outputs);
  write_list(json, "variables", subgraph->variables);
  ta_json_end(json);
}

static void write_row(ta_json *json, const ta_row *row) {
  ta_json_object(json);
  write_str(json, "id", row->id);
  ta_json_key(json, "first");
  ta_json_i32(json, row->first);
  ta_json_key(json, "last");
  ta_json_i32(json, row->last);
  write_u64(json, "bytes", row->bytes);
  write_u64(json, "alignment", row->alignment);
  ta_json_key(json, "offset");
  ta_json_offset(json, row->offset);
  ta_json_key(json, "alias");
  ta_json_index(json, row->alias);
  write_u64(json, "alias_bytes", row->alias_bytes);
  ta_json_end(json);
}

static void write_graph(ta_json *json, const ta_model *model) {
  write_u64(json, "alignment", model->alignment);
  write_bool(json, "preserve_all", model->preserve_all);
  ta_json_key(json, "subgraphs");
  ta_json_array(json);
  for (uint32_t g = 0; g < model->n_subgraphs; g++) write_subgraph(json, model, &model->subgraphs[g]);
  ta_json_end(json);
}

static void write_signatures(ta_json *json, const ta_model *model) {
  ta_json_key(json, "signatures");
  ta_json_array(json);
  for (uint32_t i = 0; i < model->n_signatures; i++) {
    ta_json_object(json);
    write_str(json, "key", model->signatures[i].key);
    write_u64(json, "subgraph", model->signatures[i].subgraph);
    ta_json_end(json);
  }
  ta_json_end(json);
}

static void write_metadata(ta_json *json, const ta_model *model) {
  ta_json_key(json, "metadata");
  ta_json_array(json);
  for (uint32_t i = 0; i < model->n_metadata; i++) ta_json_str(json, model->metadata[i]);
  ta_json_end(json);
}

static void write_rows(ta_json *json, const ta_model *model) {
  ta_json_key(json, "rows");
  ta_json_array(json);
  for (uint32_t i = 0; i < model->n_rows; i++) write_row(json, &model->rows[i]);
  ta_json_end(json);
}

static void write_model(ta_json *json, const ta_model *model) {
  ta_json_object(json);
  ta_json_key(json, "kind");
  ta_json_literal(json, kind_names[model->kind]);
  write_str(json, "name", model->name);
  write_u64(json, "schema_version", model->schema_version);
  write_graph(json, model);
  write_signatures(json, model);
  write_metadata(json, model);
  write_u64(json, "constant_bytes", model->constant_bytes);
  write_bool(json, "has_offline_plan", model->has_offline_plan);
  write_rows(json, model);
  ta_json_key(json, "problems");
  ta_json_array(json);
  ta_json_problems(json, &model->problems);
  ta_json_end(json);
  ta_json_end(json);
}

ta_status ta_model_describe(ta_model *model, const char **text, size_t *len, ta_error *error) {
  ta_error_clear(error);
  ta_text *out = &model->description;
  out->len = 0;
  out->failed = false;
  ta_json json = ta_json_start(out);
  write_model(&json, model);
  if (out->failed) return ta_fail_memory(error);
  *text = out->at;
  *len = out->len;
  return TA_OK;
}

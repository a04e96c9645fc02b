/* A model described as JSON: what the package's model.subgraphs, .tensors, .nodes, .signatures and .problems
 * are. Keys keep their order; the shape may grow, never shrink. */
#include "graph/dtype.h"
#include "report/json.h"
#include "report/names.h"

static void write_list(ta_text *out, const char *key, const ta_list *list) {
  ta_text_format(out, ",\"%s\":[", key);
  for (uint32_t i = 0; i < list->n; i++) ta_text_format(out, "%,%i", list->at[i]);
  ta_text_format(out, "]");
}

/* A type past the list shows as its number. */
static void write_dtype(ta_text *out, uint8_t dtype) {
  const char *name = ta_dtype_name(dtype);
  if (name) {
    ta_text_format(out, ",\"dtype\":\"%s\"", name);
  } else {
    ta_text_format(out, ",\"dtype\":%I", dtype == TA_DTYPE_NONE ? TA_NO_INDEX : dtype);
  }
}

/* What only a model file knows of a tensor. */
static void write_file_facts(ta_text *out, const ta_tensor *tensor) {
  write_dtype(out, tensor->dtype);
  write_list(out, "shape", &tensor->shape);
  if (tensor->signature.n) write_list(out, "shape_signature", &tensor->signature);
}

/* Of Model.buffers; null for data in another file. */
static uint32_t buffer_of(const ta_model *model, const ta_tensor *tensor) {
  bool external = tensor->buffer != TA_NO_INDEX && model->constants[tensor->buffer].external;
  return external ? TA_NO_INDEX : tensor->buffer;
}

static void write_tensor(ta_text *out, const ta_model *model, const ta_tensor *tensor) {
  bool file = model->kind == TA_KIND_TFLITE;
  ta_text_format(out, "{\"name\":\"%T\"", &tensor->name);
  if (file) write_file_facts(out, tensor);
  ta_text_format(out, ",\"bytes\":%O,\"type\":\"%s\",\"is_variable\":%b,\"is_constant\":%b",
                 tensor->unknown_size ? TA_NO_OFFSET : tensor->bytes,
                 ta_word_name(TA_WORDS_TYPE, tensor->type), tensor->is_variable, tensor->is_constant);
  if (file) {
    ta_text_format(out, ",\"buffer\":%I,\"sparse\":%b,\"scales\":%u,\"zero_points\":%u",
                   buffer_of(model, tensor), tensor->sparse, tensor->scales, tensor->zero_points);
  }
  ta_text_format(out, "}");
}

static void write_node(ta_text *out, ta_kind kind, const ta_node *node) {
  ta_text_format(out, "{\"name\":\"%T\"", &node->name);
  if (kind == TA_KIND_TFLITE) ta_text_format(out, ",\"op\":%u,\"version\":%u", node->op, node->version);
  write_list(out, "inputs", &node->inputs);
  write_list(out, "outputs", &node->outputs);
  write_list(out, "temporaries", &node->temporaries);
  write_list(out, "intermediates", &node->intermediates);
  write_list(out, "calls", &node->calls);
  ta_text_format(out, ",\"inplace\":%u}", node->inplace);
}

static void write_subgraph(ta_text *out, const ta_model *model, const ta_subgraph *subgraph) {
  ta_text_format(out, "{\"name\":\"%T\",\"tensors\":[", &subgraph->name);
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) {
    ta_text_format(out, "%,");
    write_tensor(out, model, &subgraph->tensors[t]);
  }
  ta_text_format(out, "],\"nodes\":[");
  for (uint32_t i = 0; i < subgraph->n_nodes; i++) {
    ta_text_format(out, "%,");
    write_node(out, model->kind, &subgraph->nodes[i]);
  }
  ta_text_format(out, "]");
  write_list(out, "inputs", &subgraph->inputs);
  write_list(out, "outputs", &subgraph->outputs);
  write_list(out, "variables", &subgraph->variables);
  ta_text_format(out, "}");
}

static void write_row(ta_text *out, const ta_row *row) {
  ta_text_format(out,
                 "{\"id\":\"%T\",\"first\":%i,\"last\":%i,\"bytes\":%U,\"alignment\":%U,\"offset\":%O,"
                 "\"fixed\":%O,\"arena\":\"%s\",\"alias\":%I,\"alias_bytes\":%U}",
                 &row->id, row->first, row->last, row->bytes, row->alignment, row->offset, row->fixed,
                 row->arena == TA_ARENA_RW_PLACE ? "rw" : "persistent", row->alias, row->alias_bytes);
}

static void write_model(ta_text *out, const ta_model *model) {
  ta_text_format(out,
                 "{\"kind\":\"%s\",\"name\":\"%T\",\"schema_version\":%u,\"alignment\":%u,"
                 "\"preserve_all\":%b,\"subgraphs\":[",
                 ta_word_name(TA_WORDS_KIND, model->kind), &model->name, model->schema_version,
                 model->alignment, model->preserve_all);
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    ta_text_format(out, "%,");
    write_subgraph(out, model, &model->subgraphs[g]);
  }
  ta_text_format(out, "],\"signatures\":[");
  for (uint32_t i = 0; i < model->n_signatures; i++) {
    ta_text_format(out, "%,{\"key\":\"%T\",\"subgraph\":%u}", &model->signatures[i].key,
                   model->signatures[i].subgraph);
  }
  ta_text_format(out, "],\"metadata\":[");
  for (uint32_t i = 0; i < model->n_metadata; i++) {
    ta_text_format(out, "%,\"%T\"", &model->metadata[i]);
  }
  ta_text_format(out, "],\"constant_bytes\":%U,\"has_offline_plan\":%b,\"rows\":[", model->constant_bytes,
                 model->has_offline_plan);
  for (uint32_t i = 0; i < model->n_rows; i++) {
    ta_text_format(out, "%,");
    write_row(out, &model->rows[i]);
  }
  ta_text_format(out, "],\"problems\":[");
  ta_json_problems(out, &model->problems);
  ta_text_format(out, "]}");
}

ta_status ta_model_describe(ta_model *model, const char **text, size_t *len, ta_error *error) {
  ta_error_clear(error);
  ta_text *out = &model->description;
  out->len = 0;
  out->failed = false;
  out->escape = ta_escape_json;
  write_model(out, model);
  if (out->failed) return ta_fail_memory(error);
  *text = out->at;
  *len = out->len;
  return TA_OK;
}

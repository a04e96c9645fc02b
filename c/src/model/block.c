#include "model/block.h"

#include "base/error.h"
#include "base/num.h"

/* The header's words, in order. */
enum {
  WORD_MAGIC,
  WORD_VERSION,
  WORD_ALIGNMENT,
  WORD_PRESERVE_ALL,
  WORD_TENSORS,
  WORD_NODES,
  WORD_INPUTS,
  WORD_OUTPUTS,
  WORD_VARIABLES,
  WORD_INDICES,
  WORD_OPERATIONS,
  WORD_TEXT
};

/* Where each part starts, in bytes from the block's start. */
typedef struct layout {
  uint64_t tensors, nodes, indices, operations, text, end;
} layout;

/* What is left of the shared parts while the lists and names are dealt out in order. */
typedef struct cursor {
  ta_model *model;
  const int32_t *indices;
  uint32_t indices_left;
  const uint8_t *text;
  uint32_t text_left;
} cursor;

static uint32_t word(const ta_model *model, uint32_t index) {
  return ta_load_u32(model->file.at + (size_t)index * 4);
}

/* Seven parts of at most 2^32 elements of at most 20 bytes: the sums stay far below 2^64. */
static layout layout_of(const ta_model *model) {
  layout at;
  at.tensors = TA_BLOCK_HEADER_BYTES;
  at.nodes = at.tensors + (uint64_t)word(model, WORD_TENSORS) * TA_BLOCK_TENSOR_BYTES;
  at.indices = at.nodes + (uint64_t)word(model, WORD_NODES) * TA_BLOCK_NODE_BYTES;
  at.operations = at.indices + (uint64_t)word(model, WORD_INDICES) * 4;
  at.text = at.operations + (uint64_t)word(model, WORD_OPERATIONS) * TA_BLOCK_OPERATION_BYTES;
  at.end = at.text + word(model, WORD_TEXT);
  return at;
}

bool ta_block_is(ta_bytes bytes) {
  return bytes.len >= 4 && ta_load_u32(bytes.at) == TA_BLOCK_MAGIC;
}

static ta_status check_header(const ta_model *model, ta_error *error) {
  uint64_t len = model->file.len;
  if (len < TA_BLOCK_HEADER_BYTES)
    return ta_fail_at_byte(error, TA_E_TRUNCATED, len,
                           "The graph block has %U bytes, fewer than its header's %u.", len,
                           TA_BLOCK_HEADER_BYTES);
  uint32_t version = word(model, WORD_VERSION);
  if (version != TA_BLOCK_VERSION)
    return ta_fail_at_byte(
        error, TA_E_UNSUPPORTED, WORD_VERSION * 4,
        "The graph block has version %u; this library reads version %u: use a packer and a "
        "library of one release.",
        version, TA_BLOCK_VERSION);
  uint32_t alignment = word(model, WORD_ALIGNMENT);
  if (alignment != 0 && (alignment > 64 || !ta_is_power_of_two(alignment)))
    return ta_fail_at_byte(error, TA_E_MALFORMED, WORD_ALIGNMENT * 4,
                           "The graph's alignment is %u; give a power of two from 1 to 64.", alignment);
  if (word(model, WORD_PRESERVE_ALL) > 1)
    return ta_fail_at_byte(error, TA_E_MALFORMED, WORD_PRESERVE_ALL * 4,
                           "The graph's preserve_all is %u; give 0 or 1.", word(model, WORD_PRESERVE_ALL));
  uint64_t end = layout_of(model).end;
  if (end > len)
    return ta_fail_at_byte(error, TA_E_TRUNCATED, len, "The graph block's counts need %U bytes; it has %U.",
                           end, len);
  if (end < len)
    return ta_fail_at_byte(error, TA_E_MALFORMED, end,
                           "The graph block ends at byte %U by its counts, and %U more bytes follow.", end,
                           len - end);
  return TA_OK;
}

/* The next `count` indices; false when fewer are left. */
static bool deal_list(cursor *from, uint32_t count, ta_list *out) {
  if (count > from->indices_left) return false;
  *out = (ta_list){from->indices, count};
  from->indices += count;
  from->indices_left -= count;
  return true;
}

static bool deal_name(cursor *from, uint32_t count, ta_str *out) {
  if (count > from->text_left) return false;
  *out = (ta_str){(const char *)from->text, count};
  from->text += count;
  from->text_left -= count;
  return true;
}

static ta_status fail_short(ta_error *error, const char *what) {
  return ta_fail(error, TA_E_MALFORMED, TA_NOWHERE,
                 "The graph block's header counts fewer %s than its tensors and nodes list.", what);
}

/* `node` is TA_NO_INDEX for the graph's own lists. */
static ta_status check_list(ta_list list, const char *role, uint32_t node, uint32_t n_tensors,
                            ta_error *error) {
  for (uint32_t i = 0; i < list.n; i++) {
    int32_t tensor = list.at[i];
    if (tensor == -1 || (tensor >= 0 && (uint32_t)tensor < n_tensors)) continue;
    if (node == TA_NO_INDEX)
      return ta_fail_at(error, TA_E_INDEX, 0, TA_NO_INDEX, TA_NO_INDEX,
                        "graph %s %u refers to tensor %i of %u", role, i, tensor, n_tensors);
    return ta_fail_at(error, TA_E_INDEX, 0, node, TA_NO_INDEX, "node %u %s %u refers to tensor %i of %u",
                      node, role, i, tensor, n_tensors);
  }
  return TA_OK;
}

static ta_status read_tensor(cursor *from, const uint8_t *at, uint32_t index, ta_tensor *tensor,
                             ta_error *error) {
  uint64_t bytes = ta_load_u64(at);
  uint32_t type = ta_load_u32(at + 8), is_variable = ta_load_u32(at + 12);
  if (bytes > TA_MAX_BYTES)
    return ta_fail_at(error, TA_E_LIMIT, 0, TA_NO_INDEX, index,
                      "tensor %u has %U bytes, more than the limit of %U", index, bytes, TA_MAX_BYTES);
  if (type > TA_CUSTOM)
    return ta_fail_at(error, TA_E_MALFORMED, 0, TA_NO_INDEX, index,
                      "tensor %u has allocation type %u; the last one is %u", index, type,
                      (uint32_t)TA_CUSTOM);
  if (is_variable > 1)
    return ta_fail_at(error, TA_E_MALFORMED, 0, TA_NO_INDEX, index,
                      "tensor %u has is_variable %u; give 0 or 1", index, is_variable);
  tensor->bytes = bytes;
  tensor->buffer = TA_NO_INDEX;
  tensor->dtype = TA_DTYPE_NONE;
  tensor->type = (uint8_t)type;
  tensor->is_variable = is_variable == 1;
  tensor->is_constant = tensor->has_data = type == TA_MMAP_RO;
  if (!deal_name(from, ta_load_u32(at + 16), &tensor->name)) return fail_short(error, "name bytes");
  if (tensor->is_constant && !ta_add(from->model->constant_bytes, bytes, &from->model->constant_bytes))
    return ta_fail_at(error, TA_E_LIMIT, 0, TA_NO_INDEX, index,
                      "the constants up to tensor %u have more bytes than the limit of %U", index,
                      TA_MAX_BYTES);
  return TA_OK;
}

static ta_status read_node(cursor *from, const uint8_t *at, uint32_t index, uint32_t n_tensors, ta_node *node,
                           ta_error *error) {
  uint32_t inplace = ta_load_u32(at + 12);
  if (inplace > UINT8_MAX)
    return ta_fail_at(error, TA_E_MALFORMED, 0, index, TA_NO_INDEX,
                      "node %u has in-place mask %u; the largest is %u", index, inplace, (uint32_t)UINT8_MAX);
  node->op = TA_OP_NONE;
  node->version = 1;
  node->inplace = (uint8_t)inplace;
  if (!deal_list(from, ta_load_u32(at), &node->inputs) ||
      !deal_list(from, ta_load_u32(at + 4), &node->outputs) ||
      !deal_list(from, ta_load_u32(at + 8), &node->temporaries))
    return fail_short(error, "indices");
  if (!deal_name(from, ta_load_u32(at + 16), &node->name)) return fail_short(error, "name bytes");
  ta_status status = check_list(node->inputs, "input", index, n_tensors, error);
  if (status == TA_OK) status = check_list(node->outputs, "output", index, n_tensors, error);
  if (status == TA_OK) status = check_list(node->temporaries, "temporary", index, n_tensors, error);
  return status;
}

static ta_status read_graph_lists(cursor *from, ta_subgraph *graph, ta_error *error) {
  const ta_model *model = from->model;
  if (!deal_list(from, word(model, WORD_INPUTS), &graph->inputs) ||
      !deal_list(from, word(model, WORD_OUTPUTS), &graph->outputs) ||
      !deal_list(from, word(model, WORD_VARIABLES), &graph->variables))
    return fail_short(error, "indices");
  ta_status status = check_list(graph->inputs, "input", TA_NO_INDEX, graph->n_tensors, error);
  if (status == TA_OK) status = check_list(graph->outputs, "output", TA_NO_INDEX, graph->n_tensors, error);
  if (status == TA_OK)
    status = check_list(graph->variables, "variable", TA_NO_INDEX, graph->n_tensors, error);
  return status;
}

static ta_status check_operations(const ta_model *model, uint64_t at, ta_error *error) {
  for (uint32_t i = 0; i < word(model, WORD_OPERATIONS); i++, at += TA_BLOCK_OPERATION_BYTES) {
    uint32_t code = ta_load_u32(model->file.at + at);
    if (code > TA_OPERATION_ACQUIRE)
      return ta_fail_at_byte(error, TA_E_MALFORMED, at, "operation %u has code %u; the last one is %u", i,
                             code, (uint32_t)TA_OPERATION_ACQUIRE);
  }
  return TA_OK;
}

/* The region's copy of the indices, which are unaligned in the block. */
static const int32_t *copy_indices(ta_model *model, uint64_t at, uint32_t count) {
  int32_t *indices = TA_TAKE(&model->region, count, int32_t);
  for (uint32_t i = 0; indices != NULL && i < count; i++)
    indices[i] = ta_load_i32(model->file.at + at + (uint64_t)i * 4);
  return indices;
}

ta_status ta_block_read(ta_model *model, ta_error *error) {
  ta_status status = check_header(model, error);
  if (status != TA_OK) return status;
  layout at = layout_of(model);
  uint32_t n_indices = word(model, WORD_INDICES);

  ta_subgraph *graph = TA_TAKE(&model->region, 1, ta_subgraph);
  if (graph == NULL) return ta_fail_memory(error);
  graph->n_tensors = word(model, WORD_TENSORS);
  graph->n_nodes = word(model, WORD_NODES);
  graph->tensors = TA_TAKE(&model->region, graph->n_tensors, ta_tensor);
  graph->nodes = TA_TAKE(&model->region, graph->n_nodes, ta_node);
  const int32_t *indices = copy_indices(model, at.indices, n_indices);
  if (graph->tensors == NULL || graph->nodes == NULL || indices == NULL) return ta_fail_memory(error);

  model->kind = TA_KIND_GRAPH;
  model->subgraphs = graph;
  model->n_subgraphs = 1;
  model->alignment = word(model, WORD_ALIGNMENT);
  model->preserve_all = word(model, WORD_PRESERVE_ALL) == 1;

  cursor from = {model, indices, n_indices, model->file.at + at.text, word(model, WORD_TEXT)};
  status = read_graph_lists(&from, graph, error);
  for (uint32_t i = 0; status == TA_OK && i < graph->n_tensors; i++)
    status = read_tensor(&from, model->file.at + at.tensors + (uint64_t)i * TA_BLOCK_TENSOR_BYTES, i,
                         &graph->tensors[i], error);
  for (uint32_t i = 0; status == TA_OK && i < graph->n_nodes; i++)
    status = read_node(&from, model->file.at + at.nodes + (uint64_t)i * TA_BLOCK_NODE_BYTES, i,
                       graph->n_tensors, &graph->nodes[i], error);
  if (status == TA_OK) status = check_operations(model, at.operations, error);
  if (status == TA_OK && (from.indices_left != 0 || from.text_left != 0))
    status = ta_fail(error, TA_E_MALFORMED, TA_NOWHERE,
                     "The graph block holds %u indices and %u name bytes that nothing refers to.",
                     from.indices_left, from.text_left);
  return status;
}

uint32_t ta_model_operations(const ta_model *model) {
  return model->kind == TA_KIND_GRAPH ? word(model, WORD_OPERATIONS) : 0;
}

ta_operation ta_block_operation(const ta_model *model, uint32_t index) {
  const uint8_t *at =
      model->file.at + layout_of(model).operations + (uint64_t)index * TA_BLOCK_OPERATION_BYTES;
  return (ta_operation){(ta_operation_code)ta_load_u32(at), ta_load_i32(at + 4), ta_load_i32(at + 8),
                        ta_load_u64(at + 12)};
}

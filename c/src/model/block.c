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

/* What is left of the shared parts while the lists and names are dealt out in order. The first failure stays;
 * nothing is dealt after it. */
typedef struct cursor {
  ta_model *model;
  const int32_t *indices;
  uint32_t indices_left;
  const uint8_t *text;
  uint32_t text_left;
  uint32_t n_tensors;
  ta_status status;
  ta_error *error;
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
  if (alignment != 0 && !ta_is_alignment(alignment))
    return ta_fail_at_byte(error, TA_E_MALFORMED, WORD_ALIGNMENT * 4,
                           "The graph's alignment is %u; " TA_ALIGNMENT_RULE ".", alignment);
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

static void fail_short(cursor *from, const char *what) {
  from->status = ta_fail(from->error, TA_E_MALFORMED,
                         "The graph block's header counts fewer %s than its tensors and nodes list.", what);
}

/* The next `count` indices, checked. `node` is TA_NO_INDEX for the graph's own lists. */
static ta_list deal_list(cursor *from, uint32_t count, const char *role, uint32_t node) {
  ta_list list = {from->indices, 0};
  if (from->status) return list;
  if (count > from->indices_left) {
    fail_short(from, "indices");
    return list;
  }
  list.n = count;
  from->indices += count;
  from->indices_left -= count;
  for (uint32_t i = 0; i < count && !from->status; i++) {
    int32_t tensor = list.at[i];
    if (tensor == -1 || (tensor >= 0 && (uint32_t)tensor < from->n_tensors)) continue;
    from->status =
        node == TA_NO_INDEX
            ? ta_fail_at(from->error, TA_E_INDEX, 0, node, TA_NO_INDEX,
                         "graph %s %u refers to tensor %i of %u", role, i, tensor, from->n_tensors)
            : ta_fail_at(from->error, TA_E_INDEX, 0, node, TA_NO_INDEX,
                         "node %u %s %u refers to tensor %i of %u", node, role, i, tensor, from->n_tensors);
  }
  return list;
}

static ta_str deal_name(cursor *from, uint32_t count) {
  ta_str name = {(const char *)from->text, 0};
  if (from->status) return name;
  if (count > from->text_left) {
    fail_short(from, "name bytes");
    return name;
  }
  name.len = count;
  from->text += count;
  from->text_left -= count;
  return name;
}

static void read_tensor(cursor *from, const uint8_t *at, uint32_t index, ta_tensor *tensor) {
  uint64_t bytes = ta_load_u64(at);
  uint32_t type = ta_load_u32(at + 8), is_variable = ta_load_u32(at + 12);
  if (bytes > TA_MAX_BYTES)
    from->status = ta_fail_at(from->error, TA_E_LIMIT, 0, TA_NO_INDEX, index,
                              "tensor %u has %U bytes, more than the limit of %L", index, bytes);
  else if (type > TA_CUSTOM)
    from->status =
        ta_fail_at(from->error, TA_E_MALFORMED, 0, TA_NO_INDEX, index,
                   "tensor %u has allocation type %u; the last one is %u", index, type, (uint32_t)TA_CUSTOM);
  else if (is_variable > 1)
    from->status = ta_fail_at(from->error, TA_E_MALFORMED, 0, TA_NO_INDEX, index,
                              "tensor %u has is_variable %u; give 0 or 1", index, is_variable);
  tensor->bytes = bytes;
  tensor->buffer = TA_NO_INDEX;
  tensor->dtype = TA_DTYPE_NONE;
  tensor->type = (uint8_t)type;
  tensor->is_variable = is_variable == 1;
  tensor->is_constant = tensor->has_data = type == TA_MMAP_RO;
  tensor->name = deal_name(from, ta_load_u32(at + 16));
  if (from->status || !tensor->is_constant) return;
  if (!ta_add(from->model->constant_bytes, bytes, &from->model->constant_bytes))
    from->status = ta_fail_at(from->error, TA_E_LIMIT, 0, TA_NO_INDEX, index,
                              "the constants up to tensor %u have more bytes than the limit of %L", index);
}

static void read_node(cursor *from, const uint8_t *at, uint32_t index, ta_node *node) {
  uint32_t inplace = ta_load_u32(at + 12);
  if (inplace > UINT8_MAX)
    from->status =
        ta_fail_at(from->error, TA_E_MALFORMED, 0, index, TA_NO_INDEX,
                   "node %u has in-place mask %u; the largest is %u", index, inplace, (uint32_t)UINT8_MAX);
  node->op = TA_OP_NONE;
  node->version = 1;
  node->inplace = (uint8_t)inplace;
  node->inputs = deal_list(from, ta_load_u32(at), "input", index);
  node->outputs = deal_list(from, ta_load_u32(at + 4), "output", index);
  node->temporaries = deal_list(from, ta_load_u32(at + 8), "temporary", index);
  node->name = deal_name(from, ta_load_u32(at + 16));
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

  cursor from = {.model = model,
                 .indices = indices,
                 .indices_left = n_indices,
                 .text = model->file.at + at.text,
                 .text_left = word(model, WORD_TEXT),
                 .n_tensors = graph->n_tensors,
                 .error = error};
  graph->inputs = deal_list(&from, word(model, WORD_INPUTS), "input", TA_NO_INDEX);
  graph->outputs = deal_list(&from, word(model, WORD_OUTPUTS), "output", TA_NO_INDEX);
  graph->variables = deal_list(&from, word(model, WORD_VARIABLES), "variable", TA_NO_INDEX);
  for (uint32_t i = 0; !from.status && i < graph->n_tensors; i++)
    read_tensor(&from, model->file.at + at.tensors + (uint64_t)i * TA_BLOCK_TENSOR_BYTES, i,
                &graph->tensors[i]);
  for (uint32_t i = 0; !from.status && i < graph->n_nodes; i++)
    read_node(&from, model->file.at + at.nodes + (uint64_t)i * TA_BLOCK_NODE_BYTES, i, &graph->nodes[i]);
  if (!from.status) from.status = check_operations(model, at.operations, error);
  if (from.status || (from.indices_left == 0 && from.text_left == 0)) return from.status;
  return ta_fail(error, TA_E_MALFORMED,
                 "The graph block holds %u indices and %u name bytes that nothing refers to.",
                 from.indices_left, from.text_left);
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

/* What a plan's parts are called in sentences. */
#include "report/names.h"

bool ta_in_rw_arena(const ta_buffer *buffer) {
  return buffer->in_plan && buffer->arena == TA_ARENA_RW_PLACE;
}

ta_str ta_buffer_name(const ta_model *model, const ta_buffer *buffer) {
  switch (buffer->kind) {
  case TA_BUFFER_TENSOR:
    return model->subgraphs[buffer->subgraph].tensors[buffer->index].name;
  case TA_BUFFER_ROW:
    return model->rows[buffer->index].id;
  default:
    return (ta_str){NULL, 0};
  }
}

void ta_put_node_label(ta_text *out, const ta_node *node, uint32_t index) {
  ta_text_format(out, "%T%s#%u", &node->name, node->name.len ? " " : "", index);
}

/* Converters join the names of all the layers they fused with ';': the first one names the result. A name
 * that is still long loses its start, for layers share prefixes. */
enum { LABEL_BYTES = 64 };

static void put_short_name(ta_text *out, ta_str name) {
  size_t end = 0;
  while (end < name.len && name.at[end] != ';') end++;
  if (end == 0) end = name.len;
  size_t start = 0;
  if (end > LABEL_BYTES) {
    start = end - LABEL_BYTES;
    while (start < end && ((unsigned char)name.at[start] & 0xC0) == 0x80) start++;
    ta_text_format(out, "...");
  }
  ta_text_format(out, "%T", &(ta_str){name.at + start, end - start});
}

void ta_put_buffer_label(ta_text *out, const ta_model *model, const ta_buffer *buffer) {
  ta_str name = ta_buffer_name(model, buffer);
  if (name.len) {
    put_short_name(out, name);
  } else if (buffer->kind == TA_BUFFER_SCRATCH) {
    ta_text_format(out, "scratch of ");
    ta_put_node_label(out, &model->subgraphs[buffer->subgraph].nodes[buffer->index], buffer->index);
  } else {
    ta_text_format(out, "tensor %u", buffer->index);
  }
}

/* What a plan's parts are called in sentences. */
#include "report/report.h"

ta_str ta_buffer_name(const ta_planner *planner, const ta_buffer *buffer) {
  const ta_model *model = planner->model;
  switch (buffer->kind) {
  case TA_BUFFER_TENSOR:
    return model->subgraphs[buffer->subgraph].tensors[buffer->index].name;
  case TA_BUFFER_ROW:
    return model->rows[buffer->index].id;
  default:
    return (ta_str){NULL, 0};
  }
}

uint64_t ta_buffer_alignment(const ta_report *report, const ta_buffer *buffer) {
  if (buffer->kind == TA_BUFFER_ROW) return report->planner->model->rows[buffer->index].alignment;
  return report->summary.tensor_alignment;
}

static void put_node(ta_text *out, const ta_node *node, uint32_t index) {
  if (node->name.len) ta_text_format(out, "%S ", node->name);
  ta_text_format(out, "#%u", index);
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
  ta_text_format(out, "%S", (ta_str){name.at + start, end - start});
}

void ta_put_buffer_label(ta_text *out, const ta_planner *planner, const ta_buffer *buffer) {
  ta_str name = ta_buffer_name(planner, buffer);
  if (name.len) {
    put_short_name(out, name);
  } else if (buffer->kind == TA_BUFFER_SCRATCH) {
    ta_text_format(out, "scratch of ");
    put_node(out, &planner->model->subgraphs[buffer->subgraph].nodes[buffer->index], buffer->index);
  } else {
    ta_text_format(out, "tensor %u", buffer->index);
  }
}

const ta_node *ta_step_node(const ta_planner *planner, int32_t step, uint32_t *index) {
  if (step < 0 || step >= planner->n_steps || !planner->timeline) return NULL;
  ta_step at = planner->timeline[step];
  if (at.node == TA_NO_INDEX) return NULL;
  *index = at.node;
  return &planner->model->subgraphs[at.subgraph].nodes[at.node];
}

void ta_put_step_operator(ta_text *out, const ta_planner *planner, int32_t step) {
  uint32_t index;
  const ta_node *node = ta_step_node(planner, step, &index);
  if (!node) return;
  ta_text_format(out, " (");
  put_node(out, node, index);
  ta_text_format(out, ")");
}

void ta_put_grouped(ta_text *out, uint64_t value) {
  char digits[32];
  size_t at = sizeof digits;
  int in_group = 0;
  do {
    if (in_group == 3) {
      digits[--at] = ',';
      in_group = 0;
    }
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
    in_group++;
  } while (value);
  ta_text_bytes(out, digits + at, sizeof digits - at);
}

/* Naming more than this many tensors in one sentence helps nobody: the rest are counted and summed. */
enum { NAMED_AT_PEAK = 3 };

void ta_put_peak_sentence(ta_text *out, const ta_report *report) {
  const ta_planner *planner = report->planner;
  if (report->n_at_peak == 0) {
    ta_text_format(out, "Nothing to plan: no tensor needs a place in the arena.");
    return;
  }
  ta_text_format(out, "The peak is ");
  ta_put_grouped(out, report->summary.peak_live_bytes);
  ta_text_format(out, " live bytes at step %i", report->summary.peak_step);
  ta_put_step_operator(out, planner, report->summary.peak_step);
  ta_text_format(out, ": ");
  uint64_t others = 0;
  for (uint32_t i = 0; i < report->n_at_peak; i++) {
    const ta_buffer *buffer = &planner->buffers[report->at_peak[i]];
    if (i >= NAMED_AT_PEAK) {
      others += buffer->bytes;
      continue;
    }
    if (i > 0) ta_text_format(out, i + 1 == report->n_at_peak ? " and " : ", ");
    ta_put_buffer_label(out, planner, buffer);
    ta_text_format(out, " ");
    ta_put_grouped(out, buffer->bytes);
  }
  if (report->n_at_peak > NAMED_AT_PEAK) {
    ta_text_format(out, " and %u more with ", report->n_at_peak - NAMED_AT_PEAK);
    ta_put_grouped(out, others);
  }
  ta_text_format(out, ".");
}

void ta_put_verdict(ta_text *out, const ta_summary *s) {
  switch (s->status) {
  case TA_UNPLANNED:
    ta_text_format(out, "not placed yet");
    return;
  case TA_OVERLAPPING:
    ta_text_format(out, "the file's offline plan lays live tensors over each other on purpose");
    return;
  case TA_OPTIMAL:
    ta_text_format(out, "smallest possible, no plan of these lifetimes is smaller");
    return;
  default:
    break;
  }
  uint64_t bound = s->lower_bound_bytes;
  uint64_t above = s->arena_bytes > bound ? s->arena_bytes - bound : 0;
  uint64_t tenths = bound ? above / bound * 1000 + above % bound * 1000 / bound : 0;
  ta_put_grouped(out, above);
  ta_text_format(out, " bytes (%U.%U %%) above the lower bound of ", tenths / 10, tenths % 10);
  ta_put_grouped(out, bound);
}

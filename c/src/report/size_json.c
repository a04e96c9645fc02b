#include "report/json.h"
#include "report/size.h"

static void put_items(ta_text *out, const ta_size_report *report) {
  for (uint32_t i = 0; i < report->whole.n_items; i++) {
    const ta_size_item *item = &report->whole.items[i];
    ta_text_format(out, "%,{\"what\":\"%s\",\"bytes\":%U", ta_word_name(TA_WORDS_SIZE_ITEM, item->what),
                   item->bytes);
    ta_json_index(out, "subgraph", item->subgraph);
    ta_json_index(out, "node", item->node);
    ta_json_index(out, "tensor", item->tensor);
    ta_text_format(out, "}");
  }
}

/* What the head is largest with. */
static void put_peak(ta_text *out, const ta_peak *peak) {
  ta_text_format(out, "{\"step\":%i,\"live_bytes\":%U,\"buffers\":[", peak->step, peak->live_bytes);
  for (uint32_t i = 0; i < peak->n; i++) {
    const ta_buffer *buffer = &peak->buffers[peak->at[i]];
    ta_text_format(out, "%,{\"subgraph\":%u,\"%s\":%u,\"bytes\":%U}", buffer->subgraph,
                   buffer->kind == TA_BUFFER_SCRATCH ? "node" : "tensor", buffer->index, buffer->bytes);
  }
  ta_text_format(out, "],\"text\":\"");
  ta_put_peak_sentence(out, peak);
  ta_text_format(out, "\"}");
}

void ta_write_size_json(const ta_size_report *report, ta_text *out) {
  const ta_size *size = &report->size;
  uint64_t budget = report->options.budget_bytes;
  out->escape = ta_escape_json;
  ta_text_format(
      out,
      "{\"format\":\"tensor-arena-size\",\"version\":1,\"runtime\":\"tflm\",\"target\":\"%s\",\"kernels\":"
      "\"%s\",\"head_bytes\":%U,\"tail_bytes\":%U,\"arena_used_bytes\":%U,\"min_arena_bytes\":%O,"
      "\"covered\":%b,\"missing\":[",
      ta_word_name(TA_WORDS_TARGET, report->options.target),
      ta_word_name(TA_WORDS_KERNELS, report->options.kernels), size->head_bytes, size->tail_bytes,
      size->arena_used_bytes, size->min_arena_bytes, size->covered);
  for (uint32_t i = 0; i < report->n_missing; i++) {
    ta_text_format(out, "%,\"%T\"", &report->missing[i].name);
  }
  ta_text_format(out, "],\"items\":[");
  put_items(out, report);
  ta_text_format(out, "],\"peak\":");
  put_peak(out, &report->peak);
  ta_json_budget(out, budget, size->fits, ta_size_needed(size) - budget);
  ta_text_format(out, "}");
}

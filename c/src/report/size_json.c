#include "report/json.h"
#include "report/size.h"

const char *ta_size_name(uint32_t what) {
  static const char *const names[TA_SIZE_KINDS] = {
      [TA_SIZE_ALLOCATOR] = "SingleArenaBufferAllocator",
      [TA_SIZE_GREEDY_PLANNER] = "GreedyMemoryPlanner",
      [TA_SIZE_LINEAR_PLANNER] = "LinearMemoryPlanner",
      [TA_SIZE_MICRO_ALLOCATOR] = "MicroAllocator",
      [TA_SIZE_RESOURCE_VARIABLES] = "MicroResourceVariables",
      [TA_SIZE_BUILTIN_ALLOCATOR] = "MicroBuiltinDataAllocator",
      [TA_SIZE_SUBGRAPHS] = "SubgraphAllocations",
      [TA_SIZE_EVAL_TENSORS] = "TfLiteEvalTensor",
      [TA_SIZE_NODES] = "NodeAndRegistration",
      [TA_SIZE_BUILTIN] = "builtin data",
      [TA_SIZE_INIT] = "Init",
      [TA_SIZE_PREPARE] = "Prepare",
      [TA_SIZE_SCRATCH_HANDLES] = "scratch handles",
      [TA_SIZE_VARIABLE] = "variable tensor",
      [TA_SIZE_INPUTS] = "input pointers",
      [TA_SIZE_INPUT] = "input TfLiteTensor",
      [TA_SIZE_OUTPUTS] = "output pointers",
      [TA_SIZE_OUTPUT] = "output TfLiteTensor",
  };
  return what < TA_SIZE_KINDS ? names[what] : "";
}

static void put_index(ta_json *json, const char *key, uint32_t index) {
  if (index == TA_NO_INDEX) return;
  ta_json_key(json, key);
  ta_json_index(json, index);
}

static void put_items(ta_json *json, const ta_size_report *report) {
  ta_json_key(json, "items");
  ta_json_array(json);
  for (uint32_t i = 0; i < report->n_items; i++) {
    const ta_size_item *item = &report->items[i];
    ta_json_object(json);
    ta_json_key(json, "what");
    ta_json_literal(json, ta_size_name(item->what));
    ta_json_key(json, "bytes");
    ta_json_u64(json, item->bytes);
    put_index(json, "subgraph", item->subgraph);
    put_index(json, "node", item->node);
    put_index(json, "tensor", item->tensor);
    ta_json_end(json);
  }
  ta_json_end(json);
}

static void put_missing(ta_json *json, const ta_size_report *report) {
  ta_json_key(json, "missing");
  ta_json_array(json);
  for (uint32_t i = 0; i < report->n_missing; i++) {
    ta_json_str(json, report->missing[i].name);
  }
  ta_json_end(json);
}

/* What the head is largest with. */
static void put_peak(ta_json *json, const ta_size_report *report) {
  const ta_peak *peak = &report->peak;
  ta_json_key(json, "peak");
  ta_json_object(json);
  ta_json_key(json, "step");
  ta_json_i32(json, peak->step);
  ta_json_key(json, "live_bytes");
  ta_json_u64(json, peak->live_bytes);
  ta_json_key(json, "buffers");
  ta_json_array(json);
  for (uint32_t i = 0; i < peak->n; i++) {
    const ta_buffer *buffer = &peak->buffers[peak->at[i]];
    ta_json_object(json);
    put_index(json, "subgraph", buffer->subgraph);
    put_index(json, buffer->kind == TA_BUFFER_SCRATCH ? "node" : "tensor", buffer->index);
    ta_json_key(json, "bytes");
    ta_json_u64(json, buffer->bytes);
    ta_json_end(json);
  }
  ta_json_end(json);
  ta_text sentence;
  ta_text_init(&sentence, &report->model->region.allocator);
  ta_put_peak_sentence(&sentence, peak);
  if (sentence.failed) json->out->failed = true;
  ta_json_key(json, "text");
  ta_json_str(json, (ta_str){sentence.at, sentence.len});
  ta_text_free(&sentence);
  ta_json_end(json);
}

static void put_budget(ta_json *json, const ta_size_report *report) {
  if (report->options.budget_bytes == TA_NO_OFFSET) return;
  ta_json_key(json, "budget_bytes");
  ta_json_u64(json, report->options.budget_bytes);
  ta_json_key(json, "fits");
  if (report->size.fits == 0) {
    ta_json_null(json);
  } else {
    ta_json_bool(json, report->size.fits == 1);
  }
  if (report->size.fits != 2) return;
  ta_json_key(json, "shortfall_bytes");
  ta_json_u64(json, ta_size_needed(&report->size) - report->options.budget_bytes);
}

void ta_write_size_json(const ta_size_report *report, ta_text *out) {
  const ta_size *size = &report->size;
  ta_json json = ta_json_start(out);
  ta_json_object(&json);
  ta_json_key(&json, "format");
  ta_json_literal(&json, "tensor-arena-size");
  ta_json_key(&json, "version");
  ta_json_u64(&json, 1);
  ta_json_key(&json, "runtime");
  ta_json_literal(&json, "tflm");
  ta_json_key(&json, "target");
  ta_json_literal(&json, report->plan.needs.target->name);
  ta_json_key(&json, "kernels");
  ta_json_literal(&json, ta_kernels_name(report->options.kernels));
  ta_json_key(&json, "head_bytes");
  ta_json_u64(&json, size->head_bytes);
  ta_json_key(&json, "tail_bytes");
  ta_json_u64(&json, size->tail_bytes);
  ta_json_key(&json, "arena_used_bytes");
  ta_json_u64(&json, size->arena_used_bytes);
  ta_json_key(&json, "min_arena_bytes");
  ta_json_offset(&json, size->min_arena_bytes);
  ta_json_key(&json, "covered");
  ta_json_bool(&json, size->covered != 0);
  put_missing(&json, report);
  put_items(&json, report);
  put_peak(&json, report);
  put_budget(&json, report);
  ta_json_end(&json);
}

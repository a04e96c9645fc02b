/* "How big must my arena be", answered in the first line. */
#include "report/size.h"

enum { LISTED_KINDS = 5 };

static const char *const explained[TA_SIZE_KINDS] = {
    [TA_SIZE_ALLOCATOR] = "SingleArenaBufferAllocator",
    [TA_SIZE_GREEDY_PLANNER] = "GreedyMemoryPlanner",
    [TA_SIZE_LINEAR_PLANNER] = "LinearMemoryPlanner",
    [TA_SIZE_MICRO_ALLOCATOR] = "MicroAllocator",
    [TA_SIZE_RESOURCE_VARIABLES] = "MicroResourceVariables",
    [TA_SIZE_BUILTIN_ALLOCATOR] = "MicroBuiltinDataAllocator",
    [TA_SIZE_SUBGRAPHS] = "SubgraphAllocations",
    [TA_SIZE_EVAL_TENSORS] = "TfLiteEvalTensor, one for each tensor",
    [TA_SIZE_NODES] = "NodeAndRegistration, one for each operator",
    [TA_SIZE_BUILTIN] = "operators' options (builtin data)",
    [TA_SIZE_INIT] = "operators' own data (Init)",
    [TA_SIZE_PREPARE] = "operators' tables, most often per-channel scales (Prepare)",
    [TA_SIZE_SCRATCH_HANDLES] = "handles of scratch buffers",
    [TA_SIZE_VARIABLE] = "variable tensors, whose values stay",
    [TA_SIZE_INPUTS] = "list of the model's inputs",
    [TA_SIZE_INPUT] = "TfLiteTensor, one for each input of the model",
    [TA_SIZE_OUTPUTS] = "list of the model's outputs",
    [TA_SIZE_OUTPUT] = "TfLiteTensor, one for each output of the model",
};

static void put_bytes(ta_text *out, const char *label, uint64_t bytes, const char *after) {
  ta_text_format(out, "%s", label);
  ta_put_grouped(out, bytes);
  ta_text_format(out, "%s", after);
}

static void put_arena(ta_text *out, const ta_size_report *report) {
  const ta_size *size = &report->size;
  ta_text_format(out, "Arena       %s", size->covered ? "" : "at least ");
  if (size->min_arena_bytes == TA_NO_OFFSET) {
    put_bytes(
        out, "", size->arena_used_bytes,
        " bytes are in use; the smallest arena that AllocateTensors accepts is not known for the linear "
        "planner\n");
  } else if (size->covered) {
    put_bytes(out, "", size->min_arena_bytes,
              " bytes, aligned to 16: the smallest that AllocateTensors accepts\n");
  } else {
    put_bytes(out, "", size->min_arena_bytes,
              " bytes, aligned to 16, and what the operators left out need\n");
  }
}

static void put_budget(ta_text *out, const ta_size_report *report) {
  const ta_size *size = &report->size;
  uint64_t budget = report->options.budget_bytes;
  if (budget == TA_NO_OFFSET) return;
  uint64_t needed = ta_size_needed(size);
  put_bytes(out, "Budget      ", budget, " bytes: ");
  if (size->fits == 2) {
    put_bytes(out, "does not fit, ", needed - budget,
              size->covered ? " bytes short\n" : " bytes short or more\n");
  } else if (size->fits == 1) {
    put_bytes(out, "fits, ", budget - needed, " bytes left\n");
  } else {
    ta_text_format(out, "not decided, the figure above is a lower bound\n");
  }
}

static void put_missing(ta_text *out, const ta_size_report *report) {
  if (report->n_missing == 0) return;
  ta_text_format(out, "Left out    ");
  for (uint32_t i = 0; i < report->n_missing; i++) {
    ta_text_format(out, "%s%S", i > 0 ? ", " : "", report->missing[i].name);
  }
  ta_text_format(out, ": not among TFLM's own operators, so the figures are lower bounds\n");
}

/* The parts of the tail, summed over operators and tensors, largest first. */
static void put_largest(ta_text *out, const ta_size_report *report) {
  uint64_t sums[TA_SIZE_KINDS] = {0};
  for (uint32_t i = 0; i < report->n_items; i++) sums[report->items[i].what] += report->items[i].bytes;
  for (int listed = 0; listed < LISTED_KINDS; listed++) {
    uint32_t largest = 0;
    for (uint32_t what = 1; what < TA_SIZE_KINDS; what++) {
      if (sums[what] > sums[largest]) largest = what;
    }
    if (sums[largest] == 0) return;
    put_bytes(out, listed == 0 ? "  most of it " : "             ", sums[largest], " bytes  ");
    ta_text_format(out, "%s\n", explained[largest]);
    sums[largest] = 0;
  }
}

/* What is asked for and given back before AllocateTensors is done; less than the alignment is no more than
 * rounding. */
static void put_starting(ta_text *out, const ta_size *size) {
  if (size->min_arena_bytes == TA_NO_OFFSET) return;
  uint64_t more = size->min_arena_bytes - size->arena_used_bytes;
  if (more < TA_TFLM_ALIGNMENT) return;
  put_bytes(out, "Starting    ", more, " bytes more: free again when AllocateTensors is done\n");
}

void ta_write_size_text(const ta_size_report *report, ta_text *out) {
  const ta_size *size = &report->size;
  ta_text_format(out, "%S  (TensorFlow Lite Micro, %s, %s kernels%s)\n", report->model->name,
                 report->plan.needs.target->name, ta_kernels_name(report->options.kernels),
                 report->options.method == TA_METHOD_LINEAR ? ", linear planner" : "");
  put_arena(out, report);
  put_budget(out, report);
  put_missing(out, report);
  const char *least = size->covered ? "" : "at least ";
  ta_text_format(out, "Head        %s", least);
  put_bytes(out, "", size->head_bytes, " bytes: tensors and scratch buffers, reused over time\n");
  ta_text_format(out, "            ");
  ta_put_peak_sentence(out, &report->peak);
  ta_text_format(out, "\n");
  if (size->fits == 2 && size->head_bytes > report->peak.live_bytes) {
    put_bytes(out, "            The head is ", size->head_bytes - report->peak.live_bytes,
              " bytes larger than that peak; see whether optimize finds a smaller plan\n");
  }
  ta_text_format(out, "Tail        %s", least);
  put_bytes(out, "", size->tail_bytes, " bytes: what TFLM keeps for good\n");
  put_largest(out, report);
  ta_text_format(out, "In use      %s", least);
  put_bytes(out, "", size->arena_used_bytes, " bytes: what arena_used_bytes() will say\n");
  put_starting(out, size);
}

/* "How big must my arena be", answered in the first line. */
#include "report/size.h"

enum { LISTED_KINDS = 5 };

static void put_arena(ta_text *out, const ta_size *size, const char *least) {
  if (size->min_arena_bytes == TA_NO_OFFSET) {
    ta_text_format(
        out,
        "Arena       %s%G bytes are in use; the smallest arena that AllocateTensors accepts is not "
        "known for the linear planner\n",
        least, size->arena_used_bytes);
  } else {
    ta_text_format(out, "Arena       %s%G bytes, aligned to 16%s\n", least, size->min_arena_bytes,
                   size->covered ? ": the smallest that AllocateTensors accepts"
                                 : ", and what the operators left out need");
  }
}

static void put_budget(ta_text *out, const ta_size_report *report) {
  const ta_size *size = &report->size;
  uint64_t budget = report->options.budget_bytes, needed = ta_size_needed(size);
  if (budget == TA_NO_OFFSET) return;
  ta_text_format(out, "Budget      %G bytes: ", budget);
  if (size->fits == 2) {
    ta_text_format(out, "does not fit, %G bytes short%s\n", needed - budget, size->covered ? "" : " or more");
  } else if (size->fits == 1) {
    ta_text_format(out, "fits, %G bytes left\n", budget - needed);
  } else {
    ta_text_format(out, "not decided, the figure above is a lower bound\n");
  }
}

static void put_missing(ta_text *out, const ta_size_report *report) {
  if (report->n_missing == 0) return;
  ta_text_format(out, "Left out    ");
  for (uint32_t i = 0; i < report->n_missing; i++) {
    ta_text_format(out, "%s%T", i > 0 ? ", " : "", &report->missing[i].name);
  }
  ta_text_format(out, ": not among TFLM's own operators, so the figures are lower bounds\n");
}

/* The parts of the tail, summed over operators and tensors, largest first. */
static void put_largest(ta_text *out, const ta_size_report *report) {
  uint64_t sums[TA_SIZE_ITEMS] = {0};
  for (uint32_t i = 0; i < report->whole.n_items; i++)
    sums[report->whole.items[i].what] += report->whole.items[i].bytes;
  for (int listed = 0; listed < LISTED_KINDS; listed++) {
    uint32_t largest = 0;
    for (uint32_t what = 1; what < TA_SIZE_ITEMS; what++) {
      if (sums[what] > sums[largest]) largest = what;
    }
    if (sums[largest] == 0) return;
    ta_text_format(out, "%s%G bytes  %s\n", listed == 0 ? "  most of it " : "             ", sums[largest],
                   ta_word_for_people(TA_WORDS_SIZE_ITEM, largest));
    sums[largest] = 0;
  }
}

void ta_write_size_text(const ta_size_report *report, ta_text *out) {
  const ta_size *size = &report->size;
  out->escape = ta_escape_hidden;
  const char *least = size->covered ? "" : "at least ";
  ta_text_format(out, "%T  (%s, %s, %s kernels%s)\n", &report->model->name,
                 ta_word_for_people(TA_WORDS_RUNTIME, TA_RUNTIME_TFLM),
                 ta_word_name(TA_WORDS_TARGET, report->options.target),
                 ta_word_name(TA_WORDS_KERNELS, report->options.kernels),
                 report->options.planner == TA_PLANNER_LINEAR ? ", linear planner" : "");
  put_arena(out, size, least);
  put_budget(out, report);
  put_missing(out, report);
  ta_text_format(out, "Head        %s%G bytes: tensors and scratch buffers, reused over time\n            ",
                 least, size->head_bytes);
  ta_put_peak_sentence(out, &report->peak);
  ta_text_format(out, "\n");
  if (size->fits == 2 && size->head_bytes > report->peak.live_bytes) {
    ta_text_format(
        out,
        "            The head is %G bytes larger than that peak; see whether optimize finds a smaller "
        "plan\n",
        size->head_bytes - report->peak.live_bytes);
  }
  ta_text_format(out, "Tail        %s%G bytes: what TFLM keeps for good\n", least, size->tail_bytes);
  put_largest(out, report);
  ta_text_format(out, "In use      %s%G bytes: what arena_used_bytes() will say\n", least,
                 size->arena_used_bytes);
  /* Asked for and given back before AllocateTensors is done; less than the alignment is no more than
   * rounding. */
  uint64_t more = size->min_arena_bytes - size->arena_used_bytes;
  if (size->min_arena_bytes != TA_NO_OFFSET && more >= TA_TFLM_ALIGNMENT)
    ta_text_format(out, "Starting    %G bytes more: free again when AllocateTensors is done\n", more);
}

/* The report of a shrink, as JSON. */
#include "base/error.h"
#include "report/json.h"
#include "rewrite/shrink.h"

static void put_size(ta_text *out, const char *key, const ta_size *size) {
  ta_text_format(
      out, ",\"%s\":{\"head_bytes\":%U,\"tail_bytes\":%U,\"arena_used_bytes\":%U,\"min_arena_bytes\":%O}",
      key, size->head_bytes, size->tail_bytes, size->arena_used_bytes, size->min_arena_bytes);
}

static void put_windows(ta_text *out, const ta_shrink *s) {
  const ta_way *way = s->best_way == TA_NO_INDEX ? NULL : &s->ways[s->best_way];
  ta_text_format(out, ",\"windows\":[");
  for (uint32_t k = 0; way && k < way->n_windows; k++) {
    const ta_window_choice *choice = &way->windows[k].choice;
    ta_text_format(out, "%,{\"first\":%u,\"last\":%u,\"strips\":%u,\"columns\":%b,\"exact\":[", choice->first,
                   choice->last, choice->strips, choice->columns);
    for (uint32_t i = choice->first; i <= choice->last; i++) {
      if (choice->exact >> (i - choice->first) & 1) ta_text_format(out, "%,%u", i);
    }
    ta_text_format(out, "],\"trim\":[");
    for (uint32_t i = choice->first; i <= choice->last; i++) {
      if (choice->trim >> (i - choice->first) & 1)
        ta_text_format(out, "%,%u", (uint32_t)ta_draft_outputs(&s->base, i)[0]);
    }
    const ta_value *value = &way->windows[k].value;
    ta_text_format(out, "],\"peak_bytes\":%U,\"tail_bytes\":", value->peak);
    if (value->tail < 0) ta_text_format(out, "-");
    ta_text_format(out, "%U,\"extra_macs\":%U}", (uint64_t)(value->tail < 0 ? -value->tail : value->tail),
                   (uint64_t)value->macs);
  }
  ta_text_format(out, "]");
}

static void put_report(const ta_shrink *s, ta_text *out) {
  bool written = s->best_way != TA_NO_INDEX;
  ta_shrink_outcome outcome;
  ta_shrink_figures(s, &outcome);
  out->escape = ta_escape_json;
  ta_text_format(
      out,
      "{\"format\":\"tensor-arena-shrink\",\"version\":1,\"name\":\"%T\",\"written\":%b,\"target\":\"%s\","
      "\"kernels\":\"%s\"",
      &s->model->name, written, ta_word_name(TA_WORDS_TARGET, s->options.target),
      ta_word_name(TA_WORDS_KERNELS, s->options.kernels));
  put_size(out, "before", &outcome.before);
  put_size(out, "after", &outcome.after);
  ta_text_format(
      out, ",\"order\":{\"changed\":%b,\"proved\":%b,\"peak_before\":%U,\"peak_after\":%U},\"folded\":[",
      s->order.changed, s->order.proved, s->order.file_peak, s->order.peak);
  for (uint32_t i = 0; i < s->model->subgraphs[0].n_nodes; i++) {
    if (s->folded[i]) ta_text_format(out, "%,%u", i);
  }
  ta_text_format(out, "]");
  put_windows(out, s);
  ta_text_format(out,
                 ",\"plan\":{\"written\":%b,\"proved\":%b},\"macs\":%U,\"extra_macs\":%U,\"copied_bytes\":%U,"
                 "\"nodes\":%U,"
                 "\"operators\":[%u,%u],\"file_bytes\":[%U,%U],\"covered\":%b,\"missing\":[",
                 s->best.planned, s->best.proved, outcome.macs, outcome.extra_macs, outcome.copied_bytes,
                 outcome.nodes, s->model->subgraphs[0].n_nodes,
                 written ? s->ways[s->best_way].draft.n_ops : s->model->subgraphs[0].n_nodes,
                 (uint64_t)s->model->file.len, (uint64_t)(written ? s->best.file_len : s->model->file.len),
                 outcome.after.covered);
  for (uint32_t i = 0; i < s->n_missing; i++) ta_text_format(out, "%,\"%T\"", &s->missing[i].name);
  ta_text_format(out, "],\"problems\":[");
  ta_json_problems(out, &s->problems);
  ta_text_format(out, "]");
  uint64_t needs = ta_attempt_needs(&outcome.after), budget = s->options.budget_bytes;
  ta_json_budget(out, budget, needs > budget ? 2 : outcome.after.covered, needs - budget);
  ta_text_format(out, "}");
}

ta_status ta_shrink_report(ta_shrink *s, const char **text, size_t *len, ta_error *error) {
  if (s->stage != TA_STAGE_DONE)
    return ta_fail(error, TA_E_STATE, "there is nothing to report yet: step until it is done");
  ta_text written;
  ta_text_init(&written, &s->region.allocator);
  put_report(s, &written);
  if (written.failed) {
    ta_text_free(&written);
    return ta_fail_memory(error);
  }
  ta_text_free(&s->report);
  s->report = written;
  *text = written.at;
  *len = written.len;
  return TA_OK;
}

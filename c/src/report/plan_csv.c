/* The plan as a buffer list (id,lower,upper,size,alignment,offset,alias) of the rw arena, half-open lives:
 * what this library, and minimalloc's tools, read back. */
#include "report/report.h"

/* TFLM's "never produced" is step -1, and a list's times start at 0: then every time is one step later. */
static int32_t time_shift(const ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (ta_in_rw_arena(&planner->buffers[i]) && planner->buffers[i].first < 0) return 1;
  }
  return 0;
}

/* A quotation mark is doubled; an id of several lines becomes one. */
static bool escape(ta_text *out, uint32_t code) {
  if (code >= ' ' && code != '"') return false;
  ta_text_format(out, code == '"' ? "\"\"" : " ");
  return true;
}

/* Ids must be unique and names need not be: name#index, name#subgraph:index where there are several
 * subgraphs, scratch@node#position for scratch. A row keeps its own id. */
static void put_id(ta_text *out, const ta_planner *planner, uint32_t at) {
  const ta_buffer *buffer = &planner->buffers[at];
  const ta_str name = ta_buffer_name(planner->model, buffer);
  ta_text_format(out, "%T", &name);
  if (buffer->kind == TA_BUFFER_SCRATCH) {
    ta_text_format(out, "scratch@%u#%u", buffer->index, at - planner->n_tensors);
  } else if (buffer->kind == TA_BUFFER_TENSOR) {
    ta_text_format(out, "#");
    if (planner->model->n_subgraphs > 1) ta_text_format(out, "%u:", buffer->subgraph);
    ta_text_format(out, "%u", buffer->index);
  }
}

void ta_write_plan_csv(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  int32_t shift = time_shift(planner);
  out->escape = escape;
  ta_text_format(out, "id,lower,upper,size,alignment,offset,alias\n");
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (!ta_in_rw_arena(buffer)) continue;
    ta_text_format(out, "\"");
    put_id(out, planner, i);
    ta_text_format(out, "\",%i,%i,%U,%U,", buffer->first + shift, buffer->last + shift + 1, buffer->bytes,
                   ta_planned_alignment(planner, buffer));
    if (buffer->offset != TA_NO_OFFSET) ta_text_format(out, "%U", buffer->offset);
    ta_text_format(out, ",");
    if (buffer->shares != TA_NO_INDEX) {
      uint64_t into = buffer->kind == TA_BUFFER_ROW ? planner->model->rows[buffer->index].alias_bytes : 0;
      ta_text_format(out, "\"");
      put_id(out, planner, buffer->shares);
      ta_text_format(out, "+%U\"", into);
    }
    ta_text_format(out, "\n");
  }
}

/* The plan as a buffer list (id,lower,upper,size,alignment,offset,alias; fixed and arena where there is need
 * of them), half-open lives: what this library, and minimalloc's tools, read back. All rows of a list are
 * there, those without bytes too. */
#include "base/num.h"
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

static bool is_persistent(const ta_planner *planner, const ta_buffer *buffer) {
  uint8_t arena = buffer->kind == TA_BUFFER_ROW ? planner->model->rows[buffer->index].arena : buffer->arena;
  return arena == TA_ARENA_PERSISTENT_PLACE;
}

/* Whether the plan has buffers of the persistent arena, and places that bind: only then are there columns. */
typedef struct extra_columns {
  bool fixed, arena;
} extra_columns;

static extra_columns find_columns(const ta_planner *planner) {
  extra_columns found = {false, false};
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    found.fixed = found.fixed || ta_is_bound(planner, buffer);
    found.arena = found.arena || is_persistent(planner, buffer);
  }
  return found;
}

static void put_life(ta_text *out, const ta_planner *planner, const ta_buffer *buffer, int32_t shift) {
  bool always = is_persistent(planner, buffer);
  int32_t lower = always ? 0 : buffer->first + shift;
  int32_t upper = always ? ta_max_i32(planner->n_steps, 1) : buffer->last + 1;
  ta_text_format(out, "%i,%i", lower, upper + shift);
}

static void put_row(ta_text *out, const ta_planner *planner, uint32_t at, int32_t shift,
                    extra_columns columns) {
  const ta_buffer *buffer = &planner->buffers[at];
  ta_text_format(out, "\"");
  put_id(out, planner, at);
  ta_text_format(out, "\",");
  put_life(out, planner, buffer, shift);
  ta_text_format(out, ",%U,%U,", buffer->bytes, ta_planned_alignment(planner, buffer));
  if (buffer->offset != TA_NO_OFFSET) ta_text_format(out, "%U", buffer->offset);
  ta_text_format(out, ",");
  if (buffer->shares != TA_NO_INDEX) {
    uint64_t into = buffer->kind == TA_BUFFER_ROW ? planner->model->rows[buffer->index].alias_bytes : 0;
    ta_text_format(out, "\"");
    put_id(out, planner, buffer->shares);
    ta_text_format(out, "+%U\"", into);
  }
  if (columns.fixed) ta_text_format(out, ",");
  if (columns.fixed && ta_is_bound(planner, buffer)) ta_text_format(out, "%U", buffer->offset);
  if (columns.arena) ta_text_format(out, ",%s", is_persistent(planner, buffer) ? "persistent" : "rw");
  ta_text_format(out, "\n");
}

void ta_write_plan_csv(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  int32_t shift = time_shift(planner);
  extra_columns columns = find_columns(planner);
  out->escape = escape;
  ta_text_format(out, "id,lower,upper,size,alignment,offset,alias%s%s\n", columns.fixed ? ",fixed" : "",
                 columns.arena ? ",arena" : "");
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    bool listed = buffer->kind == TA_BUFFER_ROW || (buffer->in_plan && buffer->arena != TA_ARENA_NOT);
    if (listed) put_row(out, planner, i, shift, columns);
  }
}

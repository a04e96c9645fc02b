/* The planner `own` of a buffer list: the plan that the list's offsets make, as it stands. It is judged like
 * any plan that somebody else made, and every rule that it breaks becomes a problem. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "graph/clash.h"
#include "planner/rows.h"

enum { MOST_LISTED = TA_PROBLEMS_MAX };

static uint64_t place_of(const ta_row *row) {
  return row->offset == TA_NO_OFFSET ? row->fixed : row->offset;
}

/* A root may take its place from a view, and a view from its root. */
static void place_rows(ta_planner *planner) {
  const ta_row *rows = planner->model->rows;
  for (uint32_t i = 0; i < planner->n_buffers; i++) planner->buffers[i].offset = place_of(&rows[i]);
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (rows[i].alias == TA_NO_INDEX) continue;
    ta_buffer *view = &planner->buffers[i], *root = &planner->buffers[rows[i].alias];
    if (root->offset != TA_NO_OFFSET || view->offset == TA_NO_OFFSET) continue;
    if (view->offset >= rows[i].alias_bytes) root->offset = view->offset - rows[i].alias_bytes;
  }
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    if (rows[i].alias == TA_NO_INDEX) continue;
    ta_buffer *view = &planner->buffers[i], *root = &planner->buffers[rows[i].alias];
    if (view->offset == TA_NO_OFFSET && root->offset != TA_NO_OFFSET)
      view->offset = root->offset + rows[i].alias_bytes;
  }
}

static ta_status find_marks(ta_planner *planner, ta_error *error) {
  uint64_t marks[2] = {0, 0};
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    ta_buffer *buffer = &planner->buffers[i];
    uint64_t end, *mark = &marks[buffer->arena == TA_ARENA_PERSISTENT_PLACE];
    if (!buffer->in_plan) buffer->offset = TA_NO_OFFSET;
    if (buffer->offset == TA_NO_OFFSET) continue;
    if (!ta_add(buffer->offset, buffer->bytes, &end)) {
      return ta_fail(error, TA_E_LIMIT, "\"%T\" ends past byte %L", &planner->model->rows[i].id);
    }
    *mark = ta_max_u64(*mark, end);
  }
  planner->arena_bytes = marks[0];
  planner->persistent_bytes = marks[1];
  return TA_OK;
}

static ta_status note_clash(ta_planner *planner, const ta_clash *clash, ta_error *error) {
  char sentence[256];
  ta_text text;
  ta_text_init_fixed(&text, sentence, sizeof sentence);
  const ta_row *rows = planner->model->rows;
  ta_put_clash(&text, clash, &rows[clash->a].id, clash->b == TA_NO_INDEX ? NULL : &rows[clash->b].id);
  planner->unsound = true;
  return ta_problem_add(&planner->problems, &planner->region, ta_clash_name(clash->kind), TA_NO_INDEX,
                        TA_NO_INDEX, TA_NO_INDEX, error, "%T", &(ta_str){text.at, text.len});
}

/* What the verifier says, whom the list alone is known. */
static ta_status judge_list(ta_planner *planner, ta_error *error) {
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  ta_clash *clashes = TA_TAKE(&work, MOST_LISTED, ta_clash);
  ta_verdict verdict = {0, 0, 0};
  ta_status status = clashes ? ta_verify_rows(&planner->allocator, planner->model, TA_NO_OFFSET, clashes,
                                              MOST_LISTED, &verdict, error)
                             : ta_fail_memory(error);
  for (uint32_t i = 0; i < verdict.listed && status == TA_OK; i++) {
    status = note_clash(planner, &clashes[i], error);
  }
  uint64_t more = verdict.clashes - verdict.listed;
  planner->problems.more += (uint32_t)ta_min_u64(more, UINT32_MAX / 2);
  ta_region_free(&work);
  return status;
}

/* What an alignment given as an option asks for beyond the rows' own. */
static ta_status judge_alignment(ta_planner *planner, ta_error *error) {
  ta_status status = TA_OK;
  for (uint32_t i = 0; i < planner->n_buffers && status == TA_OK; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    const ta_row *row = &planner->model->rows[i];
    if (buffer->offset == TA_NO_OFFSET || buffer->shares != TA_NO_INDEX) continue;
    if (buffer->offset % planner->options.alignment == 0 || buffer->offset % row->alignment != 0) continue;
    ta_clash clash = {.low = buffer->offset, .a = i, .b = TA_NO_INDEX, .kind = TA_CLASH_MISALIGNED};
    status = note_clash(planner, &clash, error);
  }
  return status;
}

static ta_status judge(ta_planner *planner, ta_error *error) {
  memset(&planner->problems, 0, sizeof planner->problems); /* of an attempt that ran out of memory */
  bool *unsound = TA_TAKE(&planner->region, 1, bool);
  ta_status status = unsound ? judge_list(planner, error) : ta_fail_memory(error);
  if (status == TA_OK) status = judge_alignment(planner, error);
  if (status != TA_OK) return status;
  *unsound = planner->unsound;
  planner->kind_state = unsound;
  return TA_OK;
}

static void take_back(ta_planner *planner) {
  for (uint32_t i = 0; i < planner->n_buffers; i++) planner->buffers[i].offset = TA_NO_OFFSET;
  planner->arena_bytes = planner->persistent_bytes = 0;
  planner->unsound = false;
}

/* A list never changes, so it is judged once: a second time would only list the same problems again. */
static ta_status execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error) {
  if (!ta_covers_all_steps(planner, first, last)) return ta_fail_partial_range(planner, error);
  const bool *judged = planner->kind_state;
  place_rows(planner);
  ta_status status = find_marks(planner, error);
  if (judged) {
    planner->unsound = *judged;
  } else if (status == TA_OK) {
    status = judge(planner, error);
  }
  if (status != TA_OK) take_back(planner);
  return status;
}

static ta_status reset(ta_planner *planner, ta_error *error) {
  (void)planner;
  (void)error;
  return TA_OK;
}

const ta_planner_kind ta_planner_kind_rows_own = {
    .id = TA_PLANNER_OWN,
    .turn = "where the list puts it",
    .execute = execute,
    .reset = reset,
};

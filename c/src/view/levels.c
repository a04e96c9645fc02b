/* Coarser levels: an x-mipmap. Level k keeps every rectangle that is as long as 2^k steps, and of the shorter
 * ones only the tallest of those that begin in the same 2^k steps and at the same 2048th of the arena. Seen
 * from so far away that 2^k steps are at most a pixel, and a row too, the tallest covers what is left out: no
 * pixel is lost. A level is kept when it is at most half of the one before, so that all of them together hold
 * no more than the plan. */
#include <string.h>

#include "base/error.h"
#include "view/view.h"

enum { CELL_ROWS = 2048, LEAST_RECTS = 8192 };

typedef struct thinning {
  ta_view *view;
  const ta_detail_level *from;
  uint32_t step_bits, byte_bits;
  uint32_t *cell_best; /* one a row of the present column of cells: rectangle + 1, or 0 */
  uint32_t *used;      /* the rows of cell_best in use */
  uint32_t n_used;
  uint8_t *keep; /* one a rectangle */
} thinning;

static bool is_short(const thinning *t, const ta_rect *rect) {
  return (uint64_t)((int64_t)rect->last - rect->first) >> t->step_bits == 0;
}

static bool is_taller(const ta_rect *a, const ta_rect *b) {
  return a->high - a->low > b->high - b->low;
}

static void end_column(thinning *t) {
  for (uint32_t i = 0; i < t->n_used; i++) {
    t->keep[t->cell_best[t->used[i]] - 1] = 1;
    t->cell_best[t->used[i]] = 0;
  }
  t->n_used = 0;
}

static void offer(thinning *t, uint32_t index) {
  const ta_rect *rects = t->view->rects;
  uint32_t row = (uint32_t)(rects[index].low >> t->byte_bits);
  uint32_t best = t->cell_best[row];
  if (best == 0) t->used[t->n_used++] = row;
  if (best == 0 || is_taller(&rects[index], &rects[best - 1])) t->cell_best[row] = index + 1;
}

/* Marks what the next level keeps; returns how many. */
static uint32_t mark(thinning *t) {
  const ta_rect *rects = t->view->rects;
  int32_t column = -1;
  memset(t->keep, 0, t->view->n_rects);
  for (uint32_t i = 0; i < t->from->n; i++) {
    uint32_t index = t->from->at[i];
    if (rects[index].first >> t->step_bits != column) end_column(t);
    column = rects[index].first >> t->step_bits;
    if (is_short(t, &rects[index])) {
      offer(t, index);
    } else {
      t->keep[index] = 1;
    }
  }
  end_column(t);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->from->n; i++) kept += t->keep[t->from->at[i]];
  return kept;
}

static ta_status add_level(thinning *t, uint32_t n, ta_error *error) {
  ta_view *view = t->view;
  ta_detail_level *level = &view->levels[view->n_levels];
  level->at = TA_TAKE(&view->region, n, uint32_t);
  if (!level->at) return ta_fail_memory(error);
  level->step_bits = t->step_bits;
  level->byte_bits = t->byte_bits;
  for (uint32_t i = 0; i < t->from->n; i++) {
    if (t->keep[t->from->at[i]]) level->at[level->n++] = t->from->at[i];
  }
  view->n_levels++;
  t->from = level;
  return ta_view_index_level(view, level, error);
}

ta_status ta_view_make_levels(ta_view *view, const ta_allocator *allocator, ta_error *error) {
  if (view->n_rects < LEAST_RECTS) return TA_OK;
  uint64_t top = 0;
  for (uint32_t i = 0; i < view->n_rects; i++) {
    if (view->rects[i].high > top) top = view->rects[i].high;
  }
  thinning t = {.view = view, .from = &view->levels[0]};
  while (top >> t.byte_bits >= CELL_ROWS) t.byte_bits++;

  ta_region scratch;
  ta_region_init(&scratch, allocator);
  t.cell_best = TA_TAKE(&scratch, CELL_ROWS, uint32_t);
  t.used = TA_TAKE(&scratch, CELL_ROWS, uint32_t);
  t.keep = TA_TAKE(&scratch, view->n_rects, uint8_t);
  ta_status status = t.cell_best && t.used && t.keep ? TA_OK : ta_fail_memory(error);
  for (t.step_bits = 1; status == TA_OK && t.step_bits < VIEW_LEVELS; t.step_bits++) {
    if (t.from->n < LEAST_RECTS) break;
    uint32_t kept = mark(&t);
    if (kept <= t.from->n / 2) status = add_level(&t, kept, error);
  }
  ta_region_free(&scratch);
  return status;
}

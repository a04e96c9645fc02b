#include "model/csv_alias.h"

#include <string.h>

#include "base/num.h"
#include "base/order.h"
#include "base/sort.h"

/* Short ids first, so that 9 comes before 10 and a numbered list is in order as it stands. */
static int compare(const ta_str *a, const ta_str *b) {
  if (a->len != b->len) return a->len < b->len ? -1 : 1;
  return a->len == 0 ? 0 : memcmp(a->at, b->at, a->len);
}

static bool row_before(const void *context, uint32_t a, uint32_t b) {
  const ta_row *rows = context;
  int order = compare(&rows[a].id, &rows[b].id);
  return order != 0 ? order < 0 : a < b;
}

/* Agrees with compare() as far as it goes: the length, then the first bytes. */
static uint64_t prefix_key(const ta_str *id) {
  uint64_t key = id->len < 255 ? id->len : 255;
  for (size_t i = 0; i < 7; i++) {
    key = key << 8 | (id->len < 255 && i < id->len ? (uint8_t)id->at[i] : 0u);
  }
  return key;
}

/* Orders by the prefix in linear time, then each run of equal prefixes by the whole id. */
static bool order_ids(const ta_model *model, uint32_t *order, ta_region *work) {
  uint32_t n = model->n_rows;
  uint64_t *keys = TA_TAKE(work, n, uint64_t);
  uint32_t *scratch = TA_TAKE(work, n, uint32_t);
  if (!keys || !scratch) return false;
  bool sorted = true;
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    keys[i] = prefix_key(&model->rows[i].id);
    sorted = sorted && (i == 0 || row_before(model->rows, i - 1, i));
  }
  if (sorted) return true;
  ta_order_by_key(order, scratch, n, keys);
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && keys[order[to]] == keys[order[from]]; to++) continue;
    ta_sort(order + from, to - from, row_before, model->rows);
  }
  return true;
}

/* Two rows have one id: says so at the later one. */
static ta_status fail_twice(const ta_model *model, uint32_t row, ta_error *error) {
  ta_str id = model->rows[row].id;
  const char *file = (const char *)model->file.at;
  if (id.at < file || id.at >= file + model->file.len) { /* a copy: its quotes were undone */
    return ta_fail(error, TA_E_MALFORMED,
                   "two buffers are called \"%T\", the later one is buffer %u; give each its own id", &id,
                   row + 1);
  }
  size_t at = (size_t)(id.at - file), line_start = 0;
  uint32_t line = 1;
  for (size_t i = 0; i < at; i++) {
    if (file[i] != '\n') continue;
    line++;
    line_start = i + 1;
  }
  return ta_fail_at_byte(error, TA_E_MALFORMED, at,
                         "line %u, column %u: a buffer above is called \"%T\" too; give each its own id",
                         line, (uint32_t)(at - line_start) + 1, &id);
}

static ta_status check_distinct(const ta_model *model, const uint32_t *order, ta_error *error) {
  for (uint32_t i = 1; i < model->n_rows; i++) {
    if (compare(&model->rows[order[i - 1]].id, &model->rows[order[i]].id) == 0) {
      return fail_twice(model, order[i], error);
    }
  }
  return TA_OK;
}

static uint32_t find_id(const ta_model *model, const uint32_t *order, const ta_str *id) {
  uint32_t from = 0, to = model->n_rows;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (compare(&model->rows[order[middle]].id, id) < 0) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  bool found = from < model->n_rows && compare(&model->rows[order[from]].id, id) == 0;
  return found ? order[from] : TA_NO_INDEX;
}

/* "base+128": the id is what stands before the last plus sign. */
static ta_status read_alias(const ta_model *model, const uint32_t *order, const ta_csv_field *field,
                            ta_row *row, ta_error *error) {
  size_t plus = field->text.len;
  while (plus > 0 && field->text.at[plus - 1] != '+') plus--;
  ta_str digits = {field->text.at + plus, field->text.len - plus};
  if (plus < 2 || ta_csv_number(digits, &row->alias_bytes) != TA_OK) {
    return ta_csv_fail(field, error, TA_E_SYNTAX, "an alias is id+bytes, such as base+128, not \"%T\"",
                       &field->text);
  }
  row->alias = find_id(model, order, &(ta_str){field->text.at, plus - 1});
  if (row->alias == TA_NO_INDEX) {
    return ta_csv_fail(field, error, TA_E_INDEX, "no buffer is called \"%T\"; an alias names one of the list",
                       &(ta_str){field->text.at, plus - 1});
  }
  return TA_OK;
}

typedef enum mark { UNSEEN, ON_THE_WAY, AT_ROOT } mark;

/* Follows a row's chain of aliases down to a row that is its own root or already linked to one, turning the
 * links round (`back`); then walks back, linking each row to the root itself. Every row is passed twice in
 * all. */
static ta_status follow(ta_model *model, const ta_csv_field *aliases, uint32_t start, uint8_t *marks,
                        uint32_t *back, ta_error *error) {
  ta_row *rows = model->rows;
  uint32_t at = start, from = TA_NO_INDEX;
  while (marks[at] == UNSEEN && rows[at].alias != TA_NO_INDEX) {
    marks[at] = ON_THE_WAY;
    back[at] = from;
    from = at;
    at = rows[at].alias;
  }
  if (marks[at] == ON_THE_WAY) {
    return ta_csv_fail(&aliases[at], error, TA_E_MALFORMED,
                       "\"%T\" is a view of itself through its aliases; one of them must be "
                       "the buffer itself",
                       &rows[at].id);
  }
  marks[at] = AT_ROOT;
  for (; from != TA_NO_INDEX; from = back[from]) {
    ta_row *row = &rows[from];
    const ta_row *next = &rows[row->alias];
    uint64_t end;
    if (!ta_add(row->alias_bytes, row->bytes, &end) || end > next->bytes) {
      return ta_csv_fail(&aliases[from], error, TA_E_MALFORMED,
                         "the view \"%T\" does not fit: byte %U on, %U bytes, of the %U bytes "
                         "of \"%T\"",
                         &row->id, row->alias_bytes, row->bytes, next->bytes, &next->id);
    }
    if (next->alias != TA_NO_INDEX) {
      row->alias_bytes += next->alias_bytes; /* stays inside the root: no overflow */
      row->alias = next->alias;
    }
    marks[from] = AT_ROOT;
  }
  return TA_OK;
}

/* A row that says nothing lies in the rw arena; a view, where its root does. */
static ta_status settle_arenas(ta_model *model, const ta_csv_field *aliases, ta_error *error) {
  ta_row *rows = model->rows;
  for (uint32_t i = 0; i < model->n_rows; i++) {
    if (rows[i].alias == TA_NO_INDEX && rows[i].arena == TA_ARENA_NOT) rows[i].arena = TA_ARENA_RW_PLACE;
  }
  for (uint32_t i = 0; i < model->n_rows; i++) {
    if (rows[i].alias == TA_NO_INDEX) continue;
    const ta_row *root = &rows[rows[i].alias];
    if (rows[i].arena == TA_ARENA_NOT) rows[i].arena = root->arena;
    if (rows[i].arena == root->arena) continue;
    return ta_csv_fail(&aliases[i], error, TA_E_MALFORMED,
                       "the view \"%T\" cannot lie in another arena than \"%T\"; give both the same",
                       &rows[i].id, &root->id);
  }
  return TA_OK;
}

ta_status ta_csv_link(ta_model *model, const ta_csv_field *aliases, ta_region *work, ta_error *error) {
  uint32_t n = model->n_rows;
  uint32_t *order = TA_TAKE(work, n, uint32_t);
  uint32_t *back = TA_TAKE(work, n, uint32_t);
  uint8_t *marks = TA_TAKE(work, n, uint8_t);
  if (!order || !back || !marks || !order_ids(model, order, work)) return ta_fail_memory(error);
  ta_status status = check_distinct(model, order, error);
  for (uint32_t i = 0; i < n && status == TA_OK; i++) {
    if (aliases[i].text.len) status = read_alias(model, order, &aliases[i], &model->rows[i], error);
  }
  for (uint32_t i = 0; i < n && status == TA_OK; i++) {
    status = follow(model, aliases, i, marks, back, error);
  }
  return status == TA_OK ? settle_arenas(model, aliases, error) : status;
}

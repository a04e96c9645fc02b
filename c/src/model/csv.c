#include "model/csv.h"

#include <string.h>

#include "base/num.h"
#include "model/csv_alias.h"
#include "model/csv_scan.h"

typedef enum column { ID, LOWER, UPPER, SIZE, ALIGNMENT, OFFSET, ALIAS, COLUMNS } column;

#define REQUIRED (SIZE + 1)

static const ta_str column_names[COLUMNS] = {
    [ID] = {"id", 2},       [LOWER] = {"lower", 5},         [UPPER] = {"upper", 5},
    [SIZE] = {"size", 4},   [ALIGNMENT] = {"alignment", 9}, [OFFSET] = {"offset", 6},
    [ALIAS] = {"alias", 5},
};

/* Which column each field of a record belongs to. */
typedef struct header {
  column at[COLUMNS];
  uint32_t n;
} header;

static column column_named(const ta_str *name) {
  column c = 0;
  while (c < COLUMNS && !ta_str_equal(&column_names[c], name)) c++;
  return c;
}

bool ta_csv_looks_like(ta_bytes file) {
  ta_csv_scan scan = ta_csv_scan_start(file, NULL);
  size_t start = scan.at;
  bool named = false;
  for (size_t at = start; at <= file.len; at++) {
    uint8_t c = at < file.len ? file.at[at] : (uint8_t)'\n';
    if (c < ' ' && c != '\n' && c != '\r' && c != '\t') return false;
    if (c != ',' && c != '\n' && c != '\r' && c != '"' && c != ' ') continue;
    named = named || column_named(&(ta_str){(const char *)file.at + start, at - start}) < REQUIRED;
    start = at + 1;
    if (c == '\n' && at > scan.at) break;
  }
  return named;
}

static ta_status read_header(ta_csv_scan *scan, header *out, ta_error *error) {
  bool seen[COLUMNS] = {false};
  ta_csv_field field = {.last = !ta_csv_scan_more(scan)};
  while (!field.last) {
    ta_status status = ta_csv_scan_field(scan, &field, error);
    if (status != TA_OK) return status;
    column c = column_named(&field.text);
    if (c == COLUMNS) {
      return ta_csv_fail(&field, error, TA_E_SYNTAX,
                         "no column is called \"%T\"; a list has id, lower, upper, size, and "
                         "may have alignment, offset, alias",
                         &field.text);
    }
    if (seen[c]) {
      return ta_csv_fail(&field, error, TA_E_SYNTAX,
                         "the column \"%T\" stands here a second time; remove one", &field.text);
    }
    seen[c] = true;
    out->at[out->n++] = c;
  }
  for (column c = 0; c < REQUIRED; c++) {
    if (!seen[c]) {
      return ta_fail_at_byte(error, TA_E_SYNTAX, 0,
                             "line 1: the column \"%T\" is missing; the first line names the columns",
                             &column_names[c]);
    }
  }
  return TA_OK;
}

/* A whole number in decimal, `least` to `most`. */
static ta_status read_number(const ta_csv_field *field, column c, uint64_t least, uint64_t most,
                             uint64_t *out, ta_error *error) {
  ta_status status = ta_csv_number(field->text, out);
  if (!status && *out < least) status = TA_E_SYNTAX;
  if (!status && *out > most) status = TA_E_LIMIT;
  if (!status) return TA_OK;
  return ta_csv_fail(field, error, status, "%T must be a whole number from %U to %U, not \"%T\"",
                     &column_names[c], least, most, &field->text);
}

static ta_status read_alignment(const ta_csv_field *field, uint64_t *out, ta_error *error) {
  if (ta_csv_number(field->text, out) == TA_OK && ta_is_alignment(*out)) return TA_OK;
  return ta_csv_fail(field, error, TA_E_SYNTAX, "alignment is \"%T\"; " TA_ALIGNMENT_RULE, &field->text);
}

/* One field into its row. `lower` and `upper` are taken as first and last + 1; check_row makes them so. */
static ta_status read_cell(ta_row *row, column c, const ta_csv_field *field, ta_csv_field *alias,
                           ta_error *error) {
  uint64_t number = 0;
  ta_status status = TA_OK;
  switch (c) {
  case ID:
    row->id = field->text;
    if (field->text.len == 0) {
      status = ta_csv_fail(field, error, TA_E_SYNTAX, "the id is empty; every buffer needs one");
    }
    break;
  case LOWER:
    status = read_number(field, c, 0, INT32_MAX, &number, error);
    row->first = (int32_t)number;
    break;
  case UPPER:
    status = read_number(field, c, 0, INT32_MAX, &number, error);
    row->last = (int32_t)number;
    break;
  case SIZE:
    status = read_number(field, c, 0, TA_MAX_BYTES, &row->bytes, error);
    break;
  case ALIGNMENT:
    if (field->text.len) status = read_alignment(field, &row->alignment, error);
    break;
  case OFFSET:
    if (field->text.len) status = read_number(field, c, 0, TA_MAX_BYTES, &row->offset, error);
    break;
  default:
    *alias = *field;
    break;
  }
  return status;
}

static ta_status check_row(ta_row *row, uint32_t line, size_t at, ta_error *error) {
  uint64_t end;
  if (row->first >= row->last) {
    return ta_fail_at_byte(
        error, TA_E_MALFORMED, at,
        "line %u: lower is %i and upper is %i; a buffer lives from lower to before upper, so upper "
        "must be larger",
        line, row->first, row->last);
  }
  row->last -= 1;
  if (row->offset != TA_NO_OFFSET && !ta_add(row->offset, row->bytes, &end)) {
    return ta_fail_at_byte(error, TA_E_LIMIT, at, "line %u: the buffer ends past byte %L", line);
  }
  return TA_OK;
}

static ta_status read_row(ta_csv_scan *scan, const header *columns, ta_row *row, ta_csv_field *alias,
                          ta_error *error) {
  size_t start = scan->at;
  uint32_t line = scan->line;
  *row = (ta_row){.alignment = 1, .offset = TA_NO_OFFSET, .alias = TA_NO_INDEX};
  ta_csv_field field = {.last = false};
  uint32_t n = 0;
  for (; !field.last && n < columns->n; n++) {
    ta_status status = ta_csv_scan_field(scan, &field, error);
    if (status == TA_OK) status = read_cell(row, columns->at[n], &field, alias, error);
    if (status != TA_OK) return status;
  }
  if (n < columns->n || !field.last) {
    return ta_fail_at_byte(error, TA_E_SYNTAX, start,
                           "line %u: this line has %s than the %u fields that the first line names", line,
                           n < columns->n ? "fewer" : "more", columns->n);
  }
  return check_row(row, line, start, error);
}

/* Each record has a comma before every field but the first, and at least the required fields. */
static size_t most_rows(ta_bytes file, const header *columns) {
  size_t commas = 0, between = columns->n > REQUIRED ? columns->n - 1 : REQUIRED - 1;
  for (size_t i = 0; i < file.len; i++) commas += file.at[i] == ',';
  return commas / between;
}

ta_status ta_csv_read(ta_model *model, ta_error *error) {
  ta_region work;
  ta_region_init(&work, &model->region.allocator);
  model->kind = TA_KIND_CSV;
  ta_csv_scan scan = ta_csv_scan_start(model->file, &model->region);
  header columns = {.n = 0};
  ta_status status = read_header(&scan, &columns, error);
  if (status != TA_OK) return status;
  size_t most = most_rows(model->file, &columns);
  if (most >= TA_NO_INDEX) {
    return ta_fail(error, TA_E_LIMIT, "the list has more than %u buffers", TA_NO_INDEX - 1);
  }
  model->rows = TA_TAKE(&model->region, most, ta_row);
  ta_csv_field *aliases = TA_TAKE(&work, most, ta_csv_field);
  if (!model->rows || !aliases) status = ta_fail_memory(error);
  while (status == TA_OK && ta_csv_scan_more(&scan)) {
    uint32_t n = model->n_rows;
    if (n == most) {
      status = ta_fail_at_byte(error, TA_E_SYNTAX, scan.at,
                               "line %u: this line has fewer than the %u fields that the first line names",
                               scan.line, columns.n);
      break;
    }
    status = read_row(&scan, &columns, &model->rows[n], &aliases[n], error);
    if (status == TA_OK) model->n_rows++;
  }
  if (status == TA_OK) status = ta_csv_link(model, aliases, &work, error);
  ta_region_free(&work);
  return status;
}

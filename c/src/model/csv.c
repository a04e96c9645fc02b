#include "model/csv.h"

#include "base/num.h"
#include "model/csv_alias.h"
#include "model/csv_header.h"
#include "model/csv_scan.h"

/* A whole number in decimal, `least` to `most`. */
static ta_status read_number(const ta_csv_field *field, const ta_csv_title *title, uint64_t least,
                             uint64_t most, uint64_t *out, ta_error *error) {
  ta_status status = ta_csv_number(field->text, out);
  if (!status && *out < least) status = TA_E_SYNTAX;
  if (!status && *out > most) status = TA_E_LIMIT;
  if (!status) return TA_OK;
  return ta_csv_fail(field, error, status, "%T must be a whole number from %U to %U, not \"%T\"",
                     &title->text, least, most, &field->text);
}

static ta_status read_time(const ta_csv_field *field, const ta_csv_title *title, int32_t *out,
                           ta_error *error) {
  uint64_t number = 0, past = title->included ? 1 : 0;
  ta_status status = read_number(field, title, 0, INT32_MAX - past, &number, error);
  *out = (int32_t)(number + past);
  return status;
}

static ta_status read_alignment(const ta_csv_field *field, uint64_t *out, ta_error *error) {
  if (ta_csv_number(field->text, out) == TA_OK && ta_is_alignment(*out)) return TA_OK;
  return ta_csv_fail(field, error, TA_E_SYNTAX, "alignment is \"%T\"; " TA_ALIGNMENT_RULE, &field->text);
}

static ta_status read_arena(const ta_csv_field *field, uint8_t *out, ta_error *error) {
  if (ta_str_equal(&field->text, &TA_STR("rw"))) {
    *out = TA_ARENA_RW_PLACE;
  } else if (ta_str_equal(&field->text, &TA_STR("persistent"))) {
    *out = TA_ARENA_PERSISTENT_PLACE;
  } else {
    return ta_csv_fail(field, error, TA_E_SYNTAX, "arena is \"%T\"; give rw or persistent", &field->text);
  }
  return TA_OK;
}

/* One field into its row, where it may be empty. */
static ta_status read_wish(ta_row *row, const ta_csv_title *title, const ta_csv_field *field,
                           ta_csv_field *alias, ta_error *error) {
  switch (title->column) {
  case TA_CSV_ALIGNMENT:
    return read_alignment(field, &row->alignment, error);
  case TA_CSV_OFFSET:
    return read_number(field, title, 0, TA_MAX_BYTES, &row->offset, error);
  case TA_CSV_FIXED:
    return read_number(field, title, 0, TA_MAX_BYTES, &row->fixed, error);
  case TA_CSV_ARENA:
    return read_arena(field, &row->arena, error);
  case TA_CSV_GAPS:
    return ta_csv_fail(field, error, TA_E_SYNTAX,
                       "lives with gaps are not planned; leave the field empty, or give each part of the "
                       "life a row of its own");
  default:
    *alias = *field;
    return TA_OK;
  }
}

/* One field into its row. The times are taken as first and last + 1; check_row makes them so. */
static ta_status read_cell(ta_row *row, const ta_csv_title *title, const ta_csv_field *field,
                           ta_csv_field *alias, ta_error *error) {
  switch (title->column) {
  case TA_CSV_ID:
    row->id = field->text;
    if (field->text.len != 0) return TA_OK;
    return ta_csv_fail(field, error, TA_E_SYNTAX, "the id is empty; every buffer needs one");
  case TA_CSV_LOWER:
    return read_time(field, title, &row->first, error);
  case TA_CSV_UPPER:
    return read_time(field, title, &row->last, error);
  case TA_CSV_SIZE:
    return read_number(field, title, 0, TA_MAX_BYTES, &row->bytes, error);
  default:
    return field->text.len ? read_wish(row, title, field, alias, error) : TA_OK;
  }
}

/* Where a record begins. */
typedef struct place {
  uint32_t line;
  size_t at;
} place;

static ta_status check_life(const ta_csv_header *columns, ta_row *row, place where, ta_error *error) {
  const ta_csv_title *lower = columns->of[TA_CSV_LOWER], *upper = columns->of[TA_CSV_UPPER];
  int32_t given = upper->included ? row->last - 1 : row->last;
  if (row->first >= row->last) {
    return ta_fail_at_byte(error, TA_E_MALFORMED, where.at,
                           "line %u: %T is %i and %T is %i; a buffer lives from %T to %s%T, so %T must be %s",
                           where.line, &lower->text, row->first, &upper->text, given, &lower->text,
                           upper->included ? "" : "before ", &upper->text, &upper->text,
                           upper->included ? "as large" : "larger");
  }
  row->last -= 1;
  return TA_OK;
}

static ta_status check_places(const ta_row *row, place where, ta_error *error) {
  uint64_t end;
  if (row->offset != TA_NO_OFFSET && row->fixed != TA_NO_OFFSET && row->offset != row->fixed) {
    return ta_fail_at_byte(error, TA_E_MALFORMED, where.at,
                           "line %u: the offset is %U, and the place is fixed at %U; make them one",
                           where.line, row->offset, row->fixed);
  }
  uint64_t offset = row->fixed != TA_NO_OFFSET ? row->fixed : row->offset;
  if (offset != TA_NO_OFFSET && !ta_add(offset, row->bytes, &end)) {
    return ta_fail_at_byte(error, TA_E_LIMIT, where.at, "line %u: the buffer ends past byte %L", where.line);
  }
  return TA_OK;
}

static ta_status read_row(ta_csv_scan *scan, const ta_csv_header *columns, ta_row *row, ta_csv_field *alias,
                          ta_error *error) {
  place where = {scan->line, scan->at};
  *row = (ta_row){.alignment = 1,
                  .offset = TA_NO_OFFSET,
                  .fixed = TA_NO_OFFSET,
                  .alias = TA_NO_INDEX,
                  .arena = TA_ARENA_NOT};
  ta_csv_field field = {.last = false};
  ta_status status = TA_OK;
  uint32_t n = 0;
  for (; !field.last && n < columns->n; n++) {
    status = ta_csv_scan_field(scan, &field, error);
    if (status == TA_OK) status = read_cell(row, columns->at[n], &field, alias, error);
    if (status != TA_OK) return status;
  }
  if (n < columns->n || !field.last) {
    return ta_fail_at_byte(error, TA_E_SYNTAX, where.at,
                           "line %u: this line has %s than the %u fields that the first line names",
                           where.line, n < columns->n ? "fewer" : "more", columns->n);
  }
  status = check_life(columns, row, where, error);
  return status == TA_OK ? check_places(row, where, error) : status;
}

/* Each record has a comma before every field but the first. */
static size_t most_rows(ta_bytes file, const ta_csv_header *columns) {
  size_t commas = 0, between = columns->n - 1;
  for (size_t i = 0; i < file.len; i++) commas += file.at[i] == ',';
  return commas / between;
}

ta_status ta_csv_read(ta_model *model, ta_error *error) {
  ta_region work;
  ta_region_init(&work, &model->region.allocator);
  model->kind = TA_KIND_CSV;
  ta_csv_scan scan = ta_csv_scan_start(model->file, &model->region);
  ta_csv_header columns;
  ta_status status = ta_csv_read_header(&scan, &columns, error);
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
    if (status != TA_OK) break;
    model->has_offsets = model->has_offsets || model->rows[n].offset != TA_NO_OFFSET;
    model->n_rows++;
  }
  if (status == TA_OK) status = ta_csv_link(model, aliases, &work, error);
  ta_region_free(&work);
  return status;
}

#include "model/csv_scan.h"

#include <string.h>

#include "base/num.h"

ta_status ta_csv_fail(const ta_csv_field *field, ta_error *error, ta_status status, const char *format, ...) {
  char storage[48];
  ta_text where;
  ta_text_init_fixed(&where, storage, sizeof storage);
  ta_text_format(&where, "line %u, column %u: ", field->line, field->column);
  va_list arguments;
  va_start(arguments, format);
  ta_vfail_at(error, status, TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX, &where, format, arguments, "");
  va_end(arguments);
  if (error) error->byte = field->at;
  return status;
}

ta_status ta_csv_number(ta_str text, uint64_t *out) {
  uint64_t value = 0;
  ta_status status = text.len ? TA_OK : TA_E_SYNTAX;
  for (size_t i = 0; i < text.len; i++) {
    uint64_t digit = (uint64_t)(unsigned char)text.at[i] - '0';
    if (digit > 9) return TA_E_SYNTAX;
    if (!ta_mul(value, 10, &value) || !ta_add(value, digit, &value)) status = TA_E_LIMIT;
  }
  *out = value;
  return status;
}

ta_csv_scan ta_csv_scan_start(ta_bytes file, ta_region *region) {
  bool marked = file.len >= 3 && memcmp(file.at, "\xEF\xBB\xBF", 3) == 0;
  size_t at = marked ? 3 : 0;
  return (ta_csv_scan){.file = file, .region = region, .at = at, .line_start = at, .line = 1};
}

static bool is_blank(uint8_t c) {
  return c == ' ' || c == '\t';
}

static bool at_line_end(const ta_csv_scan *scan, size_t at) {
  if (at >= scan->file.len || scan->file.at[at] == '\n') return true;
  return scan->file.at[at] == '\r' && (at + 1 == scan->file.len || scan->file.at[at + 1] == '\n');
}

/* Moves from the end of a line to the start of the next. */
static void next_line(ta_csv_scan *scan) {
  while (scan->at < scan->file.len && scan->file.at[scan->at] != '\n') scan->at++;
  if (scan->at < scan->file.len) scan->at++;
  scan->line++;
  scan->line_start = scan->at;
}

bool ta_csv_scan_more(ta_csv_scan *scan) {
  while (scan->at < scan->file.len) {
    size_t at = scan->at;
    while (at < scan->file.len && is_blank(scan->file.at[at])) at++;
    if (!at_line_end(scan, at)) return true;
    scan->at = at;
    next_line(scan);
  }
  return false;
}

/* Copies a quoted field's text with each doubled quote made one. */
static ta_status undouble(ta_csv_scan *scan, ta_str *text, ta_error *error) {
  char *copy = TA_TAKE(scan->region, text->len, char);
  if (!copy) return ta_fail_memory(error);
  size_t len = 0;
  for (size_t i = 0; i < text->len; i++) {
    copy[len++] = text->at[i];
    if (text->at[i] == '"') i++;
  }
  *text = (ta_str){copy, len};
  return TA_OK;
}

/* From the opening quote to past the closing one. */
static ta_status scan_quoted(ta_csv_scan *scan, ta_csv_field *field, ta_error *error) {
  const uint8_t *file = scan->file.at;
  size_t start = ++scan->at;
  bool doubled = false;
  for (;; scan->at++) {
    if (scan->at >= scan->file.len) {
      return ta_csv_fail(field, error, TA_E_SYNTAX, "the quote that opens here is never closed; close it");
    }
    if (file[scan->at] == '\n') {
      scan->line++;
      scan->line_start = scan->at + 1;
    }
    if (file[scan->at] != '"') continue;
    if (scan->at + 1 >= scan->file.len || file[scan->at + 1] != '"') break;
    doubled = true;
    scan->at++;
  }
  field->text = (ta_str){(const char *)file + start, scan->at - start};
  scan->at++;
  return doubled ? undouble(scan, &field->text, error) : TA_OK;
}

static void scan_plain(ta_csv_scan *scan, ta_csv_field *field) {
  size_t start = scan->at;
  while (!at_line_end(scan, scan->at) && scan->file.at[scan->at] != ',') scan->at++;
  size_t end = scan->at;
  while (end > start && is_blank(scan->file.at[end - 1])) end--;
  field->text = (ta_str){(const char *)scan->file.at + start, end - start};
}

/* The field is where the scan is. */
static void locate(const ta_csv_scan *scan, ta_csv_field *field) {
  field->at = scan->at;
  field->line = scan->line;
  field->column = (uint32_t)(scan->at - scan->line_start) + 1;
}

ta_status ta_csv_scan_field(ta_csv_scan *scan, ta_csv_field *field, ta_error *error) {
  while (scan->at < scan->file.len && is_blank(scan->file.at[scan->at])) scan->at++;
  locate(scan, field);
  if (scan->at < scan->file.len && scan->file.at[scan->at] == '"') {
    ta_status status = scan_quoted(scan, field, error);
    if (status != TA_OK) return status;
    while (scan->at < scan->file.len && is_blank(scan->file.at[scan->at])) scan->at++;
  } else {
    scan_plain(scan, field);
  }
  field->last = at_line_end(scan, scan->at);
  if (field->last) {
    next_line(scan);
    return TA_OK;
  }
  if (scan->file.at[scan->at] != ',') {
    locate(scan, field);
    return ta_csv_fail(field, error, TA_E_SYNTAX,
                       "a comma or the end of the line must follow the closing quote");
  }
  scan->at++;
  return TA_OK;
}

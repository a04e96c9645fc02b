#include "model/csv_header.h"

#include "model/csv.h"

#define TITLE(text, column, included)                                                                        \
  { {text, sizeof(text) - 1}, column, included }

/* The project's own names, by column; behind them those that minimalloc has for the same. */
static const ta_csv_title titles[] = {
    TITLE("id", TA_CSV_ID, false),
    TITLE("lower", TA_CSV_LOWER, false),
    TITLE("upper", TA_CSV_UPPER, false),
    TITLE("size", TA_CSV_SIZE, false),
    TITLE("alignment", TA_CSV_ALIGNMENT, false),
    TITLE("offset", TA_CSV_OFFSET, false),
    TITLE("fixed", TA_CSV_FIXED, false),
    TITLE("alias", TA_CSV_ALIAS, false),
    TITLE("arena", TA_CSV_ARENA, false),
    TITLE("gaps", TA_CSV_GAPS, false),
    TITLE("buffer", TA_CSV_ID, false),
    TITLE("buffer_id", TA_CSV_ID, false),
    TITLE("start", TA_CSV_LOWER, false),
    TITLE("begin", TA_CSV_LOWER, false),
    TITLE("end", TA_CSV_UPPER, true),
};

static bool same_letters(const ta_str *a, const ta_str *b) {
  if (a->len != b->len) return false;
  for (size_t i = 0; i < a->len; i++) {
    char x = a->at[i], y = b->at[i];
    if (x != y && !(x >= 'A' && x <= 'Z' && (x | 0x20) == y)) return false;
  }
  return true;
}

/* NULL: there is none. With `any_case`, ID is id. */
static const ta_csv_title *find_title(const ta_str *text, bool any_case) {
  for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
    const ta_csv_title *title = &titles[i];
    if (any_case ? same_letters(text, &title->text) : ta_str_equal(text, &title->text)) return title;
  }
  return NULL;
}

/* ---- what kind of line it is ----------------------------------------------------------------------------
 */

typedef struct first_line {
  ta_csv_field separator; /* the first that is no comma; its text is empty where there is none */
  uint32_t commas;
  bool is_text, names_a_column;
  bool is_a_row; /* numbers where a row has its times and its size */
} first_line;

static bool is_separator(uint8_t c) {
  return c == ',' || c == ';' || c == '|' || c == '\t';
}

static bool is_around(uint8_t c) {
  return c == ' ' || c == '"' || c == '\r';
}

static ta_str trimmed(const uint8_t *at, size_t len) {
  while (len > 0 && is_around(at[len - 1])) len--;
  for (; len > 0 && is_around(at[0]); at++) len--;
  return (ta_str){(const char *)at, len};
}

static void note_field(first_line *line, const ta_str *text, uint32_t index) {
  const ta_csv_title *title = find_title(text, true);
  uint64_t number;
  if (title && title->column <= TA_CSV_SIZE) line->names_a_column = true;
  bool is_number = ta_csv_number(*text, &number) == TA_OK;
  if (index == TA_CSV_LOWER) line->is_a_row = is_number;
  if (index > TA_CSV_LOWER && index <= TA_CSV_SIZE) line->is_a_row = line->is_a_row && is_number;
}

/* `scan` is at the line. Fields may be separated by what people separate them by. */
static first_line look_at_line(const ta_csv_scan *scan) {
  first_line line = {.is_text = true};
  size_t start = scan->at;
  uint32_t index = 0;
  for (size_t at = start;; at++) {
    uint8_t c = at < scan->file.len ? scan->file.at[at] : (uint8_t)'\n';
    if (c < ' ' && c != '\n' && c != '\r' && c != '\t') line.is_text = false;
    if (c != '\n' && !is_separator(c)) continue;
    ta_str text = trimmed(scan->file.at + start, at - start);
    note_field(&line, &text, index++);
    if (c == '\n') break;
    line.commas += c == ',';
    if (c != ',' && line.separator.text.len == 0) {
      line.separator = (ta_csv_field){.text = {(const char *)scan->file.at + at, 1},
                                      .at = at,
                                      .line = scan->line,
                                      .column = (uint32_t)(at - scan->line_start) + 1};
    }
    start = at + 1;
  }
  line.is_a_row = line.is_a_row && index > TA_CSV_SIZE && !line.names_a_column;
  return line;
}

static first_line look_at_file(ta_bytes file) {
  ta_csv_scan scan = ta_csv_scan_start(file, NULL);
  return ta_csv_scan_more(&scan) ? look_at_line(&scan) : (first_line){.is_text = false};
}

bool ta_csv_looks_like(ta_bytes file) {
  first_line line = look_at_file(file);
  return line.is_text && line.names_a_column;
}

bool ta_csv_lacks_names(ta_bytes file) {
  first_line line = look_at_file(file);
  return line.is_text && line.is_a_row;
}

/* People separate by other marks than commas, too. */
static ta_status check_separators(const ta_csv_scan *scan, ta_error *error) {
  first_line line = look_at_line(scan);
  if (line.commas > 0 || line.separator.text.len == 0) return TA_OK;
  char c = line.separator.text.at[0];
  return ta_csv_fail(&line.separator, error, TA_E_SYNTAX,
                     "the fields are separated by %s; put commas there, as in id,lower,upper,size",
                     c == ';'    ? "semicolons"
                     : c == '\t' ? "tabs"
                                 : "bars");
}

/* ---- reading it -----------------------------------------------------------------------------------------
 */

static ta_status add_column(ta_csv_header *out, const ta_csv_field *field, ta_error *error) {
  const ta_csv_title *title = find_title(&field->text, false);
  if (!title) {
    return ta_csv_fail(field, error, TA_E_SYNTAX,
                       "no column is called \"%T\"; a list has id, lower, upper, size, and "
                       "may have alignment, offset, fixed, alias, arena",
                       &field->text);
  }
  const ta_csv_title *same = out->of[title->column];
  if (same) {
    return ta_csv_fail(field, error, TA_E_SYNTAX, "\"%T\" says again what \"%T\" says; remove one",
                       &field->text, &same->text);
  }
  out->of[title->column] = title;
  out->at[out->n++] = title;
  return TA_OK;
}

ta_status ta_csv_read_header(ta_csv_scan *scan, ta_csv_header *out, ta_error *error) {
  *out = (ta_csv_header){.n = 0};
  ta_csv_field field = {.last = !ta_csv_scan_more(scan)};
  ta_status status = field.last ? TA_OK : check_separators(scan, error);
  while (status == TA_OK && !field.last) {
    status = ta_csv_scan_field(scan, &field, error);
    if (status == TA_OK) status = add_column(out, &field, error);
  }
  for (uint32_t c = TA_CSV_ID; c <= TA_CSV_SIZE && status == TA_OK; c++) {
    if (out->of[c]) continue;
    status = ta_fail_at_byte(error, TA_E_SYNTAX, 0,
                             "line 1: the column \"%T\" is missing; the first line names the columns",
                             &titles[c].text);
  }
  return status;
}

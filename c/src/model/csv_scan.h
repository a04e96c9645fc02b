/* The fields of a CSV file, one after the other, with their places for error texts. */
#ifndef TA_MODEL_CSV_SCAN_H
#define TA_MODEL_CSV_SCAN_H

#include "base/error.h"
#include "graph/graph.h"

typedef struct ta_csv_field {
  ta_str text;           /* without quotes and without the spaces around it */
  size_t at;             /* where it starts in the file */
  uint32_t line, column; /* from 1; the column counts bytes */
  bool last;             /* the last of its record */
} ta_csv_field;

typedef struct ta_csv_scan {
  ta_bytes file;
  ta_region *region; /* takes the text of fields in which a doubled quote was undone */
  size_t at, line_start;
  uint32_t line;
} ta_csv_scan;

/* Fails at a field: the sentence begins with its line and column. */
ta_status ta_csv_fail(const ta_csv_field *field, ta_error *error, ta_status status, const char *format, ...);

/* The whole number that the decimal digits of a text make, at most TA_MAX_BYTES. Errors: SYNTAX when it is no
 * such number, LIMIT when it is larger; neither is reported. */
ta_status ta_csv_number(ta_str text, uint64_t *out);

/* Past a byte order mark, at the first line. */
ta_csv_scan ta_csv_scan_start(ta_bytes file, ta_region *region);

/* Skips empty lines; false at the end of the file. Call it between records. */
bool ta_csv_scan_more(ta_csv_scan *scan);

/* The next field. Errors: SYNTAX, MEMORY. */
ta_status ta_csv_scan_field(ta_csv_scan *scan, ta_csv_field *field, ta_error *error);

#endif

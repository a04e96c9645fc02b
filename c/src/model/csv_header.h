/* The first line of a buffer list: what its columns are called, and what stands there by mistake. */
#ifndef TA_MODEL_CSV_HEADER_H
#define TA_MODEL_CSV_HEADER_H

#include "model/csv_scan.h"

typedef enum ta_csv_column {
  TA_CSV_ID,
  TA_CSV_LOWER,
  TA_CSV_UPPER,
  TA_CSV_SIZE, /* those above and this one every list has */
  TA_CSV_ALIGNMENT,
  TA_CSV_OFFSET,
  TA_CSV_FIXED,
  TA_CSV_ALIAS,
  TA_CSV_ARENA,
  TA_CSV_GAPS,
  TA_CSV_COLUMNS
} ta_csv_column;

/* A name that the first line may give a column. */
typedef struct ta_csv_title {
  ta_str text;
  ta_csv_column column;
  bool included; /* of UPPER: the last time that the buffer lives is given, not the first one after it */
} ta_csv_title;

typedef struct ta_csv_header {
  const ta_csv_title *at[TA_CSV_COLUMNS]; /* of each field */
  const ta_csv_title *of[TA_CSV_COLUMNS]; /* of each column; NULL: the list has none */
  uint32_t n;                             /* fields */
} ta_csv_header;

/* Reads the first line that is not empty. Errors: SYNTAX (a name that is none, twice or missing; other
 * separators than commas), MEMORY. */
ta_status ta_csv_read_header(ta_csv_scan *scan, ta_csv_header *out, ta_error *error);

#endif

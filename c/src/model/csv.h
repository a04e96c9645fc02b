/* Buffer lists: a CSV with the columns id, lower, upper, size and, if wanted, alignment, offset and alias, in
 * any order. A life is half-open in the file, [lower, upper), and inclusive in the model. */
#ifndef TA_MODEL_CSV_H
#define TA_MODEL_CSV_H

#include "base/error.h"
#include "graph/graph.h"

/* Whether the first line is text that names one of the columns a list must have. */
bool ta_csv_looks_like(ta_bytes file);

/* Reads model->file into model->rows. Ids stay in the file's bytes unless a doubled quote had to be undone.
 * Aliases are followed to their roots. O(n log n) in the bytes. Errors, each with line and column:
 * SYNTAX (not what the column takes), MALFORMED (an empty life, an id twice, a view outside its root, a
 * circle of views), INDEX (an alias of no row), LIMIT, MEMORY. */
ta_status ta_csv_read(ta_model *model, ta_error *error);

#endif

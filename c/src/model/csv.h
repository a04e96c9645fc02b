/* Buffer lists: a CSV with the columns id, lower, upper, size and, if wanted, in any order,
 *
 *   alignment  a power of two
 *   offset     where a plan puts the buffer: to be judged, no constraint
 *   fixed      where every plan must put it
 *   alias      id+bytes: a view of that buffer, which then lives as long as its views
 *   arena      rw (the default) or persistent: an arena of its own, where nothing is reused and all live
 * always
 *
 * A life is half-open in the file, [lower, upper), and inclusive in the model. minimalloc's other names are
 * read too: buffer and buffer_id for id, start and begin for lower, end for the last time itself; its gaps
 * must be empty. */
#ifndef TA_MODEL_CSV_H
#define TA_MODEL_CSV_H

#include "base/error.h"
#include "graph/graph.h"

/* Whether the first line is text that names one of the columns a list must have. */
bool ta_csv_looks_like(ta_bytes file);

/* Whether the first line is a row: it has numbers where a row has its times and its size. */
bool ta_csv_lacks_names(ta_bytes file);

/* Reads model->file into model->rows. Ids stay in the file's bytes unless a doubled quote had to be undone.
 * Aliases are followed to their roots. O(n log n) in the bytes. Errors, each with line and column:
 * SYNTAX (not what the column takes), MALFORMED (an empty life, an id twice, a view outside its root or in
 * another arena, a circle of views, an offset beside another fixed place), INDEX (an alias of no row), LIMIT,
 * MEMORY. */
ta_status ta_csv_read(ta_model *model, ta_error *error);

#endif

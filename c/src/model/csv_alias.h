/* What rows of a buffer list say of one another: ids are distinct, aliases lead to roots, and views lie in
 * their roots' arenas. */
#ifndef TA_MODEL_CSV_ALIAS_H
#define TA_MODEL_CSV_ALIAS_H

#include "model/csv_scan.h"

/* `aliases` has each row's alias field (empty text: none). Memory for the work comes from `work`.
 * Errors: MALFORMED, INDEX, SYNTAX, LIMIT, MEMORY. */
ta_status ta_csv_link(ta_model *model, const ta_csv_field *aliases, ta_region *work, ta_error *error);

#endif

/* Windows given by hand. */
#ifndef TA_REWRITE_WINDOW_TEXT_H
#define TA_REWRITE_WINDOW_TEXT_H

#include "rewrite/emit.h"

/* Reads the text that ta_shrink_new takes, against the draft that is to be cut: windows in ascending order,
 * none in another. From `region`. Errors: SYNTAX (the text), ARGUMENT (no such operator or tensor, windows
 * that meet), MEMORY. `text` NULL: none. */
ta_status ta_windows_read(const char *text, const ta_draft *draft, ta_region *region, ta_window_choice **out,
                          uint32_t *count, ta_error *error);

#endif

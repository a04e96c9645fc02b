/* What is said of a clash: the one place for its words. */
#ifndef TA_GRAPH_CLASH_H
#define TA_GRAPH_CLASH_H

#include "base/text.h"

/* "overlap", "misaligned", ...; static text. */
const char *ta_clash_name(uint32_t kind);

/* One sentence, without its full stop, of what are called `a` and `b` (NULL where the clash is about one). */
void ta_put_clash(ta_text *out, const ta_clash *clash, const ta_str *a, const ta_str *b);

#endif

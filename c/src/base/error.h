/* How a function fails: it fills the caller's ta_error (status, place, sentence) and returns the status. */
#ifndef TA_BASE_ERROR_H
#define TA_BASE_ERROR_H

#include "base/text.h"
#include "tensor_arena.h"

/* `error` may be NULL. The sentence says what is wrong, where, and what to do next (ta_text_format's marks);
 * it is one line, in which what is hidden in names is written as \uXXXX. What is wrong is nowhere in
 * particular ... */
ta_status ta_fail(ta_error *error, ta_status status, const char *format, ...);
/* ... or in a part of the model, each an index or TA_NO_INDEX ... */
ta_status ta_fail_at(ta_error *error, ta_status status, uint32_t subgraph, uint32_t node, uint32_t tensor,
                     const char *format, ...);
/* ... or at a byte of the input. */
ta_status ta_fail_at_byte(ta_error *error, ta_status status, uint64_t byte, const char *format, ...);
/* What the others are made of: `where` (NULL: nothing) begins the sentence, `end` ends it. */
ta_status ta_vfail_at(ta_error *error, ta_status status, uint32_t subgraph, uint32_t node, uint32_t tensor,
                      const ta_text *where, const char *format, va_list arguments, const char *end);

/* The one way to report TA_E_MEMORY. */
ta_status ta_fail_memory(ta_error *error);

void ta_error_clear(ta_error *error);

#endif

/* How a function fails: it fills the caller's ta_error (status, place, sentence) and returns the status. */
#ifndef TA_BASE_ERROR_H
#define TA_BASE_ERROR_H

#include "base/text.h"
#include "tensor_arena.h"

/* Where something is. Functions take it by address, and NULL for nowhere: most calls that name a place are on
 * paths hardly ever taken, and should cost the module no more than that. */
typedef struct ta_place {
  int32_t subgraph, node, tensor; /* -1: not about one */
  uint64_t byte;                  /* offset in the input; TA_NO_BYTE: not about one */
} ta_place;

/* Places for a call; each lasts as long as the block that it is written in. */
#define TA_NOWHERE              ((const ta_place *)NULL)
#define ta_at(g, n, t)          (&(const ta_place){(int32_t)(g), (int32_t)(n), (int32_t)(t), TA_NO_BYTE})
#define ta_at_subgraph(g)       ta_at(g, -1, -1)
#define ta_at_node(g, node)     ta_at(g, node, -1)
#define ta_at_tensor(g, tensor) ta_at(g, -1, tensor)
#define ta_at_byte(position)    (&(const ta_place){-1, -1, -1, position})

/* `error` may be NULL. The sentence says what is wrong, where, and what to do next (ta_text_format's marks).
 */
ta_status ta_fail(ta_error *error, ta_status status, const ta_place *place, const char *format, ...);

/* The one way to report TA_E_MEMORY. */
ta_status ta_fail_memory(ta_error *error);

void ta_error_clear(ta_error *error);

#endif

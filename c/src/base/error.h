/* How a function fails: it fills the caller's ta_error (status, place, sentence) and returns the status. */
#ifndef TA_BASE_ERROR_H
#define TA_BASE_ERROR_H

#include "base/text.h"
#include "tensor_arena.h"

/* Where something is. TA_NOWHERE, or one of the makers below. */
typedef struct ta_place {
  int32_t subgraph, node, tensor; /* -1: not about one */
  uint64_t byte;                  /* offset in the input; TA_NO_BYTE: not about one */
} ta_place;

#define TA_NOWHERE ((ta_place){-1, -1, -1, TA_NO_BYTE})

static inline ta_place ta_at_subgraph(uint32_t subgraph) {
  return (ta_place){(int32_t)subgraph, -1, -1, TA_NO_BYTE};
}
static inline ta_place ta_at_node(uint32_t subgraph, uint32_t node) {
  return (ta_place){(int32_t)subgraph, (int32_t)node, -1, TA_NO_BYTE};
}
static inline ta_place ta_at_tensor(uint32_t subgraph, uint32_t tensor) {
  return (ta_place){(int32_t)subgraph, -1, (int32_t)tensor, TA_NO_BYTE};
}
static inline ta_place ta_at_byte(uint64_t byte) {
  return (ta_place){-1, -1, -1, byte};
}

/* `error` may be NULL. The sentence says what is wrong, where, and what to do next (ta_text_format's marks).
 */
ta_status ta_fail(ta_error *error, ta_status status, ta_place place, const char *format, ...);

/* The one way to report TA_E_MEMORY. */
ta_status ta_fail_memory(ta_error *error);

void ta_error_clear(ta_error *error);

#endif

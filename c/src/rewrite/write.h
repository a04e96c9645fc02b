/* A file of a draft. */
#ifndef TA_REWRITE_WRITE_H
#define TA_REWRITE_WRITE_H

#include "rewrite/draft.h"

/* The draft's model with the draft as its subgraph 0. Tensors that remain keep their index and everything
 * else that has not changed is referred to where it lies (model/flatbuf_write.h). An offline plan is left
 * out: its offsets are about other tensors. *out has *out_len bytes and is the caller's, from `allocator`.
 * Errors: UNSUPPORTED (a file that cannot be rewritten: fields newer than this library, positions by number),
 * LIMIT, MEMORY. */
ta_status ta_draft_write(const ta_allocator *allocator, const ta_draft *draft, uint8_t **out, size_t *out_len,
                         ta_error *error);

/* Whether the draft's file can be rewritten at all. */
ta_status ta_check_rewritable(const ta_model *model, ta_error *error);

#endif

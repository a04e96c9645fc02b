/* Which index each tensor, buffer and operator code of a draft has in the new file. */
#ifndef TA_REWRITE_NUMBER_H
#define TA_REWRITE_NUMBER_H

#include "rewrite/draft.h"

/* The operators that rewriting adds. */
typedef enum ta_added { TA_ADDED_SLICE, TA_ADDED_PAD, TA_ADDED_CONCATENATION, TA_ADDED_OPS } ta_added;

ta_added ta_added_of(uint32_t op);

typedef struct ta_new_code {
  uint32_t op, version;
} ta_new_code;

typedef struct ta_numbering {
  int32_t *tensors; /* what each tensor of the new file is: a reference of the draft; -1: a place left over */
  uint32_t n_tensors;
  const int32_t *pieces, *constants; /* their tensor indices */
  const uint32_t *shape_like;        /* of each piece: the first piece of its shape */
  uint64_t *shape_at;                /* of each piece: for the writer to keep where its shape stands */
  uint32_t any_buffer;               /* one with data in it, for places left over */
  ta_new_code codes[TA_ADDED_OPS];   /* those that the file does not have */
  uint32_t n_codes;
  uint32_t code_of[TA_ADDED_OPS];
} ta_numbering;

/* From `region`. Tensors that remain keep their index; those that nothing makes any more free theirs, which
 * new ones take in ascending order; the others go to the end. Errors: MEMORY; TRUNCATED and the like
 * (operator codes).
 */
ta_status ta_numbering_make(const ta_draft *draft, ta_region *region, ta_numbering *out, ta_error *error);

/* The tensor index of a reference; -1 stays -1. */
int32_t ta_number_of(const ta_numbering *numbers, int32_t reference);

#endif

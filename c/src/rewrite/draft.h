/* A draft: the operators that a rewritten subgraph 0 is to have. It stands on a model that never changes and
 * says only what is new; write.c makes a file of it. Its lists grow and may be cut back, so that one draft
 * can be used for thousands of attempts.
 *
 * A *reference* names a tensor of a draft: -1 none, 0 and up a tensor of the file, TA_DRAFT_PIECE and up a
 * new tensor, TA_DRAFT_CONSTANT and up a new constant. */
#ifndef TA_REWRITE_DRAFT_H
#define TA_REWRITE_DRAFT_H

#include "graph/graph.h"

#define TA_DRAFT_PIECE    INT32_C(0x20000000)
#define TA_DRAFT_CONSTANT INT32_C(0x60000000)

enum { TA_DRAFT_MOST_VALUES = 8, TA_DRAFT_AS_WRITTEN = -1 };

/* Rows (or columns) from..to - 1. */
typedef struct ta_range {
  int32_t from, to;
} ta_range;

/* A new tensor: rows and columns (in this order) of one of the file's, with its type and channels. Rows
 * outside it are padding. */
typedef struct ta_draft_piece {
  uint32_t like;
  ta_range at[2];
  uint32_t constants; /* how many the draft had when this was made */
  uint32_t last;      /* for whoever counts: the operator that reads it last */
} ta_draft_piece;

/* A new INT32 constant: `n` values, as a list of n or as a table of n / 2 pairs. */
typedef struct ta_draft_constant {
  int32_t values[TA_DRAFT_MOST_VALUES];
  uint32_t n;
  bool pairs;
  uint32_t slot; /* in the index */
} ta_draft_constant;

typedef struct ta_draft_op {
  uint32_t node;   /* of which it is a copy, options and all; TA_NO_INDEX: an added one */
  uint32_t op;     /* ta_op */
  int32_t padding; /* TA_DRAFT_AS_WRITTEN, or what the copy's options have instead */
  int32_t axis;    /* of an added CONCATENATION */
  uint32_t inputs, n_inputs, outputs, n_outputs; /* of the draft's references */
} ta_draft_op;

typedef struct ta_draft {
  const ta_model *model;
  ta_region *region;
  bool failed; /* out of memory: what was added since is not there */
  ta_draft_op *ops;
  int32_t *references;
  ta_draft_piece *pieces;
  ta_draft_constant *constants;
  uint32_t n_ops, n_references, n_pieces, n_constants;
  uint32_t most_ops, most_references, most_pieces, most_constants;
  uint32_t *index; /* of the constants, by their values: 2 * most_constants entries, 0 = free */
} ta_draft;

/* How long a draft's lists are: what to cut it back to. */
typedef struct ta_draft_mark {
  uint32_t ops, references, pieces, constants;
} ta_draft_mark;

/* An empty draft on `model`; memory comes from `region`, as it grows. */
void ta_draft_init(ta_draft *draft, const ta_model *model, ta_region *region);

ta_draft_mark ta_draft_here(const ta_draft *draft);
void ta_draft_cut_back(ta_draft *draft, const ta_draft_mark *mark);

/* A new tensor, a new constant (an equal one when there is one): their references. */
int32_t ta_draft_add_piece(ta_draft *draft, uint32_t like, const ta_range at[2]);
int32_t ta_draft_add_constant(ta_draft *draft, const int32_t *values, uint32_t n, bool pairs);

/* An operator behind the others; `like` gives node, op, padding and axis, its lists are copied. */
void ta_draft_add(ta_draft *draft, const ta_draft_op *like, const int32_t *inputs, uint32_t n_inputs,
                  const int32_t *outputs, uint32_t n_outputs);
/* A copy of an operator of another draft on the same model that has no pieces and constants of its own. */
void ta_draft_add_same(ta_draft *draft, const ta_draft *from, uint32_t op);

/* Operators SLICE and PAD that make `at` of what `from` holds (`held` of the tensor `like`); the new piece.
 */
int32_t ta_draft_slice(ta_draft *draft, int32_t from, uint32_t like, const ta_range held[2],
                       const ta_range at[2]);
int32_t ta_draft_pad(ta_draft *draft, int32_t from, uint32_t like, const ta_range held[2],
                     const ta_range at[2]);

const int32_t *ta_draft_inputs(const ta_draft *draft, uint32_t op);
const int32_t *ta_draft_outputs(const ta_draft *draft, uint32_t op);

static inline bool ta_is_file_tensor(int32_t reference) {
  return reference >= 0 && reference < TA_DRAFT_PIECE;
}
static inline bool ta_is_piece(int32_t reference) {
  return reference >= TA_DRAFT_PIECE && reference < TA_DRAFT_CONSTANT;
}
static inline bool ta_is_constant(int32_t reference) {
  return reference >= TA_DRAFT_CONSTANT;
}

/* All operators of subgraph 0 in the given order (NULL: the file's). */
void ta_draft_of_model(ta_draft *draft, const uint32_t *order);

static inline int32_t ta_range_length(ta_range range) {
  return range.to - range.from;
}
static inline bool ta_range_same(ta_range a, ta_range b) {
  return a.from == b.from && a.to == b.to;
}
static inline bool ta_range_holds(ta_range outer, ta_range inner) {
  return outer.from <= inner.from && inner.to <= outer.to;
}

#endif

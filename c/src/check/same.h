/* The proof that two models compute the same: what its files (same*.c) share.
 *
 * The new graph is walked in order, and each of its tensors is given a *meaning*: rows and columns of a
 * tensor of the old graph. What an operator makes has a meaning when the operator is one of the old graph's
 * on such inputs (same_whole.c), one of the old graph's on some of the rows (same_cut.c), or only moves rows
 * (same_move.c). Nothing here knows who rewrote the model, or how. */
#ifndef TA_CHECK_SAME_H
#define TA_CHECK_SAME_H

#include "graph/graph.h"

/* Rows (axis 0) or columns (axis 1) [from, to) of a tensor of the old graph. Below 0 and past the tensor's
 * end lie the zeros that padding stands for. */
typedef struct ta_span {
  int64_t from, to;
} ta_span;

enum { TA_AXES = 2 };

/* `held` is what the tensor has room for, `valid` the part of it that is known to be right: the old tensor's
 * own values inside that tensor, its zero outside. A tensor that cannot be cut is one row of one column. */
typedef struct ta_meaning {
  uint32_t tensor; /* of the old graph; TA_NO_INDEX: no meaning */
  ta_span held[TA_AXES], valid[TA_AXES];
} ta_meaning;

/* A tensor may be rows of several: of both outputs of two PADs of one tensor, say. More are not kept. */
enum { TA_MEANINGS = 4 };

/* One of the two graphs. */
typedef struct ta_side {
  const ta_model *model;
  const ta_subgraph *graph;
  uint64_t *tables; /* of each tensor: where it lies in the file; 0: not to be found */
  ta_meaning (*meanings)[TA_MEANINGS];
  uint32_t *proved; /* of each constant: the old constant it was last shown to equal */
} ta_side;

/* What is known of a tensor of the old graph. */
typedef struct ta_old {
  uint32_t equal;   /* the first tensor that is made in the same way of the same; itself, mostly */
  bool bound;       /* a variable that one of the new graph stands for */
  uint32_t readers; /* the newest operator that has it as its first varying input; see next_reader */
  uint32_t base;    /* it shows rows of that tensor: row r of base is row r + shift here */
  int64_t shift[TA_AXES];
  bool zero_padded;        /* what is not of the base is the base's zero */
  uint8_t finite;          /* a constant of floats: 0 not looked at yet, 1 all are finite, 2 not all */
  ta_span filled[TA_AXES]; /* everything outside is zero */
} ta_old;

typedef struct ta_proof {
  ta_region region; /* for one subgraph */
  ta_side old_side, new_side;
  ta_old *old;           /* one a tensor, and one more: the readers of nothing that varies */
  uint32_t *next_reader; /* one an operator of the old graph */
  uint32_t *stateful;    /* the old graph's operators that must keep their order */
  uint32_t n_stateful, next_stateful;
  uint32_t *queue; /* room for one entry a tensor of the old graph */
  bool embedded;   /* the old file is the end of the new one, `moved` bytes further back */
  uint64_t moved;
  uint64_t budget;                   /* bytes and candidates that may still be looked at */
  uint32_t subgraph, node, old_node; /* where the walk is; TA_NO_INDEX: nowhere in particular */
  const char *opaque; /* what was met at the operator that cannot be compared here; NULL: nothing */
  uint32_t depth;     /* how far the candidate that `out` tells of was like the operator */
  ta_same *out;
} ta_proof;

/* How far a candidate has got before it was found not to be the operator. */
enum { TA_NO_CANDIDATE, TA_OTHER_INPUT, TA_OTHER_OPTIONS, TA_OTHER_CONSTANT, TA_OTHER_ROWS };

/* Notes why there is no proof at the operator, unless something that got further is noted already. Always
 * false. */
bool ta_differ(ta_proof *proof, uint32_t depth, const char *format, ...);
/* Ends the search without an answer. Always false. */
bool ta_cannot_tell(ta_proof *proof, const char *format, ...);
/* Takes from the budget; false when it is used up. */
bool ta_spend(ta_proof *proof, uint64_t cost);

/* ---- same_content.c: tables and constants, by content ---- */

/* Finds the tables of the side's tensors. False: out of memory. */
bool ta_find_tensors(ta_proof *proof, ta_side *side);
/* Whether two tensors' scales, zero points and dimension are the same. */
bool ta_same_quantization(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old);
/* Whether the zero of its quantization is what PAD fills in and what convolutions skip. */
bool ta_has_plain_zero(const ta_side *side, uint32_t tensor);
/* Whether two constants have one type, shape, quantization and content. */
bool ta_same_constant(ta_proof *proof, const ta_side *side, uint32_t tensor, uint32_t old);
/* Whether two operators' options are the same, but for the slots in `but` (a bit each). */
bool ta_same_options(ta_proof *proof, const ta_side *side, const ta_node *node, const ta_node *old,
                     uint32_t but);
/* Whether two ranges of the two files hold the same bytes. */
bool ta_same_bytes(ta_proof *proof, const ta_side *side, uint64_t at, uint64_t old_at, uint64_t bytes);
/* The n values (n at most 8) of a constant of INT32 or INT64; false when it is no such constant. */
bool ta_constant_ints(const ta_side *side, int32_t tensor, uint32_t n, int64_t *out);
/* Whether an old constant of FLOAT32 has no infinity and no NaN. */
bool ta_is_finite(ta_proof *proof, uint32_t old);

/* ---- same_meaning.c ---- */

bool ta_can_cut(const ta_tensor *tensor);
/* How many rows (axis 0) or columns (axis 1) it has; 1 when it cannot be cut. */
int64_t ta_axis_extent(const ta_tensor *tensor, uint32_t axis);
ta_span ta_meet(ta_span a, ta_span b);
bool ta_span_equal(ta_span a, ta_span b);
bool ta_is_empty(const ta_meaning *meaning);
ta_meaning ta_whole_meaning(const ta_proof *proof, uint32_t old);
/* Whether it is all of its old tensor, and right everywhere. */
bool ta_is_whole(const ta_proof *proof, const ta_meaning *meaning);
/* What the tensor means as a part of old tensor `as`; false when it is none. */
bool ta_meaning_as(ta_proof *proof, const ta_side *side, int32_t tensor, uint32_t as, ta_meaning *out);
/* Gives the tensor a meaning, if its type, shape and quantization are those that a part of the old tensor
 * has. */
bool ta_give_meaning(ta_proof *proof, const ta_side *side, uint32_t tensor, const ta_meaning *meaning);
/* Whether an operator's input is the old one's: absent, the same constant, or all of the old tensor. */
bool ta_same_operand(ta_proof *proof, const ta_side *side, int32_t tensor, int32_t old);
/* Whether a tensor nobody makes is a value all the same. */
bool ta_is_value(const ta_tensor *tensor);
/* The first input that is there and no constant; TA_NO_INDEX: none. */
uint32_t ta_varying_input(const ta_side *side, const ta_node *node);

/* ---- same_move.c: SLICE, PAD, CONCATENATION as movers of rows ---- */

bool ta_explain_move(ta_proof *proof, const ta_node *node);
/* Finds out whether what old operator `node` makes shows rows of what it reads. */
void ta_find_view(ta_proof *proof, const ta_node *node);
/* The paddings of a PAD or PADV2 of a tensor of four dimensions: {before, after} of each. */
bool ta_paddings(const ta_side *side, const ta_node *node, int64_t out[8]);

/* ---- same_cut.c: an old operator on some of the rows ---- */

bool ta_explain_cut(ta_proof *proof, const ta_node *node, const ta_node *old);

/* ---- same_whole.c: an old operator as it is ---- */

bool ta_is_stateful(const ta_side *side, const ta_node *node);
bool ta_explain_whole(ta_proof *proof, const ta_side *side, const ta_node *node, const ta_node *old);

#endif

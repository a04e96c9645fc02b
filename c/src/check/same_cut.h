/* What the rules for operators on some of the rows share. */
#ifndef TA_CHECK_SAME_CUT_H
#define TA_CHECK_SAME_CUT_H

#include "check/same.h"
#include "model/flatbuf.h"

/* An operator of the new graph held against one of the old. A rule fills `out`, whose tensor is set, or says
 * what differs. */
typedef struct ta_same_cut {
  ta_proof *proof;
  const ta_node *node, *old;
  ta_flat flat, old_flat;
  ta_flat_table options, old_options; /* without fields where an operator has none */
  ta_meaning whole;                   /* the old operator's output */
  ta_meaning out;
  bool reference_only; /* with other kernels than the reference, the rows' places would count */
} ta_same_cut;

typedef bool ta_cut_rule(ta_same_cut *cut);

/* Notes what differs. Always false. */
bool ta_cut_differs(ta_same_cut *cut, uint32_t axis, const char *what);
const ta_tensor *ta_cut_old_tensor(const ta_same_cut *cut, uint32_t tensor);
/* Whether the options are the same but for the slots in `but`. */
bool ta_cut_options(ta_same_cut *cut, uint32_t but);
/* What the operator's input is of the old one's. */
bool ta_cut_input(ta_same_cut *cut, uint32_t i, ta_meaning *in);
/* Whether the operator's input is the old one's, whole. */
bool ta_cut_operand(ta_same_cut *cut, uint32_t i);

/* same_window.c */
ta_cut_rule ta_cut_convolution, ta_cut_pool, ta_cut_transposed;

#endif

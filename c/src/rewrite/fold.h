/* Folds a PAD into the convolution behind it, which then has padding SAME. */
#ifndef TA_REWRITE_FOLD_H
#define TA_REWRITE_FOLD_H

#include "rewrite/draft.h"

/* Removes each PAD of the draft that the padding SAME of all its readers stands for; folded[i] becomes true
 * for its node i. Returns how many there were. O(operators and their lists). */
uint32_t ta_fold(ta_draft *draft, bool *folded, ta_region *region);

#endif

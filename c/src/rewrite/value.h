/* What a window in strips would cost, counted from its operators; nothing is written. */
#ifndef TA_REWRITE_VALUE_H
#define TA_REWRITE_VALUE_H

#include "rewrite/costs.h"
#include "rewrite/emit.h"

typedef struct ta_value {
  uint64_t peak;      /* most live bytes while the window runs */
  int64_t tail, macs; /* what is kept for good, and multiply-accumulates, more than without strips */
  uint32_t ops;       /* operators that take the window's place */
} ta_value;

typedef struct ta_valuer {
  const ta_costs *costs;
  const ta_draft *base;
  ta_emitter emitter;
  ta_draft scratch;    /* the operators of the window being counted */
  int32_t *first;      /* of each tensor: the operator that makes it, -1: an input; base->n_ops: none */
  uint64_t *live;      /* of each operator of the base: live bytes while it runs */
  uint32_t *read_last; /* of each tensor: by which operator of `scratch` */
  uint64_t peak;       /* most live bytes of the base */
} ta_valuer;

/* Memory from `region`. False: none. */
bool ta_valuer_init(ta_valuer *valuer, const ta_costs *costs, const ta_draft *base, const ta_cut *cuts,
                    ta_region *region);

/* Bytes that are alive through the window, and those of its inputs that die in it. */
typedef struct ta_around {
  uint64_t through, dying;
} ta_around;
ta_around ta_value_around(const ta_valuer *valuer, uint32_t first, uint32_t last);

/* Counts. False: the window is refused, or there is no memory (valuer->scratch.failed). */
bool ta_value_window(ta_valuer *valuer, const ta_window_choice *choice, const ta_around *around,
                     ta_value *out);

#endif

/* The state of a shrink, for the files that share it. */
#ifndef TA_REWRITE_SHRINK_H
#define TA_REWRITE_SHRINK_H

#include "graph/problem.h"
#include "rewrite/attempt.h"
#include "rewrite/choose.h"
#include "rewrite/order.h"

typedef enum ta_shrink_stage {
  TA_STAGE_ORDER,
  TA_STAGE_SEARCH, /* for windows */
  TA_STAGE_WRITE,  /* attempts, the largest change first */
  TA_STAGE_DONE
} ta_shrink_stage;

/* One way to rewrite the model. */
typedef struct ta_way {
  ta_draft draft;
  ta_candidate *windows; /* in strips */
  uint32_t n_windows;
  uint64_t extra_macs;
} ta_way;

/* Strips; strips again where the arena was not what was counted; no strips; nothing but a plan. */
enum { TA_SHRINK_MOST_WAYS = 8 };

struct ta_shrink {
  ta_region region;
  const ta_model *model;
  ta_shrink_options options;
  ta_shrink_stage stage;
  bool hurried;
  ta_costs costs;
  ta_order_search order;
  bool *folded; /* of each node */
  uint32_t n_folded;

  ta_draft base; /* reordered and folded */
  ta_cut *cuts;
  ta_valuer valuer;
  const char *windows_text; /* those given by hand */
  bool searching;
  ta_chooser chooser;
  const ta_candidate *taken;
  uint32_t n_taken;

  ta_way ways[TA_SHRINK_MOST_WAYS]; /* what is tried, one after the other */
  uint32_t n_ways, next_way;
  bool listed; /* all ways are there */
  ta_attempt attempt, best;
  uint32_t best_way; /* TA_NO_INDEX: none gains anything */
  ta_size before;

  ta_missing *missing; /* operators whose bookkeeping is not known */
  uint32_t n_missing;
  ta_problems problems;
  ta_text report;
};

/* Bytes that the added operators of the best way write in a run. */
uint64_t ta_copied_bytes(const ta_shrink *shrink);

#endif

/* The state of a shrink, for the files that share it. */
#ifndef TA_REWRITE_SHRINK_H
#define TA_REWRITE_SHRINK_H

#include "graph/problem.h"
#include "rewrite/attempt.h"
#include "rewrite/choose.h"

typedef enum ta_shrink_stage {
  TA_STAGE_ORDER,
  TA_STAGE_SEARCH, /* for windows */
  TA_STAGE_WRITE,  /* attempts, the largest change first */
  TA_STAGE_DONE
} ta_shrink_stage;

struct ta_shrink {
  ta_region region;
  const ta_model *model;
  ta_shrink_options options;
  ta_shrink_stage stage;
  bool hurried;
  ta_costs costs;
  uint64_t peak_in_file; /* of live bytes, in the file's order */
  uint64_t peak_ordered;
  bool order_changed, order_proved;
  bool *folded; /* of each node */
  uint32_t n_folded;

  ta_draft base; /* reordered and folded */
  ta_cut *cuts;
  ta_valuer valuer;
  const char *windows_text; /* those given by hand */
  bool searching;
  ta_chooser chooser;
  ta_candidate *taken;
  uint32_t n_taken;

  ta_draft drafts[3]; /* what is tried, one after the other */
  uint32_t n_drafts, next_draft;
  bool has_strips; /* the first draft has */
  ta_attempt attempt, best;
  uint32_t best_draft; /* TA_NO_INDEX: none gains anything */
  ta_size before;

  ta_problems problems;
  ta_text report;
};

/* Bytes that the added operators of the best draft write in a run. */
uint64_t ta_copied_bytes(const ta_shrink *shrink);

#endif

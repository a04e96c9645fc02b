/* Chooses windows: tries those that stand where the peak is in many ways, then picks the set of windows with
 * the least sum of peak and bookkeeping. An evaluation counts as a node; where the slices are cut changes
 * nothing. */
#ifndef TA_REWRITE_CHOOSE_H
#define TA_REWRITE_CHOOSE_H

#include "rewrite/value.h"

typedef struct ta_candidate {
  ta_window_choice choice;
  ta_value value;
} ta_candidate;

typedef struct ta_candidates {
  ta_region *region;
  ta_candidate *at;
  uint32_t n, capacity;
} ta_candidates;

/* Adds one, unless the list has one of its window that is as good in peak, tail and multiply-accumulates;
 * takes out those that it makes superfluous. The candidates from `first` on are those of its window. False:
 * no memory. */
bool ta_candidates_add(ta_candidates *list, uint32_t first, const ta_candidate *candidate);

typedef enum ta_choose_stage {
  TA_CHOOSE_TRY,
  TA_CHOOSE_SELECT,
  TA_CHOOSE_IMPROVE,
  TA_CHOOSE_DONE
} ta_choose_stage;

/* The windows that are tried, one after the other, in each number of strips. All windows are looked at twice:
 * the first time only for what no cut of them can get below, and with that for what the whole model cannot.
 */
typedef struct ta_tries {
  bool bounded;
  uint64_t *reachable; /* of each operator: the least live bytes that any window in strips may have there */
  uint64_t bound;      /* the greatest of them: where the bytes come to no more, nothing is gained */
  uint32_t first, last, most_strips;
  uint32_t strips;     /* which number of the list is next */
  uint32_t without;    /* how many in a row have not been better */
  uint32_t candidates; /* where those of this window begin */
  bool open, columns;
  uint64_t own_peak, exact; /* of the window as it is; the marks of all that can be exact */
  uint64_t best;            /* least peak + tail */
  ta_around around;
} ta_tries;

/* A window that was chosen, while its marks and its number of strips are changed: from several starts, one
 * mark after the other. */
typedef struct ta_improving {
  uint32_t round, window;
  uint32_t start;      /* which of the starts */
  uint32_t pass, mark; /* of the marks: exact of each operator, then trim */
  bool changed, open, started;
  ta_candidate chosen, best; /* what came of the first start; of this one */
  uint64_t least;            /* what the best one costs; TA_NO_OFFSET: none of this start may be taken */
  ta_window_choice from;     /* whose marks are being changed */
  int64_t most_macs;         /* that the window may add beside the others */
  uint64_t own_peak;
  ta_around around;
} ta_improving;

typedef struct ta_chooser {
  ta_valuer *valuer;
  uint64_t most_macs; /* that strips may add */
  uint64_t
      most_cost; /* as few multiply-accumulates as reach this peak + tail; TA_NO_OFFSET: least peak + tail */
  ta_choose_stage stage;
  ta_candidates candidates;
  ta_tries tries;
  ta_improving improving;
  ta_candidate *chosen; /* ascending windows */
  uint32_t n_chosen;
  uint64_t cost; /* of the chosen ones: greatest live bytes, and what the tail grows by */
  uint64_t nodes, most_nodes;
} ta_chooser;

/* `most_nodes` evaluations at most. False: no memory. */
bool ta_chooser_init(ta_chooser *chooser, ta_valuer *valuer, uint64_t most_macs, uint64_t most_nodes,
                     ta_region *region);

/* Spends at most `max_nodes`; the stage says when it is done. False: no memory. */
bool ta_chooser_step(ta_chooser *chooser, uint64_t max_nodes);

/* Picks the best set of the candidates there are. False: no memory. */
bool ta_select(ta_chooser *chooser);

#endif

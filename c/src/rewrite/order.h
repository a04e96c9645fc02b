/* The order of a model's operators with the least peak of live bytes. */
#ifndef TA_REWRITE_ORDER_H
#define TA_REWRITE_ORDER_H

#include "rewrite/costs.h"
#include "solve/nogoods.h"

/* What a test whether some order stays within a bound may spend: sets, and operators looked at for them by
 * the dozen. */
#define TA_ORDER_NODES UINT64_C(200000)

/* A set of operators that has been executed, from which all ways to go on are being tried. */
typedef struct ta_order_state {
  uint32_t executed; /* how many operators of the sequence led here */
  uint32_t choices,
      next; /* of the list: the operators to go on with, from here to `next`; the one being tried */
  uint32_t end;
  uint64_t needs; /* no way on from here stays below this many bytes, as far as is known */
} ta_order_state;

typedef struct ta_order_search {
  const ta_costs *costs;
  uint32_t n; /* operators */
  /* Fixed: which operators wait for which, and what they read and make. */
  uint32_t *waiting_of, *waiting; /* operators that wait for operator i: waiting[waiting_of[i]] .. */
  uint32_t *lists_of; /* operator i's tensors begin here: those it reads, each once, then those it makes */
  uint32_t *n_reads;
  int32_t *lists;
  uint64_t (*keys)[2]; /* of each operator, for the sets */

  /* The set at hand. */
  uint32_t *blocked;          /* how many each operator still waits for */
  uint32_t *readers;          /* of each tensor: how many still read it */
  bool *leaves;               /* of each tensor: it is an output of the model */
  uint32_t *ready, *ready_at; /* a list, and where in it an operator stands */
  uint32_t n_ready;
  uint32_t *sequence;
  uint32_t n_executed;
  uint64_t live, key[2];

  /* The test at hand: is there an order within `bound`? */
  uint64_t bound, nodes;
  ta_order_state *states;
  uint32_t n_states;
  uint32_t *choices;
  uint32_t n_choices, most_choices;
  ta_nogoods failed;
  bool testing;

  uint64_t bottom;          /* no order needs less than this, unless a test ran out of nodes */
  uint64_t peak, file_peak; /* of the best order; of the file's */
  uint32_t *best;           /* operators in the best order */
  bool searching, gave_up, changed, proved;
} ta_order_search;

/* Memory from `region`. False: none. A model whose order must stay is done at once: searching is false. */
bool ta_order_init(ta_order_search *order, const ta_costs *costs, ta_region *region);

/* Spends at most `max_nodes`; order->searching says whether it is to be called again. */
void ta_order_step(ta_order_search *order, uint64_t max_nodes);

#endif

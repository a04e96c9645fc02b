/* Static allocation: given buffers with sizes and lives, offsets of least height. Knows nothing of models.
 * The caller gives items; the solver gives offsets, a lower bound and whether the two meet. */
#ifndef TA_SOLVE_SOLVE_H
#define TA_SOLVE_SOLVE_H

#include <stdbool.h>

#include "base/region.h"
#include "tensor_arena.h"

typedef struct ta_item {
  uint64_t bytes;      /* 0 is legal: placed at 0, in nobody's way */
  uint64_t alignment;  /* offset must be a multiple; 1 or more, any integer */
  uint64_t fixed;      /* the offset it must have, or TA_NO_OFFSET */
  int32_t first, last; /* both included */
} ta_item;

/* Largest number of live bytes over the steps, alignment taken into account: no plan of these lives is
 * smaller. With one alignment A: max over steps of sum(roundup(bytes, A)) - the largest padding among them.
 * In general the greatest common divisor of the live alignments stands for A. Also at least the end of every
 * fixed item. *peak_step and *peak_live: first step with the most (unrounded) live bytes. O(n log n). Errors:
 * LIMIT, MEMORY. */
ta_status ta_live_bound(const ta_allocator *allocator, const ta_item *items, uint32_t n, uint64_t *bound,
                        int32_t *peak_step, uint64_t *peak_live, ta_error *error);

/* The search's rules. Each only saves work: with any of them off the answer is the same. */
typedef enum ta_rule {
  TA_RULE_DECOMPOSE = 1 << 0, /* parts that no unplaced item joins are solved one by one */
  TA_RULE_NOGOODS = 1 << 1,   /* states that have failed are remembered with the height they need */
  TA_RULE_BACKJUMP = 1 << 2,  /* choices that had no part in a failure are not tried anew */
  TA_RULE_SYMMETRY = 1 << 3,  /* identical items go in the order of their indices */
  TA_RULE_DOMINANCE = 1 << 4, /* no hole is left into which an item that could lie there would fit */
  TA_RULE_SUPPORT = 1 << 5,   /* an item that is not placed now will lie on another */

  TA_RULE_DEEPEN = 1 << 6, /* some searches start at the lower bound and relax it */
  TA_RULES_ALL = (1 << 7) - 1
} ta_rule;

typedef struct ta_solver ta_solver;

typedef struct ta_solver_options {
  uint64_t capacity; /* decide whether a plan of this many bytes exists; TA_NO_OFFSET: find the smallest */
  uint32_t rules;    /* ta_rule bits */
} ta_solver_options;

typedef enum ta_answer {
  TA_ANSWER_OPEN = 0,
  TA_ANSWER_FITS = 1,  /* the plan's height is at most the capacity */
  TA_ANSWER_NO_FIT = 2 /* proved: the bound is larger than the capacity */
} ta_answer;

/* The state of the answer. `offsets` stay the solver's and change with each step. */
typedef struct ta_solution {
  const uint64_t *offsets; /* one an item; items without bytes or life: their fixed place, or 0 */
  uint64_t height;         /* of this plan: the largest end */
  uint64_t bound;          /* no plan is lower */
  uint64_t nodes;          /* spent so far */
  bool ended;              /* nothing is left to search: the height equals the bound, or the answer is known,
                              or the lists are too long for the exact search */
  ta_answer answer;        /* of the question whether `capacity` is enough */
} ta_solution;

/* Copies the items. Finds a plan by the heuristics at once, and the live-bytes bound: O(n log n) where lives
 * are local. The caller has made sure of the items: sizes, alignments and fixed places are at most
 * TA_MAX_BYTES, a fixed place is a multiple of its alignment, and no two fixed items share bytes while both
 * live. Errors: LIMIT (a plan may pass TA_MAX_BYTES), MEMORY. `options` may be NULL: the smallest plan, all
 * rules. */
ta_status ta_solver_new(const ta_allocator *allocator, const ta_item *items, uint32_t n,
                        const ta_solver_options *options, ta_solver **out, ta_error *error);

/* Takes another's plan, offsets one an item, where it is lower than the solver's own. The caller has made
 * sure that it is sound. */
void ta_solver_offer(ta_solver *solver, const uint64_t *offsets);

/* Spends at most `max_nodes` search nodes. Where the slices are cut changes nothing. Errors: MEMORY; the
 * best plan stays, and the step may be repeated. */
ta_status ta_solver_step(ta_solver *solver, uint64_t max_nodes, bool *done, ta_error *error);

void ta_solver_solution(const ta_solver *solver, ta_solution *out);
void ta_solver_free(ta_solver *solver);

#endif

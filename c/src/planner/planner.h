/* The interface between the public planner calls and the files that implement a runtime or a planner.
 * planner.c owns the struct, checks arguments and state, finds the row, and keeps the marks; a row's
 * functions do the work. Adding a planner: its file, its row in table.c, its tests. */
#ifndef TA_PLANNER_PLANNER_H
#define TA_PLANNER_PLANNER_H

#include "base/words.h"
#include "graph/ethos_u.h"
#include "graph/graph.h"

/* What a runtime decides: which buffers, how long they live, how they are aligned. */
typedef struct ta_runtime {
  uint32_t id; /* ta_runtime_id */

  /* Makes planner->buffers (bytes, kind, type, subgraph, index; no lives) and n_steps, timeline. */
  ta_status (*make_buffers)(ta_planner *planner, ta_error *error);
  /* Fills first, last, shares, arena and in_plan of every buffer from the structure (plan). Idempotent. */
  ta_status (*make_lives)(ta_planner *planner, ta_error *error);
  /* Brings arena, in_plan, shares and lives up to date with the present bytes and types. Called before a
   * whole graph is placed by linear or optimal, and before a report. */
  ta_status (*refresh_lives)(ta_planner *planner, ta_error *error);
  /* Fills the same fields of `buffers` (as many as the planner's, with the same bytes and types) as they are
   * where only those share bytes that lose none by it: what plans of any planner are measured against. NULL:
   * as the planner's own are. */
  void (*set_sound_lives)(const ta_planner *planner, ta_buffer *buffers);
  /* A buffer's bytes or type have just been changed by resize or retype. NULL: nothing to do. */
  ta_status (*changed)(ta_planner *planner, uint32_t buffer, ta_error *error);
  /* LIMIT where the runtime cannot hold the end of the buffer's place. NULL: it can hold any. */
  ta_status (*check_end)(const ta_buffer *buffer, uint64_t end, ta_error *error);
} ta_runtime;

/* What a planner decides: where the buffers go. */
typedef struct ta_planner_kind {
  uint32_t id;      /* ta_planner_id */
  const char *turn; /* whose turn it is to be placed, in words: "largest first"; NULL: placed by a search */
  ta_status (*execute)(ta_planner *planner, int32_t first, int32_t last, ta_error *error);
  ta_status (*reset)(ta_planner *planner, ta_error *error);
  ta_status (*reset_after)(ta_planner *planner, int32_t node, ta_error *error); /* NULL: unsupported */
  ta_status (*release)(ta_planner *planner, ta_error *error);                   /* NULL: unsupported */
  ta_status (*acquire)(ta_planner *planner, ta_error *error);
  /* One slice of a resumable search. NULL: execute does it all. */
  ta_status (*solve)(ta_planner *planner, uint64_t max_nodes, bool *done, ta_error *error);
  /* Gives back what the planner holds outside the planner's region. NULL: nothing. */
  void (*dispose)(ta_planner *planner);
} ta_planner_kind;

/* What planner.c has done before it calls a planner: plan has run; execute's range is clamped to the steps,
 * not empty, and the runtime's lives are fresh when it covers them all; reset clears places and marks after
 * the planner's own reset; reset_after's node is -1 or more. A change of bytes or type clears them too, but
 * for the planners that take partial ranges. */

struct ta_planner {
  ta_region region; /* all the planner's memory, this struct too */
  ta_allocator allocator;
  const ta_model *model;      /* borrowed */
  ta_planner_options options; /* with every default filled in */
  const ta_runtime *runtime;
  const ta_runtime_traits *traits; /* the runtime's columns */
  const ta_planner_kind *kind;

  ta_buffer *buffers;
  uint32_t n_buffers;
  uint32_t n_tensors;      /* the first n_tensors buffers are tensors */
  const ta_step *timeline; /* n_steps entries; NULL for rows */
  int32_t n_steps;
  uint32_t *turns; /* by buffer: when it was placed, counted from 1; 0: it has no place, or not by turns */
  uint32_t n_turns;
  uint64_t *placed_bytes; /* by buffer, of planners that take partial ranges: what it was placed with, or 0 */

  bool planned;        /* plan has run */
  int32_t executed_to; /* nodes 0 to this one have been executed since the last reset, in order; -1: none */
  bool proved;         /* optimal: the search closed the gap */
  bool unsound;        /* bytes are lost that are needed, or a place breaks a rule; problems say which */
  ta_overlap overlap;  /* tflm: what it means that an offline plan lays live buffers over each other */
  uint64_t arena_bytes, persistent_bytes; /* high-water marks */
  uint64_t bound_bytes;                   /* optimal: the best bound the search proved; 0 otherwise */
  uint64_t search_nodes;
  bool search_ended;
  uint64_t better_bytes; /* what ta_better_measure found for a list's own plan; 0: it has not looked */
  uint64_t *given;       /* by buffer: the place that ta_planner_fix gave, or TA_NO_OFFSET; NULL: none */

  ta_problems problems; /* found while planning; the model has its own */
  void *runtime_state;  /* the runtime row's own */
  void *kind_state;     /* the planner row's own */
  ta_text report_text;  /* what ta_planner_report last wrote */
};

/* The table (table.c). NULL when there is no such row. */
const ta_runtime *ta_runtime_find(uint32_t id);
/* OWN differs by runtime; LINEAR and OPTIMAL are one row each for all. */
const ta_planner_kind *ta_planner_kind_find(uint32_t planner, uint32_t runtime);

/* Whether execute's range is the whole graph; linear and optimal take no other. */
bool ta_covers_all_steps(const ta_planner *planner, int32_t first, int32_t last);

/* Whether every node has been executed since the last reset: half a plan is none. */
bool ta_executed_whole(const ta_planner *planner);

/* UNSUPPORTED, for a range that does not. */
ta_status ta_fail_partial_range(const ta_planner *planner, ta_error *error);

/* The alignment that the buffer's offset must have: the row's own, else the planner's. */
uint64_t ta_planned_alignment(const ta_planner *planner, const ta_buffer *buffer);

/* Whether the buffer takes bytes of its own in the rw arena (one that shares takes none). */
static inline bool ta_takes_rw_bytes(const ta_buffer *buffer) {
  return buffer->in_plan && buffer->arena == TA_ARENA_RW_PLACE && buffer->shares == TA_NO_INDEX;
}

/* The buffer has been given its place now. */
static inline void ta_take_turn(ta_planner *planner, uint32_t buffer) {
  planner->turns[buffer] = ++planner->n_turns;
}

#endif

/* Which live buffers may share bytes on purpose. Arm's Vela compiles operators into one `ethos-u`, whose
 * command stream says what it touches when, and lays the tensors around it into the memory that it lends: its
 * scratch tensors, which nobody else writes or reads, cover the whole arena. */
#ifndef TA_GRAPH_ETHOS_U_H
#define TA_GRAPH_ETHOS_U_H

#include "base/error.h"
#include "graph/graph.h"

/* What it means that two buffers share bytes while both live, the best first. */
typedef enum ta_overlap {
  TA_OVERLAP_NONE = 0,
  TA_OVERLAP_ON_PURPOSE = 1, /* the one is an ethos-u's to use when the other is not needed */
  TA_OVERLAP_UNDECIDED = 2,  /* only the command stream knows whether it leaves the other's bytes alone */
  TA_OVERLAP_FAULT = 3       /* one overwrites the other */
} ta_overlap;

typedef enum ta_standing {
  TA_STANDING_ASIDE = 0, /* lives only while no ethos-u runs, but for those that have it as an operand */
  TA_STANDING_ACROSS,    /* lives while an ethos-u runs that does not have it as an operand */
  TA_STANDING_REGION     /* an ethos-u's scratch memory */
} ta_standing;

/* A buffer of a run, and how it stands to the ethos-u operators. */
typedef struct ta_party {
  uint32_t subgraph, tensor; /* tensor TA_NO_INDEX: a scratch buffer of TFLM's, no tensor */
  int32_t first, last;       /* its life in steps */
  uint8_t standing;          /* filled: a ta_standing */
  bool taken_last;           /* filled: an ethos-u takes it as an operand in the last step of its life */
} ta_party;

/* Fills in how the parties stand in a run of `n_steps` steps. O(parties + tensors + listings over the steps).
 * Errors: MEMORY. */
ta_status ta_find_standings(const ta_model *model, const ta_step *timeline, uint32_t n_steps,
                            ta_party *parties, uint32_t n, const ta_allocator *allocator, ta_error *error);

/* What it means that these two share bytes during some step of both lives. O(1). */
ta_overlap ta_overlap_of(const ta_party *a, const ta_party *b);

/* The last step in which others must keep off the party's bytes: what an ethos-u takes for the last time it
 * may overwrite with what it gives in that step. */
int32_t ta_party_kept_until(const ta_party *party);

#endif

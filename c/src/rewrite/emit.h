/* Cuts a window of operators into strips: the operators of all strips, and what joins them, behind a draft's.
 */
#ifndef TA_REWRITE_EMIT_H
#define TA_REWRITE_EMIT_H

#include "rewrite/cut.h"

#define TA_WINDOW_MOST_OPS     64u
#define TA_WINDOW_MOST_OUTPUTS 3u
#define TA_WINDOW_MOST_STRIPS  1024u

/* Operators first..last of the base draft, in strips. Bit k of the marks is about operator first + k:
 * `exact`, it gets and gives exactly the rows that are needed; `trim`, its output is cut to them. */
typedef struct ta_window_choice {
  uint32_t first, last, strips;
  bool columns; /* cut along W, because every output has one row */
  uint64_t exact, trim;
} ta_window_choice;

/* What the emitter knows of a tensor while it works on a window. */
typedef struct ta_held {
  ta_range need[2];
  ta_held_range at[2]; /* of axis 0 and 1 */
  int32_t reference;   /* in the draft; -1: not made yet in this strip */
  int32_t slice_point; /* the tensor whose SLICE decides where this strip of it begins; -1: none */
  uint8_t grown[2];    /* how far the range of its own SLICE has been grown */
  bool needed;
} ta_held;

typedef struct ta_emitter {
  const ta_draft *base;    /* has no pieces */
  const ta_cut *cuts;      /* of each operator of the base */
  const int32_t *last;     /* of each tensor: the last operator that reads it; INT32_MAX: a model output */
  ta_held *held;           /* of each tensor */
  const int32_t *producer; /* of each tensor: the operator of the base, or -1 */

  /* The window at hand. */
  ta_window_choice choice;
  ta_draft *to;
  uint32_t n_outputs;
  int32_t outputs[TA_WINDOW_MOST_OUTPUTS];
  uint64_t exact_here; /* the choice's, and those that could not be aligned in this strip */
  int32_t parts[TA_WINDOW_MOST_OUTPUTS][TA_WINDOW_MOST_STRIPS];
} ta_emitter;

/* Memory from `region`. `cuts`: one for each of the base's operators. False: none. */
bool ta_emitter_init(ta_emitter *emitter, const ta_draft *base, const ta_cut *cuts, ta_region *region);

/* Whether operators first..last may be a window at all, and which tensors come out of it (at most `most` are
 * listed). *columns: it is cut along W. *most_strips: the least length of the outputs. False: it may not. */
bool ta_window_read(ta_emitter *emitter, uint32_t first, uint32_t last, bool *columns, uint32_t *most_strips);

/* Puts the strips' operators behind `to`. False: refused, `to` is as before (or has failed for want of
 * memory). */
bool ta_emit_window(ta_emitter *emitter, const ta_window_choice *choice, ta_draft *to);

#endif

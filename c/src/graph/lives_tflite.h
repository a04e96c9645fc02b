/* When each tensor of a subgraph must have its place, and whose bytes it may use, under the planner of
 * today's LiteRT (TensorFlow Lite). */
#ifndef TA_GRAPH_LIVES_TFLITE_H
#define TA_GRAPH_LIVES_TFLITE_H

#include "base/error.h"
#include "graph/by_step.h"
#include "graph/inplace.h"

typedef struct ta_lives_tflite {
  uint32_t n_steps; /* the nodes; 1 when there are none, for the graph inputs */
  int32_t *first;   /* by tensor: its first writer, 0 for graph inputs and variables; -1: none */
  int32_t *last;    /* its last reader, or TA_TO_THE_END; a root's covers its sharers'. -1 with first */
  int32_t *alone;   /* the same without its sharers */
  int32_t *reader;  /* the first node that reads it, or -1 */
  int32_t *writer;  /* the last node that writes it, or -1 */
  uint32_t *root;   /* the tensor whose bytes it uses (in-place sharing), or TA_NO_INDEX */
  ta_by_step born;  /* tensors by first */
  ta_uses uses;
} ta_lives_tflite;

/* The same where nothing is shared that loses a byte, and a life covers every write, too. */
typedef struct ta_sound_lives {
  int32_t *last;
  uint32_t *root;
  int32_t *until; /* working space */
} ta_sound_lives;

/* Lives need the structure only; sharing also looks at `buffers`' bytes and types as they are now. All memory
 * is the region's. O(tensors + listings). Errors: INDEX (-1 among temporaries or variables), MEMORY. */
ta_status ta_lives_tflite_make(const ta_subgraph *graph, uint32_t subgraph, const ta_buffer *buffers,
                               bool preserve_all, ta_region *region, ta_lives_tflite *out, ta_error *error);

/* Room for n tensors. Errors: MEMORY. */
ta_status ta_sound_lives_take(uint32_t n, ta_region *region, ta_sound_lives *out, ta_error *error);

/* Works them out for the present bytes and types. O(tensors + listings). */
void ta_sound_lives_make(const ta_subgraph *graph, const ta_lives_tflite *lives, const ta_buffer *buffers,
                         bool preserve_all, ta_sound_lives *out);

#endif

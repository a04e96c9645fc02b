/* Made-up graphs of any size for measuring planners: the same five that the original planners were run on. */
#ifndef TESTS_BENCH_SYNTHETIC_GRAPHS_H
#define TESTS_BENCH_SYNTHETIC_GRAPHS_H

#include <stddef.h>
#include <stdint.h>

typedef enum synthetic_kind {
  SYNTHETIC_CHAIN,     /* each node reads the one before */
  SYNTHETIC_RESIDUAL,  /* blocks of three with a skip connection */
  SYNTHETIC_INCEPTION, /* four branches of different lengths, joined */
  SYNTHETIC_DAGLOCAL,  /* up to two more inputs from the last 64 tensors */
  SYNTHETIC_DAG        /* up to two more inputs from anywhere: a quarter of all tensors live at once */
} synthetic_kind;

enum { SYNTHETIC_KINDS = 5 };

const char *synthetic_name(synthetic_kind kind);

/* The packed graph block (tensor_arena.h) of the kind with about `nodes` nodes, to be freed with free(). NULL
 * when there is no memory. */
void *synthetic_block(synthetic_kind kind, uint32_t nodes, size_t *len);

#endif

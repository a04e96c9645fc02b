/* Writes one synthetic graph as a packed block to standard output:  graph_block KIND NODES
 * (chain, residual, inception, daglocal, dag): what the benchmark of the wasm build plans. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/support/synthetic_graphs.h"

int main(int argc, char **argv) {
  int kind = 0;
  while (argc == 3 && kind < SYNTHETIC_KINDS && strcmp(argv[1], synthetic_name((synthetic_kind)kind)) != 0)
    kind++;
  if (argc != 3 || kind == SYNTHETIC_KINDS) {
    fputs("usage: graph_block chain|residual|inception|daglocal|dag NODES\n", stderr);
    return 2;
  }
  size_t length = 0;
  void *block = synthetic_block((synthetic_kind)kind, (uint32_t)strtoul(argv[2], NULL, 10), &length);
  if (block == NULL) return 5;
  int failed = fwrite(block, 1, length, stdout) != length || fflush(stdout) != 0;
  free(block);
  return failed ? 5 : 0;
}

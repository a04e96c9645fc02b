/* Searches for the smallest plan of a buffer list (or model) and prints each better plan and bound as it is
 * found:
 *
 *   solve FILE [nodes [budget]]          (2000000 nodes; without a budget the smallest arena)
 *
 * Tab-separated: arena bytes, bound, search nodes, milliseconds of processor time. The last line is the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tensor_arena.h"

enum { SLICE = 10000 };

static void stop_on(ta_status status, const ta_error *error) {
  if (status == TA_OK) return;
  fprintf(stderr, "solve: %s: %s\n", ta_status_name((int32_t)status), error->text);
  exit(1);
}

static void *read_file(const char *path, size_t *len) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
  long end = ftell(file);
  rewind(file);
  void *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
  *len = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
  fclose(file);
  return bytes;
}

static void print(const ta_summary *summary, clock_t start) {
  double ms = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;
  printf("%llu\t%llu\t%llu\t%.1f\n", (unsigned long long)summary->arena_bytes,
         (unsigned long long)summary->lower_bound_bytes, (unsigned long long)summary->search_nodes, ms);
  fflush(stdout);
}

int main(int argc, char **argv) {
  size_t len = 0;
  void *bytes = argc > 1 ? read_file(argv[1], &len) : NULL;
  if (!bytes) {
    fprintf(stderr, "usage: solve FILE [nodes [budget]]\n");
    return 2;
  }
  uint64_t left = argc > 2 ? strtoull(argv[2], NULL, 10) : TA_DEFAULT_NODES;
  ta_error error;
  ta_model *model;
  ta_planner *planner;
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.planner = TA_PLANNER_OPTIMAL;
  if (argc > 3) options.budget_bytes = strtoull(argv[3], NULL, 10);
  stop_on(ta_model_open(NULL, bytes, len, argv[1], &model, &error), &error);
  stop_on(ta_planner_new(NULL, model, &options, &planner, &error), &error);
  ta_summary best = {0}, now;
  clock_t start = clock();
  for (uint32_t done = 0; !done && left > 0;) {
    uint64_t slice = left < SLICE ? left : SLICE;
    stop_on(ta_planner_solve(planner, slice, &done, &error), &error);
    stop_on(ta_planner_summary(planner, &now, &error), &error);
    left -= slice;
    if (now.arena_bytes != best.arena_bytes || now.lower_bound_bytes != best.lower_bound_bytes)
      print(&now, start);
    best = now;
  }
  print(&best, start);
  ta_planner_free(planner);
  ta_model_free(model);
  free(bytes);
  return 0;
}

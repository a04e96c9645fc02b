/* Plans the synthetic graphs and prints, for each runtime, kind and size, the median CPU time of plan and of
 * execute, the growth from the size before (a tenth of the nodes), and the arena's bytes:
 *
 *   synthetic [most nodes [runs]]        (100000, 5)
 *
 * One line a measurement, tab-separated: runtime, kind, nodes, "whole" or "steps", plan ms, execute ms,
 * growth of execute, arena bytes. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/support/synthetic_graphs.h"
#include "tensor_arena.h"

enum { MOST_RUNS = 101 };

typedef struct measurement {
  double plan_ms, execute_ms;
  uint64_t arena_bytes;
} measurement;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void stop_on(ta_status status, const ta_error *error) {
  if (status == TA_OK) return;
  fprintf(stderr, "synthetic: %s: %s\n", ta_status_name((int32_t)status), error->text);
  exit(1);
}

static void run_once(const ta_model *model, ta_runtime_id runtime, int32_t nodes, bool stepwise,
                     measurement *out) {
  ta_error error;
  ta_planner *planner;
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = runtime;
  stop_on(ta_planner_new(NULL, model, &options, &planner, &error), &error);
  double start = now_ms();
  stop_on(ta_planner_plan(planner, &error), &error);
  double planned = now_ms();
  for (int32_t k = 0; stepwise && k < nodes; k++) stop_on(ta_planner_execute(planner, k, k, &error), &error);
  if (!stepwise) stop_on(ta_planner_execute(planner, 0, nodes - 1, &error), &error);
  double executed = now_ms();
  ta_summary summary;
  stop_on(ta_planner_summary(planner, &summary, &error), &error);
  *out = (measurement){planned - start, executed - planned, summary.arena_bytes};
  ta_planner_free(planner);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of `runs` runs after one that is not counted. */
static measurement measure(const ta_model *model, ta_runtime_id runtime, int32_t nodes, bool stepwise,
                           int runs) {
  double plan_ms[MOST_RUNS], execute_ms[MOST_RUNS];
  measurement run;
  run_once(model, runtime, nodes, stepwise, &run);
  for (int i = 0; i < runs; i++) {
    run_once(model, runtime, nodes, stepwise, &run);
    plan_ms[i] = run.plan_ms;
    execute_ms[i] = run.execute_ms;
  }
  qsort(plan_ms, (size_t)runs, sizeof plan_ms[0], ascending);
  qsort(execute_ms, (size_t)runs, sizeof execute_ms[0], ascending);
  return (measurement){plan_ms[runs / 2], execute_ms[runs / 2], run.arena_bytes};
}

static void bench(ta_runtime_id runtime, const char *name, synthetic_kind kind, uint32_t most, int runs) {
  double before[2] = {0, 0};
  for (uint32_t nodes = 1000; nodes <= most; nodes *= 10) {
    size_t len;
    ta_error error;
    ta_model *model;
    void *block = synthetic_block(kind, nodes, &len);
    if (!block) stop_on(TA_E_MEMORY, &(ta_error){.text = "no memory for the graph"});
    stop_on(ta_model_open(NULL, block, len, synthetic_name(kind), &model, &error), &error);
    for (int stepwise = 0; stepwise < 2; stepwise++) {
      measurement m = measure(model, runtime, (int32_t)nodes, stepwise, runs);
      printf("%s\t%s\t%u\t%s\t%.3f\t%.3f\t", name, synthetic_name(kind), nodes, stepwise ? "steps" : "whole",
             m.plan_ms, m.execute_ms);
      if (before[stepwise] > 0) printf("x%.1f", m.execute_ms / before[stepwise]);
      printf("\t%llu\n", (unsigned long long)m.arena_bytes);
      fflush(stdout);
      before[stepwise] = m.execute_ms;
    }
    ta_model_free(model);
    free(block);
  }
}

int main(int argc, char **argv) {
  uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  int runs = argc > 2 ? atoi(argv[2]) : 5;
  if (runs < 1 || runs > MOST_RUNS) {
    fprintf(stderr, "synthetic: runs are 1 to %d\n", MOST_RUNS);
    return 2;
  }
  for (int kind = 0; kind < SYNTHETIC_KINDS; kind++) {
    bench(TA_RUNTIME_TFLITE_2018, "tflite-2018", (synthetic_kind)kind, most, runs);
    bench(TA_RUNTIME_TFLITE, "tflite", (synthetic_kind)kind, most, runs);
  }
  return 0;
}

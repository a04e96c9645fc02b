/* Memory runs out everywhere: each public call is tried with every limit from nothing to what it needs, then
 * with one allocation in the middle failing. It must say MEMORY, change nothing that can be seen, leave the
 * handle usable, and in the end everything must have been given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tensor_arena.h"

/* Every limit up to ALL_LIMITS is tried; of more, SAMPLED, evenly spread. (What a limit brings about is that
 * one allocation is the first to fail, and each of them is made to fail on its own, too.) */
enum { ALL_LIMITS = 4096, SAMPLED = 120, MAX_CALLS = 40 };

/* Gives memory up to a limit, or fails one chosen time. */
typedef struct purse {
  size_t held, limit, most;
  long until_failure; /* allocations that succeed before the one that fails; below 0: none fails */
  long given;
} purse;

static void *purse_take(void *context, size_t bytes) {
  purse *p = context;
  if (bytes > p->limit - (p->held < p->limit ? p->held : p->limit)) return NULL;
  if (p->until_failure >= 0 && p->until_failure-- == 0) return NULL;
  p->given++;
  p->held += bytes;
  if (p->held > p->most) p->most = p->held;
  return malloc(bytes);
}

static void purse_give_back(void *context, void *pointer, size_t bytes) {
  purse *p = context;
  p->held -= bytes;
  free(pointer);
}

static const purse open_purse = {.limit = SIZE_MAX, .until_failure = -1};

/* The handles that a script's calls work on, and what the calls give. */
typedef struct context {
  purse *purse;
  ta_allocator allocator;
  const uint8_t *bytes;
  size_t len;
  uint32_t runtime, kind;
  ta_model *model;
  ta_planner *planner;
  ta_walk *walk;
  ta_view *view;
  const char *text; /* of the call just made; NULL: it writes none */
  size_t text_len;
  ta_error error;
} context;

typedef ta_status (*call)(context *c);

/* ---- the calls ---- */

static ta_status open_model(context *c) {
  return ta_model_open(&c->allocator, c->bytes, c->len, "a model", &c->model, &c->error);
}

static ta_status describe(context *c) {
  return ta_model_describe(c->model, &c->text, &c->text_len, &c->error);
}

static ta_status measure(context *c) {
  return ta_model_size(c->model, NULL, NULL, &c->text, &c->text_len, &c->error);
}

static ta_planner_options options_of(const context *c) {
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = c->runtime;
  options.planner = c->kind;
  options.max_nodes = 500;
  return options;
}

static ta_status new_planner(context *c) {
  ta_planner_options options = options_of(c);
  return ta_planner_new(&c->allocator, c->model, &options, &c->planner, &c->error);
}

static ta_status plan(context *c) {
  return ta_planner_plan(c->planner, &c->error);
}

static ta_status execute_first(context *c) {
  return ta_planner_execute(c->planner, 0, 2, &c->error);
}

static ta_status execute_late(context *c) {
  return ta_planner_execute(c->planner, 5, 7, &c->error);
}

static ta_status execute(context *c) {
  return ta_planner_execute(c->planner, 0, INT32_MAX, &c->error);
}

static ta_status solve(context *c) {
  uint32_t done;
  return ta_planner_solve(c->planner, 100, &done, &c->error);
}

static ta_status grow(context *c) {
  uint32_t n = 0;
  uint64_t bytes = ta_planner_buffers(c->planner, &n)[n / 2].bytes;
  return ta_planner_resize(c->planner, n / 2, bytes + 64, &c->error);
}

static ta_status retype(context *c) {
  return ta_planner_retype(c->planner, 1, TA_ARENA_RW_PERSISTENT, &c->error);
}

static ta_status reset_after(context *c) {
  return ta_planner_reset_after(c->planner, 3, &c->error);
}

static ta_status reset(context *c) {
  return ta_planner_reset(c->planner, &c->error);
}

static ta_status summary(context *c) {
  ta_summary out;
  return ta_planner_summary(c->planner, &out, &c->error);
}

static ta_status report(context *c, ta_format format) {
  return ta_planner_report(c->planner, format, &c->text, &c->text_len, &c->error);
}

static ta_status report_json(context *c) {
  return report(c, TA_FORMAT_JSON);
}
static ta_status report_text(context *c) {
  return report(c, TA_FORMAT_TEXT);
}
static ta_status report_csv(context *c) {
  return report(c, TA_FORMAT_CSV);
}
static ta_status report_c(context *c) {
  return report(c, TA_FORMAT_C);
}
static ta_status report_svg(context *c) {
  return report(c, TA_FORMAT_SVG);
}

static ta_status verify_planner(context *c) {
  ta_verdict verdict;
  ta_clash clash;
  return ta_verify_planner(&c->allocator, c->model, c->planner, &clash, 1, &verdict, &c->error);
}

static ta_status verify_rows(context *c) {
  ta_verdict verdict;
  return ta_verify_rows(&c->allocator, c->model, TA_NO_OFFSET, NULL, 0, &verdict, &c->error);
}

/* The same model in another file: with nothing behind it instead of zeros. */
static ta_status verify_same(context *c) {
  ta_model *longer = NULL;
  ta_same same;
  uint8_t *bytes = calloc(c->len + 16, 1);
  memcpy(bytes, c->bytes, c->len);
  ta_status status = ta_model_open(&c->allocator, bytes, c->len + 16, "", &longer, &c->error);
  if (status == TA_OK) status = ta_verify_same(&c->allocator, c->model, longer, &same, &c->error);
  if (status == TA_OK) assert_int_equal(same.answer, TA_SAME);
  ta_model_free(longer);
  free(bytes);
  return status;
}

static ta_status verify_claims(context *c) {
  ta_claim claims[60];
  ta_verdict verdict;
  const uint64_t arena_bytes[2] = {TA_NO_OFFSET, TA_NO_OFFSET};
  for (int32_t i = 0; i < 60; i++)
    claims[i] =
        (ta_claim){.offset = 32 * (i % 7), .bytes = 48, .first = i, .last = i + 5, .group = TA_NO_INDEX};
  return ta_verify(&c->allocator, claims, 60, arena_bytes, NULL, 0, &verdict, &c->error);
}

/* What is written is given back at once: there is nothing else to see of it. */
static ta_status write_offline(context *c) {
  uint32_t n = 0;
  int32_t offsets[64];
  uint8_t *written = NULL;
  size_t len = 0;
  ta_planner_buffers(c->planner, &n);
  for (int32_t i = 0; i < 64; i++) offsets[i] = 16 * i;
  ta_status status = ta_offline_write(&c->allocator, c->model, offsets, n, &written, &len, &c->error);
  if (status == TA_OK) c->allocator.free(c->allocator.context, written, len);
  return status;
}

/* A rewriting from beginning to end: windows are searched for, a plan is written, both are proved. */
static ta_status shrink_model(context *c) {
  ta_shrink_options options;
  ta_shrink_options_init(&options);
  options.macs = 1000;
  options.force = 1;
  options.nodes = 40;
  options.plan_nodes = 100;
  ta_shrink *shrink = NULL;
  uint32_t done = 0;
  const char *text;
  size_t len;
  ta_status status = ta_shrink_new(&c->allocator, c->model, &options, NULL, &shrink, &c->error);
  while (status == TA_OK && !done) status = ta_shrink_step(shrink, 1000, &done, &c->error);
  if (status == TA_OK) status = ta_shrink_report(shrink, &text, &len, &c->error);
  ta_shrink_free(shrink);
  return status;
}

static ta_status new_walk(context *c) {
  ta_planner_options options = options_of(c);
  ta_status status = ta_walk_new(&c->allocator, c->model, &options, &c->walk, &c->error);
  if (status == TA_OK) c->planner = ta_walk_planner(c->walk);
  return status;
}

static ta_status walk_allocate(context *c) {
  return ta_walk_allocate(c->walk, NULL, &c->error);
}

static ta_status walk_next(context *c) {
  ta_walk_step step;
  return ta_walk_next(c->walk, &step, &c->error);
}

static ta_status end_walk(context *c) {
  ta_walk_free(c->walk);
  c->walk = NULL;
  c->planner = NULL;
  return TA_OK;
}

static ta_status new_view(context *c) {
  uint32_t n = 0;
  const ta_buffer *buffers = ta_planner_buffers(c->planner, &n);
  return ta_view_new(&c->allocator, buffers, n, &c->view, &c->error);
}

static ta_status raster(context *c) {
  uint32_t ids[64 * 48];
  ta_frame frame = {.window = {0, 12 * TA_STEP_UNITS, 0, 4096 * TA_BYTE_UNITS}, .width = 64, .height = 48};
  return ta_view_raster(c->view, &frame, ids, &c->error);
}

/* ---- what can be seen ---- */

typedef struct sight {
  void *buffers;
  uint32_t n;
  uint64_t marks[2];
  char *text;
  size_t text_len;
} sight;

static sight look(const context *c) {
  sight s = {0};
  if (c->planner != NULL) {
    const ta_buffer *buffers = ta_planner_buffers(c->planner, &s.n);
    s.buffers = malloc(s.n * sizeof *buffers + 1);
    memcpy(s.buffers, buffers, s.n * sizeof *buffers);
    ta_planner_marks(c->planner, &s.marks[0], &s.marks[1]);
  }
  if (c->text != NULL) {
    s.text = malloc(c->text_len + 1);
    memcpy(s.text, c->text, c->text_len);
    s.text_len = c->text_len;
  }
  return s;
}

static void forget(sight *s) {
  free(s->buffers);
  free(s->text);
  *s = (sight){0};
}

static void assert_same(const sight *a, const sight *b) {
  assert_int_equal(a->n, b->n);
  if (a->n > 0) assert_memory_equal(a->buffers, b->buffers, a->n * sizeof(ta_buffer));
  assert_int_equal(a->marks[0], b->marks[0]);
  assert_int_equal(a->marks[1], b->marks[1]);
  assert_int_equal(a->text_len, b->text_len);
  if (a->text_len > 0) assert_memory_equal(a->text, b->text, a->text_len);
}

/* ---- scripts ---- */

typedef struct script {
  const char *file;
  uint32_t runtime, kind;
  const call *calls;
} script;

static context start(const script *s, purse *p, uint8_t **bytes) {
  context c = {
      .purse = p, .allocator = {purse_take, purse_give_back, p}, .runtime = s->runtime, .kind = s->kind};
  FILE *file = fopen(s->file, "rb");
  if (file == NULL) fail_msg("cannot read %s: run the tests from the repository's root", s->file);
  *bytes = malloc(1 << 16);
  c.bytes = *bytes;
  c.len = fread(*bytes, 1, 1 << 16, file);
  fclose(file);
  *p = open_purse;
  return c;
}

static void finish(context *c, uint8_t *bytes) {
  ta_view_free(c->view);
  ta_planner_free(c->planner);
  ta_model_free(c->model);
  assert_int_equal(c->purse->held, 0);
  free(bytes);
}

/* What each call should leave behind, and what it needs, learnt from a run with all the memory it wants. */
typedef struct lesson {
  sight after;
  size_t need;
  long allocations;
} lesson;

static uint32_t learn(const script *s, lesson *lessons) {
  purse p;
  uint8_t *bytes;
  context c = start(s, &p, &bytes);
  uint32_t n = 0;
  for (; s->calls[n] != NULL; n++) {
    size_t before = p.held;
    long given = p.given;
    p.most = p.held;
    c.text = NULL;
    ta_status status = s->calls[n](&c);
    if (status != TA_OK) fail_msg("%s, call %u: %s", s->file, n, c.error.text);
    lessons[n] = (lesson){look(&c), p.most - before, p.given - given};
  }
  finish(&c, bytes);
  return n;
}

/* One attempt that may fail only for want of memory, and then changes nothing. Returns whether it succeeded.
 */
static int attempt(context *c, call what, const sight *before) {
  c->text = NULL;
  ta_status status = what(c);
  if (status == TA_OK) return 1;
  assert_int_equal(status, TA_E_MEMORY);
  assert_int_equal(c->error.status, TA_E_MEMORY);
  c->text = NULL;
  sight after = look(c);
  assert_same(before, &after);
  forget(&after);
  return 0;
}

/* Tries one call of a fresh run under one hindrance (the others get all they want), then again without, and
 * compares with what was learnt, and so with every call after it. */
static void hinder(const script *s, const lesson *lessons, uint32_t n, uint32_t hindered, size_t extra,
                   long until) {
  purse p;
  uint8_t *bytes;
  context c = start(s, &p, &bytes);
  for (uint32_t i = 0; i < n; i++) {
    if (i == hindered) {
      c.text = NULL;
      sight before = look(&c);
      p.limit = p.held + extra;
      p.until_failure = until;
      int done = attempt(&c, s->calls[i], &before);
      p.limit = SIZE_MAX;
      p.until_failure = -1;
      if (!done) assert_true(attempt(&c, s->calls[i], &before));
      forget(&before);
    } else {
      c.text = NULL;
      assert_int_equal(s->calls[i](&c), TA_OK);
    }
    if (i >= hindered) {
      sight after = look(&c);
      assert_same(&lessons[i].after, &after);
      forget(&after);
    }
  }
  finish(&c, bytes);
}

static void run(const script *s) {
  lesson lessons[MAX_CALLS];
  uint32_t n = learn(s, lessons);
  for (uint32_t i = 0; i < n; i++) {
    size_t need = lessons[i].need, step = need <= ALL_LIMITS ? 1 : need / SAMPLED + 1;
    for (size_t extra = 0; extra < need; extra += step) hinder(s, lessons, n, i, extra, -1);
    for (long k = 0; k < lessons[i].allocations; k++) hinder(s, lessons, n, i, SIZE_MAX / 2, k);
  }
  for (uint32_t i = 0; i < n; i++) forget(&lessons[i].after);
}

/* ---- tests ---- */

#define CONVOLUTIONS "tests/fuzz/corpus/tflite/made-convolutions"
#define MODEL        "tests/fuzz/corpus/tflite/made-while"
#define ARRAY        "tests/fuzz/corpus/tflite/made-while-c-array"
#define GRAPH        "tests/fuzz/corpus/block/forty-nodes"
#define LIST         "tests/fuzz/corpus/csv/aliases"
#define JUDGED       "tests/fuzz/corpus/csv/judged"

static const call stepwise[] = {open_model,   describe,      new_planner,    plan,        summary,
                                execute_late, execute_first, execute,        grow,        reset_after,
                                execute,      retype,        execute_late,   report_json, reset,
                                execute,      summary,       verify_planner, NULL};
static const call whole[] = {open_model,  new_planner,    plan,  execute, summary,
                             report_json, verify_planner, solve, solve,   NULL};
static const call formats[] = {open_model, new_planner, plan,       execute,  report_json, report_text,
                               report_csv, report_c,    report_svg, new_view, raster,      NULL};
static const call model_calls[] = {open_model, describe,    measure,       new_planner, plan,
                                   execute,    report_json, write_offline, verify_same, NULL};
static const call shrinking[] = {open_model, shrink_model, NULL};
static const call walking[] = {open_model,    new_walk,  walk_allocate, walk_next, walk_next,
                               walk_allocate, walk_next, end_walk,      NULL};
static const call rows[] = {open_model, describe, verify_rows, verify_claims,  new_planner,
                            plan,       execute,  report_text, verify_planner, NULL};

static const call judging[] = {open_model, new_planner, plan,  execute, summary, report_json,
                               report_csv, report_text, reset, execute, summary, NULL};

static void a_2018_planner_step_by_step(void **state) {
  (void)state;
  run(&(script){GRAPH, TA_RUNTIME_TFLITE_2018, TA_PLANNER_OWN, stepwise});
}

static void a_tflite_planner_step_by_step(void **state) {
  (void)state;
  run(&(script){GRAPH, TA_RUNTIME_TFLITE, TA_PLANNER_OWN, stepwise});
}

static void linear_and_optimal_planners(void **state) {
  (void)state;
  run(&(script){GRAPH, TA_RUNTIME_TFLITE_2018, TA_PLANNER_LINEAR, whole});
  run(&(script){GRAPH, TA_RUNTIME_TFLITE, TA_PLANNER_OPTIMAL, whole});
}

static void every_format_and_the_view(void **state) {
  (void)state;
  run(&(script){GRAPH, TA_RUNTIME_TFLITE, TA_PLANNER_OWN, formats});
}

static void a_model_under_tflm(void **state) {
  (void)state;
  run(&(script){MODEL, TA_RUNTIME_TFLM, TA_PLANNER_OWN, model_calls});
  run(&(script){MODEL, TA_RUNTIME_TFLM, TA_PLANNER_OPTIMAL, whole});
}

static void a_model_as_c_source(void **state) {
  (void)state;
  run(&(script){ARRAY, TA_RUNTIME_TFLM, TA_PLANNER_OWN, model_calls});
}

static void a_model_rewritten(void **state) {
  (void)state;
  run(&(script){CONVOLUTIONS, TA_RUNTIME_TFLM, TA_PLANNER_OWN, shrinking});
}

static void the_walk(void **state) {
  (void)state;
  run(&(script){GRAPH, TA_RUNTIME_TFLITE, TA_PLANNER_OWN, walking});
  run(&(script){GRAPH, TA_RUNTIME_TFLITE_2018, TA_PLANNER_OWN, walking});
}

static void a_buffer_list(void **state) {
  (void)state;
  run(&(script){LIST, TA_RUNTIME_NONE, TA_PLANNER_OPTIMAL, rows});
  run(&(script){LIST, TA_RUNTIME_NONE, TA_PLANNER_LINEAR, rows});
  run(&(script){LIST, TA_RUNTIME_NONE, TA_PLANNER_OWN, rows});
  run(&(script){JUDGED, TA_RUNTIME_NONE, TA_PLANNER_OWN, judging});
  run(&(script){JUDGED, TA_RUNTIME_NONE, TA_PLANNER_OPTIMAL, judging});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_2018_planner_step_by_step),
      cmocka_unit_test(a_tflite_planner_step_by_step),
      cmocka_unit_test(linear_and_optimal_planners),
      cmocka_unit_test(every_format_and_the_view),
      cmocka_unit_test(a_model_under_tflm),
      cmocka_unit_test(a_model_as_c_source),
      cmocka_unit_test(a_model_rewritten),
      cmocka_unit_test(the_walk),
      cmocka_unit_test(a_buffer_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { SEARCH_NODES = 600 };

void fuzz_describe(ta_model *model) {
  const char *text = NULL;
  size_t len = 0;
  ta_error error;
  ta_status status = ta_model_describe(model, &text, &len, &error);
  fuzz_check_status(status, &error);
  FUZZ_CHECK(status == TA_OK && fuzz_is_json(text, len), "a model's description is JSON");
}

/* What lives at one step may be more than the largest size: then there are no figures, and that is said. */
static void check_answer(ta_status status, const ta_error *error) {
  fuzz_check_status(status, error);
  FUZZ_CHECK(status == TA_OK || status == TA_E_LIMIT, "a planned planner has a summary and reports");
}

static void report_all(ta_planner *planner) {
  for (uint32_t format = TA_FORMAT_JSON; format <= TA_FORMAT_SVG; format++) {
    const char *text = NULL;
    size_t len = 0;
    ta_error error;
    ta_status status = ta_planner_report(planner, format, &text, &len, &error);
    check_answer(status, &error);
    if (status == TA_OK && format == TA_FORMAT_JSON) FUZZ_CHECK(fuzz_is_json(text, len), "a plan is JSON");
  }
}

static ta_status summarise(ta_planner *planner, ta_summary *summary) {
  ta_error error;
  ta_status status = ta_planner_summary(planner, summary, &error);
  check_answer(status, &error);
  return status;
}

/* An offline plan may give a variable a place, and TFLM then a short life: that the verifier, to whom
 * variables live always, finds it overwritten is the file's fault. */
static bool is_variables_fault(const ta_planner *planner, const ta_clash *clash) {
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  if (ta_planner_runtime(planner) != TA_RUNTIME_TFLM) return false;
  if (clash->kind != TA_CLASH_OVERLAP || buffers[clash->a].arena == TA_ARENA_PERSISTENT_PLACE) return false;
  const ta_buffer *a = &buffers[clash->a], *b = &buffers[clash->b];
  return a->last < b->first || b->last < a->first;
}

/* Today's TensorFlow Lite leaves a sharer at its root's place also when the two are no longer alike, until
 * the sharer's own first step parts them; a walk may not have come there yet. */
static bool waits_to_be_parted(const ta_planner *planner, uint32_t at) {
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  if (ta_planner_runtime(planner) != TA_RUNTIME_TFLITE || at >= n) return false;
  return buffers[at].shares != TA_NO_INDEX && buffers[at].bytes != buffers[buffers[at].shares].bytes;
}

void fuzz_check_sound(const ta_model *model, ta_planner *planner) {
  enum { MOST_CLASHES = 64 };
  ta_clash clashes[MOST_CLASHES];
  ta_verdict verdict;
  ta_error error;
  ta_status status = ta_verify_planner(NULL, model, planner, clashes, MOST_CLASHES, &verdict, &error);
  fuzz_check_status(status, &error);
  if (status != TA_OK) return;
  for (uint32_t i = 0; i < verdict.listed; i++) {
    if (is_variables_fault(planner, &clashes[i])) continue;
    if (waits_to_be_parted(planner, clashes[i].a) || waits_to_be_parted(planner, clashes[i].b)) continue;
    fuzz_print_clash(&clashes[i]);
    fuzz_fail("a plan is sound");
  }
}

/* Why some of the buffers lie where they do. */
static void ask_why(const ta_planner *planner, uint32_t n) {
  for (uint32_t i = 0; i < n; i += n / 8 + 1) {
    ta_why why;
    const char *rule;
    ta_error error;
    FUZZ_CHECK(ta_planner_why(planner, i, &why, &rule, &error) == TA_OK, "each buffer has a reason");
    FUZZ_CHECK(why.turn <= why.turns && why.turns <= n, "turns are counted");
    for (uint32_t k = 0; k < why.in_way_count && k < TA_MAX_IN_WAY; k++)
      FUZZ_CHECK(why.in_way[k] < n && why.in_way[k] != i, "others are in the way");
  }
}

/* The map of a plan, from afar and from near. */
static void draw(ta_planner *planner, const ta_summary *summary) {
  enum { WIDTH = 48, HEIGHT = 20, MOST_FOUND = 8 };
  uint32_t n, ids[WIDTH * HEIGHT], found[MOST_FOUND];
  uint64_t live[WIDTH], high[WIDTH];
  const ta_buffer *buffers = ta_planner_buffers(planner, &n);
  ask_why(planner, n);
  ta_view *view = NULL;
  ta_error error;
  FUZZ_CHECK(ta_view_new(NULL, buffers, n, &view, &error) == TA_OK, "a plan has a view");
  int64_t steps = ((int64_t)summary->steps + 1) * TA_STEP_UNITS;
  int64_t bytes = summary->arena_bytes < UINT64_C(1) << 52 ? (int64_t)summary->arena_bytes : INT64_C(1) << 52;
  for (uint32_t near = 1; near <= 64; near *= 64) {
    ta_frame frame = {.window = {0, steps / near, 0, (bytes + 1) * TA_BYTE_UNITS / near},
                      .width = WIDTH,
                      .height = HEIGHT,
                      .down = near > 1};
    FUZZ_CHECK(ta_view_raster(view, &frame, ids, &error) == TA_OK, "a view has a picture");
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      FUZZ_CHECK(ids[i] <= n || ids[i] >= TA_PIXEL_SEAM, "a pixel shows a buffer, or what lies between");
    uint32_t count = ta_view_pick(view, &frame, WIDTH / 2, HEIGHT / 2, found, MOST_FOUND);
    for (uint32_t i = 0; i < count && i < MOST_FOUND; i++) FUZZ_CHECK(found[i] < n, "a buffer is found");
    ta_view_labels(view, &frame, 4, 2, found, MOST_FOUND);
    ta_view_curve(view, frame.window.x0, frame.window.x1, WIDTH, live, high);
    uint64_t most = 0;
    for (uint32_t i = 0; i < WIDTH; i++) {
      FUZZ_CHECK(high[i] <= summary->arena_bytes, "no live buffer ends above the mark");
      most = live[i] > most ? live[i] : most;
    }
    FUZZ_CHECK(most <= summary->peak_live_bytes, "no step has more live bytes than the peak");
    FUZZ_CHECK(near > 1 || most == summary->peak_live_bytes, "some step has the peak's");
  }
  ta_view_free(view);
}

/* What must hold of a whole plan. */
static void check_plan(const ta_model *model, ta_planner *planner) {
  ta_summary summary;
  if (summarise(planner, &summary) != TA_OK) return;
  draw(planner, &summary);
  if (summary.status == TA_OVERLAPPING || summary.status == TA_UNDECIDED) return;
  if (summary.status == TA_UNSOUND) {
    uint32_t runtime = ta_planner_runtime(planner);
    bool of_list = runtime == TA_RUNTIME_NONE;          /* only its own plan can be unsound */
    if (!of_list && runtime != TA_RUNTIME_TFLM) return; /* what LiteRT overwrites, claims do not show */
    ta_verdict verdict;
    ta_error error;
    ta_status status = of_list ? ta_verify_rows(NULL, model, TA_NO_OFFSET, NULL, 0, &verdict, &error)
                               : ta_verify_planner(NULL, model, planner, NULL, 0, &verdict, &error);
    FUZZ_CHECK(status != TA_OK || !verdict.sound, "a plan that is called unsound is");
    return;
  }
  fuzz_check_sound(model, planner);
  FUZZ_CHECK(summary.arena_bytes >= summary.lower_bound_bytes, "no plan is smaller than its lower bound");
  FUZZ_CHECK(summary.lower_bound_bytes >= summary.peak_live_bytes, "the bound is at least the live bytes");
}

/* The same, in slices: the host may cut a search as it likes. */
static void check_slices(const ta_model *model, const ta_planner_options *options, const ta_planner *whole) {
  ta_planner *sliced = NULL;
  ta_error error;
  uint32_t done = 0, n = 0, m = 0;
  FUZZ_CHECK(ta_planner_new(NULL, model, options, &sliced, &error) == TA_OK, "a second planner is made");
  for (uint32_t spent = 0; spent < SEARCH_NODES && !done; spent += SEARCH_NODES / 4)
    FUZZ_CHECK(ta_planner_solve(sliced, SEARCH_NODES / 4, &done, &error) == TA_OK, "slices can be solved");
  const ta_buffer *a = ta_planner_buffers(whole, &n), *b = ta_planner_buffers(sliced, &m);
  FUZZ_CHECK(n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0),
             "a search is the same however it is cut");
  ta_planner_free(sliced);
}

void fuzz_plan(const ta_model *model, uint32_t runtime, uint32_t kind, uint32_t alignment) {
  ta_planner_options options;
  ta_planner *planner = NULL;
  ta_error error;
  ta_planner_options_init(&options);
  options.runtime = runtime;
  options.planner = kind;
  options.alignment = alignment;
  options.max_nodes = SEARCH_NODES;
  ta_status status = ta_planner_new(NULL, model, &options, &planner, &error);
  fuzz_check_status(status, &error);
  if (status == TA_OK) {
    status = ta_planner_plan(planner, &error);
    fuzz_check_status(status, &error);
  }
  if (status == TA_OK) {
    ta_summary summary;
    summarise(planner, &summary);
    report_all(planner);
    status = ta_planner_execute(planner, 0, INT32_MAX, &error);
    fuzz_check_status(status, &error);
    report_all(planner);
  }
  if (status == TA_OK) {
    check_plan(model, planner);
    if (kind == TA_PLANNER_OPTIMAL) check_slices(model, &options, planner);
  }
  ta_planner_free(planner);
}

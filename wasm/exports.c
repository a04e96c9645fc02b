/* The boundary between JavaScript and the core. Every export takes and returns only i32; 64-bit values,
 * structs and texts travel in memory. An instance holds one model: its state is here, and here only.
 *
 * Functions that can fail return a ta_status; error() then tells where and why. A function that yields
 * something leaves it in result(): `value` (a pointer, a handle or a flag) and `length` (bytes or elements).
 * What is yielded stays valid until the next call. wasm/exports.txt lists the exports.
 */
#include <stdlib.h>
#include <string.h>

#include "tensor_arena.h"

#ifndef TA_BUILD_ID
#error "TA_BUILD_ID ties this module to its JavaScript: build with make"
#endif

/* The compiler wants a prototype, and Emscripten and wasi-libc agree on this one way to export. */
#define EXPORT(name, ...)                                                                                    \
  int32_t export_##name(__VA_ARGS__);                                                                        \
  __attribute__((export_name(#name))) int32_t export_##name(__VA_ARGS__)

typedef struct result {
  uint32_t value, length;
} result;

static struct {
  ta_model *model;
  ta_size_options size_options;
  ta_planner_options options;
  ta_summary summary;
  ta_why why;
  uint64_t marks[2];
  ta_verdict verdict;
  ta_same same;
  ta_walk_step step;
  ta_error error;
  result result;
} instance;

#ifdef __EMSCRIPTEN__
/* Emscripten would import this from the host. JavaScript takes a fresh view after each call instead. */
void emscripten_notify_memory_growth(size_t memory);
void emscripten_notify_memory_growth(size_t memory) {
  (void)memory;
}
#endif

static uint32_t address(const void *pointer) {
  return (uint32_t)(uintptr_t)pointer;
}

static int32_t yield(const void *pointer, size_t length) {
  instance.result = (result){address(pointer), (uint32_t)length};
  return TA_OK;
}

static int32_t yield_text(ta_status status, const char *text, size_t length) {
  return status == TA_OK ? yield(text, length) : (int32_t)status;
}

static uint64_t u64_at(const void *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

/* ---- the module ---- */

EXPORT(abi, void) {
  return TA_ABI_VERSION;
}

EXPORT(build_id, void) {
  return (int32_t)address(TA_BUILD_ID);
}

EXPORT(status_name, int32_t status) {
  return (int32_t)address(ta_status_name(status));
}

EXPORT(error, void) {
  return (int32_t)address(&instance.error);
}

EXPORT(result, void) {
  return (int32_t)address(&instance.result);
}

/* 0 when there is no memory. */
EXPORT(alloc, uint32_t bytes) {
  return (int32_t)address(malloc(bytes));
}

EXPORT(dealloc, void *pointer) {
  free(pointer);
  return TA_OK;
}

/* ---- the model ---- */

/* `bytes` must stay allocated as long as the instance lives. */
EXPORT(open, const void *bytes, uint32_t length, const char *name) {
  ta_model_free(instance.model);
  instance.model = NULL;
  return (int32_t)ta_model_open(NULL, bytes, length, name, &instance.model, &instance.error);
}

EXPORT(kind, void) {
  return (int32_t)ta_model_kind(instance.model);
}

/* Yields the model as JSON. */
EXPORT(describe, void) {
  const char *text = NULL;
  size_t length = 0;
  return yield_text(ta_model_describe(instance.model, &text, &length, &instance.error), text, length);
}

/* The options for the next size, at their defaults, to be changed in place. */
EXPORT(size_options, void) {
  ta_size_options_init(&instance.size_options);
  return (int32_t)address(&instance.size_options);
}

/* Yields the whole arena of TensorFlow Lite Micro, itemised, as text. */
EXPORT(size, void) {
  const char *text = NULL;
  size_t length = 0;
  ta_status status =
      ta_model_size(instance.model, &instance.size_options, NULL, &text, &length, &instance.error);
  return yield_text(status, text, length);
}

/* ---- planners ---- */

/* The options for the next planner, at their defaults, to be changed in place. */
EXPORT(options, void) {
  ta_planner_options_init(&instance.options);
  return (int32_t)address(&instance.options);
}

/* Yields a planner's handle. */
EXPORT(planner, void) {
  ta_planner *planner = NULL;
  ta_status status = ta_planner_new(NULL, instance.model, &instance.options, &planner, &instance.error);
  return status == TA_OK ? yield(planner, 0) : (int32_t)status;
}

EXPORT(planner_free, ta_planner *planner) {
  ta_planner_free(planner);
  return TA_OK;
}

EXPORT(plan, ta_planner *planner) {
  return (int32_t)ta_planner_plan(planner, &instance.error);
}

EXPORT(execute, ta_planner *planner, int32_t first, int32_t last) {
  return (int32_t)ta_planner_execute(planner, first, last, &instance.error);
}

EXPORT(reset, ta_planner *planner) {
  return (int32_t)ta_planner_reset(planner, &instance.error);
}

EXPORT(reset_after, ta_planner *planner, int32_t node) {
  return (int32_t)ta_planner_reset_after(planner, node, &instance.error);
}

/* `bytes` points to a u64. */
EXPORT(resize, ta_planner *planner, uint32_t tensor, const void *bytes) {
  return (int32_t)ta_planner_resize(planner, tensor, u64_at(bytes), &instance.error);
}

EXPORT(retype, ta_planner *planner, uint32_t tensor, uint32_t type) {
  return (int32_t)ta_planner_retype(planner, tensor, type, &instance.error);
}

/* `offset` points to a u64; TA_NO_OFFSET: no longer fixed. */
EXPORT(fix, ta_planner *planner, uint32_t buffer, const void *offset) {
  return (int32_t)ta_planner_fix(planner, buffer, u64_at(offset), &instance.error);
}

EXPORT(release, ta_planner *planner) {
  return (int32_t)ta_planner_release(planner, &instance.error);
}

EXPORT(acquire, ta_planner *planner) {
  return (int32_t)ta_planner_acquire(planner, &instance.error);
}

/* `nodes` points to a u64. Yields 1 when the search has ended. */
EXPORT(solve, ta_planner *planner, const void *nodes) {
  uint32_t done = 0;
  ta_status status = ta_planner_solve(planner, u64_at(nodes), &done, &instance.error);
  instance.result = (result){done, 0};
  return (int32_t)status;
}

/* Yields the ta_buffers and their count. */
EXPORT(buffers, const ta_planner *planner) {
  uint32_t count = 0;
  const ta_buffer *buffers = ta_planner_buffers(planner, &count);
  return yield(buffers, count);
}

/* Yields two u64: the high-water marks of the rw and the persistent arena. */
EXPORT(marks, const ta_planner *planner) {
  ta_planner_marks(planner, &instance.marks[0], &instance.marks[1]);
  return yield(instance.marks, 2);
}

/* Yields a ta_summary. */
EXPORT(summary, ta_planner *planner) {
  ta_status status = ta_planner_summary(planner, &instance.summary, &instance.error);
  return status == TA_OK ? yield(&instance.summary, sizeof instance.summary) : (int32_t)status;
}

/* Yields the plan as text, in a ta_format. */
EXPORT(report, ta_planner *planner, uint32_t format) {
  const char *text = NULL;
  size_t length = 0;
  return yield_text(ta_planner_report(planner, format, &text, &length, &instance.error), text, length);
}

/* ---- the interpreter's walk ---- */

/* Yields a walk's handle; takes the options() as planner() does. */
EXPORT(walk, void) {
  ta_walk *walk = NULL;
  ta_status status = ta_walk_new(NULL, instance.model, &instance.options, &walk, &instance.error);
  return status == TA_OK ? yield(walk, 0) : (int32_t)status;
}

EXPORT(walk_free, ta_walk *walk) {
  ta_walk_free(walk);
  return TA_OK;
}

/* The handle of the walk's planner, to be read from; it goes with the walk. */
EXPORT(walk_planner, const ta_walk *walk) {
  return (int32_t)address(ta_walk_planner(walk));
}

/* Yields a ta_walk_step, as does the next. */
EXPORT(walk_allocate, ta_walk *walk) {
  ta_status status = ta_walk_allocate(walk, &instance.step, &instance.error);
  return status == TA_OK ? yield(&instance.step, sizeof instance.step) : (int32_t)status;
}

EXPORT(walk_next, ta_walk *walk) {
  ta_status status = ta_walk_next(walk, &instance.step, &instance.error);
  return status == TA_OK ? yield(&instance.step, sizeof instance.step) : (int32_t)status;
}

/* `bytes` points to a u64. */
EXPORT(walk_set_bytes, ta_walk *walk, uint32_t tensor, const void *bytes) {
  return (int32_t)ta_walk_set_bytes(walk, tensor, u64_at(bytes), &instance.error);
}

/* ---- checking plans ---- */

/* Yields the ta_verdict, after having written at most `capacity` ta_clashes. */
static int32_t yield_verdict(ta_status status) {
  return status == TA_OK ? yield(&instance.verdict, sizeof instance.verdict) : (int32_t)status;
}

/* `arena_bytes` points to two u64: of the rw and the persistent arena. */
EXPORT(verify, const ta_claim *claims, uint32_t count, const uint64_t *arena_bytes, ta_clash *clashes,
       uint32_t capacity) {
  return yield_verdict(
      ta_verify(NULL, claims, count, arena_bytes, clashes, capacity, &instance.verdict, &instance.error));
}

/* The buffer list that is open, by its offset column. */
EXPORT(verify_rows, ta_clash *clashes, uint32_t capacity) {
  return yield_verdict(ta_verify_rows(NULL, instance.model, TA_NO_OFFSET, clashes, capacity,
                                      &instance.verdict, &instance.error));
}

EXPORT(verify_planner, ta_planner *planner, ta_clash *clashes, uint32_t capacity) {
  return yield_verdict(ta_verify_planner(NULL, instance.model, planner, clashes, capacity, &instance.verdict,
                                         &instance.error));
}

/* Whether the open model computes the same as another; yields a ta_same. */
EXPORT(verify_same, const void *bytes, uint32_t length) {
  ta_model *old = NULL;
  ta_status status = ta_model_open(NULL, bytes, length, "", &old, &instance.error);
  if (status == TA_OK) status = ta_verify_same(NULL, instance.model, old, &instance.same, &instance.error);
  ta_model_free(old);
  return status == TA_OK ? yield(&instance.same, sizeof instance.same) : (int32_t)status;
}

/* Yields a ta_why, and for its length the address of the rule's text (0: none). */
EXPORT(why, const ta_planner *planner, uint32_t buffer) {
  const char *rule = NULL;
  ta_status status = ta_planner_why(planner, buffer, &instance.why, &rule, &instance.error);
  return status == TA_OK ? yield(&instance.why, address(rule)) : (int32_t)status;
}

/* ---- writing an offline plan ---- */

/* `offsets`: one for each tensor of every subgraph. Yields the file, to be given to dealloc(). */
EXPORT(offline_write, const int32_t *offsets, uint32_t count) {
  uint8_t *file = NULL;
  size_t length = 0;
  ta_status status = ta_offline_write(NULL, instance.model, offsets, count, &file, &length, &instance.error);
  return status == TA_OK ? yield(file, length) : (int32_t)status;
}

/* ---- the map ---- */

/* Yields the handle of a view of `count` ta_buffers. */
EXPORT(view, const void *buffers, uint32_t count) {
  ta_view *view = NULL;
  ta_status status = ta_view_new(NULL, buffers, count, &view, &instance.error);
  return status == TA_OK ? yield(view, 0) : (int32_t)status;
}

EXPORT(view_free, ta_view *view) {
  ta_view_free(view);
  return TA_OK;
}

/* `frame` points to a ta_frame. */
EXPORT(raster, ta_view *view, const void *frame, uint32_t *ids) {
  return (int32_t)ta_view_raster(view, frame, ids, &instance.error);
}

EXPORT(pick, const ta_view *view, const void *frame, uint32_t x, uint32_t y, uint32_t *found,
       uint32_t capacity) {
  return (int32_t)ta_view_pick(view, frame, x, y, found, capacity);
}

EXPORT(labels, const ta_view *view, const void *frame, uint32_t min_width, uint32_t min_height,
       uint32_t *found, uint32_t capacity) {
  return (int32_t)ta_view_labels(view, frame, min_width, min_height, found, capacity);
}

/* Columns of the steps of the frame's window, one a pixel of its width. */
EXPORT(curve, const ta_view *view, const ta_frame *frame, uint64_t *live, uint64_t *high) {
  ta_view_curve(view, frame->window.x0, frame->window.x1, frame->width, live, high);
  return TA_OK;
}

/* `scale`: the textures' pixel size. */
EXPORT(colour, const uint32_t *ids, const ta_frame *frame, const uint8_t *classes, const ta_ink *inks,
       uint32_t scale, uint32_t *rgba) {
  ta_view_colour(ids, frame->width, frame->height, classes, inks, scale, rgba);
  return TA_OK;
}

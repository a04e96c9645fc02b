/* The input is a recipe: a graph whose nodes read what was made before (or, now and then, anything), and
 * operations on it. After each operation the verifier looks at every place, with the bytes that each tensor
 * had when it got its place. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { MAX_TENSORS = 40, MAX_NODES = 16, MAX_INDICES = 160, MAX_STEPS = 40 };

typedef struct recipe {
  fuzz_input input;
  ta_planner *planner;
  bool places_anew; /* linear, optimal: every execute places everything again */
  uint64_t placed_bytes[MAX_TENSORS];
  uint64_t offsets[MAX_TENSORS]; /* as they were after the last operation */
  uint8_t block[TA_BLOCK_HEADER_BYTES + MAX_TENSORS * TA_BLOCK_TENSOR_BYTES +
                MAX_NODES * TA_BLOCK_NODE_BYTES + MAX_INDICES * 4];
  size_t len;
  uint32_t n_tensors, n_nodes, indices[MAX_INDICES], n_indices;
} recipe;

static void put(recipe *r, uint64_t value, size_t bytes) {
  memcpy(r->block + r->len, &value, bytes);
  r->len += bytes;
}

static uint64_t some_bytes(fuzz_input *input) {
  uint32_t choice = fuzz_u8(input);
  if (choice < 230) return choice % 96;
  if (choice < 250) return fuzz_u8(input) * 64u;
  return choice == 255 ? TA_MAX_BYTES : UINT64_C(1) << (fuzz_u8(input) % 53);
}

static uint32_t some_type(fuzz_input *input) {
  uint32_t choice = fuzz_u8(input);
  return choice < 190 ? TA_ARENA_RW : choice < 220 ? TA_ARENA_RW_PERSISTENT : choice % 6;
}

/* A list of at most `most` indices: of tensors that exist already, or of new ones. */
static uint32_t add_list(recipe *r, uint32_t most, bool fresh, bool may_lack) {
  uint32_t count = fuzz_below(&r->input, most + 1), taken = 0;
  for (; taken < count && r->n_indices < MAX_INDICES; taken++) {
    uint32_t choice = fuzz_u8(&r->input);
    if (may_lack && choice % 16 == 0) {
      r->indices[r->n_indices++] = UINT32_MAX;
    } else if (fresh && choice % 16 != 1 && r->n_tensors < MAX_TENSORS) {
      r->indices[r->n_indices++] = r->n_tensors++;
    } else if (r->n_tensors > 0) {
      r->indices[r->n_indices++] = choice / 16 < r->n_tensors ? r->n_tensors - 1 - choice / 16 : 0;
    } else {
      break;
    }
  }
  return taken;
}

static void make_block(recipe *r) {
  uint32_t counts[MAX_NODES][4], graph[3];
  graph[0] = add_list(r, 4, true, true);
  uint32_t n_nodes = fuzz_below(&r->input, MAX_NODES + 1);
  /* The outputs come before the nodes in the block, but are chosen here: the graph's inputs, often. */
  graph[1] = add_list(r, 2, false, true);
  graph[2] = add_list(r, 2, true, false);
  for (r->n_nodes = 0; r->n_nodes < n_nodes; r->n_nodes++) {
    uint32_t *node = counts[r->n_nodes];
    node[0] = add_list(r, 4, false, true);
    node[1] = add_list(r, 3, true, true);
    node[2] = add_list(r, 2, true, false);
    node[3] = fuzz_u8(&r->input) % 32;
  }
  uint32_t alignment = fuzz_below(&r->input, 8), preserve_all = fuzz_below(&r->input, 16) == 15;
  put(r, TA_BLOCK_MAGIC, 4);
  put(r, TA_BLOCK_VERSION, 4);
  put(r, alignment == 7 ? 0 : 1u << alignment, 4);
  put(r, preserve_all, 4);
  put(r, r->n_tensors, 4);
  put(r, r->n_nodes, 4);
  for (int i = 0; i < 3; i++) put(r, graph[i], 4);
  put(r, r->n_indices, 4);
  put(r, 0, 8); /* operations, text */
  for (uint32_t t = 0; t < r->n_tensors; t++) {
    put(r, some_bytes(&r->input), 8);
    put(r, some_type(&r->input), 4);
    put(r, 0, 8);
  }
  for (uint32_t i = 0; i < r->n_nodes; i++) {
    for (int k = 0; k < 4; k++) put(r, counts[i][k], 4);
    put(r, 0, 4);
  }
  for (uint32_t i = 0; i < r->n_indices; i++) put(r, r->indices[i], 4);
}

/* What counts as placed now has the bytes of now, and nothing is said to be below what it needs. */
static void check_summary(const recipe *r, const ta_claim *claims, const uint64_t marks[2]) {
  ta_summary summary;
  ta_error error;
  ta_status status = ta_planner_summary(r->planner, &summary, &error);
  fuzz_check_status(status, &error);
  FUZZ_CHECK(status == TA_OK || status == TA_E_LIMIT, "a summary, or more live bytes than can be counted");
  if (status != TA_OK) return;
  FUZZ_CHECK(summary.arena_bytes == marks[0], "the summary has the marks");
  if (summary.status == TA_UNPLANNED) return;
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(r->planner, &n);
  bool whole = true;
  for (uint32_t t = 0; t < n; t++) {
    FUZZ_CHECK(claims[t].offset == TA_NOT_CLAIMED || buffers[t].bytes <= claims[claims[t].group].bytes,
               "a plan's buffers have the bytes that they were placed with, or fewer");
    if (buffers[t].arena != TA_ARENA_NOT && buffers[t].offset == TA_NO_OFFSET) whole = false;
  }
  if (summary.status == TA_UNSOUND) return;
  FUZZ_CHECK(!whole || summary.arena_bytes >= summary.lower_bound_bytes, "no arena is below its lower bound");
  FUZZ_CHECK(whole || summary.status != TA_OPTIMAL, "half a plan is not called the smallest");
}

/* Remembers the bytes of what got its place just now, and has the verifier look at everything. */
static void check_places(recipe *r) {
  uint32_t n;
  const ta_buffer *buffers = ta_planner_buffers(r->planner, &n);
  ta_claim claims[MAX_TENSORS];
  FUZZ_CHECK(n == r->n_tensors, "a buffer for each tensor");
  uint64_t marks[2];
  ta_planner_marks(r->planner, &marks[0], &marks[1]);
  for (uint32_t t = 0; t < n; t++) {
    const ta_buffer *b = &buffers[t];
    if (b->offset != r->offsets[t]) r->placed_bytes[t] = b->bytes;
    r->offsets[t] = b->offset;
    claims[t] = (ta_claim){.offset = TA_NOT_CLAIMED, .group = TA_NO_INDEX};
    if (b->offset == TA_NO_OFFSET) continue;
    claims[t].offset = (int64_t)b->offset;
    /* A sharer lies in its root's bytes, also while it is unlike its root and its own step has not come. */
    claims[t].bytes = b->shares == TA_NO_INDEX ? r->placed_bytes[t] : 0;
    if (b->shares != TA_NO_INDEX)
      FUZZ_CHECK(b->offset == buffers[b->shares].offset, "a sharer lies where its root does");
    claims[t].first = b->first;
    claims[t].last = b->last;
    claims[t].group = b->shares == TA_NO_INDEX ? t : b->shares;
    claims[t].arena = b->arena == TA_ARENA_PERSISTENT_PLACE;
  }
  ta_verdict verdict;
  ta_clash clash;
  ta_error error;
  ta_status status = ta_verify(NULL, claims, n, marks, &clash, 1, &verdict, &error);
  fuzz_check_status(status, &error);
  if (status == TA_OK && verdict.sound != 1) fuzz_print_clash(&clash);
  FUZZ_CHECK(status == TA_OK && verdict.sound == 1,
             "no live buffers share bytes, and all lie below the marks");
  check_summary(r, claims, marks);
}

static ta_status execute(recipe *r, int32_t first, int32_t last, ta_error *error) {
  ta_status status = ta_planner_execute(r->planner, first, last, error);
  bool whole = first <= 0 && last >= 0 && last + 1 >= (int32_t)r->n_nodes;
  if (status == TA_OK && whole && r->places_anew)
    for (uint32_t t = 0; t < r->n_tensors; t++) r->offsets[t] = TA_NO_OFFSET;
  return status;
}

/* 0..n-1, and a little past either end. */
static int32_t some_node(recipe *r) {
  return (int32_t)fuzz_below(&r->input, r->n_nodes + 3) - 1;
}

static ta_status do_operation(recipe *r, ta_error *error) {
  uint32_t tensor;
  int32_t first;
  switch (fuzz_below(&r->input, 12)) {
  case 0:
    return ta_planner_reset(r->planner, error);
  case 1:
    return ta_planner_reset_after(r->planner, some_node(r), error);
  case 2:
  case 3:
    tensor = fuzz_below(&r->input, r->n_tensors + 1);
    return ta_planner_resize(r->planner, tensor, some_bytes(&r->input), error);
  case 4:
    tensor = fuzz_below(&r->input, r->n_tensors + 1);
    return ta_planner_retype(r->planner, tensor, some_type(&r->input), error);
  case 5:
    return fuzz_u8(&r->input) % 2 ? ta_planner_release(r->planner, error)
                                  : ta_planner_acquire(r->planner, error);
  case 6:
    return ta_planner_plan(r->planner, error);
  case 7:
    return execute(r, 0, INT32_MAX - 1, error);
  default:
    first = some_node(r);
    return execute(r, first, first + (int32_t)fuzz_below(&r->input, 4), error);
  }
}

void fuzz_sequence(const uint8_t *data, size_t size) {
  static const uint32_t runtimes[] = {TA_RUNTIME_TFLITE_2018, TA_RUNTIME_TFLITE};
  static const uint32_t planners[8] = {[6] = TA_PLANNER_OPTIMAL, [7] = TA_PLANNER_LINEAR}; /* the rest: own */
  recipe *r = malloc(sizeof *r);
  if (r == NULL) return;
  *r = (recipe){.input = {data, size}};
  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = runtimes[fuzz_below(&r->input, 2)];
  options.planner = planners[fuzz_below(&r->input, 8)];
  options.max_nodes = 500; /* enough for some to be proved, and soon done */
  r->places_anew = options.planner != TA_PLANNER_OWN;
  make_block(r);
  for (uint32_t t = 0; t < MAX_TENSORS; t++) r->offsets[t] = TA_NO_OFFSET;

  ta_model *model = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, r->block, r->len, NULL, &model, &error);
  if (status == TA_OK) {
    status = ta_planner_new(NULL, model, &options, &r->planner, &error);
    fuzz_check_status(status, &error);
    FUZZ_CHECK(status == TA_OK, "a recipe's graph has a planner");
    status = ta_planner_plan(r->planner, &error);
    for (int step = 0; status == TA_OK && step < MAX_STEPS && r->input.left > 0; step++) {
      fuzz_check_status(do_operation(r, &error), &error);
      check_places(r);
    }
  }
  fuzz_check_status(status, &error);
  ta_planner_free(r->planner);
  ta_model_free(model);
  free(r);
}

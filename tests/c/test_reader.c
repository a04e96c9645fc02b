/* The .tflite reader against hostile files: what is shared a million times, counts that lie, files cut and
 * changed at every byte, and no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "model/tflite.h"
#include "support/file.h"
#include "support/heap.h"

/* Opens and describes; everything is given back. */
static ta_status try_open(heap *h, const void *bytes, size_t len, ta_error *error) {
  ta_allocator allocator = heap_allocator(h);
  ta_model *model = NULL;
  const char *text = NULL;
  size_t text_len = 0;
  ta_status status = ta_model_open(&allocator, bytes, len, "name", &model, error);
  if (status == TA_OK) status = ta_model_describe(model, &text, &text_len, error);
  ta_model_free(model);
  assert_int_equal(h->held, 0);
  return status;
}

static ta_status open_bytes(const void *bytes, size_t len, ta_error *error) {
  heap h = {0, 0, -1};
  return try_open(&h, bytes, len, error);
}

/* A model of one Model table with subgraphs; the caller hangs the vector at the word returned. */
static size_t put_model(file *f) {
  size_t model = put_table(f, 3, 1u << TA_MODEL_SUBGRAPHS);
  refer(f, 0, model);
  return word(model, 0);
}

/* `subgraphs` references to one subgraph, which has `tensors` references to one tensor, which has a shape of
 * `dims` and a name of `letters`. */
static file shared_parts(uint32_t subgraphs, uint32_t tensors, uint32_t dims, uint32_t letters) {
  file f = start_file();
  size_t graphs_at = put_model(&f);
  size_t graphs = put_vector(&f, subgraphs, 4);
  refer(&f, graphs_at, graphs);
  size_t graph = put_table(&f, 1, 1);
  for (uint32_t i = 0; i < subgraphs; i++) refer(&f, graphs + 4 + 4 * i, graph);
  size_t list = put_vector(&f, tensors, 4);
  refer(&f, word(graph, 0), list);
  size_t tensor = put_table(&f, 4, 1u | 1u << 3);
  for (uint32_t i = 0; i < tensors; i++) refer(&f, list + 4 + 4 * i, tensor);
  size_t shape = put_vector(&f, dims, 4);
  for (uint32_t i = 0; i < dims; i++) set32(&f, shape + 4 + 4 * i, 1);
  refer(&f, word(tensor, 0), shape);
  size_t name = put_vector(&f, letters, 1);
  memset(f.at + name + 4, 'x', letters);
  refer(&f, word(tensor, 1), name);
  return f;
}

/* ---- cost ---- */

/* Memory a constant times the file, whatever refers to what: a tensor or node is at most this much more than
 * the bytes that must be paid for it, description included. */
enum { MEMORY_FACTOR = 400 };

static void check_cost(file f, ta_status expected) {
  heap h = {0, 0, -1};
  ta_error error;
  ta_status status = try_open(&h, f.at, f.len, &error);
  assert_int_equal(status, expected);
  if (expected == TA_E_LIMIT) assert_non_null(strstr(error.text, "refers to the same parts so often"));
  assert_true(h.most < (size_t)MEMORY_FACTOR * f.len + 65536);
  free(f.at);
}

static void shared_parts_cost_no_more_than_their_file(void **state) {
  (void)state;
  check_cost(shared_parts(1, 3, 2, 4), TA_OK);
  check_cost(shared_parts(3, 3, 2, 4), TA_OK);
  check_cost(shared_parts(1, 250000, 0, 0), TA_OK);
  check_cost(shared_parts(1000, 1000, 0, 0), TA_E_LIMIT);
  check_cost(shared_parts(250000, 4, 0, 0), TA_E_LIMIT);
  check_cost(shared_parts(1, 10000, 10000, 0), TA_E_LIMIT);
  check_cost(shared_parts(1, 10000, 0, 100000), TA_E_LIMIT);
}

/* `nodes` references to one node of a custom operator whose name has `letters`. */
static file shared_nodes(uint32_t nodes, uint32_t letters) {
  enum { CUSTOM = 32 };
  file f = start_file();
  size_t model = put_table(&f, 3, 1u << TA_MODEL_OPERATOR_CODES | 1u << TA_MODEL_SUBGRAPHS);
  refer(&f, 0, model);
  size_t codes = put_vector(&f, 1, 4);
  refer(&f, word(model, 0), codes);
  size_t code = put_table(&f, 4, 1u << 1 | 1u << 3);
  refer(&f, codes + 4, code);
  set32(&f, word(code, 1), CUSTOM);
  size_t graphs = put_vector(&f, 1, 4);
  refer(&f, word(model, 1), graphs);
  size_t graph = put_table(&f, 4, 1u << 3);
  refer(&f, graphs + 4, graph);
  size_t list = put_vector(&f, nodes, 4);
  refer(&f, word(graph, 0), list);
  size_t node = put_table(&f, 1, 0);
  for (uint32_t i = 0; i < nodes; i++) refer(&f, list + 4 + 4 * i, node);
  size_t name = put_vector(&f, letters, 1);
  memset(f.at + name + 4, 'x', letters);
  refer(&f, word(code, 0), name);
  return f;
}

static void shared_nodes_cost_no_more_than_their_file(void **state) {
  (void)state;
  check_cost(shared_nodes(3, 8), TA_OK);
  check_cost(shared_nodes(100000, 8), TA_OK);
  check_cost(shared_nodes(10000, 100000), TA_E_LIMIT);
}

static void a_chain_of_calls_needs_no_recursion(void **state) {
  (void)state;
  enum { DEPTH = 20000, CALL = 31, CALL_OPTIONS = 16 };
  file f = start_file();
  size_t model = put_table(&f, 3, 1u << TA_MODEL_OPERATOR_CODES | 1u << TA_MODEL_SUBGRAPHS);
  refer(&f, 0, model);
  size_t codes = put_vector(&f, 1, 4);
  refer(&f, word(model, 0), codes);
  size_t code = put_table(&f, 4, 1u << 3);
  refer(&f, codes + 4, code);
  set32(&f, word(code, 0), CALL);
  size_t graphs = put_vector(&f, DEPTH, 4);
  refer(&f, word(model, 1), graphs);
  for (uint32_t g = 0; g < DEPTH; g++) {
    size_t graph = put_table(&f, 4, 1u << 3);
    refer(&f, graphs + 4 + 4 * g, graph);
    size_t nodes = put_vector(&f, 1, 4);
    refer(&f, word(graph, 0), nodes);
    size_t node = put_table(&f, 5, 1u << 3 | 1u << 4);
    refer(&f, nodes + 4, node);
    set32(&f, word(node, 0), CALL_OPTIONS);
    size_t options = put_table(&f, 1, 1);
    refer(&f, word(node, 1), options);
    set32(&f, word(options, 0), g + 1 == DEPTH ? g : g + 1);
  }
  ta_model *opened;
  ta_error error;
  assert_int_equal(ta_model_open(NULL, f.at, f.len, NULL, &opened, &error), TA_OK);
  assert_int_equal(opened->problems.count, 1);
  assert_string_equal(opened->problems.first->code, "calls-itself");
  assert_int_equal(opened->problems.first->subgraph, DEPTH - 1);
  ta_model_free(opened);
  free(f.at);
}

static void a_problem_a_tensor_stays_bounded(void **state) {
  (void)state;
  file f = shared_parts(1, 100000, 1, 0);
  set32(&f, f.len - 8, UINT32_MAX); /* the shape's one dimension: -1 */
  ta_model *model;
  ta_error error;
  assert_int_equal(ta_model_open(NULL, f.at, f.len, NULL, &model, &error), TA_OK);
  assert_int_equal(model->problems.count, TA_PROBLEMS_MAX);
  assert_int_equal(model->problems.more, 100000 - TA_PROBLEMS_MAX);
  ta_model_free(model);
  free(f.at);
}

/* ---- counts ---- */

static void counts_that_lie_are_refused(void **state) {
  (void)state;
  const uint32_t counts[] = {3, 0x3FFFFFFFu, 0x40000000u, UINT32_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    file f = start_file();
    size_t at = put_model(&f);
    size_t graphs = put_vector(&f, 2, 4);
    refer(&f, at, graphs);
    set32(&f, graphs, counts[i]);
    ta_error error;
    assert_int_equal(open_bytes(f.at, f.len, &error), TA_E_TRUNCATED);
    assert_true(error.byte != TA_NO_BYTE);
    free(f.at);
  }
}

/* ---- files cut and changed ---- */

/* A model of the folder shared/, which may lie beside the repository (tests/support/shared.js); without it
   the test is left out, and tests/run.js says so. */
static file read_shared(const char *name) {
  const char *shared = getenv("TENSOR_ARENA_SHARED");
  char path[512];
  snprintf(path, sizeof path, "%s/models/%s", shared && *shared ? shared : "../shared", name);
  file f = {NULL, 0, 0};
  FILE *stream = fopen(path, "rb");
  if (!stream) skip();
  f.capacity = 1 << 20;
  f.at = malloc(f.capacity);
  assert_non_null(f.at);
  f.len = fread(f.at, 1, f.capacity, stream);
  fclose(stream);
  return f;
}

/* Small models that between them have all that the reader looks at. */
static const char *const small_models[] = {"27-multi_subgraphs_while.bin", "29-multi_signatures.bin",
                                           "30-lstm.bin", "25-l2_norm_composite.tflite",
                                           "41-tflm_while.tflite"};
enum { SMALL_MODELS = sizeof small_models / sizeof small_models[0] };

static void check_cuts(file f) {
  ta_error error;
  for (size_t len = 0; len < f.len; len++) {
    uint8_t *exact = malloc(len + 1); /* so that a sanitizer sees a read past the end */
    assert_non_null(exact);
    memcpy(exact, f.at, len);
    open_bytes(exact, len, &error);
    free(exact);
  }
  free(f.at);
}

static void check_changes(file f) {
  static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
  ta_error error;
  for (size_t at = 0; at < f.len; at++) {
    uint8_t kept = f.at[at];
    for (size_t v = 0; v < sizeof values; v++) {
      f.at[at] = values[v];
      open_bytes(f.at, f.len, &error);
    }
    f.at[at] = kept;
  }
  free(f.at);
}

static void check_allocations(file f) {
  ta_error error;
  ta_status status = TA_E_MEMORY;
  for (long allocations = 0; status == TA_E_MEMORY; allocations++) {
    heap h = {0, 0, allocations};
    status = try_open(&h, f.at, f.len, &error);
  }
  assert_int_equal(status, TA_OK);
  free(f.at);
}

static void check_real_models(void (*check)(file)) {
  for (size_t i = 0; i < SMALL_MODELS; i++) check(read_shared(small_models[i]));
}

static void a_cut_file_is_refused_or_read(void **state) {
  (void)state;
  check_cuts(shared_parts(2, 3, 2, 4));
}

static void a_cut_real_model_is_refused_or_read(void **state) {
  (void)state;
  check_real_models(check_cuts);
}

static void a_changed_byte_is_refused_or_read(void **state) {
  (void)state;
  check_changes(shared_parts(2, 3, 2, 4));
}

static void a_changed_byte_of_a_real_model_is_refused_or_read(void **state) {
  (void)state;
  check_real_models(check_changes);
}

static void every_failed_allocation_is_a_status(void **state) {
  (void)state;
  check_allocations(shared_parts(2, 3, 2, 4));
}

static void every_failed_allocation_of_a_real_model_is_a_status(void **state) {
  (void)state;
  check_real_models(check_allocations);
}

/* The name is copied, the error cleared, and closing nothing is allowed. */
static void open_and_close(void **state) {
  (void)state;
  file f = shared_parts(1, 1, 1, 1);
  char name[] = "model";
  ta_model *model;
  ta_error error;
  assert_int_equal(ta_model_open(NULL, f.at, f.len, name, &model, &error), TA_OK);
  assert_int_equal(error.status, TA_OK);
  name[0] = 'X';
  assert_true(ta_str_equal(&model->name, &TA_STR("model")));
  assert_int_equal(ta_model_kind(model), TA_KIND_TFLITE);
  ta_model_free(model);
  ta_model_free(NULL);
  assert_int_equal(ta_model_open(NULL, "no", 2, NULL, &model, NULL), TA_E_NOT_A_MODEL);
  assert_null(model);
  free(f.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_and_close),
      cmocka_unit_test(shared_parts_cost_no_more_than_their_file),
      cmocka_unit_test(shared_nodes_cost_no_more_than_their_file),
      cmocka_unit_test(a_chain_of_calls_needs_no_recursion),
      cmocka_unit_test(a_problem_a_tensor_stays_bounded),
      cmocka_unit_test(counts_that_lie_are_refused),
      cmocka_unit_test(a_cut_file_is_refused_or_read),
      cmocka_unit_test(a_cut_real_model_is_refused_or_read),
      cmocka_unit_test(a_changed_byte_is_refused_or_read),
      cmocka_unit_test(a_changed_byte_of_a_real_model_is_refused_or_read),
      cmocka_unit_test(every_failed_allocation_is_a_status),
      cmocka_unit_test(every_failed_allocation_of_a_real_model_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

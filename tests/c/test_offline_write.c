/* Writing an offline plan: both ways, read back, and without memory. What the file looks like to the official
 * library is tested in JavaScript. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "model/tflite.h"
#include "support/file.h"
#include "support/heap.h"

/* One subgraph of `tensors` tensors without fields, and the empty buffer. */
static file plain_model(uint32_t tensors) {
  file f = start_file();
  size_t model = put_table(&f, 5, 1u | 1u << TA_MODEL_SUBGRAPHS | 1u << TA_MODEL_BUFFERS);
  refer(&f, 0, model);
  set32(&f, word(model, 0), 3);
  size_t graphs = put_vector(&f, 1, 4);
  refer(&f, word(model, 1), graphs);
  size_t buffers = put_vector(&f, 1, 4);
  refer(&f, word(model, 2), buffers);
  size_t graph = put_table(&f, 1, 1);
  refer(&f, graphs + 4, graph);
  size_t list = put_vector(&f, tensors, 4);
  refer(&f, word(graph, 0), list);
  size_t empty = put_table(&f, 1, 0); /* a tensor without fields, and a buffer without data */
  for (uint32_t t = 0; t < tensors; t++) refer(&f, list + 4 + 4 * t, empty);
  refer(&f, buffers + 4, empty);
  return f;
}

static ta_model *open_model(const uint8_t *bytes, size_t len) {
  ta_model *model = NULL;
  ta_error error;
  assert_int_equal(ta_model_open(NULL, bytes, len, NULL, &model, &error), TA_OK);
  return model;
}

static void check_plan(const uint8_t *bytes, size_t len, const int32_t *offsets, uint32_t n) {
  ta_model *model = open_model(bytes, len);
  assert_true(model->has_offline_plan);
  assert_int_equal(model->offline_offsets.n, n);
  assert_memory_equal(model->offline_offsets.at, offsets, n * sizeof *offsets);
  assert_int_equal(model->problems.count, 0);
  ta_model_free(model);
}

static void a_plan_is_read_back(void **state) {
  (void)state;
  const int32_t first[] = {0, -1, 2147483632}, second[] = {-1, 16, 0};
  file f = plain_model(3);
  ta_model *model = open_model(f.at, f.len);
  uint8_t *written = NULL, *again = NULL;
  size_t len = 0, again_len = 0;
  ta_error error;
  assert_int_equal(ta_offline_write(NULL, model, first, 3, &written, &len, &error), TA_OK);
  check_plan(written, len, first, 3);
  assert_int_equal((len - f.len) % 16, 0);
  assert_memory_equal(written + len - f.len, f.at, f.len);
  ta_model *planned = open_model(written, len);
  assert_int_equal(ta_offline_write(NULL, planned, second, 3, &again, &again_len, &error), TA_OK);
  assert_int_equal(again_len, len);
  check_plan(again, again_len, second, 3);
  ta_model_free(planned);
  ta_model_free(model);
  free(again);
  free(written);
  free(f.at);
}

static void without_memory_nothing_is_given(void **state) {
  (void)state;
  const int32_t offset = 0;
  file f = plain_model(1);
  ta_model *model = open_model(f.at, f.len);
  heap h = {0, 0, 0};
  ta_allocator allocator = heap_allocator(&h);
  uint8_t *written = f.at;
  size_t len = 1;
  ta_error error;
  assert_int_equal(ta_offline_write(&allocator, model, &offset, 1, &written, &len, &error), TA_E_MEMORY);
  assert_null(written);
  assert_int_equal(len, 0);
  h.left = 1;
  assert_int_equal(ta_offline_write(&allocator, model, &offset, 1, &written, &len, &error), TA_OK);
  assert_int_equal(h.held, len); /* one allocation, of just the file's length */
  allocator.free(allocator.context, written, len);
  ta_model_free(model);
  free(f.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_is_read_back),
      cmocka_unit_test(without_memory_nothing_is_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

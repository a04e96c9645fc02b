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
#include "model/flatbuf.h"
#include "model/flexbuf.h"
#include "model/tflite.h"

/* ---- an allocator that counts, and may be made to fail ---- */

typedef struct heap {
  size_t held, most; /* bytes */
  long left;         /* allocations until it fails; below 0: never */
} heap;

static void *heap_alloc(void *context, size_t bytes) {
  heap *h = context;
  if (h->left == 0) return NULL;
  if (h->left > 0) h->left--;
  h->held += bytes;
  if (h->held > h->most) h->most = h->held;
  return malloc(bytes);
}

static void heap_free(void *context, void *pointer, size_t bytes) {
  heap *h = context;
  h->held -= bytes;
  free(pointer);
}

/* Opens and describes; everything is given back. */
static ta_status try_open(heap *h, const void *bytes, size_t len, ta_error *error) {
  ta_allocator allocator = {heap_alloc, heap_free, h};
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

/* ---- a small writer: parents first, since references lead forward ---- */

typedef struct file {
  uint8_t *at;
  size_t len, capacity;
} file;

static void set32(file *f, size_t position, uint32_t value) {
  for (int i = 0; i < 4; i++) f->at[position + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static size_t put(file *f, size_t bytes) {
  size_t position = f->len;
  f->len += (bytes + 3) / 4 * 4;
  if (f->len > f->capacity) {
    f->capacity = f->len * 2;
    uint8_t *larger = realloc(f->at, f->capacity);
    assert_non_null(larger);
    f->at = larger;
  }
  memset(f->at + position, 0, f->len - position);
  return position;
}

/* A table whose slots below `slots` that are set in `present` are words, in order. */
static size_t put_table(file *f, uint32_t slots, uint32_t present) {
  size_t vtable = put(f, 4 + 2 * slots);
  uint32_t words = 0;
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (present >> slot & 1) f->at[vtable + 4 + 2 * slot] = (uint8_t)(4 + 4 * words++);
  }
  f->at[vtable] = (uint8_t)(4 + 2 * slots);
  f->at[vtable + 2] = (uint8_t)(4 + 4 * words);
  size_t table = put(f, 4 + 4 * words);
  set32(f, table, (uint32_t)(table - vtable));
  return table;
}

static size_t put_vector(file *f, uint32_t count, size_t element_bytes) {
  size_t vector = put(f, 4 + count * element_bytes);
  set32(f, vector, count);
  return vector;
}

/* The word at `from` leads to `to`. */
static void refer(file *f, size_t from, size_t to) {
  set32(f, from, (uint32_t)(to - from));
}

/* Where the n-th present word of a table is. */
static size_t word(size_t table, size_t n) {
  return table + 4 + 4 * n;
}

static file start_file(void) {
  file f = {NULL, 0, 0};
  put(&f, 8);
  memcpy(f.at + 4, "TFL3", 4);
  return f;
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
  assert_int_equal(opened->problems.first->place.subgraph, DEPTH - 1);
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

/* ---- the FlatBuffers reader ---- */

static void fields_have_defaults_and_stay_inside(void **state) {
  (void)state;
  file f = start_file();
  size_t table_at = put_table(&f, 3, 1u | 1u << 2);
  refer(&f, 0, table_at);
  set32(&f, word(table_at, 0), 0xFFFFFFFEu);
  set32(&f, word(table_at, 1), 7);
  ta_flat flat;
  ta_error error;
  ta_flat_table table;
  ta_flat_init(&flat, (ta_bytes){f.at, f.len}, &error);
  assert_true(ta_flat_root(&flat, &table));
  assert_int_equal(ta_flat_slots(&table), 3);
  assert_int_equal(ta_flat_i32(&table, 0, 5), -2);
  assert_int_equal(ta_flat_u8(&table, 0, 5), 0xFE);
  assert_int_equal(ta_flat_i8(&table, 0, 5), -2);
  assert_int_equal(ta_flat_i32(&table, 1, 5), 5);
  assert_true(ta_flat_u64(&table, 1, 6) == 6);
  assert_int_equal(ta_flat_u32(&table, 9, 8), 8);
  assert_false(ta_flat_has(&table, 1));
  assert_true(ta_flat_has(&table, 2));
  assert_int_equal(ta_flat_string(&table, 1).len, 0);
  assert_int_equal(flat.status, TA_OK);
  assert_true(ta_flat_u64(&table, 2, 3) == 3); /* its last four bytes lie past the end */
  assert_int_equal(flat.status, TA_E_TRUNCATED);
  assert_int_equal(ta_flat_i32(&table, 0, 5), 5); /* failure is sticky */
  free(f.at);
}

/* Changes one word of a good table and expects the root to be refused. */
static void check_table(size_t at, uint32_t value, ta_status expected) {
  file f = start_file();
  refer(&f, 0, put_table(&f, 3, 7));
  set32(&f, at, value);
  ta_flat flat;
  ta_error error;
  ta_flat_table table;
  ta_flat_init(&flat, (ta_bytes){f.at, f.len}, &error);
  bool opened = ta_flat_root(&flat, &table);
  if (opened) ta_flat_i32(&table, 0, 0);
  assert_int_equal(flat.status, expected);
  if (expected) assert_int_equal(error.status, expected);
  free(f.at);
}

static void tables_that_lie_are_refused(void **state) {
  (void)state;
  enum { VTABLE = 8, TABLE = 20 };
  check_table(0, 20, TA_OK);
  check_table(0, 34, TA_E_TRUNCATED);
  check_table(0, UINT32_MAX, TA_E_TRUNCATED);
  check_table(TABLE, 21, TA_E_MALFORMED);             /* a vtable before the file */
  check_table(TABLE, 0x80000000u, TA_E_TRUNCATED);    /* and far behind it */
  check_table(TABLE, (uint32_t)-15, TA_E_TRUNCATED);  /* and across the end */
  check_table(VTABLE, 3 | 16u << 16, TA_E_MALFORMED); /* too small, odd, too large */
  check_table(VTABLE, 11 | 16u << 16, TA_E_MALFORMED);
  check_table(VTABLE, 0xFFFE, TA_E_TRUNCATED);
  check_table(VTABLE + 4, 2, TA_E_MALFORMED); /* a field inside the table's first word */
  check_table(VTABLE + 4, 0xFFFF, TA_E_TRUNCATED);
}

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

/* ---- FlexBuffers ---- */

static const uint8_t flex[] = {'T', 0, 'n', 'u', 'm', '_', 'c', 'h', 'a', 'n', 'n', 'e', 'l', 's',
                               0,   2, 16,  15,  2,   1,   2,   4,   9,   4,   4,   4,   36,  1};

static void a_flexbuffers_map_gives_its_integers(void **state) {
  (void)state;
  ta_flex_map map;
  assert_true(ta_flex_map_of((ta_bytes){flex, sizeof flex}, &map));
  assert_int_equal(map.n, 2);
  assert_true(ta_flex_int(&map, "T", -1) == 4);
  assert_true(ta_flex_int(&map, "num_channels", -1) == 9);
  assert_true(ta_flex_int(&map, "num_channel", -1) == -1);
  assert_true(ta_flex_int(&map, "num_channels2", -1) == -1);
  assert_true(ta_flex_int(&map, "", -1) == -1);
  uint8_t changed[sizeof flex];
  memcpy(changed, flex, sizeof flex);
  changed[21] = 0xFC; /* T: -4 */
  assert_true(ta_flex_map_of((ta_bytes){changed, sizeof flex}, &map));
  assert_true(ta_flex_int(&map, "T", -1) == -4);
  changed[23] = 2 << 2; /* T is an unsigned number */
  assert_true(ta_flex_int(&map, "T", -1) == 252);
  changed[23] = 3 << 2; /* T is a float */
  assert_true(ta_flex_int(&map, "T", -1) == -1);
  changed[21] = 5;
  changed[23] = 6 << 2; /* T is an indirect integer: 5 bytes before its place stands the count of keys, 15 */
  assert_true(ta_flex_int(&map, "T", -1) == changed[21 - 5]);
}

static void no_flexbuffers_map_leaves_its_bytes(void **state) {
  (void)state;
  ta_flex_map map;
  for (size_t len = 0; len < sizeof flex; len++) {
    uint8_t *copy = malloc(len + 1);
    assert_non_null(copy);
    memcpy(copy, flex + sizeof flex - len, len);
    if (ta_flex_map_of((ta_bytes){copy, len}, &map)) ta_flex_int(&map, "num_channels", 0);
    free(copy);
  }
  for (size_t at = 0; at < sizeof flex; at++) {
    for (uint32_t value = 0; value < 256; value++) {
      uint8_t changed[sizeof flex];
      memcpy(changed, flex, sizeof flex);
      changed[at] = (uint8_t)value;
      if (!ta_flex_map_of((ta_bytes){changed, sizeof flex}, &map)) continue;
      ta_flex_int(&map, "T", 0);
      ta_flex_int(&map, "num_channels", 0);
    }
  }
}

/* ---- files cut and changed ---- */

static file read_shared(const char *name) {
  const char *shared = getenv("TENSOR_ARENA_SHARED");
  char path[512];
  snprintf(path, sizeof path, "%s/models/%s", shared ? shared : "../shared", name);
  file f = {NULL, 0, 0};
  FILE *stream = fopen(path, "rb");
  if (!stream) {
    print_message("%s is missing: the made models still run\n", path);
    return f;
  }
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

static file small_model(size_t i) {
  return i < SMALL_MODELS ? read_shared(small_models[i]) : shared_parts(2, 3, 2, 4);
}

static void a_cut_file_is_refused_or_read(void **state) {
  (void)state;
  for (size_t i = 0; i <= SMALL_MODELS; i++) {
    file f = small_model(i);
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
}

static void a_changed_byte_is_refused_or_read(void **state) {
  (void)state;
  static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
  for (size_t i = 0; i <= SMALL_MODELS; i++) {
    file f = small_model(i);
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
}

static void every_failed_allocation_is_a_status(void **state) {
  (void)state;
  for (size_t i = 0; i <= SMALL_MODELS; i++) {
    file f = small_model(i);
    if (!f.at) continue;
    ta_error error;
    ta_status status = TA_E_MEMORY;
    for (long allocations = 0; status == TA_E_MEMORY; allocations++) {
      heap h = {0, 0, allocations};
      status = try_open(&h, f.at, f.len, &error);
    }
    assert_int_equal(status, TA_OK);
    free(f.at);
  }
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
  assert_true(ta_str_equal(model->name, TA_STR("model")));
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
      cmocka_unit_test(a_chain_of_calls_needs_no_recursion),
      cmocka_unit_test(a_problem_a_tensor_stays_bounded),
      cmocka_unit_test(fields_have_defaults_and_stay_inside),
      cmocka_unit_test(tables_that_lie_are_refused),
      cmocka_unit_test(counts_that_lie_are_refused),
      cmocka_unit_test(a_flexbuffers_map_gives_its_integers),
      cmocka_unit_test(no_flexbuffers_map_leaves_its_bytes),
      cmocka_unit_test(a_cut_file_is_refused_or_read),
      cmocka_unit_test(a_changed_byte_is_refused_or_read),
      cmocka_unit_test(every_failed_allocation_is_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

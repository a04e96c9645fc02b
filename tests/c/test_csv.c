/* Buffer lists: what is read, and each error with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/csv.h"
#include "support/heap.h"

static ta_status read_text(ta_model *model, const char *text, ta_error *error) {
  memset(model, 0, sizeof *model);
  ta_region_init(&model->region, NULL);
  model->file = (ta_bytes){(const uint8_t *)text, strlen(text)};
  ta_error_clear(error);
  return ta_csv_read(model, error);
}

static void columns_in_any_order(void **state) {
  (void)state;
  ta_model model;
  ta_error error;
  assert_int_equal(read_text(&model,
                             "\xEF\xBB\xBFsize, offset,id,upper,lower,alignment\r\n"
                             "10,,a,3,0,\r\n\r\n"
                             " 0 , 64,\"b \"\"x\"\", c\",2147483647,5,1048576",
                             &error),
                   TA_OK);
  assert_int_equal(model.n_rows, 2);
  const ta_row *a = &model.rows[0], *b = &model.rows[1];
  assert_true(ta_str_equal(&a->id, &TA_STR("a")));
  assert_int_equal(a->first, 0);
  assert_int_equal(a->last, 2);
  assert_int_equal(a->bytes, 10);
  assert_int_equal(a->alignment, 1);
  assert_true(a->offset == TA_NO_OFFSET);
  assert_int_equal(a->alias, TA_NO_INDEX);
  assert_true(ta_str_equal(&b->id, &TA_STR("b \"x\", c")));
  assert_int_equal(b->last, 2147483646);
  assert_int_equal(b->alignment, TA_MAX_ALIGNMENT);
  assert_int_equal(b->offset, 64);
  ta_region_free(&model.region);
  assert_int_equal(read_text(&model, "id,lower,upper,size\n", &error), TA_OK);
  assert_int_equal(model.n_rows, 0);
  ta_region_free(&model.region);
}

static void views_lead_to_their_roots(void **state) {
  (void)state;
  ta_model model;
  ta_error error;
  assert_int_equal(read_text(&model,
                             "id,lower,upper,size,alias\n"
                             "v3,0,1,4,v2+4\n"
                             "v2,0,1,16,v1+8\n"
                             "root,0,1,100,\n"
                             "v1,0,1,50,root+16\n"
                             "w,0,1,0,a+b+0\n"
                             "a+b,0,1,0,\n",
                             &error),
                   TA_OK);
  static const uint32_t roots[] = {2, 2, TA_NO_INDEX, 2, 5, TA_NO_INDEX};
  static const uint64_t starts[] = {28, 24, 0, 16, 0, 0};
  for (int i = 0; i < 6; i++) {
    assert_int_equal(model.rows[i].alias, roots[i]);
    assert_int_equal(model.rows[i].alias_bytes, starts[i]);
  }
  ta_region_free(&model.region);
}

static void minimallocs_names_are_read(void **state) {
  (void)state;
  ta_model model;
  ta_error error;
  static const char *const lists[] = {"buffer,begin,upper,size,gaps\na,2,5,8,\n",
                                      "buffer_id,start,end,size,gaps\na,2,4,8,\n"};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(read_text(&model, lists[i], &error), TA_OK);
    assert_int_equal(model.n_rows, 1);
    assert_true(ta_str_equal(&model.rows[0].id, &TA_STR("a")));
    assert_int_equal(model.rows[0].first, 2);
    assert_int_equal(model.rows[0].last, 4);
    ta_region_free(&model.region);
  }
}

static void places_and_arenas(void **state) {
  (void)state;
  ta_model model;
  ta_error error;
  assert_int_equal(read_text(&model,
                             "id,lower,upper,size,offset,fixed,arena,alias\n"
                             "a,0,1,4,16,16,,\n"
                             "b,0,1,4,,8,rw,\n"
                             "v,0,1,4,,,,p+0\n"
                             "p,0,1,4,,,persistent,\n",
                             &error),
                   TA_OK);
  assert_true(model.has_offsets);
  assert_int_equal(model.rows[0].offset, 16);
  assert_int_equal(model.rows[0].fixed, 16);
  assert_true(model.rows[1].offset == TA_NO_OFFSET);
  assert_int_equal(model.rows[1].fixed, 8);
  static const uint8_t arenas[] = {TA_ARENA_RW_PLACE, TA_ARENA_RW_PLACE, TA_ARENA_PERSISTENT_PLACE,
                                   TA_ARENA_PERSISTENT_PLACE};
  for (int i = 0; i < 4; i++) assert_int_equal(model.rows[i].arena, arenas[i]);
  ta_region_free(&model.region);
  assert_int_equal(read_text(&model, "id,lower,upper,size,fixed\na,0,1,4,0\n", &error), TA_OK);
  assert_false(model.has_offsets); /* it is no plan yet */
  ta_region_free(&model.region);
}

typedef struct wrong {
  const char *text;
  ta_status status;
  uint64_t byte;
  const char *says;
} wrong;

static void errors_say_where(void **state) {
  (void)state;
#define HEAD "id,lower,upper,size\n"
#define FULL "id,lower,upper,size,alignment,offset,alias\n"
  static const wrong cases[] = {
      {"", TA_E_SYNTAX, 0, "\"id\" is missing"},
      {"id,lower,upper\n", TA_E_SYNTAX, 0, "\"size\" is missing"},
      {"id,lower,upper,size,colour\n", TA_E_SYNTAX, 20, "line 1, column 21: no column is called \"colour\""},
      {"id,lower,upper,size,id\n", TA_E_SYNTAX, 20, "line 1, column 21"},
      {"id,start,lower,end,size\n", TA_E_SYNTAX, 9, "\"lower\" says again what \"start\" says"},
      {"ID,lower,upper,size\n", TA_E_SYNTAX, 0, "no column is called \"ID\""},
      {"\nid;lower;upper;size\na;0;1;4\n", TA_E_SYNTAX, 3,
       "line 2, column 3: the fields are separated by semicolons"},
      {"id|lower|upper|size\n", TA_E_SYNTAX, 2, "line 1, column 3: the fields are separated by bars"},
      {"a\t0\t1\t4\n", TA_E_SYNTAX, 1, "line 1, column 2: the fields are separated by tabs"},
      {"id,start,end,size\na,3,2,4\n", TA_E_MALFORMED, 18,
       "start is 3 and end is 2; a buffer lives from start to end"},
      {"id,start,end,size\na,0,2147483647,4\n", TA_E_LIMIT, 22,
       "end must be a whole number from 0 to 2147483646"},
      {"id,lower,upper,size,gaps\na,0,9,4,1-2\n", TA_E_SYNTAX, 33, "lives with gaps are not planned"},
      {"id,lower,upper,size,arena\na,0,1,4,flash\n", TA_E_SYNTAX, 34,
       "arena is \"flash\"; give rw or persistent"},
      {"id,lower,upper,size,arena,alias\na,0,1,4,,\nv,0,1,4,persistent,a+0\n", TA_E_MALFORMED, 61,
       "the view \"v\" cannot lie in another arena than \"a\""},
      {"id,lower,upper,size,offset,fixed\na,0,1,4,8,16\n", TA_E_MALFORMED, 33,
       "line 2: the offset is 8, and the place is fixed at 16"},
      {"id,lower,upper,size,fixed\na,0,1,4,9007199254740990\n", TA_E_LIMIT, 26,
       "line 2: the buffer ends past"},
      {HEAD "a,0,1\n", TA_E_SYNTAX, 20, "line 2: this line has fewer"},
      {HEAD "a,0,1,2\nb,0\n", TA_E_SYNTAX, 28, "line 3: this line has fewer"},
      {HEAD "a,0,1,2,3\n", TA_E_SYNTAX, 20, "line 2: this line has more"},
      {HEAD "a,0,1,x\n", TA_E_SYNTAX, 26, "line 2, column 7: size must be a whole number"},
      {HEAD "a,0,1,\n", TA_E_SYNTAX, 26, "line 2, column 7"},
      {HEAD "a,-1,1,5\n", TA_E_SYNTAX, 22, "line 2, column 3: lower"},
      {HEAD "a,0,2147483648,5\n", TA_E_LIMIT, 24, "line 2, column 5: upper"},
      {HEAD "a,0,1,9007199254740992\n", TA_E_LIMIT, 26, "size"},
      {HEAD "a,0,1,99999999999999999999999\n", TA_E_LIMIT, 26, "size"},
      {HEAD "a,3,3,5\n", TA_E_MALFORMED, 20, "line 2: lower is 3 and upper is 3"},
      {HEAD ",0,1,5\n", TA_E_SYNTAX, 20, "line 2, column 1: the id is empty"},
      {HEAD "a,0,1,5\nb,0,1,5\n\na,0,1,6", TA_E_MALFORMED, 37, "line 5, column 1"},
      {HEAD "\"a,0,1,5\n", TA_E_SYNTAX, 20, "line 2, column 1: the quote"},
      {HEAD "\"a\"x,0,1,5\n", TA_E_SYNTAX, 23, "line 2, column 4: a comma"},
      {FULL "a,0,1,5,0,,\n", TA_E_SYNTAX, 51, "line 2, column 9: alignment"},
      {FULL "a,0,1,5,3,,\n", TA_E_SYNTAX, 51, "alignment is \"3\"; give a power of two from 1 to 1048576"},
      {FULL "a,0,1,5,2097152,,\n", TA_E_SYNTAX, 51, "alignment is \"2097152\"; give a power of two"},
      {FULL "a,0,1,5,,-4,\n", TA_E_SYNTAX, 52, "line 2, column 10: offset"},
      {FULL "a,0,1,5,,9007199254740990,\n", TA_E_LIMIT, 43, "line 2"},
      {FULL "a,0,1,5,,,b+0\n", TA_E_INDEX, 53, "line 2, column 11: no buffer is called \"b\""},
      {FULL "a,0,1,5,,,b\n", TA_E_SYNTAX, 53, "id+bytes"},
      {FULL "a,0,1,5,,,b+\n", TA_E_SYNTAX, 53, "id+bytes"},
      {FULL "a,0,1,5,,,a+0\n", TA_E_MALFORMED, 53, "view of itself"},
      {FULL "a,0,1,5,,,b+0\nb,0,1,5,,,a+0\n", TA_E_MALFORMED, 53, "view of itself"},
      {FULL "a,0,1,5,,,b+1\nb,0,1,5,,,\n", TA_E_MALFORMED, 53, "does not fit"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ta_model model;
    ta_error error;
    ta_status status = read_text(&model, cases[i].text, &error);
    if (status != cases[i].status || error.byte != cases[i].byte || !strstr(error.text, cases[i].says)) {
      print_message("%s-> %d at %d: %s\n", cases[i].text, status, (int)error.byte, error.text);
    }
    assert_int_equal(status, cases[i].status);
    assert_int_equal(error.byte, cases[i].byte);
    assert_non_null(strstr(error.text, cases[i].says));
    ta_region_free(&model.region);
  }
}

static bool looks(const char *text) {
  return ta_csv_looks_like((ta_bytes){(const uint8_t *)text, strlen(text)});
}

static bool lacks_names(const char *text) {
  return ta_csv_lacks_names((ta_bytes){(const uint8_t *)text, strlen(text)});
}

static void sniffing(void **state) {
  (void)state;
  assert_true(looks("id,lower,upper,size\n"));
  assert_true(looks("\xEF\xBB\xBF\"size\" , colour\r\n\x01"));
  assert_true(looks("size"));
  assert_true(looks("Id;Lower"));
  assert_true(lacks_names("a,0,1,4"));
  assert_true(lacks_names("\na\t0\t1\t4\t8\r\n"));
  assert_false(lacks_names("a,0,1,"));
  assert_false(lacks_names("a,0,1"));
  assert_false(lacks_names("a,x,1,4"));
  assert_false(lacks_names("id,0,1,4"));
  assert_false(lacks_names(""));
  assert_false(looks(""));
  assert_false(looks("a,b,c\nid,lower"));
  assert_false(looks("id\x01,lower"));
  assert_false(looks("\x1c\x01\x02\x03TFL3"));
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  static char text[200000];
  size_t len = (size_t)snprintf(text, sizeof text, "id,lower,upper,size,alias\n");
  for (int i = 0; i < 3000; i++) {
    len += (size_t)snprintf(text + len, sizeof text - len, "\"b\"\"%d\",0,9,9,%s\n", i,
                            i % 2 ? "\"b\"\"0+0\"" : "");
  }
  ta_status status = TA_E_MEMORY;
  for (long allowed = 0; status == TA_E_MEMORY; allowed++) {
    assert_true(allowed < 100);
    heap h = {.left = allowed};
    ta_allocator allocator = heap_allocator(&h);
    ta_model model;
    memset(&model, 0, sizeof model);
    ta_region_init(&model.region, &allocator);
    model.file = (ta_bytes){(const uint8_t *)text, len};
    ta_error error;
    status = ta_csv_read(&model, &error);
    assert_true(status == TA_OK || (status == TA_E_MEMORY && error.status == TA_E_MEMORY));
    ta_region_free(&model.region);
    assert_int_equal(h.held, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_in_any_order),
      cmocka_unit_test(views_lead_to_their_roots),
      cmocka_unit_test(minimallocs_names_are_read),
      cmocka_unit_test(places_and_arenas),
      cmocka_unit_test(errors_say_where),
      cmocka_unit_test(sniffing),
      cmocka_unit_test(memory_may_run_out_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The bounded readers of FlatBuffers and FlexBuffers: what is absent, what lies, what leaves the bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/flatbuf.h"
#include "model/flexbuf.h"
#include "support/file.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_have_defaults_and_stay_inside),
      cmocka_unit_test(tables_that_lie_are_refused),
      cmocka_unit_test(a_flexbuffers_map_gives_its_integers),
      cmocka_unit_test(no_flexbuffers_map_leaves_its_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

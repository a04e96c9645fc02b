/* The base: checked arithmetic, statuses, errors, text, regions, sorting, the byte reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/num.h"
#include "base/order.h"
#include "base/region.h"
#include "base/sort.h"
#include "base/text.h"

/* ---- arithmetic -----------------------------------------------------------------------------------------
 */

static void sums_and_products_stop_at_the_limit(void **state) {
  (void)state;
  uint64_t out = 7;
  assert_true(ta_add(TA_MAX_BYTES - 1, 1, &out));
  assert_true(out == TA_MAX_BYTES);
  out = 7;
  assert_false(ta_add(TA_MAX_BYTES, 1, &out));
  assert_false(ta_add(TA_MAX_BYTES + 1, 0, &out));
  assert_false(ta_add(UINT64_MAX, UINT64_MAX, &out));
  assert_int_equal(out, 7);
  assert_true(ta_mul(UINT64_C(1) << 26, UINT64_C(1) << 26, &out));
  assert_true(out == UINT64_C(1) << 52);
  assert_true(ta_mul(UINT64_MAX, 0, &out));
  assert_int_equal(out, 0);
  assert_false(ta_mul(UINT64_C(1) << 27, UINT64_C(1) << 26, &out));
  assert_false(ta_mul(UINT64_C(1) << 40, UINT64_C(1) << 40, &out));
}

static void aligning_rounds_up_to_any_multiple(void **state) {
  (void)state;
  uint64_t out;
  assert_true(ta_align_up(0, 64, &out) && out == 0);
  assert_true(ta_align_up(1, 64, &out) && out == 64);
  assert_true(ta_align_up(64, 64, &out) && out == 64);
  assert_true(ta_align_up(13, 12, &out) && out == 24);
  assert_true(ta_align_up(TA_MAX_BYTES, 1, &out) && out == TA_MAX_BYTES);
  assert_false(ta_align_up(TA_MAX_BYTES, 2, &out));
  assert_false(ta_align_up(TA_MAX_BYTES + 1, 1, &out));
  assert_true(ta_is_alignment(1) && ta_is_alignment(64) && ta_is_alignment(1 << 20));
  assert_false(ta_is_alignment(0) || ta_is_alignment(12) || ta_is_alignment(1 << 21));
}

/* ---- statuses and errors --------------------------------------------------------------------------------
 */

static void statuses_have_stable_names_and_numbers(void **state) {
  (void)state;
  assert_string_equal(ta_status_name(TA_OK), "ok");
  assert_string_equal(ta_status_name(TA_E_INDEX), "bad-index");
  assert_int_equal(TA_E_INDEX, 8);
  assert_string_equal(ta_status_name(TA_E_REFUSED), "refused-by-runtime");
  assert_int_equal(TA_E_REFUSED, 13);
  assert_string_equal(ta_status_name(-1), "unknown");
  assert_string_equal(ta_status_name(999), "unknown");
  for (int32_t s = 0; strcmp(ta_status_name(s), "unknown") != 0; s++)
    assert_true(strlen(ta_status_meaning(s)) > 0);
}

static void error_says_where_and_what(void **state) {
  (void)state;
  ta_error error;
  ta_status status = ta_fail_at(&error, TA_E_INDEX, 2, TA_NO_INDEX, 9, "tensor %u of %u", 9u, 4u);
  assert_int_equal(status, TA_E_INDEX);
  assert_int_equal(error.status, TA_E_INDEX);
  assert_int_equal(error.subgraph, 2);
  assert_int_equal(error.tensor, 9);
  assert_int_equal(error.node, -1);
  assert_true(error.byte == TA_NO_BYTE);
  assert_string_equal(error.text, "tensor 9 of 4");
  ta_fail_at_byte(&error, TA_E_TRUNCATED, 77, "cut");
  assert_true(error.byte == 77);
  ta_fail_at(&error, TA_E_INDEX, 1, 3, TA_NO_INDEX, "n");
  assert_int_equal(error.node, 3);
  ta_fail_at(&error, TA_E_INDEX, 5, TA_NO_INDEX, TA_NO_INDEX, "g");
  assert_int_equal(error.subgraph, 5);
  assert_int_equal(ta_fail(NULL, TA_E_LIMIT, "nobody listens"), TA_E_LIMIT);
  assert_int_equal(ta_fail_memory(&error), TA_E_MEMORY);
}

/* ---- text -----------------------------------------------------------------------------------------------
 */

static void format_knows_its_marks(void **state) {
  (void)state;
  ta_text text;
  ta_text_init(&text, NULL);
  ta_text_format(&text, "%s|%T|%u|%i|%i|%U|%X|%X|%%", "a", &TA_STR("b"), 4294967295u, (int32_t)-7, INT32_MIN,
                 TA_MAX_BYTES, UINT64_C(0xAB), UINT64_C(0x12345));
  ta_text_format(&text, "|1%M|2%M|%G|%G|%G|%G", &TA_STR("b"), &TA_STR(""), UINT64_C(0), UINT64_C(999),
                 UINT64_C(1000), TA_MAX_BYTES);
  const char *expected = "a|b|4294967295|-7|-2147483648|9007199254740991|0x00AB|0x12345|%"
                         "|1 (b)|2|0|999|1,000|9,007,199,254,740,991";
  assert_int_equal(text.len, strlen(expected));
  assert_memory_equal(text.at, expected, text.len);
  ta_text_free(&text);
}

static void invalid_utf8_becomes_the_replacement_character(void **state) {
  (void)state;
  const char bytes[] = "a\xFF\xC3\xA9\xC3\xE2\x82\xAC\xED\xA0\x80\xC0\x80\xF0\x9F\x98\x80\xF4\x90\x80\x80";
  ta_text text;
  ta_text_init(&text, NULL);
  ta_text_format(&text, "%T", &(ta_str){bytes, sizeof bytes - 1});
#define R "\xEF\xBF\xBD"
  const char expected[] = "a" R "\xC3\xA9" R "\xE2\x82\xAC" R R R R R "\xF0\x9F\x98\x80" R R R R;
  assert_int_equal(text.len, sizeof expected - 1);
  assert_memory_equal(text.at, expected, text.len);
  ta_text_free(&text);
}

static void fixed_text_is_cut_at_a_whole_character(void **state) {
  (void)state;
  char storage[12];
  ta_text text;
  ta_text_init_fixed(&text, storage, sizeof storage);
  ta_text_format(&text, "%s", "1234567");
  ta_text_format(&text, "%s", "\xE2\x82\xAC\xE2\x82\xAC");
  assert_string_equal(storage, "1234567...");
  assert_true(text.failed);
  ta_text_format(&text, "%s", "more");
  assert_string_equal(storage, "1234567...");
}

static void fail_where(ta_error *error, const ta_text *where, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_vfail_at(error, TA_E_ARGUMENT, 0, 0, 0, where, format, arguments, "");
  va_end(arguments);
}

static void errors_show_what_names_hide(void **state) {
  (void)state;
  /* The ends of each range of hidden.def, and the characters beside them. */
  const char name[] =
      "a\n\x1F ~\x7F"
      "\xC2\x80\xC2\x9F\xC2\xA0\xD8\x9B\xD8\x9C\xD8\x9D\xE2\x80\x8D\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\x90"
      "\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xAE\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA\xEF"
      "\xBB\xBF\xF0\x9F\x98\x80";
  const char shown[] =
      "a\\u000a\\u001f ~\\u007f"
      "\\u0080\\u009f\xC2\xA0\xD8\x9B\\u061c\xD8\x9D\xE2\x80\x8D\\u200e\\u200f\xE2\x80\x90"
      "\xE2\x80\xA7\\u2028\\u202e\xE2\x80\xAF\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA\\ufeff\xF0\x9F\x98\x80";
  ta_error error;
  ta_fail(&error, TA_E_ARGUMENT, "%T", &(ta_str){name, sizeof name - 1});
  assert_string_equal(error.text, shown);

  char storage[8];
  ta_text where;
  ta_text_init_fixed(&where, storage, sizeof storage);
  ta_text_format(&where, "%T: ", &TA_STR("\x1B"));
  fail_where(&error, &where, "wrong");
  assert_string_equal(error.text, "\\u001b: wrong");
}

/* ---- regions --------------------------------------------------------------------------------------------
 */

typedef struct budget {
  size_t left, held;
} budget;

static void *budget_alloc(void *context, size_t bytes) {
  budget *purse = context;
  if (bytes > purse->left) return NULL;
  purse->left -= bytes;
  purse->held += bytes;
  void *block = malloc(bytes);
  if (block) memset(block, 0xA5, bytes); /* what is taken must come zeroed all the same */
  return block;
}

static void budget_free(void *context, void *pointer, size_t bytes) {
  budget *purse = context;
  purse->left += bytes;
  purse->held -= bytes;
  free(pointer);
}

static void region_gives_zeroed_aligned_memory_and_takes_all_back(void **state) {
  (void)state;
  budget purse = {.left = 1 << 24};
  ta_allocator allocator = {budget_alloc, budget_free, &purse};
  ta_region region;
  ta_region_init(&region, &allocator);
  assert_int_equal(purse.held, 0);
  size_t taken = 0;
  for (size_t i = 0; i < 3000; i++) {
    size_t count = i % 37 == 0 ? 5000 : i % 9;
    uint8_t *at = TA_TAKE(&region, count, uint8_t);
    assert_non_null(at);
    assert_int_equal((uintptr_t)at % 16, 0);
    for (size_t b = 0; b < count; b++) assert_int_equal(at[b], 0);
    memset(at, 0xFF, count);
    taken += count;
  }
  assert_true(purse.held < 4 * taken + (1 << 20));
  ta_region_free(&region);
  assert_int_equal(purse.held, 0);
  assert_non_null(TA_TAKE(&region, 1, uint64_t)); /* usable again */
  ta_region_free(&region);
}

static void region_refuses_what_it_cannot_have(void **state) {
  (void)state;
  budget purse = {.left = 10000};
  ta_allocator allocator = {budget_alloc, budget_free, &purse};
  ta_region region;
  ta_region_init(&region, &allocator);
  uint32_t *kept = TA_TAKE(&region, 4, uint32_t);
  kept[0] = 42;
  assert_null(ta_region_take(&region, SIZE_MAX / 2, 3));
  assert_null(ta_region_take(&region, SIZE_MAX, 1));
  assert_null(ta_region_take(&region, 100000, 1));
  assert_int_equal(kept[0], 42);
  ta_region_free(&region);
}

/* ---- sorting --------------------------------------------------------------------------------------------
 */

static uint32_t seed = 5;

static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static bool smaller_key(const void *context, uint32_t a, uint32_t b) {
  const uint64_t *keys = context;
  return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
}

static void check_sorted(const uint32_t *indices, uint32_t n, const uint64_t *keys) {
  for (uint32_t i = 1; i < n; i++) assert_true(smaller_key(keys, indices[i - 1], indices[i]));
}

static void sorts_agree_and_keep_ties_in_order(void **state) {
  (void)state;
  enum { MOST = 500 };
  uint64_t keys[MOST];
  uint32_t heap[MOST], radix[MOST], scratch[MOST];
  for (int round = 0; round < 300; round++) {
    uint32_t n = below(MOST), distinct = 1 + below(round % 2 ? 10 : 1000000);
    for (uint32_t i = 0; i < n; i++) {
      keys[i] = (uint64_t)below(distinct) << (8 * below(5));
      heap[i] = radix[i] = i;
    }
    ta_sort(heap, n, smaller_key, keys);
    ta_order_by_key(radix, scratch, n, keys);
    check_sorted(heap, n, keys);
    assert_memory_equal(heap, radix, n * sizeof heap[0]);
    ta_sort(heap, n, smaller_key, keys); /* sorted input */
    check_sorted(heap, n, keys);
  }
  assert_true(ta_step_key(-1) < ta_step_key(0) && ta_step_key(INT32_MIN) < ta_step_key(INT32_MAX));
}

/* ---- bytes ----------------------------------------------------------------------------------------------
 */

static void reader_is_little_endian_and_bounded(void **state) {
  (void)state;
  const uint8_t data[9] = {1, 2, 3, 0xF4, 5, 6, 7, 0x88, 9};
  assert_int_equal(ta_load_u16(data + 1), 0x0302);
  assert_true(ta_load_u32(data) == 0xF4030201);
  assert_int_equal(ta_load_i32(data), (int32_t)0xF4030201);
  assert_true(ta_load_u64(data) == UINT64_C(0x88070605F4030201));
  ta_bytes bytes = {data, sizeof data};
  assert_true(ta_bytes_hold(bytes, 0, 9, 1));
  assert_true(ta_bytes_hold(bytes, 1, 2, 4));
  assert_true(ta_bytes_hold(bytes, 9, 0, 4));
  assert_true(ta_bytes_hold(bytes, 3, UINT64_MAX, 0));
  assert_false(ta_bytes_hold(bytes, 2, 2, 4));
  assert_false(ta_bytes_hold(bytes, 10, 0, 1));
  assert_false(ta_bytes_hold(bytes, 1, UINT64_MAX, 8));
  assert_false(ta_bytes_hold(bytes, UINT64_MAX, 1, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_products_stop_at_the_limit),
      cmocka_unit_test(aligning_rounds_up_to_any_multiple),
      cmocka_unit_test(statuses_have_stable_names_and_numbers),
      cmocka_unit_test(error_says_where_and_what),
      cmocka_unit_test(format_knows_its_marks),
      cmocka_unit_test(invalid_utf8_becomes_the_replacement_character),
      cmocka_unit_test(fixed_text_is_cut_at_a_whole_character),
      cmocka_unit_test(errors_show_what_names_hide),
      cmocka_unit_test(region_gives_zeroed_aligned_memory_and_takes_all_back),
      cmocka_unit_test(region_refuses_what_it_cannot_have),
      cmocka_unit_test(sorts_agree_and_keep_ties_in_order),
      cmocka_unit_test(reader_is_little_endian_and_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

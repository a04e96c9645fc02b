/* The live-bytes bound: worked examples, and the sweep against the definition on random lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solve/solve.h"

static ta_item item(uint64_t bytes, int32_t first, int32_t last, uint64_t alignment) {
  return (ta_item){bytes, alignment, TA_NO_OFFSET, first, last};
}

static uint64_t bound_of(const ta_item *items, uint32_t n, int32_t *step, uint64_t *live) {
  uint64_t bound = 1;
  ta_error error;
  assert_int_equal(ta_live_bound(NULL, items, n, &bound, step, live, &error), TA_OK);
  return bound;
}

static void examples(void **state) {
  (void)state;
  int32_t step;
  uint64_t live;
  assert_int_equal(bound_of(NULL, 0, &step, &live), 0);
  assert_int_equal(step, -1);
  ta_item chain[] = {item(1600, 0, 1, 16), item(1280, 1, 2, 16), item(960, 2, 3, 16)};
  assert_int_equal(bound_of(chain, 3, &step, &live), 2880);
  assert_int_equal(step, 1);
  assert_int_equal(live, 2880);
  ta_item wide[] = {item(80, 0, 0, 64), item(80, 0, 0, 64)};
  assert_int_equal(bound_of(wide, 2, &step, &live), 208);
  assert_int_equal(live, 160);
  ta_item mixed[] = {item(80, 0, 0, 64), item(80, 0, 0, 64), item(4, 0, 0, 4)};
  assert_int_equal(bound_of(mixed, 3, &step, &live), 208); /* the small one fits into the padding */
  ta_item odd[] = {item(1, 0, 0, 12), item(1, 0, 0, 18)};
  assert_int_equal(bound_of(odd, 2, &step, &live), 7);
  ta_item fixed[] = {item(8, 0, 0, 4), item(8, 5, 5, 4)};
  fixed[0].fixed = 100;
  assert_int_equal(bound_of(fixed, 2, &step, &live), 108);
  ta_item empty[] = {item(0, 0, 9, 16), item(16, 2, 2, 16)};
  assert_int_equal(bound_of(empty, 2, &step, &live), 16);
  assert_int_equal(step, 2);
  ta_item early[] = {item(10, -1, 3, 1)};
  assert_int_equal(bound_of(early, 1, &step, &live), 10);
  assert_int_equal(step, 0);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  return b == 0 ? a : gcd(b, a % b);
}

/* The definition, step by step. */
static uint64_t slow_bound(const ta_item *items, uint32_t n, int32_t steps) {
  uint64_t bound = 0;
  for (int32_t t = 0; t < steps; t++) {
    uint64_t g = 0, sum = 0, padding = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (items[i].bytes && items[i].first <= t && t <= items[i].last) g = gcd(items[i].alignment, g);
    }
    for (uint32_t i = 0; i < n; i++) {
      if (!items[i].bytes || items[i].first > t || t > items[i].last) continue;
      uint64_t rounded = (items[i].bytes + g - 1) / g * g;
      sum += rounded;
      if (rounded - items[i].bytes > padding) padding = rounded - items[i].bytes;
    }
    if (sum - padding > bound) bound = sum - padding;
  }
  return bound;
}

static uint32_t next(uint32_t *seed) {
  uint32_t z = *seed += 0x9E3779B9u;
  z = (z ^ z >> 16) * 0x21F0AAADu;
  z = (z ^ z >> 15) * 0x735A2D97u;
  return z ^ z >> 15;
}

static void matches_the_definition(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 3000; round++) {
    static const uint64_t alignments[] = {1, 4, 16, 64, 12, 18};
    ta_item items[24];
    uint32_t n = next(&seed) % 24, kinds = 1 + next(&seed) % 6;
    bool two_powers = next(&seed) % 2;
    for (uint32_t i = 0; i < n; i++) {
      int32_t first = (int32_t)(next(&seed) % 12);
      items[i] = item(next(&seed) % 100, first, first + (int32_t)(next(&seed) % 5),
                      two_powers ? alignments[next(&seed) % 4 % kinds] : 16);
    }
    int32_t step;
    uint64_t live, slow = slow_bound(items, n, 20), fast = bound_of(items, n, &step, &live);
    if (two_powers) {
      assert_true(fast >= slow); /* subsets of one alignment may give more */
    } else {
      assert_int_equal(fast, slow);
    }
  }
}

static void limits(void **state) {
  (void)state;
  ta_item huge[] = {item(TA_MAX_BYTES, 0, 0, 1), item(1, 0, 0, 1)};
  uint64_t bound, live;
  int32_t step;
  ta_error error;
  assert_int_equal(ta_live_bound(NULL, huge, 2, &bound, &step, &live, &error), TA_E_LIMIT);
  assert_int_equal(ta_live_bound(NULL, huge, 1, &bound, &step, &live, &error), TA_OK);
  assert_true(bound == TA_MAX_BYTES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples),
      cmocka_unit_test(matches_the_definition),
      cmocka_unit_test(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

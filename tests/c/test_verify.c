/* The verifier: the known clashes, and counts and lists against the definition on random claims. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "model/csv.h"
#include "support/graphs.h"
#include "support/heap.h"

static const uint64_t no_end[2] = {TA_NO_OFFSET, TA_NO_OFFSET};

static ta_claim claim(int64_t offset, uint64_t bytes, int32_t first, int32_t last) {
  return (ta_claim){offset, bytes, 1, first, last, TA_NO_INDEX, 0};
}

static ta_verdict check(const ta_claim *claims, uint32_t n, const uint64_t *sizes, ta_clash *clashes,
                        uint32_t capacity) {
  ta_verdict verdict;
  ta_error error;
  assert_int_equal(ta_verify(NULL, claims, n, sizes, clashes, capacity, &verdict, &error), TA_OK);
  assert_int_equal(verdict.sound, verdict.clashes == 0);
  return verdict;
}

static void two_buffers_share_bytes(void **state) {
  (void)state;
  ta_claim claims[] = {claim(0, 64, 1, 3), claim(32, 64, 2, 4)};
  ta_clash clash;
  ta_verdict verdict = check(claims, 2, no_end, &clash, 1);
  assert_int_equal(verdict.clashes, 1);
  assert_int_equal(clash.kind, TA_CLASH_OVERLAP);
  assert_int_equal(clash.a, 0);
  assert_int_equal(clash.b, 1);
  assert_int_equal(clash.low, 32);
  assert_int_equal(clash.high, 63);
  assert_int_equal(clash.first, 2);
  assert_int_equal(clash.last, 3);
  claims[1].first = 4;
  assert_true(check(claims, 2, no_end, NULL, 0).sound);
  claims[0].arena = claims[1].arena = 1; /* persistent: always live */
  assert_false(check(claims, 2, no_end, NULL, 0).sound);
  claims[0].arena = 0;
  assert_true(check(claims, 2, no_end, NULL, 0).sound);
  claims[1].arena = 0;
  claims[1].first = 2;
  claims[0].group = claims[1].group = 7;
  assert_true(check(claims, 2, no_end, NULL, 0).sound);
}

static void faults_of_one(void **state) {
  (void)state;
  ta_claim claims[] = {claim(-16, 8, 0, 0), claim(8, 8, 1, 1),
                       claim(100, 8, 2, 2), claim(TA_NOT_CLAIMED, 8, 3, 3),
                       claim(0, 8, 5, 4),   claim(TA_NOT_CLAIMED, 0, 3, 3)};
  claims[1].alignment = 16;
  static const uint64_t sizes[2] = {104, 0};
  static const uint32_t kinds[] = {TA_CLASH_NEGATIVE, TA_CLASH_MISALIGNED, TA_CLASH_OUTSIDE,
                                   TA_CLASH_UNPLACED, TA_CLASH_BACKWARDS};
  ta_clash clashes[8];
  ta_verdict verdict = check(claims, 6, sizes, clashes, 8);
  assert_int_equal(verdict.clashes, 5);
  for (uint32_t i = 0; i < 5; i++) {
    assert_int_equal(clashes[i].kind, kinds[i]);
    assert_int_equal(clashes[i].a, i);
    assert_int_equal(clashes[i].b, TA_NO_INDEX);
  }
  assert_int_equal(clashes[2].low, 104);
  assert_int_equal(clashes[2].high, 107);
  ta_verdict out;
  ta_error error;
  claims[0].arena = 2;
  assert_int_equal(ta_verify(NULL, claims, 6, sizes, NULL, 0, &out, &error), TA_E_ARGUMENT);
  claims[0] = claim(1, TA_MAX_BYTES, 0, 0);
  assert_int_equal(ta_verify(NULL, claims, 6, sizes, NULL, 0, &out, &error), TA_E_LIMIT);
}

static uint32_t next(uint32_t *seed) {
  uint32_t z = *seed += 0x9E3779B9u;
  z = (z ^ z >> 16) * 0x21F0AAADu;
  z = (z ^ z >> 15) * 0x735A2D97u;
  return z ^ z >> 15;
}

static bool meet(const ta_claim *a, const ta_claim *b) {
  if (!a->bytes || !b->bytes || a->arena != b->arena) return false;
  if (a->group != TA_NO_INDEX && a->group == b->group) return false;
  if (a->arena == 0 && (a->last < b->first || b->last < a->first)) return false;
  return a->offset < b->offset + (int64_t)b->bytes && b->offset < a->offset + (int64_t)a->bytes;
}

static void agrees_with_the_definition(void **state) {
  (void)state;
  uint32_t seed = 7;
  for (int round = 0; round < 2000; round++) {
    ta_claim claims[40];
    ta_clash clashes[800];
    static bool listed[40][40];
    memset(listed, 0, sizeof listed);
    uint32_t n = next(&seed) % 40, space = 1 + next(&seed) % 500, groups = 1 + next(&seed) % 6;
    for (uint32_t i = 0; i < n; i++) {
      int32_t first = (int32_t)(next(&seed) % 20) - 1;
      claims[i] =
          claim((int64_t)(next(&seed) % space), next(&seed) % 30, first, first + (int32_t)(next(&seed) % 8));
      if (next(&seed) % 2) claims[i].group = next(&seed) % groups;
      claims[i].arena = next(&seed) % 8 == 0;
    }
    uint64_t expected = 0;
    for (uint32_t a = 0; a < n; a++) {
      for (uint32_t b = a + 1; b < n; b++) expected += meet(&claims[a], &claims[b]);
    }
    ta_verdict verdict = check(claims, n, no_end, clashes, 800);
    assert_int_equal(verdict.clashes, expected);
    assert_int_equal(verdict.listed, expected);
    for (uint32_t i = 0; i < verdict.listed; i++) {
      const ta_clash *c = &clashes[i];
      assert_true(c->a < c->b && c->b < n && !listed[c->a][c->b] && meet(&claims[c->a], &claims[c->b]));
      assert_true(c->low <= c->high && c->first <= c->last);
      listed[c->a][c->b] = true;
    }
    uint32_t few = (uint32_t)(expected / 2);
    assert_int_equal(check(claims, n, no_end, clashes, few).listed, few);
  }
}

/* All claims on one place: half a million million pairs, counted all the same. */
static void many_clashes_stay_cheap(void **state) {
  (void)state;
  enum { N = 300000 };
  ta_claim *claims = calloc(N, sizeof *claims);
  for (uint32_t i = 0; i < N; i++) claims[i] = claim(0, 8, 0, 5);
  ta_clash clashes[10];
  ta_verdict verdict = check(claims, N, no_end, clashes, 10);
  assert_int_equal(verdict.clashes, (uint64_t)N * (N - 1) / 2);
  assert_int_equal(verdict.listed, 10);
  for (uint32_t i = 0; i < N; i++) claims[i].group = 3; /* one stranger among many of one group */
  claims[N / 2].group = 4;
  verdict = check(claims, N, no_end, clashes, 10);
  assert_int_equal(verdict.clashes, N - 1);
  free(claims);
}

static ta_verdict check_rows(const char *text, ta_clash *clashes, uint32_t capacity) {
  ta_model model = {.kind = TA_KIND_CSV, .file = {(const uint8_t *)text, strlen(text)}};
  ta_region_init(&model.region, NULL);
  ta_error error;
  ta_verdict verdict;
  assert_int_equal(ta_csv_read(&model, &error), TA_OK);
  assert_int_equal(ta_verify_rows(NULL, &model, TA_NO_OFFSET, clashes, capacity, &verdict, &error), TA_OK);
  ta_region_free(&model.region);
  return verdict;
}

static void rows_and_views(void **state) {
  (void)state;
#define HEAD "id,lower,upper,size,offset,alias\n"
  ta_clash clashes[4];
  assert_true(check_rows(HEAD "a,0,2,8,0,\nb,1,3,8,8,\nc,2,4,8,0,\n", clashes, 4).sound);
  assert_true(check_rows(HEAD "a,0,1,8,0,\nv,0,3,4,4,a+4\nc,2,4,8,8,\n", clashes, 4).sound);
  ta_verdict verdict = check_rows(HEAD "a,0,1,8,0,\nv,0,3,4,,a+4\nc,2,4,8,4,\n", clashes, 4);
  assert_int_equal(verdict.clashes, 2); /* with the root, which lives as long, and with the view */
  verdict = check_rows(HEAD "a,0,1,8,,\nv,0,3,4,12,a+4\nc,0,4,8,8,\n", clashes, 4);
  assert_int_equal(verdict.clashes, 2);
  verdict = check_rows(HEAD "a,0,1,8,0,\nv,0,3,4,5,a+4\n", clashes, 4);
  assert_int_equal(verdict.clashes, 1);
  assert_int_equal(clashes[0].kind, TA_CLASH_ADRIFT);
  assert_int_equal(clashes[0].a, 1);
  assert_int_equal(clashes[0].b, 0);
  verdict = check_rows(HEAD "a,0,1,8,,\n", clashes, 4);
  assert_int_equal(clashes[0].kind, TA_CLASH_UNPLACED);
}

/* Where the planner puts what, the verifier agrees: tflite keeps a variable's bytes, tflite-2018, which knows
 * none, gives them to the next tensor. */
static void variables_are_what_the_runtime_knows(void **state) {
  (void)state;
  static graph g;
  graph_begin(&g, LIST(0), LIST(3));
  graph_tensors(&g, 4, (const uint64_t[]){64, 64, 64, 64});
  for (int32_t k = 0; k < 3; k++) graph_node_add(&g, LIST(k), LIST(k + 1), NONE);
  memcpy(g.variables, LIST(1), sizeof LIST(1));
  for (ta_runtime_id runtime = TA_RUNTIME_TFLITE_2018; runtime <= TA_RUNTIME_TFLITE; runtime++) {
    graph_plan(&g, runtime);
    graph_execute(&g, 0, 2);
    ta_verdict verdict;
    ta_clash clash;
    assert_int_equal(ta_planner_runtime(g.planner), runtime);
    assert_int_equal(ta_verify_planner(NULL, g.model, g.planner, &clash, 1, &verdict, &g.error), TA_OK);
    assert_true(verdict.sound);
    bool reused = graph_offset(&g, 3) == graph_offset(&g, 1);
    assert_int_equal(reused, runtime == TA_RUNTIME_TFLITE_2018);
    graph_end(&g);
  }
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  enum { N = 20000 };
  ta_claim *claims = calloc(N, sizeof *claims);
  for (uint32_t i = 0; i < N; i++) claims[i] = claim(8 * i, 8, 0, 5);
  ta_status status = TA_E_MEMORY;
  for (long allowed = 0; status == TA_E_MEMORY; allowed++) {
    assert_true(allowed < 100);
    heap h = {.left = allowed};
    ta_allocator allocator = heap_allocator(&h);
    ta_verdict verdict;
    ta_error error;
    status = ta_verify(&allocator, claims, N, no_end, NULL, 0, &verdict, &error);
    assert_int_equal(verdict.sound, status == TA_OK);
  }
  assert_int_equal(status, TA_OK);
  free(claims);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_buffers_share_bytes),
      cmocka_unit_test(faults_of_one),
      cmocka_unit_test(agrees_with_the_definition),
      cmocka_unit_test(many_clashes_stay_cheap),
      cmocka_unit_test(rows_and_views),
      cmocka_unit_test(variables_are_what_the_runtime_knows),
      cmocka_unit_test(memory_may_run_out_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdbool.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"

enum { MAX_CLAIMS = 24, CAPACITY = 8 };

/* Mostly small numbers, so that claims meet; now and then any. */
static uint64_t number(fuzz_input *input) {
  uint32_t choice = fuzz_u8(input);
  if (choice < 220) return choice % 32;
  if (choice < 240) return UINT64_C(1) << (choice % 64);
  return fuzz_u64(input);
}

static ta_claim make_claim(fuzz_input *input) {
  ta_claim claim = {
      .offset = (int64_t)number(input), .bytes = number(input), .alignment = fuzz_below(input, 5)};
  claim.first = (int32_t)(uint32_t)number(input);
  claim.last = fuzz_u8(input) < 240 ? (int32_t)((uint32_t)claim.first + fuzz_below(input, 6))
                                    : (int32_t)(uint32_t)number(input);
  uint32_t odd = fuzz_u8(input);
  claim.group = odd % 4 == 0 ? odd % 3 : TA_NO_INDEX;
  claim.arena = odd / 16 == 1 ? 1 : odd == 255 ? 2 : 0;
  if (odd / 16 == 2) claim.offset = TA_NOT_CLAIMED;
  if (odd / 16 == 3) claim.offset = -claim.offset;
  return claim;
}

/* By the definition, pair by pair. */
static bool clash(const ta_claim *a, const ta_claim *b) {
  if (a->arena != b->arena || a->bytes == 0 || b->bytes == 0) return false;
  if (a->offset < 0 || b->offset < 0) return false; /* counted on their own */
  if (a->group != TA_NO_INDEX && a->group == b->group) return false;
  if (a->arena == 0 && (a->last < a->first || b->last < b->first)) return false;
  if (a->arena == 0 && (a->last < b->first || b->last < a->first)) return false;
  return (uint64_t)a->offset < (uint64_t)b->offset + b->bytes &&
         (uint64_t)b->offset < (uint64_t)a->offset + a->bytes;
}

static bool is_plain(const ta_claim *claim, const uint64_t arena_bytes[2]) {
  uint64_t alignment = claim->alignment == 0 ? 1 : claim->alignment;
  if (claim->bytes == 0)
    return claim->offset >= 0 && claim->first <= claim->last && (uint64_t)claim->offset % alignment == 0;
  return claim->offset >= 0 && claim->first <= claim->last && (uint64_t)claim->offset % alignment == 0 &&
         (uint64_t)claim->offset + claim->bytes <= arena_bytes[claim->arena];
}

/* When no single claim has a fault, the clashes are the pairs that clash, and the listed ones are such. */
static void compare(const ta_claim *claims, uint32_t n, const uint64_t arena_bytes[2],
                    const ta_clash *clashes, const ta_verdict *verdict) {
  uint64_t pairs = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!is_plain(&claims[i], arena_bytes)) return;
    for (uint32_t j = 0; j < i; j++) pairs += clash(&claims[j], &claims[i]);
  }
  FUZZ_CHECK(verdict->clashes == pairs, "as many clashes as pairs that clash");
  for (uint32_t i = 0; i < verdict->listed; i++) {
    FUZZ_CHECK(clashes[i].kind == TA_CLASH_OVERLAP && clashes[i].a < clashes[i].b && clashes[i].b < n,
               "a listed clash is a pair in order");
    FUZZ_CHECK(clash(&claims[clashes[i].a], &claims[clashes[i].b]), "a listed pair clashes");
    FUZZ_CHECK(clashes[i].low <= clashes[i].high && clashes[i].first <= clashes[i].last,
               "a clash has bytes and steps");
  }
}

void fuzz_verify(const uint8_t *data, size_t size) {
  fuzz_input input = {data, size};
  ta_claim *claims = malloc(MAX_CLAIMS * sizeof *claims);
  ta_clash clashes[CAPACITY];
  if (claims == NULL) return;
  uint32_t n = fuzz_below(&input, MAX_CLAIMS + 1), capacity = fuzz_below(&input, CAPACITY + 1);
  uint64_t arena_bytes[2] = {TA_NO_OFFSET, TA_NO_OFFSET};
  if (fuzz_u8(&input) % 4 == 0) arena_bytes[0] = number(&input);
  for (uint32_t i = 0; i < n; i++) claims[i] = make_claim(&input);
  ta_verdict verdict;
  ta_error error;
  ta_status status = ta_verify(NULL, claims, n, arena_bytes, clashes, capacity, &verdict, &error);
  fuzz_check_status(status, &error);
  if (status == TA_OK) {
    FUZZ_CHECK(verdict.listed <= capacity && verdict.listed <= verdict.clashes,
               "no more are listed than there is room for");
    FUZZ_CHECK(verdict.listed == capacity || verdict.listed == verdict.clashes,
               "all are listed that there is room for");
    FUZZ_CHECK((verdict.sound == 1) == (verdict.clashes == 0), "sound means no clash");
    compare(claims, n, arena_bytes, clashes, &verdict);
  }
  free(claims);
}

/* Checks plans. Shares no code with what it checks: includes nothing but base and graph. */
#include "base/error.h"
#include "base/num.h"
#include "base/order.h"
#include "check/meet.h"

typedef struct checker {
  const ta_claim *claims;
  uint32_t n;
  const uint64_t *arena_bytes;
  ta_clash *clashes;
  uint32_t capacity;
  ta_verdict *verdict;
} checker;

static void note(checker *c, ta_clash clash) {
  if (c->verdict->listed < c->capacity) c->clashes[c->verdict->listed++] = clash;
  c->verdict->clashes++;
}

static ta_clash fault(const ta_claim *claim, uint32_t at, ta_clash_kind kind) {
  return (ta_clash){.first = claim->first, .last = claim->last, .a = at, .b = TA_NO_INDEX, .kind = kind};
}

/* Faults of one claim; whether it occupies bytes that others may want. */
static bool check_alone(checker *c, uint32_t at) {
  const ta_claim *claim = &c->claims[at];
  if (claim->bytes == 0) return false;
  if (claim->last < claim->first) {
    note(c, fault(claim, at, TA_CLASH_BACKWARDS));
    return false;
  }
  if (claim->offset == TA_NOT_CLAIMED) {
    note(c, fault(claim, at, TA_CLASH_UNPLACED));
    return false;
  }
  if (claim->offset < 0) {
    note(c, fault(claim, at, TA_CLASH_NEGATIVE));
    return false;
  }
  uint64_t offset = (uint64_t)claim->offset, end = offset + claim->bytes;
  if (claim->alignment > 1 && offset % claim->alignment != 0) {
    ta_clash clash = fault(claim, at, TA_CLASH_MISALIGNED);
    clash.low = offset;
    clash.high = end - 1;
    note(c, clash);
  }
  if (end > c->arena_bytes[claim->arena]) {
    ta_clash clash = fault(claim, at, TA_CLASH_OUTSIDE);
    clash.low = ta_max_u64(offset, c->arena_bytes[claim->arena]);
    clash.high = end - 1;
    note(c, clash);
  }
  return true;
}

static ta_status check_limits(const checker *c, ta_error *error) {
  for (uint32_t i = 0; i < c->n; i++) {
    const ta_claim *claim = &c->claims[i];
    uint64_t end;
    if (claim->arena > 1) {
      return ta_fail(error, TA_E_ARGUMENT, "claim %u is of arena %u; there are 0 (rw) and 1 (persistent)", i,
                     claim->arena);
    }
    if (claim->bytes > TA_MAX_BYTES ||
        (claim->offset > 0 && !ta_add((uint64_t)claim->offset, claim->bytes, &end))) {
      return ta_fail(error, TA_E_LIMIT, "claim %u ends past byte %L", i);
    }
  }
  return TA_OK;
}

/* Gives each claim a group number that no other group has: those of a group the group's, the rest their own,
 * counted on from the number of claims. Groups may have any numbers, so they are ranked first. */
static uint64_t group_of(const void *claims, uint32_t claim) {
  return ((const ta_claim *)claims)[claim].group;
}

static bool number_groups(const checker *c, ta_region *region, uint32_t *numbers) {
  uint32_t *order = TA_TAKE(region, c->n, uint32_t), number = 0;
  if (!order) return false;
  for (uint32_t i = 0; i < c->n; i++) order[i] = i;
  if (!ta_order(&region->allocator, order, c->n, group_of, c->claims)) return false;
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t group = c->claims[order[i]].group;
    if (i > 0 && (group == TA_NO_INDEX || group != c->claims[order[i - 1]].group)) number++;
    numbers[order[i]] = number;
  }
  return true;
}

static bool check_arena(checker *c, ta_region *region, const uint32_t *groups, uint32_t arena,
                        const bool *occupies) {
  ta_block_claim *blocks = TA_TAKE(region, c->n, ta_block_claim);
  if (!blocks) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    const ta_claim *claim = &c->claims[i];
    if (!occupies[i] || claim->arena != arena) continue;
    blocks[n++] = (ta_block_claim){.low = (uint64_t)claim->offset,
                                   .high = (uint64_t)claim->offset + claim->bytes,
                                   .first = arena == 0 ? claim->first : 0,
                                   .last = arena == 0 ? claim->last : INT32_MAX,
                                   .group = groups[i],
                                   .claim = i};
  }
  if (n == 0) return true;
  uint64_t pairs;
  if (!ta_find_meetings(region, blocks, n, &pairs, c->clashes, c->capacity, &c->verdict->listed))
    return false;
  c->verdict->clashes += pairs;
  return true;
}

static bool check_all(checker *c, ta_region *region) {
  bool *occupies = TA_TAKE(region, c->n, bool);
  uint32_t *groups = TA_TAKE(region, c->n, uint32_t);
  if (!occupies || !groups || !number_groups(c, region, groups)) return false;
  for (uint32_t i = 0; i < c->n; i++) occupies[i] = check_alone(c, i);
  return check_arena(c, region, groups, 0, occupies) && check_arena(c, region, groups, 1, occupies);
}

ta_status ta_verify(const ta_allocator *allocator, const ta_claim *claims, uint32_t n,
                    const uint64_t arena_bytes[2], ta_clash *clashes, uint32_t capacity, ta_verdict *out,
                    ta_error *error) {
  *out = (ta_verdict){0, 0, 0};
  checker c = {claims, n, arena_bytes, clashes, capacity, out};
  ta_status status = check_limits(&c, error);
  if (status != TA_OK) return status;
  ta_region region;
  ta_region_init(&region, allocator);
  if (!check_all(&c, &region)) status = ta_fail_memory(error);
  ta_region_free(&region);
  out->sound = status == TA_OK && out->clashes == 0;
  return status;
}

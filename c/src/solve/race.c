#include "solve/race.h"

#include "base/error.h"
#include "base/num.h"

enum { DIVE, BELOW, ABOVE, LANES };
enum { STRATEGIES = TA_PICKS * TA_PREFERENCES };

/* Nodes are shared out in this proportion. */
static const uint64_t shares[LANES] = {[DIVE] = 2, [BELOW] = 1, [ABOVE] = 1};

/* A search's memory grows with the lists of who lives in which section (cells) and, as every pair makes a
 * change on the trail at most once on a path, with the pairs that live together. Up to so many of both there
 * are all three lanes; up to so many there are dives only. */
#define MOST_FOR_PROOFS UINT64_C(1000000)
#define MOST_FOR_DIVES  UINT64_C(8000000)
/* Pieces times sections: a dive takes a sixty-fourth of it in steps. */
#define MOST_SCANS UINT64_C(20000000000)

struct ta_race {
  ta_region region;
  const ta_part *part;
  uint32_t rules;
  ta_nogoods nogoods;
  ta_search *lanes[LANES];
  bool running[LANES]; /* the lane's search has started and not ended */
  uint64_t spent[LANES];
  uint32_t lane;
  uint64_t left; /* nodes of its turn */

  uint32_t dives;    /* so far, over all goals */
  uint32_t attempts; /* at the present target */
  uint64_t missed;   /* the highest target that all strategies have missed since the last success */
  uint64_t target;   /* of the present dive, bytes */
};

bool ta_race_can(const ta_part *part) {
  return part->cells + part->pairs <= MOST_FOR_DIVES && (uint64_t)part->n * part->sections <= MOST_SCANS;
}

/* About 64 states a piece. */
static uint32_t table_entries(const ta_part *part) {
  uint32_t entries = 1024;
  while (entries < (1u << 18) && entries / 64 < part->n) entries *= 2;
  return entries;
}

ta_race *ta_race_new(const ta_allocator *allocator, const ta_part *part, uint32_t rules) {
  ta_region region;
  ta_region_init(&region, allocator);
  ta_race *race = TA_TAKE(&region, 1, ta_race);
  if (!race) return NULL;
  race->region = region;
  race->part = part;
  race->rules = rules;
  bool good = ta_nogoods_new(&race->nogoods, &race->region, table_entries(part));
  uint32_t lanes = part->cells + part->pairs <= MOST_FOR_PROOFS ? LANES : DIVE + 1;
  for (uint32_t lane = 0; lane < lanes && good; lane++) {
    race->lanes[lane] = ta_search_new(&race->region, part, rules, &race->nogoods);
    good = race->lanes[lane] != NULL;
  }
  if (good) return race;
  ta_race_free(race);
  return NULL;
}

void ta_race_free(ta_race *race) {
  if (!race) return;
  ta_region region = race->region; /* holds the race itself */
  ta_region_free(&region);
}

/* Dives get longer: each time all strategies have been tried with eight seeds their length doubles. */
static uint64_t dive_length(const ta_race *race) {
  uint32_t doublings = race->dives / (STRATEGIES * 8);
  return (3 * (uint64_t)race->part->n + 64) << (doublings < 20 ? doublings : 20);
}

static bool takes_part(const ta_race *race, uint32_t lane, const ta_known *known, uint64_t goal,
                       bool decide) {
  if (!race->lanes[lane]) return false;
  bool deepen = (race->rules & TA_RULE_DEEPEN) != 0;
  if (lane == BELOW) return deepen || decide;
  if (lane == ABOVE)
    return !decide && (!deepen || (known->height - 1) / race->part->unit != goal / race->part->unit);
  return true;
}

static uint32_t next_lane(const ta_race *race, const ta_known *known, uint64_t goal, bool decide) {
  uint32_t best = DIVE;
  for (uint32_t lane = DIVE + 1; lane < LANES; lane++) {
    if (!takes_part(race, lane, known, goal, decide)) continue;
    if (race->spent[lane] * shares[best] < race->spent[best] * shares[lane]) best = lane;
  }
  return best;
}

/* Where the next dive aims: first at the goal; when all strategies have missed, halfway between there and the
 * best plan, and so on; from the goal again when nothing is left between. */
static void aim(ta_race *race, const ta_known *known, uint64_t goal, bool decide) {
  if (race->attempts >= STRATEGIES) {
    race->missed = race->target;
    race->attempts = 0;
  }
  race->target = goal;
  if (decide || race->missed < goal) return;
  uint64_t room = known->height - 1 - ta_min_u64(race->missed, known->height - 1);
  if (room < race->part->unit) {
    race->missed = 0;
  } else {
    race->target = known->height - 1 - room / 2;
  }
}

static void start_lane(ta_race *race, const ta_known *known, uint64_t goal, bool decide) {
  ta_strategy strategy = {TA_PICK_FEWEST, TA_PREFER_LONG, 0};
  uint64_t capacity = race->lane == BELOW ? goal : known->height - 1;
  if (race->lane == DIVE) {
    aim(race, known, goal, decide);
    capacity = race->target;
    uint32_t turn = race->dives % STRATEGIES;
    strategy.pick = turn % TA_PICKS;
    strategy.preference = (turn / TA_PICKS + turn) % TA_PREFERENCES;
    strategy.seed = race->dives / STRATEGIES;
    race->dives++;
    race->attempts++;
  }
  ta_search_start(race->lanes[race->lane], capacity, strategy);
  race->running[race->lane] = true;
}

/* Whether the lane's question is still one: the best plan and the bound may have moved past it. */
static bool still_asks(const ta_race *race, const ta_known *known, uint64_t goal) {
  if (!race->running[race->lane]) return false;
  uint64_t capacity = ta_search_capacity(race->lanes[race->lane]);
  return capacity >= goal && capacity < known->height;
}

static void keep_plan(ta_race *race, ta_known *known) {
  const ta_level *levels = ta_search_levels(race->lanes[race->lane]);
  for (uint32_t i = 0; i < race->part->n; i++) known->levels[i] = levels[i];
  known->height = ta_part_height(race->part, known->levels);
  race->attempts = 0;
}

static bool note_outcome(ta_race *race, ta_known *known, ta_outcome outcome) {
  const ta_search *search = race->lanes[race->lane];
  if (outcome == TA_SEARCH_RUNNING) {
    if (race->left == 0 && race->lane == DIVE) race->running[DIVE] = false;
    return false;
  }
  race->running[race->lane] = false;
  race->left = 0;
  if (outcome == TA_SEARCH_FOUND) {
    keep_plan(race, known);
  } else {
    known->bound = ta_max_u64(known->bound, ta_min_u64(ta_search_needs(search), known->height));
  }
  return true;
}

ta_status ta_race_run(ta_race *race, ta_known *known, uint64_t goal, bool decide, uint64_t *nodes,
                      ta_error *error) {
  while (*nodes > 0) {
    if (race->left == 0) {
      race->lane = next_lane(race, known, goal, decide);
      race->left = race->lane == DIVE ? dive_length(race) : 4 * (uint64_t)race->part->n;
    }
    ta_search *search = race->lanes[race->lane];
    if (!still_asks(race, known, goal)) start_lane(race, known, goal, decide);
    uint64_t before = ta_search_nodes(search);
    ta_outcome outcome = ta_search_run(search, ta_min_u64(race->left, *nodes));
    uint64_t used = ta_search_nodes(search) - before;
    *nodes -= used;
    race->left -= used;
    race->spent[race->lane] += used;
    if (outcome == TA_SEARCH_MEMORY) {
      race->running[race->lane] = false;
      return ta_fail_memory(error);
    }
    if (note_outcome(race, known, outcome)) break;
  }
  return TA_OK;
}

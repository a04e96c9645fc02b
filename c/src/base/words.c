/* The words of tensor_arena_words.def as tables. */
#include "base/words.h"

typedef struct word {
  const char *name, *people;
} word;

typedef struct word_list {
  const word *at;
  uint32_t n;
} word_list;

static const word kinds[] = {
#define KIND(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word runtimes[] = {
#define RUNTIME(number, id, name, people, ...) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word planners[] = {
#define PLANNER(number, id, name, people, ...) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word kernels[] = {
#define KERNELS(number, id, name, people, ...) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word targets[] = {
#define TARGET(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word formats[] = {
#define FORMAT(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word types[] = {
#define TYPE(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word plan_statuses[] = {
#define PLAN_STATUS(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

static const word size_items[] = {
#define SIZE_ITEM(number, id, name, people) [number] = {name, people},
#include "tensor_arena_words.def"
};

#define LIST(rows)                                                                                           \
  { rows, sizeof rows / sizeof rows[0] }
static const word_list lists[] = {
    [TA_WORDS_KIND] = LIST(kinds),           [TA_WORDS_RUNTIME] = LIST(runtimes),
    [TA_WORDS_PLANNER] = LIST(planners),     [TA_WORDS_KERNELS] = LIST(kernels),
    [TA_WORDS_TARGET] = LIST(targets),       [TA_WORDS_FORMAT] = LIST(formats),
    [TA_WORDS_TYPE] = LIST(types),           [TA_WORDS_PLAN_STATUS] = LIST(plan_statuses),
    [TA_WORDS_SIZE_ITEM] = LIST(size_items),
};

static const word *find(ta_words list, uint32_t number) {
  bool there = (uint32_t)list < sizeof lists / sizeof lists[0] && number < lists[list].n;
  return there ? &lists[list].at[number] : NULL;
}

const char *ta_word_name(ta_words list, uint32_t number) {
  const word *found = find(list, number);
  return found ? found->name : NULL;
}

const char *ta_word_for_people(ta_words list, uint32_t number) {
  const word *found = find(list, number);
  return found ? found->people : NULL;
}

static const ta_runtime_traits traits[] = {
#define RUNTIME(number, id, name, people, takes, default_of, arena_alignment, alignment, fixed, whole,       \
                steps, planner)                                                                              \
  [number] = {takes, default_of, arena_alignment, alignment, fixed, whole, steps, planner},
#include "tensor_arena_words.def"
};

const ta_runtime_traits *ta_runtime_traits_of(uint32_t runtime) {
  return runtime < sizeof traits / sizeof traits[0] ? &traits[runtime] : NULL;
}

uint32_t ta_default_runtime(ta_kind kind) {
  uint32_t runtime = 0;
  while (!(traits[runtime].default_of >> (uint32_t)kind & 1)) runtime++;
  return runtime;
}

bool ta_planner_searches(uint32_t planner) {
  static const bool searches[] = {
#define PLANNER(number, id, name, people, searches) [number] = (searches),
#include "tensor_arena_words.def"
  };
  return planner < sizeof searches && searches[planner];
}

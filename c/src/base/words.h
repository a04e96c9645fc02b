/* What the rows of tensor_arena_words.def say beyond a word's name. */
#ifndef TA_BASE_WORDS_H
#define TA_BASE_WORDS_H

#include <stdbool.h>

#include "tensor_arena.h"

/* A runtime's columns. Kinds are sets of bits, 1 << ta_kind. */
typedef struct ta_runtime_traits {
  uint32_t takes, default_of;
  uint32_t arena_alignment, alignment; /* bytes: of the arena's base; of a tensor, the default */
  bool fixed_alignment;                /* no other */
  bool whole_model;                    /* plans all subgraphs together */
  bool in_steps;                       /* its own planner takes ranges of nodes */
  uint32_t planner;                    /* the default, a ta_planner_id */
} ta_runtime_traits;

/* NULL for a number that is no ta_runtime_id. */
const ta_runtime_traits *ta_runtime_traits_of(uint32_t runtime);

/* The runtime that plans this kind of input when nobody names one. */
uint32_t ta_default_runtime(ta_kind kind);

/* Whether the planner spends search nodes. */
bool ta_planner_searches(uint32_t planner);

#endif

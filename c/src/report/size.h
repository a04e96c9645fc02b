/* The whole arena that TensorFlow Lite Micro needs for a model: the head (planned buffers) at its low end and
 * the tail (what is kept for good), item by item, in the order in which TFLM takes them. */
#ifndef TA_REPORT_SIZE_H
#define TA_REPORT_SIZE_H

#include "planner/tflm_plan.h"
#include "report/peak.h"

typedef enum ta_size_what {
  TA_SIZE_ALLOCATOR = 0,
  TA_SIZE_GREEDY_PLANNER,
  TA_SIZE_LINEAR_PLANNER,
  TA_SIZE_MICRO_ALLOCATOR,
  TA_SIZE_RESOURCE_VARIABLES,
  TA_SIZE_BUILTIN_ALLOCATOR,
  TA_SIZE_SUBGRAPHS,
  TA_SIZE_EVAL_TENSORS,
  TA_SIZE_NODES,
  TA_SIZE_BUILTIN,
  TA_SIZE_INIT,
  TA_SIZE_PREPARE,
  TA_SIZE_SCRATCH_HANDLES,
  TA_SIZE_VARIABLE,
  TA_SIZE_INPUTS,
  TA_SIZE_INPUT,
  TA_SIZE_OUTPUTS,
  TA_SIZE_OUTPUT,
  TA_SIZE_KINDS
} ta_size_what;

/* A part of the tail; `bytes` holds what alignment adds, so that the items add up to the tail. */
typedef struct ta_size_item {
  uint64_t bytes;
  uint32_t subgraph, node, tensor; /* TA_NO_INDEX: not about one */
  uint32_t what;                   /* ta_size_what */
} ta_size_item;

typedef struct ta_size_report {
  const ta_model *model;
  ta_size_options options;
  ta_tflm_plan plan;
  ta_peak peak; /* of the head */
  ta_size size;
  ta_size_item *items;
  uint32_t n_items, capacity;
  ta_missing *missing; /* operators outside the tables */
  uint32_t n_missing;
} ta_size_report;

/* What an arena of that size is compared with: the smallest accepted, or where that is not known what is in
 * use. */
uint64_t ta_size_needed(const ta_size *size);

/* How an item is called: the object's name in TFLM where it has one. */
const char *ta_size_name(uint32_t what);

/* Fills the items and all of size but covered and fits, from plan and head_bytes. */
ta_status ta_size_measure(ta_size_report *report, ta_region *region, ta_error *error);

void ta_write_size_json(const ta_size_report *report, ta_text *out);
void ta_write_size_text(const ta_size_report *report, ta_text *out);

#endif

/* Problems: what a reader or planner wants the user to know without refusing the input. */
#ifndef TA_GRAPH_PROBLEM_H
#define TA_GRAPH_PROBLEM_H

#include "base/error.h"
#include "base/region.h"

typedef struct ta_problem ta_problem;
struct ta_problem {
  ta_problem *next;
  const char *code;                /* stable, lower-case-with-dashes, static */
  uint32_t subgraph, node, tensor; /* TA_NO_INDEX: not about one */
  ta_str text;                     /* one sentence, in the region */
};

/* In the order they were found. At most TA_PROBLEMS_MAX are kept; `more` counts the rest. */
typedef struct ta_problems {
  ta_problem *first, *last;
  uint32_t count, more;
} ta_problems;

#define TA_PROBLEMS_MAX 1000u

/* Errors: MEMORY. subgraph, node and tensor may be TA_NO_INDEX. `where` (NULL: nothing) begins the sentence;
 * `format` takes ta_text_format's marks. */
ta_status ta_problem_add(ta_problems *problems, ta_region *region, const char *code, uint32_t subgraph,
                         uint32_t node, uint32_t tensor, ta_error *error, const char *format, ...);
ta_status ta_problem_vadd(ta_problems *problems, ta_region *region, const char *code, uint32_t subgraph,
                          uint32_t node, uint32_t tensor, ta_error *error, const ta_text *where,
                          const char *format, va_list arguments);

#endif

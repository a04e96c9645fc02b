/* What the JSON writers share. They write by ta_text_format: the shape of the output is that of their format
 * strings, without white space, and the same bytes on every target. */
#ifndef TA_REPORT_JSON_H
#define TA_REPORT_JSON_H

#include "graph/problem.h"

/* As a text's `escape`: for %T between quotation marks. */
bool ta_escape_json(ta_text *out, uint32_t code);

/* A key and its index, where there is one. */
void ta_json_index(ta_text *out, const char *key, uint32_t index);

/* The items of an array of problems: {"code","text","subgraph"?,"tensor"?,"node"?}. */
void ta_json_problems(ta_text *out, const ta_problems *problems);

/* The keys of a budget, where there is one. `fits`: 0 not decided, 1 yes, 2 no, by `shortfall` bytes. */
void ta_json_budget(ta_text *out, uint64_t budget, uint32_t fits, uint64_t shortfall);

#endif

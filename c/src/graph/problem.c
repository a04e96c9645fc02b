#include "graph/problem.h"

#include <string.h>

ta_status ta_problem_vadd(ta_problems *problems, ta_region *region, const char *code, uint32_t subgraph,
                          uint32_t node, uint32_t tensor, ta_error *error, const ta_text *where,
                          const char *format, va_list arguments) {
  if (problems->count == TA_PROBLEMS_MAX) {
    problems->more++;
    return TA_OK;
  }
  char sentence[256];
  ta_text text;
  ta_text_init_fixed(&text, sentence, sizeof sentence);
  if (where) ta_text_bytes(&text, where->at, where->len);
  ta_text_vformat(&text, format, arguments);

  ta_problem *problem = TA_TAKE(region, 1, ta_problem);
  char *kept = TA_TAKE(region, text.len + 1, char);
  if (!problem || !kept) return ta_fail_memory(error);
  memcpy(kept, sentence, text.len);
  problem->code = code;
  problem->subgraph = subgraph;
  problem->node = node;
  problem->tensor = tensor;
  problem->text = (ta_str){kept, text.len};
  if (problems->last) {
    problems->last->next = problem;
  } else {
    problems->first = problem;
  }
  problems->last = problem;
  problems->count++;
  return TA_OK;
}

ta_status ta_problem_add(ta_problems *problems, ta_region *region, const char *code, uint32_t subgraph,
                         uint32_t node, uint32_t tensor, ta_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_status status =
      ta_problem_vadd(problems, region, code, subgraph, node, tensor, error, NULL, format, arguments);
  va_end(arguments);
  return status;
}

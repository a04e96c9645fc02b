#include "report/problems_json.h"

static void place(ta_json *json, const char *key, uint32_t index) {
  if (index == TA_NO_INDEX) return;
  ta_json_key(json, key);
  ta_json_u64(json, index);
}

void ta_json_problems(ta_json *json, const ta_problems *problems) {
  for (const ta_problem *problem = problems->first; problem; problem = problem->next) {
    ta_json_object(json);
    ta_json_key(json, "code");
    ta_json_literal(json, problem->code);
    ta_json_key(json, "text");
    ta_json_str(json, problem->text);
    place(json, "subgraph", problem->subgraph);
    place(json, "tensor", problem->tensor);
    place(json, "node", problem->node);
    ta_json_end(json);
  }
  if (problems->more == 0) return;
  char sentence[64];
  ta_text text;
  ta_text_init_fixed(&text, sentence, sizeof sentence);
  ta_text_format(&text, "%u more problems of these kinds are not listed", problems->more);
  ta_json_object(json);
  ta_json_key(json, "code");
  ta_json_literal(json, "more-problems");
  ta_json_key(json, "text");
  ta_json_str(json, (ta_str){text.at, text.len});
  ta_json_end(json);
}

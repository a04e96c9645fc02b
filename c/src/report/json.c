#include "report/json.h"

bool ta_escape_json(ta_text *out, uint32_t code) {
  static const char hex[] = "0123456789abcdef";
  char escape[] = {'\\', 'u', '0', '0', hex[code >> 4 & 15], hex[code & 15]};
  if (code >= ' ' && code != '"' && code != '\\') return false;
  escape[1] = code == '\n' ? 'n' : code == '\t' ? 't' : code < ' ' ? 'u' : (char)code;
  ta_text_bytes(out, escape, escape[1] == 'u' ? sizeof escape : 2);
  return true;
}

void ta_json_index(ta_text *out, const char *key, uint32_t index) {
  if (index != TA_NO_INDEX) ta_text_format(out, ",\"%s\":%u", key, index);
}

void ta_json_problems(ta_text *out, const ta_problems *problems) {
  for (const ta_problem *problem = problems->first; problem; problem = problem->next) {
    ta_text_format(out, "%,{\"code\":\"%s\",\"text\":\"%T\"", problem->code, &problem->text);
    ta_json_index(out, "subgraph", problem->subgraph);
    ta_json_index(out, "tensor", problem->tensor);
    ta_json_index(out, "node", problem->node);
    ta_text_format(out, "}");
  }
  if (problems->more == 0) return;
  ta_text_format(out,
                 "%,{\"code\":\"more-problems\",\"text\":\"%u more problems of these kinds are not listed\"}",
                 problems->more);
}

void ta_json_budget(ta_text *out, uint64_t budget, uint32_t fits, uint64_t shortfall) {
  static const char *const answers[] = {"null", "true", "false"};
  if (budget == TA_NO_OFFSET) return;
  ta_text_format(out, ",\"budget_bytes\":%U,\"fits\":%s", budget, answers[fits]);
  if (fits == 2) ta_text_format(out, ",\"shortfall_bytes\":%U", shortfall);
}

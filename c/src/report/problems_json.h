/* Problems as JSON: [{"code","text","subgraph"?,"tensor"?,"node"?}], in the plan and in the model's
 * description. */
#ifndef TA_REPORT_PROBLEMS_JSON_H
#define TA_REPORT_PROBLEMS_JSON_H

#include "graph/problem.h"
#include "report/json.h"

/* The items only: the caller opens and ends the array, so that several lists can make one. */
void ta_json_problems(ta_json *json, const ta_problems *problems);

#endif

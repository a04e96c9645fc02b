#include "graph/ops.h"

#include <stddef.h>
#include <string.h>

/* The names one after the other, and where each starts: half of what pointers to them would take. */
static const struct names {
#define OP(number, name, inplace, reach) char name[sizeof #name];
#include "graph/ops.def"
#undef OP
} names = {
#define OP(number, name, inplace, reach) #name,
#include "graph/ops.def"
#undef OP
};

static const uint16_t starts[TA_OPS] = {
#define OP(number, name, inplace, reach) [number] = offsetof(struct names, name),
#include "graph/ops.def"
#undef OP
};

static const uint8_t masks[TA_OPS] = {
#define OP(number, name, inplace, reach) [number] = (inplace),
#include "graph/ops.def"
#undef OP
};

static const uint8_t reaches[TA_OPS] = {
#define OP(number, name, inplace, reach) [number] = (reach),
#include "graph/ops.def"
#undef OP
};

ta_str ta_op_name(uint32_t op) {
  const char *name = op < TA_OPS ? (const char *)&names + starts[op] : "";
  return (ta_str){name, strlen(name)};
}

uint8_t ta_op_inplace(uint32_t op) {
  return op < TA_OPS ? masks[op] : 0;
}

ta_reach ta_op_reach(uint32_t op) {
  return op < TA_OPS ? (ta_reach)reaches[op] : TA_REACH_STATE;
}

#include "graph/ops.h"

typedef struct op_row {
  ta_str name;
  uint8_t inplace;
} op_row;

static const op_row rows[TA_OPS] = {
#define OP(number, name, inplace) [number] = {{#name, sizeof(#name) - 1}, inplace},
#include "graph/ops.def"
#undef OP
};

ta_str ta_op_name(uint32_t op) {
  return op < TA_OPS ? rows[op].name : (ta_str){"", 0};
}

uint8_t ta_op_inplace(uint32_t op) {
  return op < TA_OPS ? rows[op].inplace : 0;
}

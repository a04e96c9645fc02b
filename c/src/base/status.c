#include "tensor_arena.h"

typedef struct status_row {
  const char *name, *meaning;
} status_row;

static const status_row rows[] = {
#define STATUS(number, id, name, meaning) [number] = {name, meaning},
#include "tensor_arena_status.def"
#undef STATUS
};

static const status_row *row_of(int32_t status) {
  static const status_row unknown = {"unknown", "not a status of this library"};
  return status >= 0 && (size_t)status < sizeof rows / sizeof rows[0] ? &rows[status] : &unknown;
}

const char *ta_status_name(int32_t status) {
  return row_of(status)->name;
}

const char *ta_status_meaning(int32_t status) {
  return row_of(status)->meaning;
}

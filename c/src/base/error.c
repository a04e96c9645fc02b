#include "base/error.h"

#include <string.h>

void ta_error_clear(ta_error *error) {
  if (!error) return;
  memset(error, 0, sizeof *error);
  error->subgraph = error->node = error->tensor = -1;
  error->byte = TA_NO_BYTE;
}

ta_status ta_fail(ta_error *error, ta_status status, const ta_place *place, const char *format, ...) {
  if (!error) return status;
  ta_error_clear(error);
  error->status = (int32_t)status;
  if (place) {
    error->subgraph = place->subgraph;
    error->node = place->node;
    error->tensor = place->tensor;
    error->byte = place->byte;
  }
  ta_text text;
  ta_text_init_fixed(&text, error->text, sizeof error->text);
  va_list arguments;
  va_start(arguments, format);
  ta_text_vformat(&text, format, arguments);
  va_end(arguments);
  return status;
}

ta_status ta_fail_memory(ta_error *error) {
  return ta_fail(error, TA_E_MEMORY, TA_NOWHERE,
                 "out of memory: give the process (or the allocator's limit) more, or plan a smaller model");
}

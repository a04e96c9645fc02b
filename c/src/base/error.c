#include "base/error.h"

#include <string.h>

void ta_error_clear(ta_error *error) {
  if (!error) return;
  memset(error, 0, sizeof *error);
  error->subgraph = error->node = error->tensor = -1;
  error->byte = TA_NO_BYTE;
}

ta_status ta_vfail_at(ta_error *error, ta_status status, uint32_t subgraph, uint32_t node, uint32_t tensor,
                      const ta_text *where, const char *format, va_list arguments, const char *end) {
  if (!error) return status;
  ta_error_clear(error);
  error->status = (int32_t)status;
  error->subgraph = (int32_t)subgraph;
  error->node = (int32_t)node;
  error->tensor = (int32_t)tensor;
  ta_text text;
  ta_text_init_fixed(&text, error->text, sizeof error->text);
  text.escape = ta_escape_hidden;
  if (where) ta_text_format(&text, "%T", &(ta_str){where->at, where->len});
  ta_text_vformat(&text, format, arguments);
  ta_text_format(&text, "%s", end);
  return status;
}

ta_status ta_fail_at(ta_error *error, ta_status status, uint32_t subgraph, uint32_t node, uint32_t tensor,
                     const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_vfail_at(error, status, subgraph, node, tensor, NULL, format, arguments, "");
  va_end(arguments);
  return status;
}

ta_status ta_fail(ta_error *error, ta_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_vfail_at(error, status, TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX, NULL, format, arguments, "");
  va_end(arguments);
  return status;
}

ta_status ta_fail_at_byte(ta_error *error, ta_status status, uint64_t byte, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ta_vfail_at(error, status, TA_NO_INDEX, TA_NO_INDEX, TA_NO_INDEX, NULL, format, arguments, "");
  va_end(arguments);
  if (error) error->byte = byte;
  return status;
}

ta_status ta_fail_memory(ta_error *error) {
  return ta_fail(error, TA_E_MEMORY,
                 "out of memory: give the process (or the allocator's limit) more, or plan a smaller model");
}

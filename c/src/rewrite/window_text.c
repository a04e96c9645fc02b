#include "rewrite/window_text.h"

#include <string.h>

#include "base/error.h"

typedef struct window_reader {
  const char *start, *at;
  const ta_draft *draft;
  ta_error *error;
} window_reader;

static ta_status fail_syntax(const window_reader *r) {
  return ta_fail_at_byte(
      r->error, TA_E_SYNTAX, (uint64_t)(r->at - r->start),
      "the windows cannot be read from their character %u on: write FIRST-LAST:STRIPS, then "
      ":exact= and operators, :trim= and tensors, such as 0-3:4:trim=51",
      (uint32_t)(r->at - r->start) + 1);
}

static bool read_number(window_reader *r, uint32_t *out) {
  uint32_t value = 0;
  const char *from = r->at;
  for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
    if (value > (uint32_t)INT32_MAX / 10 - 1) return false;
    value = value * 10 + (uint32_t)(*r->at - '0');
  }
  *out = value;
  return r->at > from;
}

static bool skip(window_reader *r, const char *word) {
  size_t n = strlen(word);
  if (strncmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

/* The operator of the window that makes a tensor. */
static bool find_maker(const window_reader *r, const ta_window_choice *window, uint32_t tensor,
                       uint32_t *op) {
  for (uint32_t i = window->first; i <= window->last && i < r->draft->n_ops; i++) {
    for (uint32_t k = 0; k < r->draft->ops[i].n_outputs; k++) {
      *op = i;
      if (ta_draft_outputs(r->draft, i)[k] == (int32_t)tensor) return true;
    }
  }
  return false;
}

static ta_status read_marks(window_reader *r, const ta_window_choice *window, bool tensors, uint64_t *marks) {
  do {
    uint32_t number, op;
    if (!read_number(r, &number)) return fail_syntax(r);
    bool found = tensors ? find_maker(r, window, number, &op)
                         : (op = number) >= window->first && number <= window->last;
    if (!found)
      return ta_fail(r->error, TA_E_ARGUMENT, "%s %u is none of the window %u-%u",
                     tensors ? "tensor" : "operator", number, window->first, window->last);
    *marks |= UINT64_C(1) << (op - window->first);
  } while (skip(r, ","));
  return TA_OK;
}

static ta_status read_window(window_reader *r, ta_window_choice *out) {
  *out = (ta_window_choice){0};
  if (!read_number(r, &out->first) || !skip(r, "-") || !read_number(r, &out->last) || !skip(r, ":") ||
      !read_number(r, &out->strips))
    return fail_syntax(r);
  if (out->first > out->last || out->last >= r->draft->n_ops || out->last - out->first >= TA_WINDOW_MOST_OPS)
    return ta_fail(r->error, TA_E_ARGUMENT,
                   "the window %u-%u is none of at most %u of the %u operators there are", out->first,
                   out->last, TA_WINDOW_MOST_OPS, r->draft->n_ops);
  ta_status status = TA_OK;
  while (!status && *r->at == ':') {
    if (skip(r, ":exact="))
      status = read_marks(r, out, false, &out->exact);
    else if (skip(r, ":trim="))
      status = read_marks(r, out, true, &out->trim);
    else
      status = fail_syntax(r);
  }
  return status;
}

ta_status ta_windows_read(const char *text, const ta_draft *draft, ta_region *region, ta_window_choice **out,
                          uint32_t *count, ta_error *error) {
  window_reader r = {.start = text, .at = text, .draft = draft, .error = error};
  *count = 0;
  *out = TA_TAKE(region, text ? strlen(text) / 2 + 1 : 0, ta_window_choice);
  if (!*out) return ta_fail_memory(error);
  while (text && *r.at) {
    if (skip(&r, " ")) continue;
    ta_window_choice *window = *out + *count;
    ta_status status = read_window(&r, window);
    if (status) return status;
    if (*r.at && *r.at != ' ') return fail_syntax(&r);
    if (*count > 0 && window->first <= window[-1].last)
      return ta_fail(error, TA_E_ARGUMENT, "the window %u-%u does not lie behind the one before it",
                     window->first, window->last);
    ++*count;
  }
  return TA_OK;
}

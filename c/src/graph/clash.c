#include "graph/clash.h"

const char *ta_clash_name(uint32_t kind) {
  static const char *const names[] = {[TA_CLASH_OVERLAP] = "overlap",   [TA_CLASH_MISALIGNED] = "misaligned",
                                      [TA_CLASH_OUTSIDE] = "outside",   [TA_CLASH_NEGATIVE] = "negative",
                                      [TA_CLASH_UNPLACED] = "unplaced", [TA_CLASH_BACKWARDS] = "backwards",
                                      [TA_CLASH_ADRIFT] = "adrift"};
  return names[kind];
}

void ta_put_clash(ta_text *out, const ta_clash *clash, const ta_str *a, const ta_str *b) {
  switch (clash->kind) {
  case TA_CLASH_OVERLAP:
    ta_text_format(out, "%T and %T share bytes %U..%U in steps %i..%i", a, b, clash->low, clash->high,
                   clash->first, clash->last);
    break;
  case TA_CLASH_MISALIGNED:
    ta_text_format(out, "%T starts at byte %U, which its alignment does not allow", a, clash->low);
    break;
  case TA_CLASH_OUTSIDE:
    ta_text_format(out, "%T has bytes %U..%U past the arena's end", a, clash->low, clash->high);
    break;
  case TA_CLASH_NEGATIVE:
    ta_text_format(out, "%T starts before the arena", a);
    break;
  case TA_CLASH_UNPLACED:
    ta_text_format(out, "%T has no offset", a);
    break;
  case TA_CLASH_BACKWARDS:
    ta_text_format(out, "%T ends at step %i, before it begins at step %i", a, clash->last, clash->first);
    break;
  default:
    ta_text_format(out, "%T, a view of %T, does not lie inside it where it says", a, b);
    break;
  }
}

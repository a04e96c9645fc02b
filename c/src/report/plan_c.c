/* The plan as a C header: the arena's size and alignment, and a table of offsets. */
#include "report/report.h"

/* The model's name as an identifier: letters, digits and underscores, never starting with a digit. */
static void put_identifier(ta_text *out, const ta_str *name, bool upper) {
  size_t end = name->len;
  for (size_t i = 0; i < name->len; i++) {
    if (name->at[i] == '.' && i > 0) {
      end = i;
      break;
    }
  }
  if (end == 0) {
    ta_text_format(out, upper ? "MODEL" : "model");
    return;
  }
  if (name->at[0] >= '0' && name->at[0] <= '9') ta_text_format(out, upper ? "M" : "m");
  for (size_t i = 0; i < end; i++) {
    char c = name->at[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool digit = c >= '0' && c <= '9';
    if (letter) c = (char)(upper ? c & ~0x20 : c | 0x20);
    ta_text_bytes(out, letter || digit ? &c : "_", 1);
  }
}

/* A name inside a comment must not end it. */
static bool escape(ta_text *out, uint32_t code) {
  char before = out->len > 0 ? out->at[out->len - 1] : 0;
  bool breaks =
      ta_is_hidden(code) || code == '\\' || (before == '*' && code == '/') || (before == '/' && code == '*');
  if (breaks) ta_text_bytes(out, "?", 1);
  return breaks;
}

static void put_constant(ta_text *out, const ta_str *name, const char *suffix, uint64_t value) {
  ta_text_format(out, "#define ");
  put_identifier(out, name, true);
  ta_text_format(out, "_%s %U%s\n", suffix, value, value > UINT32_MAX ? "ULL" : "u");
}

/* What the figures are, and what they depend on. */
static void put_comment(ta_text *out, const ta_report *report) {
  ta_text_format(out, "/* Arena plan of %T: ", &report->planner->model->name);
  ta_put_verdict(out, &report->summary);
  ta_text_format(out, ".\n * ");
  ta_put_basis(out, report);
  ta_text_format(out, ".\n");
  if (report->summary.head_bytes != TA_NO_OFFSET && ta_planner_searches(report->planner->options.planner))
    ta_text_format(out, " * TENSOR_ARENA_SIZE, HEAD and TAIL are right once this plan is in the file.\n");
  size_t before = out->len;
  ta_text_format(out, " * Not counted: ");
  if (ta_put_not_counted(out, report)) {
    ta_text_format(out, ".\n");
  } else {
    out->len = before;
  }
  ta_text_format(out, " */\n");
}

/* Why the sizes are no sizes for an arena; false where they are. */
static bool put_doubt(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  bool whole = report->planner->traits->whole_model;
  if (s->status == TA_UNPLANNED) {
    ta_text_format(out, "not everything is placed yet");
  } else if (ta_is_lower_bound(s)) {
    ta_put_unknown(out, s);
  } else if (whole && s->min_arena_bytes == TA_NO_OFFSET) {
    ta_text_format(out, "the smallest arena that AllocateTensors accepts is not known of this plan");
  } else {
    return false;
  }
  return true;
}

/* A lower bound is no size for an arena: who takes it all the same says so. */
static void put_guard(ta_text *out, const ta_report *report) {
  size_t before = out->len;
  ta_text_format(out, "/* at least: ");
  if (!put_doubt(out, report)) {
    out->len = before;
    return;
  }
  ta_text_format(out, " */\n");
  if (report->planner->options.force) return;
  ta_text_format(out, "#error \"the sizes below are lower bounds (");
  put_doubt(out, report);
  ta_text_format(out, "); ask for the header with --force to use them\"\n");
}

/* The arena: of tflm the whole of it, with head and tail. */
static void put_sizes(ta_text *out, const ta_report *report) {
  const ta_summary *s = &report->summary;
  const ta_str *name = &report->planner->model->name;
  if (s->head_bytes == TA_NO_OFFSET) {
    put_constant(out, name, "ARENA_BYTES", s->arena_bytes);
  } else {
    put_constant(out, name, "TENSOR_ARENA_SIZE", s->needed_bytes);
    put_constant(out, name, "HEAD_BYTES", s->head_bytes);
    put_constant(out, name, "TAIL_BYTES", s->tail_bytes);
  }
  put_constant(out, name, "ARENA_ALIGNMENT", s->arena_alignment);
}

void ta_write_plan_c(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  const ta_summary *s = &report->summary;
  ta_str name = planner->model->name;
  bool wide = s->arena_bytes > UINT32_MAX || s->persistent_bytes > UINT32_MAX;

  out->escape = escape;
  put_comment(out, report);
  ta_text_format(out, "#ifndef ");
  put_identifier(out, &name, true);
  ta_text_format(out, "_ARENA_PLAN_H\n#define ");
  put_identifier(out, &name, true);
  ta_text_format(out, "_ARENA_PLAN_H\n\n#include <stdint.h>\n\n");
  put_guard(out, report);
  put_sizes(out, report);
  put_constant(out, &name, "PERSISTENT_BYTES", s->persistent_bytes);
  put_constant(out, &name, "NOT_PLACED", wide ? UINT64_MAX : UINT32_MAX);
  put_constant(out, &name, "BUFFERS", planner->n_buffers);
  ta_text_format(
      out,
      "\n/* Offset of each buffer from its arena's base, in bytes: tensors in order, then scratch. "
      "*/\nstatic const %s ",
      wide ? "uint64_t" : "uint32_t");
  put_identifier(out, &name, false);
  ta_text_format(out, "_offsets[%u] = {\n", planner->n_buffers ? planner->n_buffers : 1);
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (buffer->offset == TA_NO_OFFSET) {
      ta_text_format(out, "    ");
      put_identifier(out, &name, true);
      ta_text_format(out, "_NOT_PLACED, /* %u: ", i);
    } else {
      ta_text_format(out, "    %U%s, /* %u: ", buffer->offset, wide ? "ULL" : "u", i);
    }
    ta_put_buffer_label(out, planner->model, buffer);
    ta_text_format(out, ", %U bytes, steps %i to %i%s", buffer->bytes, buffer->first, buffer->last,
                   buffer->arena == TA_ARENA_PERSISTENT_PLACE ? ", persistent arena" : "");
    uint64_t alignment = ta_planned_alignment(planner, buffer);
    if (alignment != s->tensor_alignment) ta_text_format(out, ", aligned to %U", alignment);
    ta_text_format(out, " */\n");
  }
  if (planner->n_buffers == 0) ta_text_format(out, "    0u /* no buffers */\n");
  ta_text_format(out, "};\n\n#endif\n");
}

/* The plan as a picture: live bytes over the steps, and under it, on the same x axis, the memory map. Text is
 * text and rectangles are rectangles, in both themes. Coordinates are tenths of a pixel, so that integers
 * suffice. */
#include <string.h>

#include "base/num.h"
#include "base/order.h"
#include "base/region.h"
#include "report/report.h"

enum {
  WIDTH = 12000,
  HEIGHT = 6600,
  LEFT = 900,
  RIGHT = WIDTH - 240,
  CURVE_TOP = 900,
  CURVE_BOTTOM = 1700,
  MAP_TOP = 2000,
  MAP_BOTTOM = 6150,
  LABEL_WIDTH = 440, /* rectangles smaller than this by LABEL_HEIGHT carry no label */
  LABEL_HEIGHT = 150,
  LETTER = 62, /* of an 11 px label, on average */
  ROWS = 8     /* grid lines of the map, about */
};

static const char style[] =
    "<style>text{font:110px "
    "system-ui,sans-serif;fill:#14181f}.m{fill:#5b6675}.n{font-family:ui-monospace,monospace}"
    ".h{font-size:170px;font-weight:600}.l{fill:#fff}.bg{fill:#fff}.g{stroke:#dfe3e9;stroke-width:10}"
    ".u{fill:#1f5fd0;fill-opacity:.2;stroke:#1f5fd0;stroke-width:15}"
    ".b{stroke:#147a46;stroke-width:12;stroke-dasharray:40}.p{fill:#fff}.conv{fill:#2f6fde}.dw{fill:#0f7f7d}"
    ".io{fill:#7a5af0}.pool{fill:#a9650a}.fc{fill:#b6418f}.misc{fill:#66717f}.sc{fill:#8a5a2b}"
    "@media(prefers-color-scheme:dark){text{fill:#e7ebf0}.m{fill:#95a1b2}.bg{fill:#161b22}.g{stroke:#2a323d}"
    ".b{stroke:#5fd39a}.u{fill:#7fb0ff;stroke:#7fb0ff}.l{fill:#fff}}</style>\n";

/* The first word found in the operator's name decides the colour. */
static const struct {
  const char *word, *css;
} colours[] = {{"DEPTHWISE", "dw"}, {"CONV", "conv"}, {"POOL", "pool"}, {"FULLY_CONNECTED", "fc"},
               {"MATMUL", "fc"},    {"LSTM", "fc"},   {"SOFTMAX", "fc"}};

static bool contains(const ta_str *text, const char *word) {
  size_t len = strlen(word);
  for (size_t i = 0; i + len <= text->len; i++) {
    if (memcmp(text->at + i, word, len) == 0) return true;
  }
  return false;
}

static const char *css_class(const ta_planner *planner, const ta_buffer *buffer) {
  if (buffer->kind == TA_BUFFER_SCRATCH) return "sc";
  uint32_t index;
  const ta_node *node = ta_step_node(planner, buffer->first, &index);
  if (!node) return buffer->kind == TA_BUFFER_ROW ? "conv" : "io";
  for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
    if (contains(&node->name, colours[i].word)) return colours[i].css;
  }
  return "misc";
}

/* value / most of `length`; both are halved first where their product would not fit. */
static uint32_t scaled(uint64_t value, uint64_t most, uint32_t length) {
  while (most >> 48) {
    most >>= 1;
    value >>= 1;
  }
  return most ? (uint32_t)(value * length / most) : 0;
}

static uint32_t x_of(const ta_report *report, int32_t step) {
  int32_t steps = report->summary.steps > 0 ? report->summary.steps : 1;
  return LEFT + scaled((uint64_t)(step < 0 ? 0 : step > steps ? steps : step), (uint64_t)steps, RIGHT - LEFT);
}

/* XML has no way to write U+FFFE and U+FFFF. */
static bool escape(ta_text *out, uint32_t code) {
  const char *instead = code == '<'                        ? "&lt;"
                        : code == '&'                      ? "&amp;"
                        : code == '>'                      ? "&gt;"
                        : code == 0xFFFE || code == 0xFFFF ? "?"
                                                           : NULL;
  if (instead) ta_text_format(out, "%s", instead);
  return instead != NULL || ta_escape_hidden(out, code);
}

/* What starts among the first bytes of a string. */
static ta_str start_of(ta_str text, size_t most_bytes) {
  size_t end = 0;
  while (end < text.len && end < most_bytes) ta_utf8_next(text, &end);
  return (ta_str){text.at, end};
}

static void put_heading(ta_text *out, const ta_report *report) {
  const ta_planner *planner = report->planner;
  const ta_summary *s = &report->summary;
  const ta_str name = start_of(planner->model->name, 120);
  ta_text_format(
      out,
      "<text class=\"h\" x=\"240\" y=\"330\">%T: %s%G bytes</text>\n<text class=\"m\" x=\"240\" y=\"520\">",
      &name, ta_at_least(s), s->needed_bytes);
  if (s->head_bytes != TA_NO_OFFSET)
    ta_text_format(out, "Head %G and tail %G bytes%s; head: ", s->head_bytes, s->tail_bytes,
                   ta_planner_searches(planner->options.planner) ? ", once this plan is in the file" : "");
  ta_put_verdict(out, s);
  ta_text_format(out, " (");
  ta_put_basis(out, report);
  ta_text_format(out, ").</text>\n<text class=\"m\" x=\"240\" y=\"680\">");
  ta_put_peak_sentence(out, &report->peak);
  ta_text_format(out, "</text>\n");
}

/* Live bytes change only where a life starts or ends; a buffer list may have far more steps than that. */
typedef struct changes {
  uint32_t n;
  uint64_t *steps; /* of each change: at an even index a start, at an odd one the step after an end */
  const ta_buffer **buffers; /* one for each two changes */
  uint32_t *order;           /* by step */
} changes;

static uint64_t step_of(const void *steps, uint32_t change) {
  return ((const uint64_t *)steps)[change];
}

static bool list_changes(const ta_report *report, ta_region *region, changes *list) {
  const ta_planner *planner = report->planner;
  size_t room = (size_t)planner->n_buffers * 2;
  list->n = 0;
  list->steps = TA_TAKE(region, room, uint64_t);
  list->buffers = TA_TAKE(region, room / 2, const ta_buffer *);
  list->order = TA_TAKE(region, room, uint32_t);
  if (!list->steps || !list->buffers || !list->order) return false;
  for (uint32_t i = 0; i < planner->n_buffers; i++) {
    const ta_buffer *buffer = &planner->buffers[i];
    if (!ta_in_rw_arena(buffer) || buffer->shares != TA_NO_INDEX || buffer->last < 0) continue;
    list->buffers[list->n / 2] = buffer;
    list->steps[list->n] = (uint64_t)ta_max_i32(buffer->first, 0);
    list->steps[list->n + 1] = (uint64_t)ta_min_i32(buffer->last, report->summary.steps - 1) + 1;
    list->n += 2;
  }
  for (uint32_t i = 0; i < list->n; i++) list->order[i] = i;
  return ta_order(&region->allocator, list->order, list->n, step_of, list->steps);
}

static void draw_changes(ta_text *out, const ta_report *report, const changes *list, uint64_t most) {
  uint64_t live = 0, steps = (uint64_t)report->summary.steps;
  uint32_t drawn = CURVE_BOTTOM;
  for (uint32_t k = 0; k < list->n; k++) {
    uint32_t i = list->order[k];
    uint64_t step = list->steps[i], bytes = list->buffers[i / 2]->bytes;
    live = i % 2 == 0 ? live + bytes : live - bytes;
    bool more = k + 1 < list->n && list->steps[list->order[k + 1]] == step;
    if (more || step >= steps) continue;
    uint32_t y = CURVE_BOTTOM - scaled(live, most, CURVE_BOTTOM - CURVE_TOP);
    if (y != drawn) ta_text_format(out, "H%uV%u", x_of(report, (int32_t)step), y);
    drawn = y;
  }
}

static void put_curve(ta_text *out, const ta_report *report) {
  uint64_t most = ta_max_u64(report->summary.arena_bytes,
                             ta_max_u64(report->summary.peak_live_bytes, report->summary.lower_bound_bytes));
  if (report->summary.steps <= 0 || most == 0) return;
  ta_region region;
  ta_region_init(&region, &report->planner->allocator);
  changes list;
  if (!list_changes(report, &region, &list)) {
    out->failed = true;
    ta_region_free(&region);
    return;
  }
  ta_text_format(out, "<path class=\"u\" d=\"M%u %u", (uint32_t)LEFT, (uint32_t)CURVE_BOTTOM);
  draw_changes(out, report, &list, most);
  ta_text_format(out, "H%uV%uZ\"/>\n", (uint32_t)RIGHT, (uint32_t)CURVE_BOTTOM);
  ta_region_free(&region);
  ta_text_format(out, "<text class=\"m\" x=\"240\" y=\"%u\">live bytes</text>\n", (uint32_t)CURVE_TOP + 60);
  if (!ta_is_bounded(&report->summary)) return;
  uint32_t bound = CURVE_BOTTOM - scaled(report->summary.lower_bound_bytes, most, CURVE_BOTTOM - CURVE_TOP);
  ta_text_format(out, "<path class=\"b\" d=\"M%u %uH%u\"/>\n", (uint32_t)LEFT, bound, (uint32_t)RIGHT);
}

/* Grid lines at a power of two that gives about ROWS of them. */
static void put_ruler(ta_text *out, uint64_t arena) {
  uint64_t tick = 1;
  while (tick * ROWS < arena) tick *= 2;
  for (uint64_t at = 0; at <= arena; at += tick) {
    uint32_t y = MAP_BOTTOM - scaled(at, arena, MAP_BOTTOM - MAP_TOP);
    ta_text_format(out,
                   "<path class=\"g\" d=\"M%u %uH%u\"/><text class=\"m n\" text-anchor=\"end\" x=\"%u\" "
                   "y=\"%u\">%X</text>\n",
                   LEFT, y, RIGHT, LEFT - 100, y + 40, at);
  }
}

/* What tells a layer from its neighbours: of the first of the names that were fused with ';', the last two
 * parts of its path. */
static ta_str last_parts(ta_str name) {
  size_t end = 0, start = 0, before = 0;
  for (; end < name.len && name.at[end] != ';'; end++) {
    if (name.at[end] != '/') continue;
    start = before;
    before = end + 1;
  }
  return (ta_str){name.at + start, end - start};
}

static void put_buffer(ta_text *out, const ta_report *report, const ta_buffer *buffer) {
  const ta_planner *planner = report->planner;
  uint64_t arena = report->summary.arena_bytes;
  uint32_t x = x_of(report, buffer->first), right = x_of(report, buffer->last + 1);
  uint32_t top = MAP_BOTTOM - scaled(buffer->offset + buffer->bytes, arena, MAP_BOTTOM - MAP_TOP);
  uint32_t bottom = MAP_BOTTOM - scaled(buffer->offset, arena, MAP_BOTTOM - MAP_TOP);
  uint32_t width = right > x + 20 ? right - x - 10 : 10, height = bottom > top + 20 ? bottom - top - 10 : 10;
  ta_str name = ta_buffer_name(planner->model, buffer);
  ta_text_format(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"><title>",
                 css_class(planner, buffer), x, top, width, height);
  ta_put_buffer_label(out, planner->model, buffer);
  ta_text_format(out, ", %G bytes at %X, steps %i to %i</title></rect>", buffer->bytes, buffer->offset,
                 ta_max_i32(buffer->first, 0), buffer->last);
  if (width >= LABEL_WIDTH && height >= LABEL_HEIGHT && name.len) {
    const ta_str shown = start_of(last_parts(name), (width - 80) / LETTER);
    ta_text_format(out, "<text class=\"l\" x=\"%u\" y=\"%u\">%T</text>", x + 40, top + height / 2 + 40,
                   &shown);
  }
  ta_text_format(out, "\n");
}

void ta_write_plan_svg(const ta_report *report, ta_text *out) {
  const ta_planner *planner = report->planner;
  uint64_t arena = report->summary.arena_bytes;
  out->escape = escape;
  ta_text_format(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"1200\" height=\"660\" "
      "role=\"img\">\n%s<rect class=\"bg\" width=\"%u\" height=\"%u\"/>\n",
      WIDTH, HEIGHT, style, WIDTH, HEIGHT);
  put_heading(out, report);
  put_curve(out, report);
  if (arena > 0) {
    put_ruler(out, arena);
    for (uint32_t i = 0; i < planner->n_buffers; i++) {
      const ta_buffer *buffer = &planner->buffers[i];
      if (ta_in_rw_arena(buffer) && buffer->offset != TA_NO_OFFSET && buffer->bytes > 0 &&
          buffer->last >= 0) {
        put_buffer(out, report, buffer);
      }
    }
  }
  int32_t steps = report->summary.steps;
  ta_text_format(out, "<text class=\"m\" x=\"%u\" y=\"%u\">step 0</text>", (uint32_t)LEFT,
                 (uint32_t)MAP_BOTTOM + 190);
  if (steps > 1) {
    ta_text_format(out, "<text class=\"m\" text-anchor=\"end\" x=\"%u\" y=\"%u\">step %i</text>",
                   (uint32_t)RIGHT, (uint32_t)MAP_BOTTOM + 190, steps - 1);
  }
  ta_text_format(out, "\n</svg>\n");
}

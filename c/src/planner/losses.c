#include "planner/losses.h"

#include <string.h>

#include "base/num.h"
#include "graph/overwrites.h"
#include "planner/subgraph.h"

/* Problems being listed. */
typedef struct loss_list {
  const ta_planner *planner;
  ta_region *region;
  ta_problems problems;
  ta_error *error;
} loss_list;

/* A name for people: the tensor's own, or its number. */
typedef struct label {
  ta_str text;
  char storage[96];
} label;

static void name_tensor(const loss_list *list, uint32_t tensor, label *out) {
  ta_text text;
  ta_text_init_fixed(&text, out->storage, sizeof out->storage);
  const ta_str *name = &ta_planned_subgraph(list->planner)->tensors[tensor].name;
  ta_text_format(&text, name->len ? "%T" : "tensor ", name);
  if (name->len == 0) ta_text_format(&text, "%u", tensor);
  out->text = (ta_str){out->storage, text.len};
}

static void name_node(const loss_list *list, uint32_t node, label *out) {
  ta_text text;
  ta_text_init_fixed(&text, out->storage, sizeof out->storage);
  const ta_str *name = &ta_planned_subgraph(list->planner)->nodes[node].name;
  ta_text_format(&text, name->len ? "%T #%u" : "%Tnode %u", name, node);
  out->text = (ta_str){out->storage, text.len};
}

static ta_status list_overwrite(loss_list *list, const ta_overwrite *loss) {
  const ta_planner *planner = list->planner;
  bool after = loss->read == planner->n_steps;
  label lost, reader, writer, by;
  name_tensor(list, loss->tensor, &lost);
  name_tensor(list, loss->by, &by);
  name_node(list, (uint32_t)loss->written, &writer);
  if (!after) name_node(list, (uint32_t)loss->read, &reader);
  const ta_str host = TA_STR("what comes after the run");
  uint64_t bytes = ta_min_u64(planner->buffers[loss->tensor].bytes, planner->buffers[loss->by].bytes);
  return ta_problem_add(&list->problems, list->region, "overwritten", planner->options.subgraph,
                        (uint32_t)loss->written, loss->tensor, list->error,
                        "LiteRT overwrites %T while %T still needs it: %T writes %T over its %G bytes",
                        &lost.text, after ? &host : &reader.text, &writer.text, &by.text, bytes);
}

static ta_status list_overwrites(loss_list *list) {
  const ta_planner *planner = list->planner;
  uint32_t n = planner->n_tensors, count = 0;
  ta_region work;
  ta_region_init(&work, &planner->allocator);
  uint32_t *root = TA_TAKE(&work, n, uint32_t);
  ta_overwrite *losses = TA_TAKE(&work, n, ta_overwrite);
  ta_status status = root && losses ? TA_OK : ta_fail_memory(list->error);
  for (uint32_t t = 0; t < n && !status; t++) root[t] = planner->buffers[t].shares;
  const ta_shared_run run = {.graph = ta_planned_subgraph(planner),
                             .subgraph = planner->options.subgraph,
                             .timeline = planner->timeline,
                             .n_steps = (uint32_t)planner->n_steps,
                             .root = root};
  if (!status) status = ta_find_overwrites(&run, &planner->allocator, losses, &count, list->error);
  for (uint32_t i = 0; i < count && !status; i++) status = list_overwrite(list, &losses[i]);
  ta_region_free(&work);
  return status;
}

static ta_status list_late_write(loss_list *list, const ta_lives_tflite *lives, uint32_t t) {
  const ta_subgraph *graph = ta_planned_subgraph(list->planner);
  int32_t writer = lives->writer[t];
  return ta_problem_add(&list->problems, list->region, "written-after-last-read",
                        list->planner->options.subgraph, (uint32_t)writer, t, list->error,
                        "node %i%M writes tensor %u%M after its last %s, node %i: the runtime may "
                        "have given its bytes to another tensor by then",
                        writer, &graph->nodes[writer].name, t, &graph->tensors[t].name,
                        lives->reader[t] < 0 ? "use" : "reader", list->planner->buffers[t].last);
}

static ta_status list_all(loss_list *list, const ta_lives_tflite *lives) {
  const ta_planner *planner = list->planner;
  bool shares = false;
  ta_status status = TA_OK;
  for (uint32_t t = 0; t < planner->n_tensors && !status; t++) {
    const ta_buffer *buffer = &planner->buffers[t];
    shares = shares || buffer->shares != TA_NO_INDEX;
    if (ta_is_arena_type(buffer->type) && lives->writer[t] > buffer->last)
      status = list_late_write(list, lives, t);
  }
  return shares && !status ? list_overwrites(list) : status;
}

void ta_losses_begin(ta_losses *losses, const ta_planner *planner) {
  ta_region_init(&losses->region, &planner->allocator);
  losses->other = planner->problems;
}

ta_status ta_losses_find(ta_losses *losses, ta_planner *planner, const ta_lives_tflite *lives,
                         ta_error *error) {
  ta_region region;
  ta_region_init(&region, &planner->allocator);
  /* A list of their own, which begins with what the others have left of the most that are kept. */
  loss_list list = {.planner = planner, .region = &region, .error = error};
  list.problems.count = losses->other.count;
  ta_status status = list_all(&list, lives);
  if (status) {
    ta_region_free(&region);
    return status;
  }
  planner->unsound = list.problems.count + list.problems.more > losses->other.count;
  planner->problems = losses->other;
  planner->problems.count = list.problems.count;
  planner->problems.more += list.problems.more;
  if (planner->problems.last) {
    planner->problems.last->next = list.problems.first;
  } else {
    planner->problems.first = list.problems.first;
  }
  if (list.problems.last) planner->problems.last = list.problems.last;
  ta_losses_free(losses);
  losses->region = region;
  return TA_OK;
}

void ta_losses_free(ta_losses *losses) {
  ta_region_free(&losses->region);
}

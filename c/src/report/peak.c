#include "report/peak.h"

#include "base/error.h"
#include "base/sort.h"

const ta_node *ta_timeline_node(const ta_model *model, const ta_step *timeline, int32_t n_steps, int32_t step,
                                uint32_t *index) {
  if (step < 0 || step >= n_steps || !timeline) return NULL;
  ta_step at = timeline[step];
  if (at.node == TA_NO_INDEX) return NULL;
  *index = at.node;
  return &model->subgraphs[at.subgraph].nodes[at.node];
}

static bool larger_first(const void *context, uint32_t a, uint32_t b) {
  const ta_buffer *buffers = context;
  if (buffers[a].bytes != buffers[b].bytes) return buffers[a].bytes > buffers[b].bytes;
  return a < b;
}

static bool makes_it(const ta_peak *peak, const ta_buffer *buffer) {
  return ta_in_rw_arena(buffer) && buffer->shares == TA_NO_INDEX && buffer->bytes > 0 &&
         buffer->first <= peak->step && peak->step <= buffer->last;
}

ta_status ta_peak_list(ta_peak *peak, uint32_t n_buffers, ta_region *region, ta_error *error) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n_buffers; i++) count += makes_it(peak, &peak->buffers[i]);
  peak->at = TA_TAKE(region, count, uint32_t);
  if (!peak->at) return ta_fail_memory(error);
  for (uint32_t i = 0; i < n_buffers; i++) {
    if (makes_it(peak, &peak->buffers[i])) peak->at[peak->n++] = i;
  }
  ta_sort(peak->at, count, larger_first, peak->buffers);
  return TA_OK;
}

/* Naming more than this many tensors in one sentence helps nobody: the rest are counted and summed. */
enum { NAMED = 3 };

void ta_put_peak_sentence(ta_text *out, const ta_peak *peak) {
  if (peak->n == 0) {
    ta_text_format(out, "Nothing to plan: no tensor needs a place in the arena.");
    return;
  }
  if (peak->step < 0) {
    ta_text_format(out, "No step of the run touches what lies in the arena.");
    return;
  }
  ta_text_format(out, "The peak is %G live bytes at step %i", peak->live_bytes, peak->step);
  if (peak->node) {
    ta_text_format(out, " (");
    ta_put_node_label(out, peak->node, peak->node_index);
    ta_text_format(out, ")");
  }
  ta_text_format(out, ": ");
  uint64_t others = 0;
  for (uint32_t i = 0; i < peak->n; i++) {
    const ta_buffer *buffer = &peak->buffers[peak->at[i]];
    if (i >= NAMED) {
      others += buffer->bytes;
      continue;
    }
    if (i > 0) ta_text_format(out, i + 1 == peak->n ? " and " : ", ");
    ta_put_buffer_label(out, peak->model, buffer);
    ta_text_format(out, " %G", buffer->bytes);
  }
  if (peak->n > NAMED) ta_text_format(out, " and %u more with %G", peak->n - NAMED, others);
  ta_text_format(out, ".");
}

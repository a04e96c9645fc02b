#include "planner/tflm_overlaps.h"

#include "base/num.h"
#include "base/order.h"

static const ta_tensor *tensor_of(const ta_tflm_plan *plan, uint32_t buffer) {
  const ta_buffer *of = &plan->buffers[buffer];
  return of->kind == TA_BUFFER_TENSOR ? &plan->model->subgraphs[of->subgraph].tensors[of->index] : NULL;
}

static bool is_variable(const ta_tflm_plan *plan, uint32_t buffer) {
  const ta_tensor *tensor = tensor_of(plan, buffer);
  return tensor && tensor->is_variable;
}

ta_status ta_tflm_make_parties(const ta_tflm_plan *plan, ta_party *parties, const ta_allocator *allocator,
                               ta_error *error) {
  for (uint32_t i = 0; i < plan->n_buffers; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    bool tensor = buffer->kind == TA_BUFFER_TENSOR, always = is_variable(plan, i);
    parties[i] = (ta_party){.subgraph = buffer->subgraph,
                            .tensor = tensor ? buffer->index : TA_NO_INDEX,
                            .first = always ? -1 : buffer->first,
                            .last = always ? INT32_MAX : buffer->last};
  }
  return ta_find_standings(plan->model, plan->timeline, (uint32_t)plan->n_steps, parties, plan->n_buffers,
                           allocator, error);
}

static ta_status report_overlap(const ta_tflm_placed *placed, const ta_greedy_item *item, uint32_t k,
                                ta_problems *problems, ta_region *region, ta_error *error) {
  static const char *const codes[] = {[TA_OVERLAP_ON_PURPOSE] = "offline-overlap-on-purpose",
                                      [TA_OVERLAP_UNDECIDED] = "offline-overlap-undecided",
                                      [TA_OVERLAP_FAULT] = "offline-overlap"};
  static const char *const ends[] = {
      [TA_OVERLAP_ON_PURPOSE] = "on purpose, in the memory that an ethos-u uses",
      [TA_OVERLAP_UNDECIDED] = "one an ethos-u's own memory, which it uses meanwhile: whether it leaves the "
                               "other's bytes alone only its command stream tells",
      [TA_OVERLAP_FAULT] = "TFLM does not check this"};
  const ta_buffer *later = &placed->plan->buffers[placed->buffer_of[k]];
  const ta_buffer *earlier = &placed->plan->buffers[placed->buffer_of[item->clash]];
  return ta_problem_add(
      problems, region, codes[item->overlap], later->subgraph, TA_NO_INDEX, later->index, error,
      "the offline plan lays tensor %u of subgraph %u over tensor %u of subgraph %u while "
      "both are alive; %s",
      later->index, later->subgraph, earlier->index, earlier->subgraph, ends[item->overlap]);
}

/* ---- variables ------------------------------------------------------------------------------------------
 */

/* Items of one kind, by where they start; and how far those up to each reach. */
typedef struct shore {
  uint32_t *order;
  uint32_t *farthest, *next; /* by rank: of the items up to it the one that reaches farthest, and the next */
  uint32_t n;
} shore;

static int64_t end_of(const ta_greedy_item *items, uint32_t k) {
  return items[k].offset + (int64_t)items[k].bytes;
}

static uint64_t start_of(const void *items, uint32_t k) {
  return (uint64_t)(((const ta_greedy_item *)items)[k].offset - INT32_MIN);
}

static bool make_shore(const ta_tflm_placed *placed, bool regions, ta_region *work, shore *out) {
  out->order = TA_TAKE(work, placed->n, uint32_t);
  out->farthest = TA_TAKE(work, placed->n, uint32_t);
  out->next = TA_TAKE(work, placed->n, uint32_t);
  if (!out->order || !out->farthest || !out->next) return false;
  out->n = 0;
  for (uint32_t k = 0; k < placed->n; k++) {
    bool region = placed->parties[placed->buffer_of[k]].standing == TA_STANDING_REGION;
    if (region == regions && placed->items[k].bytes > 0) out->order[out->n++] = k;
  }
  if (!ta_order(&work->allocator, out->order, out->n, start_of, placed->items)) return false;
  uint32_t far = TA_NO_INDEX, second = TA_NO_INDEX;
  for (uint32_t rank = 0; rank < out->n; rank++) {
    uint32_t k = out->order[rank];
    if (far == TA_NO_INDEX || end_of(placed->items, k) > end_of(placed->items, far)) {
      second = far;
      far = k;
    } else if (second == TA_NO_INDEX || end_of(placed->items, k) > end_of(placed->items, second)) {
      second = k;
    }
    out->farthest[rank] = far;
    out->next[rank] = second;
  }
  return true;
}

/* Another item of the shore that has a byte of item k, or TA_NO_INDEX. */
static uint32_t find_over(const ta_tflm_placed *placed, const shore *s, uint32_t k) {
  uint32_t from = 0, to = s->n;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (placed->items[s->order[middle]].offset < end_of(placed->items, k)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  if (from == 0) return TA_NO_INDEX;
  uint32_t other = s->farthest[from - 1] == k ? s->next[from - 1] : s->farthest[from - 1];
  return other != TA_NO_INDEX && end_of(placed->items, other) > placed->items[k].offset ? other : TA_NO_INDEX;
}

static ta_status report_variable(const ta_tflm_placed *placed, uint32_t k, uint32_t over, ta_overlap overlap,
                                 ta_problems *problems, ta_region *region, ta_error *error) {
  const ta_buffer *variable = &placed->plan->buffers[placed->buffer_of[k]];
  const ta_buffer *other = &placed->plan->buffers[placed->buffer_of[over]];
  bool tensor = other->kind == TA_BUFFER_TENSOR;
  return ta_problem_add(problems, region, "offline-variable", variable->subgraph, TA_NO_INDEX,
                        variable->index, error,
                        "tensor %u of subgraph %u is a variable, and the offline plan gives it an offset: "
                        "TFLM then lets %s %u of subgraph %u have its bytes, and its state %s lost",
                        variable->index, variable->subgraph, tensor ? "tensor" : "the scratch of op",
                        other->index, other->subgraph, overlap == TA_OVERLAP_FAULT ? "is" : "may be");
}

static ta_status find_lost_state(const ta_tflm_placed *placed, ta_region *work, ta_problems *problems,
                                 ta_region *region, ta_overlap *worst, ta_error *error) {
  bool any = false;
  for (uint32_t k = 0; k < placed->n && !any; k++) any = is_variable(placed->plan, placed->buffer_of[k]);
  if (!any) return TA_OK;
  shore all[2]; /* others; an ethos-u's memory */
  if (!make_shore(placed, false, work, &all[0]) || !make_shore(placed, true, work, &all[1]))
    return ta_fail_memory(error);
  for (uint32_t k = 0; k < placed->n; k++) {
    if (!is_variable(placed->plan, placed->buffer_of[k]) || placed->items[k].bytes == 0) continue;
    uint32_t over = find_over(placed, &all[0], k);
    if (over == TA_NO_INDEX) over = find_over(placed, &all[1], k);
    if (over == TA_NO_INDEX) continue;
    ta_overlap overlap =
        ta_overlap_of(&placed->parties[placed->buffer_of[k]], &placed->parties[placed->buffer_of[over]]);
    if (overlap > *worst) *worst = overlap;
    if (overlap < TA_OVERLAP_UNDECIDED || !problems) continue;
    ta_status status = report_variable(placed, k, over, overlap, problems, region, error);
    if (status) return status;
  }
  return TA_OK;
}

ta_status ta_tflm_find_overlaps(const ta_tflm_placed *placed, const ta_allocator *allocator,
                                ta_problems *problems, ta_region *region, ta_overlap *worst,
                                ta_error *error) {
  *worst = TA_OVERLAP_NONE;
  for (uint32_t k = 0; k < placed->n; k++) {
    const ta_greedy_item *item = &placed->items[k];
    if (item->clash == TA_NO_INDEX) continue;
    if (item->overlap > *worst) *worst = item->overlap;
    ta_status status = problems ? report_overlap(placed, item, k, problems, region, error) : TA_OK;
    if (status) return status;
  }
  ta_region work;
  ta_region_init(&work, allocator);
  ta_status status = find_lost_state(placed, &work, problems, region, worst, error);
  ta_region_free(&work);
  return status;
}

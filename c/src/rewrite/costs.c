#include "rewrite/costs.h"

#include "base/error.h"
#include "base/num.h"

enum { ALIGNMENT = TA_TFLM_ALIGNMENT, ROWS = 1, COLUMNS = 2, CHANNELS = 3 };

static uint64_t rounded(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/* ---- the tail ---- */

static void add_requests(ta_costs *costs, const ta_requests *requests) {
  for (uint32_t r = 0; r < requests->n; r++) {
    const ta_request *request = &requests->at[r];
    uint64_t align = ta_max_u64(request->align, 4);
    if (request->subgraph == 0) costs->tail[request->node] += rounded(request->bytes, align) * request->count;
  }
}

static uint64_t object_bytes(const ta_object *object) {
  return rounded(object->bytes, object->align);
}

static void make_tail(ta_costs *costs, const ta_needs *needs) {
  uint64_t node = object_bytes(&needs->target->node_and_registration);
  for (uint32_t i = 0; i < costs->model->subgraphs[0].n_nodes; i++) costs->tail[i] = node;
  add_requests(costs, &needs->builtin);
  add_requests(costs, &needs->init);
  add_requests(costs, &needs->prepare);
  costs->slice_tail = node + ta_operator_tail(TA_OP_SLICE, needs->target, needs->kernels);
  costs->pad_tail = node + ta_operator_tail(TA_OP_PAD, needs->target, needs->kernels);
  costs->concatenation_tail = node + ta_operator_tail(TA_OP_CONCATENATION, needs->target, needs->kernels);
  costs->tensor_tail = object_bytes(&needs->target->eval_tensor);
}

/* ---- what lives while an operator runs ---- */

/* Adds the bytes of everything but subgraph 0's tensors to the steps of its life. */
static void add_others(const ta_tflm_plan *plan, uint64_t *starts, uint64_t *ends) {
  uint32_t own = plan->model->subgraphs[0].n_tensors;
  for (uint32_t i = own; i < plan->n_buffers; i++) {
    const ta_buffer *buffer = &plan->buffers[i];
    if (!buffer->in_plan || buffer->last < 0) continue;
    starts[ta_max_i32(buffer->first, 0)] += buffer->bytes;
    ends[buffer->last + 1] += buffer->bytes;
  }
}

static ta_status make_extra(ta_costs *costs, const ta_tflm_plan *plan, ta_region *region, ta_error *error) {
  uint64_t *starts = TA_TAKE(region, (size_t)plan->n_steps + 1, uint64_t);
  uint64_t *ends = TA_TAKE(region, (size_t)plan->n_steps + 1, uint64_t);
  if (!starts || !ends) return ta_fail_memory(error);
  add_others(plan, starts, ends);
  uint64_t live = 0;
  uint32_t node = TA_NO_INDEX; /* of subgraph 0: the one that runs */
  for (int32_t step = 0; step < plan->n_steps; step++) {
    const ta_step *at = &plan->timeline[step];
    live += starts[step] - ends[step];
    if (at->subgraph == 0) node = at->node;
    if (node != TA_NO_INDEX) costs->extra[node] = ta_max_u64(costs->extra[node], live);
  }
  return TA_OK;
}

/* ---- multiply-accumulates ---- */

static uint64_t elements(const ta_tensor *tensor) {
  uint64_t n = 1;
  for (uint32_t d = 0; d < tensor->shape.n; d++)
    if (!ta_mul(n, tensor->shape.at[d] < 0 ? 0 : (uint64_t)tensor->shape.at[d], &n)) return 0;
  return n;
}

static const ta_tensor *tensor_of(const ta_costs *costs, const ta_list *list, uint32_t k) {
  return k < list->n && list->at[k] >= 0 ? &costs->model->subgraphs[0].tensors[list->at[k]] : NULL;
}

static void make_macs(ta_costs *costs, uint32_t i) {
  const ta_node *node = &costs->model->subgraphs[0].nodes[i];
  bool transposed = node->op == TA_OP_TRANSPOSE_CONV, dense = node->op == TA_OP_FULLY_CONNECTED;
  if (!transposed && !dense && node->op != TA_OP_CONV_2D && node->op != TA_OP_DEPTHWISE_CONV_2D) return;
  const ta_tensor *filter = tensor_of(costs, &node->inputs, 1);
  const ta_tensor *image =
      transposed ? tensor_of(costs, &node->inputs, 2) : tensor_of(costs, &node->outputs, 0);
  if (!filter || !image || image->shape.n == 0 || filter->shape.n == 0) return;
  /* A filter as a whole works on each pixel, and on each row of a matrix. */
  int32_t channels = dense ? filter->shape.at[0] : image->shape.at[image->shape.n - 1];
  uint64_t pixels = channels > 0 ? elements(image) / (uint64_t)channels : 0;
  costs->pixel_macs[i] = elements(filter);
  if (!ta_mul(pixels, costs->pixel_macs[i], &costs->macs[i])) costs->macs[i] = 0;
  if (!ta_add(costs->model_macs, costs->macs[i], &costs->model_macs)) costs->model_macs = TA_MAX_BYTES;
}

ta_status ta_costs_make(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                        ta_costs *out, ta_error *error) {
  const ta_subgraph *subgraph = &model->subgraphs[0];
  ta_tflm_plan plan;
  *out = (ta_costs){.model = model};
  ta_status status = ta_tflm_make_buffers(model, target, kernels, region, &plan, error);
  if (!status) status = ta_tflm_make_lives(&plan, region, error);
  if (status) return status;
  const size_t counts[] = {subgraph->n_tensors, subgraph->n_nodes};
  static const ta_array arrays[] = {TA_ARRAY(ta_costs, tensor_bytes, 0), TA_ARRAY(ta_costs, extra, 1),
                                    TA_ARRAY(ta_costs, tail, 1), TA_ARRAY(ta_costs, macs, 1),
                                    TA_ARRAY(ta_costs, pixel_macs, 1)};
  if (!ta_region_take_arrays(region, out, arrays, sizeof arrays / sizeof *arrays, counts))
    return ta_fail_memory(error);
  out->needs = plan.needs;
  for (uint32_t t = 0; t < subgraph->n_tensors; t++)
    out->tensor_bytes[t] = plan.buffers[t].in_plan ? plan.buffers[t].bytes : 0;
  make_tail(out, &plan.needs);
  for (uint32_t i = 0; i < subgraph->n_nodes; i++) make_macs(out, i);
  return make_extra(out, &plan, region, error);
}

/* ---- a draft's operators ---- */

static uint64_t piece_bytes(const ta_model *model, const ta_draft_piece *piece) {
  const ta_tensor *like = &model->subgraphs[0].tensors[piece->like];
  uint64_t pixels = (uint64_t)ta_range_length(piece->at[0]) * (uint64_t)ta_range_length(piece->at[1]);
  return pixels * (uint64_t)like->shape.at[CHANNELS] * ta_tflm_item_bytes(like->dtype);
}

uint64_t ta_piece_bytes(const ta_model *model, const ta_draft_piece *piece) {
  return rounded(piece_bytes(model, piece), ALIGNMENT);
}

uint64_t ta_draft_bytes(const ta_draft *draft, int32_t reference) {
  if (ta_is_piece(reference)) return piece_bytes(draft->model, &draft->pieces[reference - TA_DRAFT_PIECE]);
  return draft->model->subgraphs[0].tensors[reference].bytes;
}

uint64_t ta_draft_op_tail(const ta_costs *costs, const ta_draft_op *op) {
  if (op->node != TA_NO_INDEX) return costs->tail[op->node];
  return op->op == TA_OP_SLICE ? costs->slice_tail
         : op->op == TA_OP_PAD ? costs->pad_tail
                               : costs->concatenation_tail;
}

/* Pixels of a tensor of the draft. */
static uint64_t pixels_of(const ta_costs *costs, const ta_draft *draft, int32_t reference) {
  if (ta_is_piece(reference)) {
    const ta_draft_piece *piece = &draft->pieces[reference - TA_DRAFT_PIECE];
    return (uint64_t)ta_range_length(piece->at[0]) * (uint64_t)ta_range_length(piece->at[1]);
  }
  const ta_tensor *tensor = &costs->model->subgraphs[0].tensors[reference];
  return (uint64_t)tensor->shape.at[ROWS] * (uint64_t)tensor->shape.at[COLUMNS];
}

/* An operator whose output is a piece has been cut: it costs by the pixel. */
static bool is_cut(const ta_draft *draft, uint32_t op) {
  return draft->ops[op].n_outputs == 1 && ta_is_piece(ta_draft_outputs(draft, op)[0]);
}

uint64_t ta_draft_op_macs(const ta_costs *costs, const ta_draft *draft, uint32_t op) {
  uint32_t node = draft->ops[op].node;
  if (node == TA_NO_INDEX || costs->pixel_macs[node] == 0) return 0;
  if (!is_cut(draft, op)) return costs->macs[node];
  bool transposed = draft->ops[op].op == TA_OP_TRANSPOSE_CONV;
  int32_t image = transposed ? ta_draft_inputs(draft, op)[2] : ta_draft_outputs(draft, op)[0];
  return pixels_of(costs, draft, image) * costs->pixel_macs[node];
}

/* Of the scratch buffers only those of a transposed convolution grow with its output. */
uint64_t ta_draft_op_extra(const ta_costs *costs, const ta_draft *draft, uint32_t op) {
  uint32_t node = draft->ops[op].node;
  if (node == TA_NO_INDEX) return 0;
  uint64_t extra = costs->extra[node];
  if (extra == 0 || draft->ops[op].op != TA_OP_TRANSPOSE_CONV || !is_cut(draft, op)) return extra;
  uint64_t whole = pixels_of(costs, draft, costs->model->subgraphs[0].nodes[node].outputs.at[0]);
  uint64_t part = pixels_of(costs, draft, ta_draft_outputs(draft, op)[0]);
  return whole == 0 ? extra : rounded(extra / whole * part + extra % whole * part / whole, ALIGNMENT);
}

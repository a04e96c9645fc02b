#include "rewrite/fold.h"

#include "base/num.h"
#include "graph/dtype.h"
#include "model/options.h"

enum { ROWS = 1, MOST_SIZE = 1 << 20 };

typedef struct folder {
  ta_draft *draft;
  const ta_subgraph *subgraph;
  uint32_t *reads;         /* of each tensor: how often operators read it */
  uint32_t *folding_reads; /* ... as the input of a convolution that would fold its padding */
  bool *is_output;         /* of each tensor: it leaves the model */
  int32_t *pad_of;         /* of each tensor: the operator, a PAD that might go, that makes it; -1: none */
} folder;

static const ta_tensor *tensor_of(const folder *f, int32_t reference) {
  return reference < 0 ? NULL : &f->subgraph->tensors[reference];
}

/* The paddings of rows and columns; false when they are not known, or others are padded too. */
static bool read_paddings(const folder *f, uint32_t op, int32_t pads[2][2]) {
  const ta_tensor *paddings = tensor_of(f, ta_draft_inputs(f->draft, op)[1]);
  if (!paddings || paddings->dtype != TA_DTYPE_INT32) return false;
  ta_bytes data = ta_tensor_data(f->draft->model, paddings);
  if (!data.at || data.len != 32) return false;
  for (int i = 0; i < 8; i++) {
    int32_t value = ta_load_i32(data.at + 4 * i);
    int d = i / 2 - ROWS;
    if (d == 0 || d == 1)
      pads[d][i % 2] = value;
    else if (value != 0)
      return false;
  }
  return true;
}

static bool may_go(const folder *f, uint32_t op) {
  const ta_draft_op *pad = &f->draft->ops[op];
  if (pad->op != TA_OP_PAD || pad->n_inputs != 2 || pad->n_outputs != 1) return false;
  const ta_tensor *in = tensor_of(f, ta_draft_inputs(f->draft, op)[0]);
  int32_t made = ta_draft_outputs(f->draft, op)[0], pads[2][2];
  const ta_tensor *out = tensor_of(f, made);
  return in && in->shape.n == 4 && out->shape.n == 4 && in->dtype == out->dtype && !f->is_output[made] &&
         ta_scale_equal(f->draft->model, in, out) && read_paddings(f, op, pads);
}

/* Whether SAME on the unpadded size pads by the same rows in front, and by no more behind. */
static bool is_same_padding(int64_t in, int64_t out, int64_t kernel, int64_t dilation, int64_t stride,
                            const int32_t pads[2]) {
  if (in < 1 || in > MOST_SIZE || stride < 1 || stride > MOST_SIZE || kernel < 1 || kernel > MOST_SIZE ||
      dilation < 1 || dilation > MOST_SIZE)
    return false;
  int64_t outputs = (in + stride - 1) / stride,
          total = (outputs - 1) * stride + (kernel - 1) * dilation + 1 - in;
  if (total < 0) total = 0;
  return outputs == out && total / 2 == pads[0] && total - total / 2 <= pads[1];
}

/* Whether operator `op`, reading what the PAD makes, could do without it. */
static bool could_pad(const folder *f, uint32_t op, uint32_t pad) {
  const ta_draft_op *reader = &f->draft->ops[op];
  const int32_t *inputs = ta_draft_inputs(f->draft, op);
  if (ta_op_reach(reader->op) != TA_REACH_FILTER || reader->padding != TA_DRAFT_AS_WRITTEN ||
      reader->n_inputs < 2 || reader->n_outputs != 1)
    return false;
  const ta_node *node = &f->subgraph->nodes[reader->node];
  const ta_tensor *in = tensor_of(f, ta_draft_inputs(f->draft, pad)[0]), *filter = tensor_of(f, inputs[1]);
  const ta_tensor *out = tensor_of(f, ta_draft_outputs(f->draft, op)[0]);
  ta_options options;
  int32_t pads[2][2];
  if (!filter || !ta_tensor_data(f->draft->model, filter).at || filter->shape.n != 4 || out->shape.n != 4 ||
      !ta_options_read(f->draft->model, node, &options) || options.padding != TA_PADDING_OF_VALID ||
      !read_paddings(f, pad, pads))
    return false;
  if (in->dtype == TA_DTYPE_FLOAT32 && filter->dtype != TA_DTYPE_FLOAT32) return false;
  for (int a = 0; a < 2; a++) {
    if (!is_same_padding(in->shape.at[ROWS + a], out->shape.at[ROWS + a], filter->shape.at[ROWS + a],
                         options.dilation[a], options.stride[a], pads[a]))
      return false;
  }
  return true;
}

static void count_reads(folder *f) {
  for (uint32_t i = 0; i < f->draft->n_ops; i++) {
    const int32_t *inputs = ta_draft_inputs(f->draft, i);
    for (uint32_t k = 0; k < f->draft->ops[i].n_inputs; k++) {
      if (inputs[k] < 0) continue;
      f->reads[inputs[k]]++;
      int32_t pad = k == 0 ? f->pad_of[inputs[k]] : -1;
      if (pad >= 0 && could_pad(f, i, (uint32_t)pad)) f->folding_reads[inputs[k]]++;
    }
  }
}

static bool goes(const folder *f, int32_t tensor) {
  return tensor >= 0 && f->pad_of[tensor] >= 0 && f->reads[tensor] > 0 &&
         f->reads[tensor] == f->folding_reads[tensor];
}

/* Readers take the PAD's input; the PADs that go are left out. */
static uint32_t remove_pads(folder *f, bool *folded) {
  ta_draft *draft = f->draft;
  uint32_t kept = 0, n = draft->n_ops;
  for (uint32_t i = 0; i < n; i++) {
    int32_t *input = draft->references + draft->ops[i].inputs;
    if (draft->ops[i].n_inputs > 0 && goes(f, *input)) {
      *input = ta_draft_inputs(draft, (uint32_t)f->pad_of[*input])[0];
      draft->ops[i].padding = TA_PADDING_OF_SAME;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    bool pad = draft->ops[i].op == TA_OP_PAD && goes(f, ta_draft_outputs(draft, i)[0]);
    if (pad)
      folded[draft->ops[i].node] = true;
    else
      draft->ops[kept++] = draft->ops[i];
  }
  draft->n_ops = kept;
  return n - kept;
}

uint32_t ta_fold(ta_draft *draft, bool *folded, ta_region *region) {
  const ta_subgraph *subgraph = &draft->model->subgraphs[0];
  folder f = {.draft = draft,
              .subgraph = subgraph,
              .reads = TA_TAKE(region, subgraph->n_tensors, uint32_t),
              .folding_reads = TA_TAKE(region, subgraph->n_tensors, uint32_t),
              .is_output = TA_TAKE(region, subgraph->n_tensors, bool),
              .pad_of = TA_TAKE(region, subgraph->n_tensors, int32_t)};
  if (!f.reads || !f.folding_reads || !f.is_output || !f.pad_of) draft->failed = true;
  if (draft->failed) return 0;
  for (uint32_t k = 0; k < subgraph->outputs.n; k++) f.is_output[subgraph->outputs.at[k]] = true;
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) f.pad_of[t] = -1;
  for (uint32_t i = 0; i < draft->n_ops; i++) {
    if (may_go(&f, i)) f.pad_of[ta_draft_outputs(draft, i)[0]] = (int32_t)i;
  }
  count_reads(&f);
  return remove_pads(&f, folded);
}

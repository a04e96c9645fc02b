/* Whether an operator may stand in a window, and what its formulas need. */
#include "base/num.h"
#include "graph/dtype.h"
#include "model/options.h"
#include "rewrite/cut.h"

enum { ROWS = 1, COLUMNS = 2, CHANNELS = 3, MOST_STRIPS = 32 };

/* Sizes up to here keep every product of the formulas within 32 bits. */
enum { MOST_ROWS = 1 << 14, MOST_STRIDE = 1 << 12 };

typedef struct cut_reader {
  const ta_model *model;
  const ta_subgraph *subgraph;
  const ta_draft *draft;
  const ta_draft_op *op;
  const int32_t *inputs;
  const ta_tensor *input, *output; /* the first that is cut, and output 0 */
  ta_options options;
  uint32_t kernels;
  ta_cut *out;
} cut_reader;

bool ta_is_cuttable(const ta_tensor *tensor) {
  bool typed =
      tensor->dtype == TA_DTYPE_FLOAT32 || tensor->dtype == TA_DTYPE_INT8 || tensor->dtype == TA_DTYPE_INT16;
  if (!typed || tensor->is_variable || tensor->has_data || tensor->is_constant || tensor->shape.n != 4)
    return false;
  for (uint32_t d = 0; d < 4; d++) {
    bool open = d > 0 && d < tensor->signature.n && tensor->signature.at[d] < 0;
    if (tensor->shape.at[d] < 1 || tensor->shape.at[d] > MOST_ROWS || open) return false;
  }
  return tensor->shape.at[0] == 1;
}

static const ta_tensor *tensor_of(const cut_reader *r, uint32_t input) {
  if (input >= r->op->n_inputs || !ta_is_file_tensor(r->inputs[input])) return NULL;
  return &r->subgraph->tensors[r->inputs[input]];
}

static ta_bytes constant_of(const cut_reader *r, uint32_t input) {
  const ta_tensor *tensor = tensor_of(r, input);
  return tensor ? ta_tensor_data(r->model, tensor) : (ta_bytes){NULL, 0};
}

static bool is_constant_or_absent(const cut_reader *r, uint32_t input) {
  if (input >= r->op->n_inputs || r->inputs[input] == -1) return true;
  return constant_of(r, input).at != NULL;
}

/* ---- convolutions and pools ---- */

static bool fits_types(uint8_t input, uint8_t filter) {
  if (input == TA_DTYPE_INT8) return filter == TA_DTYPE_INT8 || filter == TA_DTYPE_INT4;
  if (input == TA_DTYPE_INT16) return filter == TA_DTYPE_INT8;
  return input == TA_DTYPE_FLOAT32 && filter == TA_DTYPE_FLOAT32;
}

/* A convolution's filter: constant, dense, of 4 dimensions, and of a type that goes with the input's. A float
 * input with an integer filter is scaled by all of its values, so no part of it can be had alone. */
static bool read_filter(cut_reader *r) {
  const ta_tensor *filter = tensor_of(r, 1);
  if (!filter || !constant_of(r, 1).at || filter->sparse || filter->shape.n != 4) return false;
  if (!fits_types(r->input->dtype, filter->dtype) || r->input->dtype != r->output->dtype) return false;
  for (int a = 0; a < 2; a++) r->options.filter[a] = filter->shape.at[ROWS + a];
  return true;
}

static bool is_between(int32_t value, int32_t least, int32_t most) {
  return value >= least && value <= most;
}

static bool read_sizes(cut_reader *r, int a) {
  ta_cut_axis *axis = &r->out->axis[a];
  int32_t filter = r->options.filter[a], dilation = r->options.dilation[a];
  axis->stride = r->options.stride[a];
  if (!is_between(axis->stride, 1, MOST_STRIDE) || !is_between(filter, 1, MOST_STRIDE) ||
      !is_between(dilation, 1, MOST_STRIDE))
    return false;
  axis->extent = (filter - 1) * dilation + 1;
  return axis->extent <= MOST_ROWS;
}

static bool read_sliding(cut_reader *r) {
  for (int a = 0; a < 2; a++) {
    ta_cut_axis *axis = &r->out->axis[a];
    if (!read_sizes(r, a)) return false;
    int32_t count = r->out->same              ? (axis->in + axis->stride - 1) / axis->stride
                    : axis->in < axis->extent ? 0
                                              : (axis->in - axis->extent) / axis->stride + 1;
    if (count != axis->out) return false;
    if (r->out->same) axis->before = ta_max_i32(0, (count - 1) * axis->stride + axis->extent - axis->in) / 2;
  }
  return true;
}

static bool read_transposed(cut_reader *r) {
  /* CMSIS-NN's results depend on where in the tensor a pixel lies. */
  if (r->input->dtype == TA_DTYPE_INT8 && r->kernels != TA_KERNELS_REFERENCE) return false;
  if (!constant_of(r, 0).at || !is_constant_or_absent(r, 3) || !read_filter(r)) return false;
  for (int a = 0; a < 2; a++) {
    ta_cut_axis *axis = &r->out->axis[a];
    if (!read_sizes(r, a)) return false;
    if (r->out->same) {
      axis->before = ta_max_i32(0, axis->extent - axis->stride) / 2;
      if (axis->out != axis->in * axis->stride) return false;
    } else if (axis->extent < axis->stride || axis->out != (axis->in - 1) * axis->stride + axis->extent) {
      return false;
    }
  }
  return true;
}

/* ---- the others ---- */

static bool read_paddings(cut_reader *r) {
  ta_bytes data = constant_of(r, 1);
  const ta_tensor *paddings = tensor_of(r, 1);
  if (!data.at || data.len != 32 || paddings->dtype != TA_DTYPE_INT32 || !is_constant_or_absent(r, 2))
    return false;
  int32_t values[8];
  for (int i = 0; i < 8; i++) {
    values[i] = ta_load_i32(data.at + 4 * i);
    if (!is_between(values[i], 0, MOST_ROWS)) return false;
  }
  for (int a = 0; a < 2; a++) {
    ta_cut_axis *axis = &r->out->axis[a];
    axis->pads[0] = values[2 * (ROWS + a)];
    axis->pads[1] = values[2 * (ROWS + a) + 1];
    if (axis->in + axis->pads[0] + axis->pads[1] != axis->out) return false;
  }
  r->out->pads_channels = values[6] != 0 || values[7] != 0;
  return values[0] == 0 && values[1] == 0;
}

static bool is_same_size(const ta_tensor *a, const ta_tensor *b) {
  return a->shape.at[ROWS] == b->shape.at[ROWS] && a->shape.at[COLUMNS] == b->shape.at[COLUMNS];
}

/* The size along NHWC dimension `d` of a shape aligned right to four dimensions. */
static int32_t aligned_dim(const ta_tensor *tensor, uint32_t d) {
  return tensor->shape.n + d < 4 ? 1 : tensor->shape.at[tensor->shape.n + d - 4];
}

static bool read_broadcast(cut_reader *r) {
  r->out->strips = 0;
  for (uint32_t k = 0; k < r->op->n_inputs; k++) {
    const ta_tensor *tensor = tensor_of(r, k);
    if (!tensor || tensor->shape.n > 4) return false;
    if (ta_is_cuttable(tensor) && is_same_size(tensor, r->output)) {
      r->out->strips |= UINT32_C(1) << k;
    } else if (aligned_dim(tensor, ROWS) != 1 || aligned_dim(tensor, COLUMNS) != 1) {
      return false;
    }
  }
  return r->out->strips != 0;
}

static bool read_join(cut_reader *r) {
  int32_t axis = r->options.axis < 0 ? r->options.axis + 4 : r->options.axis;
  if (r->options.activation != TA_ACTIVATION_NONE || (axis != CHANNELS && axis != COLUMNS)) return false;
  r->out->joined = axis == COLUMNS ? 1 : -1;
  r->out->strips = 0;
  for (uint32_t k = 0; k < r->op->n_inputs; k++) {
    const ta_tensor *tensor = tensor_of(r, k);
    if (!tensor || !ta_is_cuttable(tensor) || tensor->shape.at[ROWS] != r->output->shape.at[ROWS])
      return false;
    if (axis == CHANNELS && !is_same_size(tensor, r->output)) return false;
    r->out->strips |= UINT32_C(1) << k;
  }
  return true;
}

/* Factors for which neither source rows nor weights depend on the position, in the kernels' arithmetic, too.
 */
static bool read_resize(cut_reader *r) {
  const ta_options *options = &r->options;
  r->out->half_pixel = options->half_pixel;
  if (options->align_corners || !constant_of(r, 1).at) return false;
  for (int a = 0; a < 2; a++) {
    ta_cut_axis *axis = &r->out->axis[a];
    axis->factor = axis->out / axis->in;
    bool known = axis->factor == 1 || axis->factor == 2 || axis->factor == 4 || axis->factor == 8;
    if (!known || axis->factor * axis->in != axis->out) return false;
  }
  return true;
}

static bool read_block(cut_reader *r, bool gathers) {
  int32_t block = r->options.block;
  if (!is_between(block, 1, MOST_ROWS)) return false;
  for (int a = 0; a < 2; a++) {
    ta_cut_axis *axis = &r->out->axis[a];
    axis->factor = block;
    int32_t large = gathers ? axis->in : axis->out, small = gathers ? axis->out : axis->in;
    if ((int64_t)small * block != large) return false;
  }
  return true;
}

static bool read_reach(cut_reader *r) {
  switch ((ta_reach)r->out->reach) {
  case TA_REACH_FILTER:
    return is_constant_or_absent(r, 2) && read_filter(r) && read_sliding(r);
  case TA_REACH_POOL:
    return read_sliding(r);
  case TA_REACH_TRANSPOSED:
    return read_transposed(r);
  case TA_REACH_PAD:
    return read_paddings(r);
  case TA_REACH_BROADCAST:
    return read_broadcast(r);
  case TA_REACH_JOIN:
    return read_join(r);
  case TA_REACH_EACH:
    return is_same_size(r->input, r->output);
  case TA_REACH_NEAREST:
  case TA_REACH_BILINEAR:
    return read_resize(r);
  case TA_REACH_GATHER:
    return read_block(r, true);
  case TA_REACH_SPREAD:
    return read_block(r, false);
  case TA_REACH_ALL:
  case TA_REACH_STATE:
    break;
  }
  return false;
}

/* The first input that is cut. Broadcasts have the larger one in either place. */
static const ta_tensor *first_strip(const cut_reader *r) {
  if (r->out->reach == TA_REACH_TRANSPOSED) return tensor_of(r, 2);
  if (r->out->reach != TA_REACH_BROADCAST) return tensor_of(r, 0);
  for (uint32_t k = 0; k < r->op->n_inputs; k++) {
    const ta_tensor *tensor = tensor_of(r, k);
    if (tensor && ta_is_cuttable(tensor) && is_same_size(tensor, r->output)) return tensor;
  }
  return NULL;
}

static bool read(cut_reader *r) {
  const ta_node *node = &r->subgraph->nodes[r->op->node];
  const int32_t *outputs = r->draft->references + r->op->outputs;
  if (r->out->reach <= TA_REACH_STATE || r->op->n_outputs != 1 || r->op->n_inputs == 0 || outputs[0] < 0 ||
      r->op->n_inputs > MOST_STRIPS || node->intermediates.n != 0)
    return false;
  r->output = &r->subgraph->tensors[outputs[0]];
  if (!ta_is_cuttable(r->output)) return false;
  r->input = first_strip(r);
  if (!r->input || !ta_is_cuttable(r->input) || !ta_options_read(r->model, node, &r->options)) return false;
  if (r->op->padding != TA_DRAFT_AS_WRITTEN) r->options.padding = (uint8_t)r->op->padding;
  if (r->options.padding > TA_PADDING_OF_VALID) return false;
  r->out->same = r->options.padding == TA_PADDING_OF_SAME;
  r->out->strips = r->out->reach == TA_REACH_TRANSPOSED ? 1u << 2 : 1u;
  for (int a = 0; a < 2; a++) {
    r->out->axis[a].in = r->input->shape.at[ROWS + a];
    r->out->axis[a].out = r->output->shape.at[ROWS + a];
  }
  return read_reach(r);
}

void ta_cut_read(const ta_draft *draft, uint32_t op, uint32_t kernels, ta_cut *out) {
  cut_reader r = {.model = draft->model,
                  .subgraph = &draft->model->subgraphs[0],
                  .draft = draft,
                  .op = &draft->ops[op],
                  .inputs = ta_draft_inputs(draft, op),
                  .kernels = kernels,
                  .out = out};
  *out = (ta_cut){.reach = (uint8_t)ta_op_reach(draft->ops[op].op), .joined = -1};
  if (!read(&r)) out->reach = TA_REACH_ALL;
}

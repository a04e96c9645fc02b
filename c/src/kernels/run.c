/* Walks all operators in TFLM's order and asks each for what its row says. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "kernels/query.h"
#include "graph/ops.h"
#include "kernels/quantities.h"
#include "kernels/requests.h"

uint32_t ta_tflm_item_bytes(uint8_t dtype) {
  /* By TensorType number; INT4 (17) takes a byte an element. Types past the list have no size. */
  static const uint8_t bytes[] = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 4, 0, 4, 2, 1, 2};
  return dtype < sizeof bytes ? bytes[dtype] : 0;
}

bool ta_shape_set(ta_shape *shape, uint8_t dtype, const ta_list *dims) {
  uint32_t item = ta_tflm_item_bytes(dtype);
  shape->dims = *dims;
  shape->elems = shape->bytes = 0;
  shape->known = true;
  for (uint32_t i = 0; i < dims->n; i++) shape->known = shape->known && dims->at[i] >= 0;
  shape->state = item == 0 ? TA_SHAPE_NO_TYPE : shape->known ? TA_SHAPE_KNOWN : TA_SHAPE_UNKNOWN;
  if (!shape->known) return true;
  return ta_shape_elements(dims, &shape->elems) && ta_mul(shape->elems, item, &shape->bytes);
}

static ta_status make_shapes(ta_needs *needs, ta_error *error) {
  for (uint32_t g = 0; g < needs->model->n_subgraphs; g++) {
    const ta_subgraph *subgraph = &needs->model->subgraphs[g];
    for (uint32_t t = 0; t < subgraph->n_tensors; t++) {
      const ta_tensor *tensor = &subgraph->tensors[t];
      if (!ta_shape_set(&needs->shapes[needs->tensor_base[g] + t], tensor->dtype, &tensor->shape)) {
        return ta_fail_at(error, TA_E_LIMIT, g, TA_NO_INDEX, t,
                          "tensor %u%M of subgraph %u has more than 9007199254740991 bytes; check its shape",
                          t, &tensor->name, g);
      }
    }
  }
  return TA_OK;
}

static ta_status make_flat(ta_needs *needs, ta_error *error) {
  const ta_model *model = needs->model;
  uint32_t *tensors = TA_TAKE(needs->region, (size_t)model->n_subgraphs + 1, uint32_t);
  uint32_t *nodes = TA_TAKE(needs->region, (size_t)model->n_subgraphs + 1, uint32_t);
  if (!tensors || !nodes) return ta_fail_memory(error);
  uint64_t n_tensors = 0, n_nodes = 0;
  for (uint32_t g = 0; g < model->n_subgraphs; g++) {
    tensors[g] = (uint32_t)n_tensors;
    nodes[g] = (uint32_t)n_nodes;
    n_tensors += model->subgraphs[g].n_tensors;
    n_nodes += model->subgraphs[g].n_nodes;
    if (n_tensors >= INT32_MAX || n_nodes >= INT32_MAX) {
      return ta_fail_at(error, TA_E_LIMIT, g, TA_NO_INDEX, TA_NO_INDEX,
                        "the model has more tensors or ops than TFLM counts");
    }
    for (uint32_t i = 0; i < model->subgraphs[g].n_nodes; i++) {
      if (model->subgraphs[g].nodes[i].op == TA_OP_VAR_HANDLE) needs->n_handles++;
    }
  }
  tensors[model->n_subgraphs] = needs->n_tensors = (uint32_t)n_tensors;
  nodes[model->n_subgraphs] = needs->n_nodes = (uint32_t)n_nodes;
  needs->tensor_base = tensors;
  needs->node_base = nodes;
  needs->shapes = TA_TAKE(needs->region, needs->n_tensors, ta_shape);
  needs->nodes = TA_TAKE(needs->region, (size_t)n_nodes + 1, ta_node_needs);
  return needs->shapes && needs->nodes ? make_shapes(needs, error) : ta_fail_memory(error);
}

/* Each builtin operator's row in the table, 0: none; a row's number counts from 1. */
typedef struct row_numbers {
  uint8_t of[TA_OPS];
} row_numbers;

static void number_rows(row_numbers *numbers) {
  uint32_t n = 0;
  const ta_operator *rows = ta_reference_operators(&n);
  memset(numbers, 0, sizeof *numbers);
  for (uint32_t r = 0; r < n; r++) numbers->of[rows[r].op] = (uint8_t)(r + 1);
}

static const ta_operator *find_row(const row_numbers *numbers, const ta_node *node) {
  uint32_t n = 0;
  const ta_operator *rows = ta_reference_operators(&n);
  if (node->op != TA_OP_CUSTOM) {
    uint32_t number = node->op < TA_OPS ? numbers->of[node->op] : 0;
    return number == 0 ? NULL : &rows[number - 1];
  }
  for (uint32_t r = 0; r < n; r++) {
    const char *name = rows[r].op == TA_OP_CUSTOM ? rows[r].more->custom : NULL;
    if (name && ta_str_equal(&node->name, &(ta_str){name, strlen(name)})) return &rows[r];
  }
  return NULL;
}

/* CMSIS-NN's kernel of an operator, where the set has one of its own; else the reference's. */
static const ta_operator *find_kernel(uint32_t kernels, const ta_operator *row) {
  uint32_t n = 0;
  const ta_operator *rows = ta_cmsis_nn_operators(&n);
  for (uint32_t r = 0; r < n && kernels != TA_KERNELS_REFERENCE; r++) {
    if (rows[r].op == row->op) return &rows[r];
  }
  return row;
}

static const ta_operator_more *more_of(const ta_operator *row) {
  static const ta_operator_more none;
  return row->more ? row->more : &none;
}

static void run_builtin(ta_query *op) {
  const ta_tflm_target *target = op->needs->target;
  ta_request request = {op->row->builtin[target->short_enums], 1, 4, op->subgraph, op->index};
  if (op->more->builtin_pointers) {
    request.bytes = (uint64_t)op->more->builtin_pointers * target->pointer.bytes;
    request.align = target->pointer.align;
  } else if (request.bytes % 4 != 0) {
    request.align = 1;
  }
  if (request.bytes != 0)
    op->status = ta_requests_add(&op->needs->builtin, op->needs->region, &request, op->error);
}

static void run_init(ta_query *op) {
  op->to = &op->needs->init;
  const ta_operator *kernel = op->kernel;
  ta_query_request_some(op, kernel->object + (op->needs->target->wide ? kernel->object_wider : 0u));
  ta_terms_run(op, op->kernel_more->init, op->to);
}

/* Prepare may leave no dimension of 0 on an output, but for the shape [0] of old files. */
static void check_outputs(ta_query *op) {
  for (uint32_t k = 0; k < op->node->outputs.n; k++) {
    const ta_shape *shape = ta_query_shape(op, OUTPUT((int)k));
    if (shape && shape->known && shape->elems == 0 && shape->dims.n != 1)
      ta_query_refuse(op, "an output has a dimension of 0");
  }
}

/* Intermediate tensors must be empty: TFLM has no memory for them. */
static void check_intermediates(ta_query *op) {
  ta_list list = op->node->intermediates;
  const ta_shape *shapes = op->needs->shapes + op->needs->tensor_base[op->subgraph];
  for (uint32_t k = 0; k < list.n; k++) {
    if (list.at[k] >= 0 && shapes[list.at[k]].bytes != 0)
      ta_query_refuse(op, "an intermediate tensor is not empty");
  }
}

static ta_status run_node(ta_query *op, const row_numbers *numbers) {
  ta_needs *needs = op->needs;
  ta_node_needs *node = &needs->nodes[needs->node_base[op->subgraph] + op->index];
  node->scratch = needs->scratch.n;
  node->prepare = needs->prepare.n;
  node->row = op->row = find_row(numbers, op->node);
  if (!op->row) {
    needs->n_missing++;
    return TA_OK;
  }
  op->more = more_of(op->row);
  op->kernel = find_kernel(needs->kernels, op->row);
  op->kernel_more = more_of(op->kernel);
  run_builtin(op);
  check_intermediates(op);
  run_init(op);
  ta_terms_run(op, op->kernel_more->prepare, &needs->prepare);
  ta_terms_run(op, op->kernel_more->scratch, &needs->scratch);
  node->temporaries = ta_temporaries(op);
  check_outputs(op);
  return op->status;
}

uint64_t ta_operator_tail(uint32_t op, const ta_tflm_target *target, uint32_t kernels) {
  row_numbers numbers;
  number_rows(&numbers);
  const ta_operator *row = find_row(&numbers, &(ta_node){.op = op});
  if (!row) return 0;
  const ta_operator *kernel = find_kernel(kernels, row);
  uint64_t object = kernel->object + (target->wide ? kernel->object_wider : 0u);
  uint64_t builtin = row->builtin[target->short_enums];
  return (builtin + 3) / 4 * 4 + (object + 15) / 16 * 16;
}

static ta_status run_nodes(ta_needs *needs, ta_error *error) {
  row_numbers numbers;
  number_rows(&numbers);
  ta_status status = ta_variables_name(needs, error);
  for (uint32_t g = 0; g < needs->model->n_subgraphs; g++) {
    const ta_subgraph *subgraph = &needs->model->subgraphs[g];
    for (uint32_t i = 0; i < subgraph->n_nodes && !status; i++) {
      ta_query op = {.needs = needs, .node = &subgraph->nodes[i], .subgraph = g, .index = i, .error = error};
      status = run_node(&op, &numbers);
    }
  }
  needs->nodes[needs->n_nodes].scratch = needs->scratch.n;
  needs->nodes[needs->n_nodes].prepare = needs->prepare.n;
  return status;
}

ta_status ta_needs_run(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                       ta_needs *out, ta_error *error) {
  memset(out, 0, sizeof *out);
  out->model = model;
  out->target = ta_tflm_target_find(target);
  out->kernels = kernels;
  out->region = region;
  out->zero_points_left = model->file.len;
  if (!out->target) {
    return ta_fail(error, TA_E_ARGUMENT, "there is no target number %u: see ta_target", target);
  }
  if (!ta_word_name(TA_WORDS_KERNELS, kernels)) {
    return ta_fail(error, TA_E_ARGUMENT, "there are no kernels number %u: see ta_kernels", kernels);
  }
  if (out->target->wide && kernels != TA_KERNELS_REFERENCE) {
    return ta_fail(error, TA_E_UNSUPPORTED,
                   "%s kernels on %s are not covered; take target cortex-m or ilp32, or kernels reference",
                   ta_word_name(TA_WORDS_KERNELS, kernels), ta_word_name(TA_WORDS_TARGET, target));
  }
  ta_status status = make_flat(out, error);
  return status ? status : run_nodes(out, error);
}

/* What is odd but legal in a model: read as it stands, and listed among its problems. Tensors that are read
 * but never produced are the planner's to list: it depends on the runtime. */
#include "graph/dtype.h"
#include "model/tflite_reader.h"

/* In the subgraph that the reader is in. With `named` the sentence begins with the tensor's number and name.
 */
static ta_status problem(ta_reader *reader, const char *code, uint32_t node, uint32_t tensor, bool named,
                         const char *format, ...) {
  char storage[256];
  ta_text where;
  ta_text_init_fixed(&where, storage, sizeof storage);
  ta_text_bytes(&where, reader->where.at, reader->where.len);
  if (named)
    ta_text_format(&where, "tensor %u%M", tensor,
                   &reader->model->subgraphs[reader->subgraph].tensors[tensor].name);
  va_list arguments;
  va_start(arguments, format);
  ta_status status = ta_problem_vadd(&reader->model->problems, &reader->model->region, code, reader->subgraph,
                                     node, tensor, reader->error, &where, format, arguments);
  va_end(arguments);
  return status;
}

/* What one subgraph's tensors are used for; TA_NO_INDEX: not at all. */
typedef struct tensor_uses {
  uint32_t *input;  /* which graph input it is (the first) */
  uint32_t *writer; /* the first op that writes it */
} tensor_uses;

static ta_status unknown_size(ta_reader *reader, const ta_tensor *tensor, uint32_t t, uint32_t input) {
  for (uint32_t d = 0; d < tensor->shape.n; d++) {
    if (tensor->shape.at[d] >= 0) continue;
    if (input != TA_NO_INDEX)
      return problem(
          reader, "unknown-dimension", TA_NO_INDEX, t, false,
          "dimension %u of input %u is not known; give a value (until then it counts as dynamic, and the "
          "total is a lower bound)",
          d, input);
    return problem(reader, "unknown-dimension", TA_NO_INDEX, t, true,
                   ": dimension %u is not known; it counts as dynamic, and the total is a lower bound", d);
  }
  if (tensor->dtype == TA_DTYPE_RESOURCE) return TA_OK; /* a handle: nothing of it belongs in an arena */
  const char *dtype = ta_dtype_name(tensor->dtype);
  if (dtype)
    return problem(reader, "unknown-size", TA_NO_INDEX, t, true,
                   " is of type %s, whose size is not in the file; it counts as dynamic", dtype);
  return problem(reader, "unknown-type", TA_NO_INDEX, t, true,
                 " is of type %u, newer than this library; it counts as dynamic, and the total is a "
                 "lower bound",
                 (uint32_t)tensor->dtype);
}

static ta_status constant_size(ta_reader *reader, const ta_tensor *tensor, uint32_t t) {
  uint64_t held = reader->model->constants[tensor->buffer].bytes;
  if (tensor->sparse || tensor->unknown_size || held == tensor->bytes) return TA_OK;
  return problem(reader, "constant-size", TA_NO_INDEX, t, true,
                 " has %G bytes by its shape, but its constant buffer holds %G", tensor->bytes, held);
}

static ta_status check_tensors(ta_reader *reader, const ta_subgraph *subgraph, const tensor_uses *uses) {
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) {
    const ta_tensor *tensor = &subgraph->tensors[t];
    ta_status status = TA_OK;
    if (tensor->is_constant)
      status = constant_size(reader, tensor, t);
    else if (tensor->unknown_size)
      status = unknown_size(reader, tensor, t, uses->input[t]);
    if (!status && tensor->is_constant && tensor->is_variable)
      status = problem(reader, "variable-with-data", TA_NO_INDEX, t, true,
                       " is a variable, but its buffer holds data: TensorFlow Lite refuses it");
    if (status) return status;
  }
  return TA_OK;
}

static ta_status check_write(ta_reader *reader, const ta_subgraph *subgraph, const tensor_uses *uses,
                             uint32_t op, uint32_t t) {
  const ta_tensor *tensor = &subgraph->tensors[t];
  if (tensor->is_constant)
    return problem(reader, "constant-written", op, t, false,
                   "node %u writes tensor %u%M, which is a constant", op, t, &tensor->name);
  if (uses->writer[t] != TA_NO_INDEX)
    return problem(reader, "written-twice", op, t, true,
                   " is written by node %u and again by node %u; it has one place, from the first to the "
                   "last use",
                   uses->writer[t], op);
  uses->writer[t] = op;
  if (uses->input[t] == TA_NO_INDEX) return TA_OK;
  return problem(reader, "input-written", op, t, false,
                 "graph input %u (tensor %u, %T) is written by node %u", uses->input[t], t, &tensor->name,
                 op);
}

static ta_status check_writes(ta_reader *reader, const ta_subgraph *subgraph, const tensor_uses *uses) {
  for (uint32_t op = 0; op < subgraph->n_nodes; op++) {
    ta_list outputs = subgraph->nodes[op].outputs;
    for (uint32_t i = 0; i < outputs.n; i++) {
      ta_status status = check_write(reader, subgraph, uses, op, (uint32_t)outputs.at[i]);
      if (status) return status;
    }
  }
  return TA_OK;
}

static ta_status check_outputs(ta_reader *reader, const ta_subgraph *subgraph, const tensor_uses *uses) {
  for (uint32_t i = 0; i < subgraph->outputs.n; i++) {
    uint32_t t = (uint32_t)subgraph->outputs.at[i];
    const ta_tensor *tensor = &subgraph->tensors[t];
    ta_status status = TA_OK;
    if (tensor->is_constant)
      status = problem(reader, "constant-output", TA_NO_INDEX, t, false,
                       "graph output %u (tensor %u, %T) is a constant: it has no place in the arena", i, t,
                       &tensor->name);
    else if (uses->input[t] != TA_NO_INDEX)
      status = problem(reader, "input-is-output", TA_NO_INDEX, t, false,
                       "graph output %u (tensor %u, %T) is also graph input %u", i, t, &tensor->name,
                       uses->input[t]);
    if (status) return status;
  }
  return TA_OK;
}

static ta_status check_subgraph(ta_reader *reader, const ta_subgraph *subgraph) {
  tensor_uses uses = {TA_TAKE(&reader->scratch, subgraph->n_tensors, uint32_t),
                      TA_TAKE(&reader->scratch, subgraph->n_tensors, uint32_t)};
  if (!uses.input || !uses.writer) return ta_fail_memory(reader->error);
  for (uint32_t t = 0; t < subgraph->n_tensors; t++) uses.input[t] = uses.writer[t] = TA_NO_INDEX;
  for (uint32_t i = subgraph->inputs.n; i-- > 0;) {
    if (subgraph->inputs.at[i] >= 0) uses.input[subgraph->inputs.at[i]] = i;
  }
  ta_status status = check_tensors(reader, subgraph, &uses);
  if (!status) status = check_writes(reader, subgraph, &uses);
  return status ? status : check_outputs(reader, subgraph, &uses);
}

/* Where a walk over called subgraphs stands in one of them. */
typedef struct visit {
  uint32_t caller;     /* the subgraph it was entered from */
  uint32_t node, call; /* the next call to look at */
  enum { UNSEEN, OPEN, DONE } state;
} visit;

/* Walks depth first from `root`, each subgraph once, and lists the calls that lead back into an open one. */
static ta_status walk_calls(ta_reader *reader, visit *visits, uint32_t root) {
  const ta_model *model = reader->model;
  uint32_t g = root;
  visits[g] = (visit){TA_NO_INDEX, 0, 0, OPEN};
  while (g != TA_NO_INDEX) {
    visit *here = &visits[g];
    if (here->node == model->subgraphs[g].n_nodes) {
      here->state = DONE;
      g = here->caller;
      continue;
    }
    ta_list calls = model->subgraphs[g].nodes[here->node].calls;
    if (here->call == calls.n) {
      here->node++;
      here->call = 0;
      continue;
    }
    uint32_t called = (uint32_t)calls.at[here->call++];
    bool again = here->call > 1 && calls.at[here->call - 2] == (int32_t)called;
    if (again) continue;
    if (visits[called].state == UNSEEN) {
      visits[called] = (visit){g, 0, 0, OPEN};
      g = called;
    } else if (visits[called].state == OPEN) {
      ta_status status = ta_problem_add(
          &reader->model->problems, &reader->model->region, "calls-itself", g, here->node, TA_NO_INDEX,
          reader->error,
          "node %u of subgraph %u runs subgraph %u, which is still running: no runtime ends this", here->node,
          g, called);
      if (status) return status;
    }
  }
  return TA_OK;
}

static ta_status check_calls(ta_reader *reader) {
  visit *visits = TA_TAKE(&reader->scratch, reader->model->n_subgraphs, visit);
  if (!visits) return ta_fail_memory(reader->error);
  for (uint32_t g = 0; g < reader->model->n_subgraphs; g++) {
    if (visits[g].state != UNSEEN) continue;
    ta_status status = walk_calls(reader, visits, g);
    if (status) return status;
  }
  return TA_OK;
}

ta_status ta_reader_problems(ta_reader *reader) {
  for (uint32_t g = 0; g < reader->model->n_subgraphs; g++) {
    ta_reader_enter(reader, g);
    ta_status status = check_subgraph(reader, &reader->model->subgraphs[g]);
    if (status) return status;
  }
  return check_calls(reader);
}

#include "graph/overwrites.h"

#include "graph/inplace.h"

/* Each thing written gets a number, which its tensor keeps and its root's bytes hold until the next is
 * written there. A tensor that is read must find its own number. */
typedef struct follower {
  const ta_shared_run *run;
  uint32_t *value;  /* by tensor: the number of what it holds; 0: nothing yet */
  uint32_t *held;   /* by root: the number of what is in its bytes */
  uint32_t *writer; /* by root: which tensor's that is */
  int32_t *written; /* by root: since which step */
  /* By root: two tensors (the second another than the first) that the present step reads through operands
   * over which it does not work in place, and through any; by step, as of which these are. */
  uint32_t *apart_a, *apart_b, *read_a, *read_b;
  int32_t *as_of;
  bool *listed; /* by tensor */
  uint32_t numbers;
  ta_overwrite *losses;
  uint32_t count;
} follower;

static uint32_t root_of(const follower *f, uint32_t tensor) {
  uint32_t root = f->run->root[tensor];
  return root == TA_NO_INDEX || (f->run->apart && f->run->apart[tensor]) ? tensor : root;
}

static void lose(follower *f, uint32_t tensor, uint32_t by, int32_t written, int32_t read) {
  if (f->listed[tensor]) return;
  f->listed[tensor] = true;
  f->losses[f->count++] = (ta_overwrite){tensor, by, written, read};
}

/* What nobody has written is not there to be lost. */
static void read_value(follower *f, uint32_t tensor, int32_t step) {
  uint32_t root = root_of(f, tensor);
  if (f->value[tensor] == 0 || f->value[tensor] == f->held[root]) return;
  lose(f, tensor, f->writer[root], f->written[root], step);
}

/* A sharer comes into its root's bytes by an operand that lends them, or not at all. */
static void come_in(const follower *f, uint32_t tensor, bool lent) {
  bool sharer = f->run->root[tensor] != TA_NO_INDEX;
  if (f->run->apart && sharer && f->value[tensor] == 0 && !lent) f->run->apart[tensor] = true;
}

static void write_value(follower *f, uint32_t tensor, int32_t step) {
  uint32_t root = root_of(f, tensor);
  f->value[tensor] = f->held[root] = ++f->numbers;
  f->writer[root] = tensor;
  f->written[root] = step;
}

static void remember(uint32_t *a, uint32_t *b, uint32_t tensor) {
  if (*a == TA_NO_INDEX) {
    *a = tensor;
  } else if (*a != tensor) {
    *b = tensor;
  }
}

static void read_operands(follower *f, const ta_node *node, int32_t step) {
  for (uint32_t i = 0; i < node->inputs.n; i++) {
    if (node->inputs.at[i] < 0) continue;
    uint32_t tensor = (uint32_t)node->inputs.at[i], root = root_of(f, tensor);
    read_value(f, tensor, step);
    if (f->as_of[root] != step) {
      f->apart_a[root] = f->apart_b[root] = f->read_a[root] = f->read_b[root] = TA_NO_INDEX;
      f->as_of[root] = step;
    }
    remember(&f->read_a[root], &f->read_b[root], tensor);
    if (!ta_works_in_place(node, i)) remember(&f->apart_a[root], &f->apart_b[root], tensor);
  }
}

/* The operand that lets output 0 have the root's bytes, or TA_NO_INDEX. */
static uint32_t lender(const follower *f, const ta_node *node, uint32_t root) {
  for (uint32_t i = 0; i < TA_SHARABLE_INPUTS && i < node->inputs.n; i++) {
    if (node->inputs.at[i] < 0 || !ta_works_in_place(node, i)) continue;
    uint32_t input = (uint32_t)node->inputs.at[i];
    if (root_of(f, input) == root && f->value[input] != 0 && f->value[input] == f->held[root]) return input;
  }
  return TA_NO_INDEX;
}

/* A node writes the tensor, over what it reads itself, if that lies there. */
static void write_over(follower *f, uint32_t tensor, bool lent, int32_t step) {
  come_in(f, tensor, lent);
  uint32_t root = root_of(f, tensor);
  if (f->as_of[root] == step) {
    uint32_t a = lent ? f->apart_a[root] : f->read_a[root];
    uint32_t b = lent ? f->apart_b[root] : f->read_b[root];
    uint32_t other = a != tensor ? a : b;
    if (other != TA_NO_INDEX) lose(f, other, tensor, step, step);
  }
  write_value(f, tensor, step);
}

static void write_first_output(follower *f, const ta_node *node, uint32_t tensor, int32_t step) {
  uint32_t root = root_of(f, tensor), input = lender(f, node, root);
  if (input != TA_NO_INDEX && (node->inplace & TA_UNMODIFIED)) {
    f->value[tensor] = f->held[root];
  } else {
    write_over(f, tensor, input != TA_NO_INDEX, step);
  }
}

static void run_node(follower *f, const ta_node *node, int32_t step) {
  read_operands(f, node, step);
  for (uint32_t i = 0; i < node->temporaries.n; i++) {
    if (node->temporaries.at[i] >= 0) write_over(f, (uint32_t)node->temporaries.at[i], false, step);
  }
  for (uint32_t i = 0; i < node->outputs.n; i++) {
    if (node->outputs.at[i] < 0) continue;
    uint32_t output = (uint32_t)node->outputs.at[i];
    if (i == 0) {
      write_first_output(f, node, output, step);
    } else {
      write_over(f, output, false, step);
    }
  }
}

static void begin_run(follower *f, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] < 0) continue;
    come_in(f, (uint32_t)tensors->at[i], false);
    write_value(f, (uint32_t)tensors->at[i], -1);
  }
}

static void end_run(follower *f, const ta_list *tensors) {
  for (uint32_t i = 0; i < tensors->n; i++) {
    if (tensors->at[i] >= 0) read_value(f, (uint32_t)tensors->at[i], (int32_t)f->run->n_steps);
  }
}

/* Who was never written has not come in. */
static void leave_out_unwritten(const follower *f) {
  for (uint32_t t = 0; t < f->run->graph->n_tensors && f->run->apart; t++) come_in(f, t, false);
}

static bool take_all(follower *f, ta_region *region) {
  static const ta_array arrays[] = {
      TA_ARRAY(follower, value, 0),   TA_ARRAY(follower, held, 0),    TA_ARRAY(follower, writer, 0),
      TA_ARRAY(follower, written, 0), TA_ARRAY(follower, apart_a, 0), TA_ARRAY(follower, apart_b, 0),
      TA_ARRAY(follower, read_a, 0),  TA_ARRAY(follower, read_b, 0),  TA_ARRAY(follower, as_of, 0),
      TA_ARRAY(follower, listed, 0),
  };
  const size_t counts[] = {f->run->graph->n_tensors};
  return ta_region_take_arrays(region, f, arrays, sizeof arrays / sizeof arrays[0], counts);
}

ta_status ta_find_overwrites(const ta_shared_run *run, const ta_allocator *allocator, ta_overwrite *losses,
                             uint32_t *count, ta_error *error) {
  const ta_subgraph *graph = run->graph;
  follower f = {.run = run, .losses = losses};
  ta_region work;
  ta_region_init(&work, allocator);
  ta_status status = take_all(&f, &work) ? TA_OK : ta_fail_memory(error);
  if (!status) {
    for (uint32_t t = 0; t < graph->n_tensors; t++) f.as_of[t] = -1;
    begin_run(&f, &graph->inputs);
    begin_run(&f, &graph->variables);
    for (uint32_t k = 0; k < run->n_steps; k++) {
      const ta_step *step = &run->timeline[k];
      if (step->subgraph == run->subgraph && step->node != TA_NO_INDEX)
        run_node(&f, &graph->nodes[step->node], (int32_t)k);
    }
    end_run(&f, &graph->outputs);
    end_run(&f, &graph->variables);
    leave_out_unwritten(&f);
    *count = f.count;
  }
  ta_region_free(&work);
  return status;
}

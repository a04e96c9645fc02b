/* Resource variables: which VAR_HANDLEs name the same one, and who allocates it. */
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "kernels/query.h"
#include "graph/ops.h"
#include "kernels/quantities.h"
#include "kernels/requests.h"
#include "model/flatbuf.h"

/* Names are compared n log n times, so their length must not be the file's. */
#define NAME_MAX_BYTES 4096u

typedef struct handle {
  ta_str container, shared_name;
  uint32_t tensor; /* flat */
  uint32_t node;   /* flat */
} handle;

static int compare(const ta_str *a, const ta_str *b) {
  size_t least = a->len < b->len ? a->len : b->len;
  int order = least == 0 || a->at == b->at ? 0 : memcmp(a->at, b->at, least);
  if (order != 0) return order;
  return a->len < b->len ? -1 : a->len > b->len;
}

static int compare_handles(const handle *a, const handle *b) {
  int order = compare(&a->container, &b->container);
  return order != 0 ? order : compare(&a->shared_name, &b->shared_name);
}

static bool before(const void *context, uint32_t a, uint32_t b) {
  const handle *handles = context;
  int order = compare_handles(&handles[a], &handles[b]);
  return order != 0 ? order < 0 : a < b;
}

static ta_status read_handle(ta_needs *needs, uint32_t subgraph, uint32_t index, handle *out,
                             ta_error *error) {
  const ta_node *node = &needs->model->subgraphs[subgraph].nodes[index];
  ta_flat flat;
  ta_flat_table options;
  ta_flat_init(&flat, needs->model->file, error);
  memset(out, 0, sizeof *out);
  if (node->options != 0 && ta_flat_table_at(&flat, node->options, &options)) {
    out->container = ta_flat_string(&options, 0);
    out->shared_name = ta_flat_string(&options, 1);
  }
  if (flat.status) return flat.status;
  if (out->container.len > NAME_MAX_BYTES || out->shared_name.len > NAME_MAX_BYTES) {
    return ta_fail_at(error, TA_E_LIMIT, subgraph, index, TA_NO_INDEX,
                      "the variable of op %u in subgraph %u has a name of more than %u bytes; shorten it",
                      index, subgraph, NAME_MAX_BYTES);
  }
  out->node = needs->node_base[subgraph] + index;
  out->tensor = TA_NO_INDEX;
  if (node->outputs.n > 0 && node->outputs.at[0] >= 0) {
    out->tensor = needs->tensor_base[subgraph] + (uint32_t)node->outputs.at[0];
  }
  return TA_OK;
}

static ta_status read_handles(ta_needs *needs, handle *handles, ta_error *error) {
  uint32_t n = 0;
  for (uint32_t g = 0; g < needs->model->n_subgraphs; g++) {
    const ta_subgraph *subgraph = &needs->model->subgraphs[g];
    for (uint32_t i = 0; i < subgraph->n_nodes; i++) {
      if (subgraph->nodes[i].op != TA_OP_VAR_HANDLE) continue;
      ta_status status = read_handle(needs, g, i, &handles[n++], error);
      if (status) return status;
    }
  }
  return TA_OK;
}

ta_status ta_variables_name(ta_needs *needs, ta_error *error) {
  uint32_t n = needs->n_handles;
  if (n == 0) return TA_OK;
  handle *handles = TA_TAKE(needs->region, n, handle);
  uint32_t *order = TA_TAKE(needs->region, n, uint32_t);
  needs->assigned = TA_TAKE(needs->region, n, bool);
  if (!handles || !order || !needs->assigned) return ta_fail_memory(error);
  ta_status status = read_handles(needs, handles, error);
  if (status) return status;

  for (uint32_t i = 0; i < n; i++) order[i] = i;
  ta_sort(order, n, before, handles);
  uint32_t variable = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0 && compare_handles(&handles[order[i - 1]], &handles[order[i]]) != 0) variable++;
    if (handles[order[i]].tensor != TA_NO_INDEX) {
      needs->shapes[handles[order[i]].tensor].variable = variable;
    }
  }
  return TA_OK;
}

void ta_var_handle_prepare(ta_query *op) {
  const ta_shape *shape = ta_query_require(op, OUTPUT(0));
  if (!op->status) op->needs->shapes[shape - op->needs->shapes].in_operator = true;
}

void ta_assign_variable_prepare(ta_query *op) {
  const ta_shape *handle_shape = ta_query_require(op, INPUT(0)), *value = ta_query_require(op, INPUT(1));
  if (op->status || !handle_shape->in_operator) return;
  bool *assigned = &op->needs->assigned[handle_shape->variable];
  if (!*assigned) ta_query_request(op, value->bytes, 1);
  *assigned = true;
}

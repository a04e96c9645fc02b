/* The operators that the tables do not cover, each name once. */
#include <string.h>

#include "base/error.h"
#include "base/num.h"
#include "base/sort.h"
#include "kernels/kernels.h"

/* Names are compared n log n times: only this much of each. */
enum { COMPARED_BYTES = 256 };

uint32_t ta_needs_subgraph(const ta_needs *needs, uint32_t flat) {
  uint32_t low = 0, high = needs->model->n_subgraphs;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (needs->node_base[middle] <= flat) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static ta_str name_of(const ta_needs *needs, uint32_t flat) {
  uint32_t g = ta_needs_subgraph(needs, flat);
  return needs->model->subgraphs[g].nodes[flat - needs->node_base[g]].name;
}

static int compare(const ta_needs *needs, uint32_t a, uint32_t b) {
  ta_str x = name_of(needs, a), y = name_of(needs, b);
  size_t most = (size_t)ta_min_u64(ta_min_u64(x.len, y.len), COMPARED_BYTES);
  int order = most == 0 || x.at == y.at ? 0 : memcmp(x.at, y.at, most);
  if (order != 0) return order;
  return x.len < y.len ? -1 : x.len > y.len;
}

static bool before(const void *context, uint32_t a, uint32_t b) {
  int order = compare(context, a, b);
  return order != 0 ? order < 0 : a < b;
}

ta_status ta_needs_missing(const ta_needs *needs, ta_region *region, ta_missing **out, uint32_t *count,
                           ta_error *error) {
  uint32_t *nodes = TA_TAKE(region, needs->n_missing, uint32_t), n = 0;
  ta_missing *missing = TA_TAKE(region, needs->n_missing, ta_missing);
  *count = 0;
  *out = missing;
  if (!nodes || !missing) return ta_fail_memory(error);
  for (uint32_t i = 0; i < needs->n_nodes; i++) {
    if (!needs->nodes[i].row) nodes[n++] = i;
  }
  ta_sort(nodes, n, before, needs);
  for (uint32_t i = 0; i < n; i++) {
    if (i == 0 || compare(needs, nodes[i - 1], nodes[i]) != 0) {
      missing[(*count)++] = (ta_missing){name_of(needs, nodes[i]), nodes[i], 0};
    }
    missing[*count - 1].nodes++;
  }
  return TA_OK;
}

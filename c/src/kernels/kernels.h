/* What every operator of a model takes from TFLM's arena: builtin data, Init and Prepare requests, scratch
 * buffers, the temporaries of Prepare, and the shapes that Prepare changes. The rules are the tables in
 * reference.c and cmsis_nn.c. */
#ifndef TA_KERNELS_KERNELS_H
#define TA_KERNELS_KERNELS_H

#include "base/error.h"
#include "graph/graph.h"
#include "kernels/target.h"

/* `count` requests of `bytes` each, one after the other, each aligned to `align`. */
typedef struct ta_request {
  uint64_t bytes, count;
  uint32_t align;
  uint32_t subgraph, node;
} ta_request;

typedef struct ta_requests {
  ta_request *at;
  uint32_t n, capacity;
} ta_requests;

typedef struct ta_operator ta_operator;

typedef struct ta_node_needs {
  const ta_operator *row; /* NULL: not covered, only its NodeAndRegistration is known */
  uint64_t temporaries;   /* bytes of the TfLiteTensors that Prepare asks for */
  uint32_t scratch;       /* index of its first scratch request; the next node's ends it */
  uint32_t prepare;       /* the same for Prepare */
} ta_node_needs;

typedef enum ta_shape_state {
  TA_SHAPE_KNOWN = 0,
  TA_SHAPE_UNKNOWN, /* a dimension is not known */
  TA_SHAPE_NO_TYPE  /* TFLM has no size for the type: bytes is 0 */
} ta_shape_state;

/* A tensor after Prepare. */
typedef struct ta_shape {
  ta_list dims;
  uint64_t elems, bytes; /* 0 when a dimension is not known */
  uint8_t state;         /* ta_shape_state */
  bool known;            /* no dimension is negative */
  bool in_operator;      /* a VAR_HANDLE has written it: its data is in that operator */
  uint32_t variable;     /* which variable that handle names */
} ta_shape;

/* Flat indices count over all subgraphs: tensor t of subgraph g is tensor_base[g] + t. */
typedef struct ta_needs {
  const ta_model *model;
  const ta_tflm_target *target;
  uint32_t kernels; /* ta_kernels */
  ta_region *region;

  uint32_t n_tensors, n_nodes;
  const uint32_t *tensor_base, *node_base; /* n_subgraphs + 1 entries */
  ta_shape *shapes;                        /* flat */
  ta_node_needs *nodes;                    /* flat, and one more that ends the last node's requests */
  ta_requests builtin, init, prepare, scratch;
  uint32_t n_missing;        /* nodes that the tables do not cover */
  uint32_t n_handles;        /* VAR_HANDLE operators */
  bool *assigned;            /* whether an ASSIGN_VARIABLE has allocated the variable */
  uint64_t zero_points_left; /* that may still be read: no file needs more than it has bytes */
} ta_needs;

/* Asks every operator, in TFLM's order. Everything is taken from `region`. Cost: O(n log n) in the model.
 * Errors: ARGUMENT (kernels that the target cannot have), LIMIT, REFUSED (a request that TFLM could not work
 * out), MALFORMED (options), MEMORY. */
ta_status ta_needs_run(const ta_model *model, uint32_t target, uint32_t kernels, ta_region *region,
                       ta_needs *out, ta_error *error);

/* What a builtin operator's options and the object of its Init take from the tail, rounded as TFLM does: all
 * that an operator takes that asks for nothing in Prepare. 0 where the tables do not have it. */
uint64_t ta_operator_tail(uint32_t op, const ta_tflm_target *target, uint32_t kernels);

/* An operator name that the tables do not have. */
typedef struct ta_missing {
  ta_str name;
  uint32_t first; /* flat index of the first such node */
  uint32_t nodes; /* how many there are */
} ta_missing;

/* Each such name once, in the names' order. */
ta_status ta_needs_missing(const ta_needs *needs, ta_region *region, ta_missing **out, uint32_t *count,
                           ta_error *error);

/* The subgraph of a flat node. */
uint32_t ta_needs_subgraph(const ta_needs *needs, uint32_t flat);

/* Bytes of one element in TFLM (INT4: a whole byte); 0: TFLM has no size for the type. */
uint32_t ta_tflm_item_bytes(uint8_t dtype);

/* Fills all that follows from the dimensions, so that no question about a shape walks them again. False: past
 * TA_MAX_BYTES. */
bool ta_shape_set(ta_shape *shape, uint8_t dtype, const ta_list *dims);

#endif

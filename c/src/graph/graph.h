/* What a model is once it has been read, whatever format it came in. Filled by model/, read by everyone
 * above. All of it lives in the model's region (names and constants: in the caller's bytes) and never
 * changes. */
#ifndef TA_GRAPH_GRAPH_H
#define TA_GRAPH_GRAPH_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/region.h"
#include "base/text.h"
#include "graph/ops.h"
#include "graph/problem.h"
#include "tensor_arena.h"

/* A list of indices (or of dimensions). -1 marks an absent entry where the format allows one. Every other
 * index has been checked. */
typedef struct ta_list {
  const int32_t *at;
  uint32_t n;
} ta_list;

typedef struct ta_tensor {
  ta_str name;
  uint64_t bytes;    /* by tflite-format.md's sizes, sub-byte types packed; 0 when unknown_size */
  ta_list shape;     /* as written */
  ta_list signature; /* shape_signature; n = 0 when absent */
  uint32_t buffer;   /* index among model->constants, or TA_NO_INDEX */
  uint8_t dtype;     /* TensorType number; TA_DTYPE_NONE in graphs */
  uint8_t type;      /* ta_type under the tflite runtimes */
  bool is_variable;
  bool is_constant;  /* its buffer holds data (tflite-format.md, "Which tensors are constants") */
  bool has_data;     /* TFLM's narrower test: Buffer.data itself is present and not empty */
  bool unknown_size; /* STRING, RESOURCE, VARIANT, or a negative value in shape */
  bool sparse;
  bool has_rank;                /* as the file says; old files never do */
  uint32_t scales, zero_points; /* lengths of the quantization vectors */
  uint64_t quantization;        /* byte position of the table in the file; 0 = none */
} ta_tensor;

#define TA_DTYPE_NONE 255
#define TA_OP_NONE    UINT32_MAX

typedef struct ta_node {
  ta_str name; /* from the list, the custom code, a number past the list, or a graph's own */
  uint32_t op; /* a ta_op, or a number past that list; TA_OP_NONE in graphs */
  uint32_t version;
  ta_list inputs, outputs, temporaries, intermediates; /* tensors of the same subgraph */
  ta_list
      calls; /* subgraphs it runs: IF then, else; WHILE cond, body; CALL_ONCE init; CALL; composites; CASE */
  uint8_t inplace; /* spec/planners.md section 2's mask (graphs: as given; models: from the operator) */
  uint8_t options_tag, options2_tag; /* union tags; 0 = none */
  uint64_t options, options2;        /* byte position of the options table in the file; 0 = none */
  ta_bytes custom_options;
} ta_node;

typedef struct ta_subgraph {
  ta_str name;
  ta_tensor *tensors;
  uint32_t n_tensors;
  ta_node *nodes;
  uint32_t n_nodes;
  ta_list inputs, outputs, variables;
} ta_subgraph;

/* A model's Buffer: constant data, wherever it is kept. */
typedef struct ta_constant {
  uint64_t position; /* in the file (embedded data or Buffer.offset), 0 for external buffers */
  uint64_t bytes;    /* 0: an empty buffer */
  bool external, by_offset;
} ta_constant;

/* A row of a buffer list. */
typedef struct ta_row {
  ta_str id;
  int32_t first, last; /* both included */
  uint64_t bytes;
  uint64_t alignment; /* 1 when the column is absent */
  uint64_t offset;    /* where a plan puts it; TA_NO_OFFSET when not given */
  uint64_t fixed;     /* where every plan must put it; TA_NO_OFFSET when not given */
  uint32_t alias; /* the root row this one is a view of (views of views already followed), or TA_NO_INDEX */
  uint64_t alias_bytes; /* where the view starts inside its root */
  uint8_t arena; /* TA_ARENA_RW_PLACE, or _PERSISTENT_PLACE: it then lives always; a view's is its root's */
} ta_row;

typedef struct ta_signature {
  ta_str key;
  uint32_t subgraph;
} ta_signature;

struct ta_model {
  ta_region region;
  ta_kind kind;
  ta_str name;
  ta_bytes file; /* borrowed, or decoded into the region (model/c_array) */

  ta_subgraph *subgraphs; /* kind CSV: none */
  uint32_t n_subgraphs;
  ta_constant *constants;
  uint32_t n_constants;
  uint64_t constant_bytes;
  uint32_t schema_version;
  ta_signature *signatures;
  uint32_t n_signatures;
  ta_str *metadata; /* names, in file order */
  uint32_t n_metadata;

  bool fixed_positions; /* the file refers to its own bytes by position: they cannot be moved */
  bool has_offline_plan;
  ta_list offline_offsets; /* one a tensor of every subgraph, flat; -1 = placed at run time */

  ta_row *rows; /* kind CSV */
  uint32_t n_rows;
  bool has_offsets; /* some row has one: the list is a plan */

  uint32_t alignment; /* the graph's own wish, 0 = none */
  bool preserve_all;

  ta_problems problems;
  ta_text description; /* what ta_model_describe last wrote */
  ta_text size_text;   /* what ta_model_size last wrote */
};

/* The bytes of a tensor that is a constant inside the file; at NULL: it is none, or lies outside. */
ta_bytes ta_tensor_data(const ta_model *model, const ta_tensor *tensor);

/* What a runtime's own counter calls a step. */
typedef struct ta_step {
  uint32_t subgraph;
  uint32_t node; /* TA_NO_INDEX where the step is no node (tflm: step 0, entering a subgraph) */
} ta_step;

#endif

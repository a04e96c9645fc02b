/* The format of the operator tables: what one operator takes from the arena, as data. A *term* is a request
 * (or several equal ones) whose bytes are `plus + times * factor * factor * factor`; request.c evaluates
 * them. */
#ifndef TA_KERNELS_OPERATOR_H
#define TA_KERNELS_OPERATOR_H

#include "kernels/kernels.h"

typedef struct ta_operator_more ta_operator_more;

/* One operator while it is asked what it needs. */
typedef struct ta_query {
  ta_needs *needs;
  const ta_operator *row;       /* of the reference kernels ... */
  const ta_operator_more *more; /* ... and the rest of it */
  const ta_operator *kernel;    /* the row of the kernel that runs: requests come from it ... */
  const ta_operator_more *kernel_more;
  const ta_node *node;
  uint32_t subgraph, index; /* which node */
  ta_requests *to;          /* where its requests go */
  ta_status status;         /* the first failure */
  ta_error *error;
} ta_query;

/* Figures that no column of the tables can hold: quantities.h and signal.h have the functions. */
typedef enum ta_own {
  TA_OWN_SVDF_UNITS = 0,
  TA_OWN_LSTM_BATCH,
  TA_OWN_DETECTION_MOST,
  TA_OWN_DETECTION_LEAST,
  TA_OWN_SIGNAL_FRAMES,
  TA_OWN_SIGNAL_CHANNELS,
  TA_OWN_SIGNAL_DELAY,
  TA_OWN_SIGNAL_FRAME,
  TA_OWN_SIGNAL_CONTEXT,
  TA_OWN_SIGNAL_ITEM,
  TA_OWN_SIGNAL_FFT_STATE,
  TA_OWN_SIGNAL_INVERSE_FFT_STATE
} ta_own;

/* Keys of custom options. */
typedef enum ta_option_key {
  TA_KEY_MAX_DETECTIONS = 0,
  TA_KEY_NUM_CHANNELS,
  TA_KEY_FFT_LENGTH
} ta_option_key;

typedef enum ta_factor_kind {
  TA_F_ONE = 0,
  TA_F_DIM,     /* a dimension of a tensor; a negative one counts from the end */
  TA_F_ELEMS,   /* elements of a tensor */
  TA_F_BYTES,   /* bytes of a tensor */
  TA_F_RANK,    /* number of dimensions of a tensor */
  TA_F_ITEM,    /* bytes of one element of a tensor */
  TA_F_SCALES,  /* quantization scales of a tensor */
  TA_F_INPUTS,  /* number of inputs */
  TA_F_OUTPUTS, /* number of outputs */
  TA_F_CUSTOM,  /* a value of the custom options */
  TA_F_OWN      /* computed */
} ta_factor_kind;

/* The tables are part of every module, so what they are made of is small. */
typedef struct ta_factor {
  uint8_t kind;
  int8_t tensor; /* input k, or ~k for output k */
  int8_t which;  /* dimension, ta_option_key or ta_own */
} ta_factor;

#define INPUT(k)  (k)
#define OUTPUT(k) (~(k))
#define DIM(of, d)                                                                                           \
  { .kind = TA_F_DIM, .tensor = (of), .which = (d) }
#define ELEMS(of)                                                                                            \
  { .kind = TA_F_ELEMS, .tensor = (of) }
#define BYTES(of)                                                                                            \
  { .kind = TA_F_BYTES, .tensor = (of) }
#define RANK(of)                                                                                             \
  { .kind = TA_F_RANK, .tensor = (of) }
#define ITEM(of)                                                                                             \
  { .kind = TA_F_ITEM, .tensor = (of) }
#define SCALES(of)                                                                                           \
  { .kind = TA_F_SCALES, .tensor = (of) }
#define NUMBER_OF_INPUTS                                                                                     \
  { .kind = TA_F_INPUTS }
#define NUMBER_OF_OUTPUTS                                                                                    \
  { .kind = TA_F_OUTPUTS }
#define CUSTOM(key)                                                                                          \
  { .kind = TA_F_CUSTOM, .which = (key) }
#define OWN(own)                                                                                             \
  { .kind = TA_F_OWN, .which = (own) }

/* When a term counts. "The input" is the one whose type decides (ta_operator.typed_by). */
typedef enum ta_when {
  TA_ALWAYS = 0,
  TA_IF_INT8,          /* the input is INT8 */
  TA_IF_INT16,         /* INT16 */
  TA_IF_INT8_INT16,    /* either */
  TA_IF_FLOAT,         /* FLOAT32 */
  TA_IF_NOT_FLOAT,     /* anything else */
  TA_IF_INT4_FILTER,   /* input 1 is INT4 */
  TA_IF_PER_CHANNEL,   /* not float, and input 1 has more than one scale */
  TA_IF_INT16_BIAS,    /* the input is INT16, and so is input 3 */
  TA_IF_ADJ_X,         /* BATCH_MATMUL's adj_x */
  TA_IF_NOT_ADJ_Y,     /* BATCH_MATMUL's adj_y is false */
  TA_IF_INT8_MVE,      /* INT8, with the MVE kernels */
  TA_IF_INT8_INT16_DSP /* INT8 or INT16, with the DSP kernels */
} ta_when;

#define TA_FACTORS 3

typedef struct ta_term {
  bool end;         /* the list ends before this one */
  uint8_t when;     /* ta_when */
  bool resize;      /* the copy of the output's shape; from here on the shape is row->resize's */
  uint8_t requests; /* how many such requests; 0 stands for 1 */
  uint16_t plus[2]; /* with 32-bit and with 64-bit pointers */
  ta_factor each;   /* ... the requests, for each of these */
  ta_factor factor[TA_FACTORS];
  uint8_t times[2];
  void (*emit)(ta_query *op); /* makes the requests itself; the rest is unused */
} ta_term;

#define TERMS(...)              ((const ta_term[]){__VA_ARGS__, {.end = true}})
#define PLUS(bytes)             .plus = {bytes, bytes}
#define PLUS_WIDE(wide, narrow) .plus = {narrow, wide}
#define TIMES(by, ...)          .times = {by, by}, .factor = {__VA_ARGS__}
#define POINTERS(...)           .times = {4, 8}, .factor = {__VA_ARGS__}
/* Most operators' Init asks for one object of fixed size. */
#define INIT(bytes)             .object = (bytes)
#define INIT_WIDE(wide, narrow) .object = (narrow), .object_wider = (wide) - (narrow)

/* Builtin data, in bytes: with enums that are words, and with enums that take the fewest bytes that hold
 * them. Data of a multiple of 4 bytes is made of words and aligned to 4; the other is made of bytes. 0: the
 * parser allocates nothing. */
#define BUILTIN(bytes)                                                                                       \
  { bytes, bytes }
#define BUILTIN_ENUMS(bytes, fewest)                                                                         \
  { bytes, fewest }

/* What few operators have. */
struct ta_operator_more {
  const char *custom;                      /* its name, when op is TA_OP_CUSTOM */
  const ta_term *init, *prepare, *scratch; /* NULL: none */
  ta_list (*resize)(ta_query *op);         /* output 0's shape, from the region */
  const char *temporaries_then;            /* instead of the row's temporaries ... */
  uint8_t temporaries_when;                /* ... when this holds; TA_ALWAYS: never */
  uint8_t builtin_pointers;                /* its builtin data are so many pointers */
};

#define MORE(...) (&(const ta_operator_more){__VA_ARGS__})

struct ta_operator {
  /* The tensors Prepare asks for, in order: "i0" input 0, "o0" output 0, "i*" all inputs, "i+" all but the
   * first, "k" for every output k input 2k, input 2k + 1, output k. */
  const char *temporaries;
  const ta_operator_more *more; /* NULL: nothing of that */
  uint16_t object;              /* what Init asks for first, with 32-bit pointers; 0: nothing */
  uint8_t object_wider;         /* how many bytes more it has with 64-bit pointers */
  uint8_t op;                   /* builtin operator number */
  uint8_t typed_by;             /* the input whose type the conditions are about */
  uint8_t builtin[2];
};

/* The tables. Each function gives NULL when it has no row. */
const ta_operator *ta_reference_operators(uint32_t *count);
const ta_operator *ta_cmsis_nn_operators(uint32_t *count);

#endif

/* What the tables' formulas look at: an operator's tensors, options and custom options. A thing that the
 * formula needs and the file does not have is something that TFLM would refuse: REFUSED, naming it.
 *
 * Failure is sticky: the first one fills the error and stays in op->status; from then on nothing is requested
 * and no other failure counts, so that a formula need not look at the status at each step. */
#ifndef TA_KERNELS_QUERY_H
#define TA_KERNELS_QUERY_H

#include "graph/dtype.h"
#include "kernels/operator.h"

/* `of` is INPUT(k) or OUTPUT(k). NULL: absent. */
const ta_tensor *ta_query_tensor(const ta_query *op, int of);
const ta_shape *ta_query_shape(const ta_query *op, int of);
/* As above; absent is a failure, and then a shape without dimensions. */
const ta_shape *ta_query_require(ta_query *op, int of);

/* TA_DTYPE_NONE when absent. */
uint8_t ta_query_dtype(const ta_query *op, int of);
/* The type that the row's conditions are about. */
uint8_t ta_query_type(const ta_query *op);

/* A dimension after Prepare, negative `dim` from the end; 0 when it is not known. */
uint64_t ta_query_dim(ta_query *op, int of, int dim);
/* Product of dimensions; 0 when one is not known. */
uint64_t ta_query_elems(ta_query *op, int of);
/* Whether every dimension is known. */
bool ta_query_known(const ta_query *op, int of);
/* Gives a tensor of the operator other dimensions (which must outlive the needs). */
void ta_query_set_shape(ta_query *op, int of, const ta_list *dims);

/* A field of the builtin options. */
int32_t ta_query_option_i32(ta_query *op, uint32_t slot, int32_t otherwise);
int8_t ta_query_option_i8(ta_query *op, uint32_t slot);
/* An integer of the custom options' map, 0 when absent, not below 0. */
uint64_t ta_query_custom(ta_query *op, const char *key);

/* The bytes of a constant tensor; at NULL: not a constant inside the file. */
ta_bytes ta_query_constant(const ta_query *op, int of);

/* Sizes: too large a result is a failure, and then 0. */
uint64_t ta_query_add(ta_query *op, uint64_t a, uint64_t b);
uint64_t ta_query_mul(ta_query *op, uint64_t a, uint64_t b);
uint64_t ta_query_align(ta_query *op, uint64_t value, uint64_t alignment);

/* Lists that Prepare copies: memory for `n` dimensions, or NULL. No kernel of TFLM takes nearly as many as
 * the most that are copied. */
int32_t *ta_query_take_dims(ta_query *op, uint32_t n);

/* Failures. `what` ends the sentence "TFLM refuses op ... of subgraph ...:". */
void ta_query_refuse(ta_query *op, const char *what);
void ta_query_too_large(ta_query *op);

/* Adds `count` requests of `bytes` to op->to. */
void ta_query_request(ta_query *op, uint64_t bytes, uint64_t count);
/* ... unless `bytes` is 0. */
void ta_query_request_some(ta_query *op, uint64_t bytes);

#endif

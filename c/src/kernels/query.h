/* What the tables' formulas look at: an operator's tensors, options and custom options. A thing that the
 * formula needs and the file does not have is something that TFLM would refuse: REFUSED, naming it. */
#ifndef TA_KERNELS_QUERY_H
#define TA_KERNELS_QUERY_H

#include "graph/dtype.h"
#include "kernels/operator.h"

/* `of` is INPUT(k) or OUTPUT(k). NULL: absent. */
const ta_tensor *ta_query_tensor(const ta_query *op, int of);
const ta_shape *ta_query_shape(const ta_query *op, int of);
/* As above; absent is an error. */
ta_status ta_query_require(const ta_query *op, int of, const ta_tensor **tensor, const ta_shape **shape);

/* TA_DTYPE_NONE when absent. */
uint8_t ta_query_dtype(const ta_query *op, int of);
/* The type that the row's conditions are about. */
uint8_t ta_query_type(const ta_query *op);

/* A dimension after Prepare, negative `dim` from the end; 0 when it is not known. */
ta_status ta_query_dim(const ta_query *op, int of, int dim, uint64_t *out);
/* Product of dimensions; 0 when one is not known. */
ta_status ta_query_elems(const ta_query *op, int of, uint64_t *out);
/* Whether every dimension is known. */
bool ta_query_known(const ta_query *op, int of);
/* Gives a tensor of the operator other dimensions (which must outlive the needs). */
ta_status ta_query_set_shape(const ta_query *op, int of, ta_list dims);

/* A field of the builtin options. */
ta_status ta_query_option_i32(const ta_query *op, uint32_t slot, int32_t otherwise, int32_t *out);
ta_status ta_query_option_i8(const ta_query *op, uint32_t slot, int8_t *out);
/* An integer of the custom options' map, 0 when absent, not below 0. */
ta_status ta_query_custom(const ta_query *op, const char *key, uint64_t *out);

/* The bytes of a constant tensor; at NULL: not a constant inside the file. */
ta_bytes ta_query_constant(const ta_query *op, int of);

/* A list that Prepare copies may have so many dimensions, far more than TFLM's kernels take. */
enum { TA_MOST_COPIED_DIMS = 64 };
ta_status ta_query_too_many_dims(const ta_query *op);

ta_status ta_query_refuse(const ta_query *op, const char *what);
ta_status ta_query_too_large(const ta_query *op);

/* Adds `count` requests of `bytes`. */
ta_status ta_query_request(const ta_query *op, ta_requests *to, uint64_t bytes, uint64_t count);
/* ... unless `bytes` is 0. */
ta_status ta_query_request_some(const ta_query *op, ta_requests *to, uint64_t bytes);

#endif

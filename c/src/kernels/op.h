/* What the tables' formulas look at: an operator's tensors, options and custom options. A thing that the
 * formula needs and the file does not have is something that TFLM would refuse: REFUSED, naming it. */
#ifndef TA_KERNELS_OP_H
#define TA_KERNELS_OP_H

#include "kernels/operator.h"

/* TensorType numbers. */
enum { TA_FLOAT32 = 0, TA_INT16 = 7, TA_INT8 = 9, TA_INT4 = 17 };

/* `of` is INPUT(k) or OUTPUT(k). NULL: absent. */
const ta_tensor *ta_op_tensor(const ta_op *op, int of);
const ta_shape *ta_op_shape(const ta_op *op, int of);
/* As above; absent is an error. */
ta_status ta_op_require(const ta_op *op, int of, const ta_tensor **tensor, const ta_shape **shape);

/* TA_DTYPE_NONE when absent. */
uint8_t ta_op_dtype(const ta_op *op, int of);
/* The type that the row's conditions are about. */
uint8_t ta_op_type(const ta_op *op);

/* A dimension after Prepare, negative `dim` from the end; 0 when it is not known. */
ta_status ta_op_dim(const ta_op *op, int of, int dim, uint64_t *out);
/* Product of dimensions; 0 when one is not known. */
ta_status ta_op_elems(const ta_op *op, int of, uint64_t *out);
/* Whether every dimension is known. */
bool ta_op_known(const ta_op *op, int of);
/* The product of a list of dimensions; false past the limit. A negative one counts as 0. */
bool ta_dims_elems(ta_list dims, uint64_t *out);

/* Gives a tensor of the operator other dimensions (which must outlive the needs). */
ta_status ta_op_set_shape(const ta_op *op, int of, ta_list dims);

/* A field of the builtin options. */
ta_status ta_op_option_i32(const ta_op *op, uint32_t slot, int32_t otherwise, int32_t *out);
ta_status ta_op_option_i8(const ta_op *op, uint32_t slot, int8_t *out);
/* An integer of the custom options' map, 0 when absent, not below 0. */
ta_status ta_op_custom(const ta_op *op, const char *key, uint64_t *out);

/* The bytes of a constant tensor; at NULL: not a constant inside the file. */
ta_bytes ta_op_constant(const ta_op *op, int of);

ta_status ta_op_refuse(const ta_op *op, const char *what);
ta_status ta_op_too_large(const ta_op *op);

/* Adds `count` requests of `bytes`. */
ta_status ta_op_request(const ta_op *op, ta_requests *to, uint64_t bytes, uint64_t count);
/* ... unless `bytes` is 0. */
ta_status ta_op_request_some(const ta_op *op, ta_requests *to, uint64_t bytes);

#endif

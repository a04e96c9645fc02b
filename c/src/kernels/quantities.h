/* Formulas that are one operator's own and that no column of the tables can hold. */
#ifndef TA_KERNELS_QUANTITIES_H
#define TA_KERNELS_QUANTITIES_H

#include "kernels/operator.h"

ta_status ta_svdf_units(const ta_query *op, uint64_t *out); /* filters / rank */
ta_status ta_lstm_batch(const ta_query *op, uint64_t *out); /* dimension 1 of a time-major input, else 0 */
ta_status ta_detection_most(const ta_query *op, uint64_t *out);  /* max(num_classes, max_detections) */
ta_status ta_detection_least(const ta_query *op, uint64_t *out); /* min(boxes, max_detections) */

/* The state of every output's decoder; which one, the ancillary input's first byte says. */
ta_status ta_decode_prepare(const ta_query *op, ta_requests *to);

/* RESHAPE fills in a -1 (and pays for a copy of the shape); with one input, the shape [0] is a scalar. */
ta_status ta_reshape_prepare(const ta_query *op, ta_requests *to);

/* Variables: VAR_HANDLE names one, the first ASSIGN_VARIABLE whose handle was written by a VAR_HANDLE of
 * its subgraph allocates it. */
ta_status ta_var_handle_prepare(const ta_query *op, ta_requests *to);
ta_status ta_assign_variable_prepare(const ta_query *op, ta_requests *to);
/* Before any Prepare: gives every VAR_HANDLE's output the index of its variable (equal container and shared
 * name: the same). */
ta_status ta_variables_name(ta_needs *needs, ta_error *error);

#endif

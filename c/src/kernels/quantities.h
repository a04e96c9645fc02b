/* Formulas that are one operator's own and that no column of the tables can hold. */
#ifndef TA_KERNELS_QUANTITIES_H
#define TA_KERNELS_QUANTITIES_H

#include "kernels/operator.h"

uint64_t ta_svdf_units(ta_query *op);      /* filters / rank */
uint64_t ta_lstm_batch(ta_query *op);      /* dimension 1 of a time-major input, else 0 */
uint64_t ta_detection_most(ta_query *op);  /* max(num_classes, max_detections) */
uint64_t ta_detection_least(ta_query *op); /* min(boxes, max_detections) */

/* The state of every output's decoder; which one, the ancillary input's first byte says. */
void ta_decode_prepare(ta_query *op);

/* RESHAPE fills in a -1 (and pays for a copy of the shape); with one input, the shape [0] is a scalar. */
void ta_reshape_prepare(ta_query *op);

/* Variables: VAR_HANDLE names one, the first ASSIGN_VARIABLE whose handle was written by a VAR_HANDLE of
 * its subgraph allocates it. */
void ta_var_handle_prepare(ta_query *op);
void ta_assign_variable_prepare(ta_query *op);
/* Before any Prepare: gives every VAR_HANDLE's output the index of its variable (equal container and shared
 * name: the same). */
ta_status ta_variables_name(ta_needs *needs, ta_error *error);

#endif

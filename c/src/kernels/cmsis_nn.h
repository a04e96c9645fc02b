/* The requests of CMSIS-NN's kernels that depend on more than a few dimensions. */
#ifndef TA_KERNELS_CMSIS_NN_H
#define TA_KERNELS_CMSIS_NN_H

#include "kernels/operator.h"

ta_status ta_cmsis_conv_scratch(const ta_query *op, ta_requests *to);
ta_status ta_cmsis_depthwise_scratch(const ta_query *op, ta_requests *to);
ta_status ta_cmsis_transpose_conv_scratch(const ta_query *op, ta_requests *to);
/* FULLY_CONNECTED keeps the sums of its filter either for good (prepare) or as scratch. */
ta_status ta_cmsis_fully_connected_prepare(const ta_query *op, ta_requests *to);
ta_status ta_cmsis_fully_connected_scratch(const ta_query *op, ta_requests *to);

#endif

/* The requests of CMSIS-NN's kernels that depend on more than a few dimensions. */
#ifndef TA_KERNELS_CMSIS_NN_H
#define TA_KERNELS_CMSIS_NN_H

#include "kernels/operator.h"

void ta_cmsis_conv_scratch(ta_query *op);
void ta_cmsis_depthwise_scratch(ta_query *op);
void ta_cmsis_transpose_conv_scratch(ta_query *op);
/* FULLY_CONNECTED keeps the sums of its filter either for good (prepare) or as scratch. */
void ta_cmsis_fully_connected_prepare(ta_query *op);
void ta_cmsis_fully_connected_scratch(ta_query *op);

#endif

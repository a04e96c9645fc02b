/* The shapes that Prepare gives to output 0, whatever the file says. */
#ifndef TA_KERNELS_RESIZE_H
#define TA_KERNELS_RESIZE_H

#include "kernels/operator.h"

ta_list ta_resize_l2_pool(ta_query *op);
ta_list ta_resize_depth_to_space(ta_query *op);
ta_list ta_resize_space_to_depth(ta_query *op);
ta_list ta_resize_gather(ta_query *op);
ta_list ta_resize_gather_nd(ta_query *op);
ta_list ta_resize_embedding_lookup(ta_query *op);
ta_list ta_resize_batch_matmul(ta_query *op);

#endif

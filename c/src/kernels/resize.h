/* The shapes that Prepare gives to output 0, whatever the file says. */
#ifndef TA_KERNELS_RESIZE_H
#define TA_KERNELS_RESIZE_H

#include "kernels/operator.h"

ta_status ta_resize_l2_pool(const ta_query *op, ta_list *shape);
ta_status ta_resize_depth_to_space(const ta_query *op, ta_list *shape);
ta_status ta_resize_space_to_depth(const ta_query *op, ta_list *shape);
ta_status ta_resize_gather(const ta_query *op, ta_list *shape);
ta_status ta_resize_gather_nd(const ta_query *op, ta_list *shape);
ta_status ta_resize_embedding_lookup(const ta_query *op, ta_list *shape);
ta_status ta_resize_batch_matmul(const ta_query *op, ta_list *shape);

#endif

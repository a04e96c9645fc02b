/* The part of the search for an order that never changes. */
#ifndef TA_REWRITE_ORDER_GRAPH_H
#define TA_REWRITE_ORDER_GRAPH_H

#include "rewrite/order.h"

/* Fills the fixed part of `order`, and what each operator waits for and who reads each tensor when none has
 * been executed. *orderly: false when a tensor is made twice or read before it is made. False: no memory. */
bool ta_order_graph(ta_order_search *order, ta_region *region, bool *orderly);

#endif

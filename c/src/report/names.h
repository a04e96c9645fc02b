/* What buffers are called in reports. */
#ifndef TA_REPORT_NAMES_H
#define TA_REPORT_NAMES_H

#include "graph/graph.h"

/* Whether the buffer takes bytes of the rw arena (it may not have its place yet). */
bool ta_in_rw_arena(const ta_buffer *buffer);

/* The tensor's name or the row's id; empty for scratch. */
ta_str ta_buffer_name(const ta_model *model, const ta_buffer *buffer);

/* "conv1/out" (shortened when long), "tensor 14" when it has no name, "scratch of CONV_2D #2". */
void ta_put_buffer_label(ta_text *out, const ta_model *model, const ta_buffer *buffer);

/* "CONV_2D #2" */
void ta_put_node_label(ta_text *out, const ta_node *node, uint32_t index);

#endif

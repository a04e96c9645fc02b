/* The signal library's operators: their formulas. F is the last dimension of the input. */
#ifndef TA_KERNELS_SIGNAL_H
#define TA_KERNELS_SIGNAL_H

#include "kernels/operator.h"

uint64_t ta_signal_frames(ta_query *op);   /* elements of the input / F */
uint64_t ta_signal_channels(ta_query *op); /* product of all but the last two dimensions */
uint64_t ta_signal_delay(ta_query *op);    /* F + delay_length */
uint64_t ta_signal_frame(ta_query *op);    /* frame_size up to a multiple of frame_step */
uint64_t ta_signal_context(ta_query *op);  /* left + right context + 1 */
uint64_t ta_signal_item(ta_query *op);     /* bytes of one element of option T */
uint64_t ta_signal_fft_state(ta_query *op);
uint64_t ta_signal_inverse_fft_state(ta_query *op);

#endif

/* The signal library's operators: their formulas. F is the last dimension of the input. */
#ifndef TA_KERNELS_SIGNAL_H
#define TA_KERNELS_SIGNAL_H

#include "kernels/operator.h"

ta_status ta_signal_frames(const ta_query *op, uint64_t *out); /* elements of the input / F */
ta_status ta_signal_channels(const ta_query *op,
                             uint64_t *out);                  /* product of all but the last two dimensions */
ta_status ta_signal_delay(const ta_query *op, uint64_t *out); /* F + delay_length */
ta_status ta_signal_frame(const ta_query *op, uint64_t *out); /* frame_size up to a multiple of frame_step */
ta_status ta_signal_context(const ta_query *op, uint64_t *out); /* left + right context + 1 */
ta_status ta_signal_item(const ta_query *op, uint64_t *out);    /* bytes of one element of option T */
ta_status ta_signal_fft_state(const ta_query *op, uint64_t *out);
ta_status ta_signal_inverse_fft_state(const ta_query *op, uint64_t *out);

#endif

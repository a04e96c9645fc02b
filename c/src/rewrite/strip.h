/* One strip of a window. */
#ifndef TA_REWRITE_STRIP_H
#define TA_REWRITE_STRIP_H

#include "rewrite/emit.h"

/* Puts the operators of strip `k`, which is to give `parts` of the window's outputs, behind the emitter's
 * draft, and keeps the parts. False: no way was found; what was put down is then to be cut back. */
bool ta_emit_strip(ta_emitter *emitter, uint32_t k, ta_range parts[TA_WINDOW_MOST_OUTPUTS][2]);

#endif

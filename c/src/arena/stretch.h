/* A stretch of time, and where there is room in it: the gaps left by the buffers that live through all of it,
 * and the buffers that live through a part of it, each of which lies in one of the gaps. A life within the
 * stretch meets all of the former, so their gaps are all that it has to look at. */
#ifndef TA_ARENA_STRETCH_H
#define TA_ARENA_STRETCH_H

#include "arena/offset_list.h"

typedef struct ta_stretch {
  int32_t first, last; /* its steps; the last stretch ends at INT32_MAX */
  ta_offset_list gaps; /* from offset to end; the last gap ends at UINT64_MAX */
  ta_offset_list others;
} ta_stretch;

/* An empty stretch. False: no memory. */
bool ta_stretch_init(ta_stretch *stretch, int32_t first, int32_t last, ta_region *region);

/* A buffer that overlaps the stretch is placed. False: no memory, or it lies over a buffer of which it cannot
 * be told here whether they live at the same time; the stretch is then of no more use. */
bool ta_stretch_add(ta_stretch *stretch, const ta_placed *placed);

/* It is taken out again. False: no memory; the stretch is then of no more use. */
bool ta_stretch_remove(ta_stretch *stretch, const ta_placed *placed);

void ta_stretch_clear(ta_stretch *stretch);

#endif

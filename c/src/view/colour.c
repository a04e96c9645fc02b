#include "tensor_arena.h"

/* A classes[] index: 0 free, 1 seam, 2 hole, then the buffers. */
static uint32_t slot_of(uint32_t id) {
  if (id == 0) return 0;
  if (id == TA_PIXEL_SEAM) return 1;
  if (id == TA_PIXEL_HOLE) return 2;
  return id + 2;
}

/* Whether a textured pixel shows the mark's colour; x and y in cells of the texture. */
static int is_marked(uint32_t texture, uint32_t x, uint32_t y) {
  if (texture == TA_HATCHED) return (x + y) % 8 < 2;
  return texture == TA_DOTTED && x % 4 == 0 && y % 4 == 0;
}

/* Runs of one id are filled at once. */
void ta_view_colour(const uint32_t *ids, uint32_t width, uint32_t height, const uint8_t *classes,
                    const ta_ink *inks, uint32_t scale, uint32_t *rgba) {
  for (uint32_t y = 0; y < height; y++, ids += width, rgba += width) {
    uint32_t cell_y = y / scale;
    for (uint32_t x = 0, end; x < width; x = end) {
      const ta_ink *ink = &inks[classes[slot_of(ids[x])]];
      for (end = x + 1; end < width && ids[end] == ids[x]; end++) {
      }
      for (uint32_t i = x; i < end; i++) rgba[i] = ink->fill;
      if (ink->texture == TA_SOLID) continue;
      for (uint32_t i = x; i < end; i++) {
        if (is_marked(ink->texture, scale == 1 ? i : i / scale, cell_y)) rgba[i] = ink->mark;
      }
    }
  }
}

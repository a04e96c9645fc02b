#include "tensor_arena.h"

/* A classes[] index: 0 free, 1 seam, 2 hole, then the buffers. */
static uint32_t slot_of(uint32_t id) {
  if (id == 0) return 0;
  if (id == TA_PIXEL_SEAM) return 1;
  if (id == TA_PIXEL_HOLE) return 2;
  return id + 2;
}

static int is_marked(uint32_t texture, uint32_t x, uint32_t y) {
  if (texture == TA_HATCHED) return (x + y) % 8 < 2;
  return texture == TA_DOTTED && x % 4 == 0 && y % 4 == 0;
}

void ta_view_colour(const uint32_t *ids, uint32_t width, uint32_t height, const uint8_t *classes,
                    const ta_ink *inks, uint32_t scale, uint32_t *rgba) {
  uint32_t last_id = 0;
  const ta_ink *ink = &inks[classes[0]];
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++, ids++, rgba++) {
      if (*ids != last_id) {
        last_id = *ids;
        ink = &inks[classes[slot_of(last_id)]];
      }
      *rgba =
          ink->texture != TA_SOLID && is_marked(ink->texture, x / scale, y / scale) ? ink->mark : ink->fill;
    }
  }
}

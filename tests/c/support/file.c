#include "support/file.h"

#include <stdlib.h>
#include <string.h>

void set32(file *f, size_t position, uint32_t value) {
  for (int i = 0; i < 4; i++) f->at[position + (size_t)i] = (uint8_t)(value >> 8 * i);
}

size_t put(file *f, size_t bytes) {
  size_t position = f->len;
  f->len += (bytes + 3) / 4 * 4;
  if (f->len > f->capacity) {
    f->capacity = f->len * 2;
    uint8_t *larger = realloc(f->at, f->capacity);
    if (!larger) abort();
    f->at = larger;
  }
  memset(f->at + position, 0, f->len - position);
  return position;
}

size_t put_table(file *f, uint32_t slots, uint32_t present) {
  size_t vtable = put(f, 4 + 2 * slots);
  uint32_t words = 0;
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (present >> slot & 1) f->at[vtable + 4 + 2 * slot] = (uint8_t)(4 + 4 * words++);
  }
  f->at[vtable] = (uint8_t)(4 + 2 * slots);
  f->at[vtable + 2] = (uint8_t)(4 + 4 * words);
  size_t table = put(f, 4 + 4 * words);
  set32(f, table, (uint32_t)(table - vtable));
  return table;
}

size_t put_vector(file *f, uint32_t count, size_t element_bytes) {
  size_t vector = put(f, 4 + count * element_bytes);
  set32(f, vector, count);
  return vector;
}

void refer(file *f, size_t from, size_t to) {
  set32(f, from, (uint32_t)(to - from));
}

size_t word(size_t table, size_t n) {
  return table + 4 + 4 * n;
}

file start_file(void) {
  file f = {NULL, 0, 0};
  put(&f, 8);
  memcpy(f.at + 4, "TFL3", 4);
  return f;
}

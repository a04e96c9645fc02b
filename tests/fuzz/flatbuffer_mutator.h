/* A mutator that knows the .tflite schema: it changes fields, vector lengths, indices and offsets where they
 * are, so that what it makes gets past a reader's first checks. */
#ifndef FUZZ_FLATBUFFER_MUTATOR_H
#define FUZZ_FLATBUFFER_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Changes data[0..size) in place, up to `capacity` bytes, and returns the new size. The same seed makes the
 * same change. Returns 0 when it finds nothing of a .tflite file in the data. */
size_t fuzz_mutate_flatbuffer(uint8_t *data, size_t size, size_t capacity, uint32_t seed);

#endif

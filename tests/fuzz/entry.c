/* What libFuzzer calls. Built once a target, with FUZZ_TARGET naming it; FUZZ_FLATBUFFER adds the mutator. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FUZZ_TARGET(data, size);
  return 0;
}

#ifdef FUZZ_FLATBUFFER
#include "fuzz/flatbuffer_mutator.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed) {
  size_t changed = seed % 8 == 0 ? 0 : fuzz_mutate_flatbuffer(data, size, capacity, seed);
  return changed != 0 ? changed : LLVMFuzzerMutate(data, size, capacity);
}
#endif

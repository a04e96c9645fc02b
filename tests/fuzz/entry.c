/* What libFuzzer calls. Built once a target, with FUZZ_TARGET naming it; FUZZ_FLATBUFFER adds the mutator. It
 * runs for FUZZ_CPU_SECONDS of the processor, however long that takes on a busy machine. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fuzz/fuzz.h"

static clock_t end_of_time;

static void say_cpu_seconds(void) {
  fprintf(stderr, "cpu: %ld s\n", (long)(clock() / CLOCKS_PER_SEC));
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  const char *seconds = getenv("FUZZ_CPU_SECONDS");
  if (seconds != NULL) end_of_time = (clock_t)atol(seconds) * CLOCKS_PER_SEC;
  return atexit(say_cpu_seconds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FUZZ_TARGET(data, size);
  if (end_of_time != 0 && clock() >= end_of_time) {
    say_cpu_seconds();
    end_of_time = 0;
    raise(SIGUSR1); /* libFuzzer ends with its figures before the next input */
  }
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

/* Runs files through a fuzz target, without a fuzzer:  replay TARGET  answers requests on standard input (a
 * word, the file's length, then its bytes) with the milliseconds that each took, a line each. The same
 * program natively and as a WASI command of both wasm toolchains. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "fuzz/fuzz.h"
#include "native/support/requests.h"

typedef struct target {
  const char *name;
  void (*run)(const uint8_t *data, size_t size);
} target;

static const target targets[] = {
    {"tflite", fuzz_tflite}, {"block", fuzz_block},     {"csv", fuzz_csv},   {"sequence", fuzz_sequence},
    {"verify", fuzz_verify}, {"offline", fuzz_offline}, {"walk", fuzz_walk},
};

static const target *chosen;

static int64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void replay(const uint32_t *length, const uint8_t *bytes) {
  int64_t start = now_us();
  chosen->run(bytes, *length);
  printf("%ld\n", (long)((now_us() - start) / 1000));
  fflush(stdout);
}

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof targets / sizeof *targets; i++)
    if (strcmp(argv[1], targets[i].name) == 0) chosen = &targets[i];
  if (chosen == NULL) {
    fputs("usage: replay tflite|offline|block|walk|csv|sequence|verify < requests\n", stderr);
    return 2;
  }
  return answer_requests(1, replay);
}

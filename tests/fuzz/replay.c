/* Runs files through a fuzz target, without a fuzzer:  replay TARGET FILE...
 * Prints a line `MILLISECONDS FILE` for each, so that a test can see which one is slow. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/fuzz.h"

static const struct {
  const char *name;
  void (*run)(const uint8_t *data, size_t size);
} targets[] = {
    {"tflite", fuzz_tflite}, {"block", fuzz_block},     {"csv", fuzz_csv},   {"sequence", fuzz_sequence},
    {"verify", fuzz_verify}, {"offline", fuzz_offline}, {"walk", fuzz_walk},
};

/* In memory of exactly the file's size, so that a sanitizer sees a read past its end. */
static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  *size = length < 0 ? 0 : (size_t)length;
  uint8_t *bytes = malloc(*size + (*size == 0));
  if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  size_t target = 0, n = sizeof targets / sizeof *targets;
  while (argc > 1 && target < n && strcmp(argv[1], targets[target].name) != 0) target++;
  if (argc < 2 || target == n) {
    fputs("usage: replay tflite|offline|block|walk|csv|sequence|verify FILE...\n", stderr);
    return 2;
  }
  for (int i = 2; i < argc; i++) {
    size_t size = 0;
    uint8_t *bytes = read_file(argv[i], &size);
    if (bytes == NULL) {
      fprintf(stderr, "replay: cannot read %s\n", argv[i]);
      return 5;
    }
    double start = now_ms();
    targets[target].run(bytes, size);
    printf("%.1f %s\n", now_ms() - start, argv[i]);
    fflush(stdout);
    free(bytes);
  }
  return 0;
}

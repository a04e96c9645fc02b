/* Rewrites one model: the file on standard input, the new one on standard output, the report (JSON) on
 * standard error.
 *
 *   shrink_one [--windows TEXT] [--steps SET] [--macs THOUSANDTHS] [--budget BYTES] [--nodes N] [--target N]
 *              [--kernels N] [--force 1] [--slice N]
 *
 * Numbers are those of tensor_arena.h. --slice: how many nodes a step may spend. Exit status: 0 written, 1
 * nothing gained, 2 wrong usage, 3 an error, which is then on standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor_arena.h"

static uint8_t *read_all(size_t *len) {
  size_t capacity = 1 << 20;
  uint8_t *bytes = malloc(capacity);
  *len = 0;
  for (size_t got; bytes != NULL && (got = fread(bytes + *len, 1, capacity - *len, stdin)) > 0;) {
    *len += got;
    if (*len == capacity) bytes = realloc(bytes, capacity *= 2);
  }
  return bytes;
}

static uint64_t slice = 1000;

static int set_option(ta_shrink_options *options, const char **windows, const char *name, const char *value) {
  uint64_t number = strtoull(value, NULL, 10);
  if (strcmp(name, "--windows") == 0) {
    *windows = value;
  } else if (strcmp(name, "--steps") == 0) {
    options->steps = (uint32_t)number;
  } else if (strcmp(name, "--macs") == 0) {
    options->macs = (uint32_t)number;
  } else if (strcmp(name, "--budget") == 0) {
    options->budget_bytes = number;
  } else if (strcmp(name, "--nodes") == 0) {
    options->nodes = number;
  } else if (strcmp(name, "--target") == 0) {
    options->target = (uint32_t)number;
  } else if (strcmp(name, "--kernels") == 0) {
    options->kernels = (uint32_t)number;
  } else if (strcmp(name, "--force") == 0) {
    options->force = (uint32_t)number;
  } else if (strcmp(name, "--slice") == 0) {
    slice = number;
  } else {
    return 0;
  }
  return 1;
}

static int run(const ta_model *model, const ta_shrink_options *options, const char *windows) {
  ta_error error;
  ta_shrink *shrink = NULL;
  uint32_t done = 0;
  const char *text = NULL;
  size_t text_len = 0, len = 0;
  ta_status status = ta_shrink_new(NULL, model, options, windows, &shrink, &error);
  while (status == TA_OK && !done) status = ta_shrink_step(shrink, slice, &done, &error);
  if (status == TA_OK) status = ta_shrink_report(shrink, &text, &text_len, &error);
  if (status != TA_OK) {
    fprintf(stderr, "%s\n", error.text);
    ta_shrink_free(shrink);
    return 3;
  }
  fprintf(stderr, "%.*s\n", (int)text_len, text);
  const uint8_t *file = ta_shrink_file(shrink, &len);
  if (file != NULL) fwrite(file, 1, len, stdout);
  ta_shrink_free(shrink);
  return file != NULL ? 0 : 1;
}

int main(int argc, char **argv) {
  ta_shrink_options options;
  const char *windows = NULL;
  ta_shrink_options_init(&options);
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc || !set_option(&options, &windows, argv[i], argv[i + 1])) {
      fprintf(stderr, "%s is no option\n", argv[i]);
      return 2;
    }
  }
  size_t len = 0;
  uint8_t *bytes = read_all(&len);
  ta_error error;
  ta_model *model = NULL;
  if (bytes == NULL || ta_model_open(NULL, bytes, len, "standard input", &model, &error) != TA_OK) {
    fprintf(stderr, "%s\n", bytes ? error.text : "no memory");
    return 3;
  }
  int code = run(model, &options, windows);
  ta_model_free(model);
  free(bytes);
  return code;
}

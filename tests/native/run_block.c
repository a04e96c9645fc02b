/* Reads a packed graph block on standard input, makes a planner, does the block's operations one by one, and
 * prints a line of JSON after each: what the JavaScript tests compare the wasm modules with.
 *
 *   run_block RUNTIME PLANNER ALIGNMENT      (numbers of tensor_arena.h; alignment 0: the runtime's)
 *
 * The lines' order and the exit status: 0 when every operation was tried, whatever it answered.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor_arena.h"

static unsigned char *read_all(FILE *file, size_t *length) {
  size_t capacity = 1 << 16, used = 0;
  unsigned char *bytes = malloc(capacity);
  while (bytes != NULL) {
    size_t got = fread(bytes + used, 1, capacity - used, file);
    used += got;
    if (got == 0) break;
    if (used == capacity) {
      unsigned char *larger = realloc(bytes, capacity *= 2);
      if (larger == NULL) free(bytes);
      bytes = larger;
    }
  }
  *length = used;
  return bytes;
}

static void print_text(const char *text) {
  putchar('"');
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

static void print_error(const ta_error *error) {
  printf("{\"status\":\"%s\",\"text\":", ta_status_name(error->status));
  print_text(error->text);
  printf(",\"subgraph\":%" PRId32 ",\"node\":%" PRId32 ",\"tensor\":%" PRId32 "}\n", error->subgraph,
         error->node, error->tensor);
}

static void print_buffers(const ta_planner *planner) {
  uint32_t count = 0;
  const ta_buffer *buffers = ta_planner_buffers(planner, &count);
  uint64_t arena = 0, persistent = 0;
  ta_planner_marks(planner, &arena, &persistent);
  printf("{\"status\":\"ok\",\"arena\":%" PRIu64 ",\"persistent\":%" PRIu64 ",\"offsets\":[", arena,
         persistent);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0) putchar(',');
    if (buffers[i].offset == TA_NO_OFFSET)
      fputs("null", stdout);
    else
      printf("%" PRIu64, buffers[i].offset);
  }
  fputs("]}\n", stdout);
}

static void run_operations(const ta_model *model, ta_planner *planner) {
  ta_error error;
  for (uint32_t i = 0; i < ta_model_operations(model); i++) {
    if (ta_planner_apply(planner, i, &error) == TA_OK)
      print_buffers(planner);
    else
      print_error(&error);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fputs("usage: run_block RUNTIME PLANNER ALIGNMENT < block\n", stderr);
    return 2;
  }
  size_t length = 0;
  unsigned char *bytes = read_all(stdin, &length);
  if (bytes == NULL) return 5;

  ta_planner_options options;
  ta_planner_options_init(&options);
  options.runtime = (uint32_t)strtoul(argv[1], NULL, 10);
  options.planner = (uint32_t)strtoul(argv[2], NULL, 10);
  options.alignment = (uint32_t)strtoul(argv[3], NULL, 10);

  ta_model *model = NULL;
  ta_planner *planner = NULL;
  ta_error error;
  ta_status status = ta_model_open(NULL, bytes, length, NULL, &model, &error);
  if (status == TA_OK) status = ta_planner_new(NULL, model, &options, &planner, &error);
  if (status == TA_OK)
    run_operations(model, planner);
  else
    print_error(&error);
  ta_planner_free(planner);
  ta_model_free(model);
  free(bytes);
  return 0;
}

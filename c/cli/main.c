/* The filter: a model on standard input, options as arguments, the plan on standard output. It reads what the
 * core reads (.tflite, the same as a C array, buffer-list CSV, packed graph blocks) and runs natively and as
 * a WASI command, which needs no file system. Exit status: 0 good; 1 the answer is no; 2 wrong usage; 3 bad
 * input; 4 not decided within the node budget; 5 input, output or memory failed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "tensor_arena.h"

enum { EXIT_GOOD = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_UNDECIDED = 4, EXIT_FAILED = 5 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void print_words(FILE *to, ta_words list) {
  const char *name;
  for (uint32_t i = 0; (name = ta_word_name(list, i)) != NULL; i++) fprintf(to, "%s%s", i ? "|" : " ", name);
}

static const struct word_option {
  const char *option;
  ta_words list;
} word_options[] = {{"--runtime", TA_WORDS_RUNTIME},
                    {"--planner", TA_WORDS_PLANNER},
                    {"--kernels", TA_WORDS_KERNELS},
                    {"--format", TA_WORDS_FORMAT}};

/* What the others take. */
static const struct value_option {
  const char *option, *takes;
} value_options[] = {{"--alignment", "a whole number"},
                     {"--subgraph", "a whole number"},
                     {"--nodes", "a whole number"},
                     {"--budget", "bytes, as in 98304, 96K or 1.5M"},
                     {"--name", "a name"}};

static void print_usage(FILE *to) {
  fputs("usage: tensor-arena [options] < model > plan\n"
        "  reads a .tflite file (also as a C array), a buffer-list CSV or a packed graph block\n",
        to);
  for (size_t i = 0; i < COUNT(word_options); i++) {
    fprintf(to, "  %s", word_options[i].option);
    print_words(to, word_options[i].list);
    fputs("\n", to);
  }
  fputs("  --alignment N  --subgraph K  --nodes N  --budget N[K|M]  --keep-offsets  --name NAME\n", to);
}

typedef struct settings {
  ta_planner_options planner;
  uint32_t format;
  const char *name;
} settings;

static bool parse_word(ta_words list, const char *text, uint32_t *out) {
  const char *name;
  for (uint32_t i = 0; (name = ta_word_name(list, i)) != NULL; i++) {
    if (strcmp(name, text) != 0) continue;
    *out = i;
    return true;
  }
  return false;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *out) {
  uint64_t value = 0;
  if (*text == '\0') return false;
  for (; *text >= '0' && *text <= '9'; text++) {
    value = value * 10 + (uint64_t)(*text - '0');
    if (value > most) return false;
  }
  *out = value;
  return *text == '\0';
}

static bool parse_u32(const char *text, uint32_t *out) {
  uint64_t value = 0;
  if (!parse_number(text, INT32_MAX, &value)) return false;
  *out = (uint32_t)value;
  return true;
}

static bool parse_option(settings *out, const char *option, const char *value) {
  ta_planner_options *planner = &out->planner;
  if (strcmp(option, "--runtime") == 0) return parse_word(TA_WORDS_RUNTIME, value, &planner->runtime);
  if (strcmp(option, "--planner") == 0) return parse_word(TA_WORDS_PLANNER, value, &planner->planner);
  if (strcmp(option, "--kernels") == 0) return parse_word(TA_WORDS_KERNELS, value, &planner->kernels);
  if (strcmp(option, "--format") == 0) return parse_word(TA_WORDS_FORMAT, value, &out->format);
  if (strcmp(option, "--alignment") == 0) return parse_u32(value, &planner->alignment);
  if (strcmp(option, "--subgraph") == 0) return parse_u32(value, &planner->subgraph);
  if (strcmp(option, "--nodes") == 0) return parse_number(value, TA_MAX_BYTES, &planner->max_nodes);
  if (strcmp(option, "--budget") == 0) return read_bytes(value, &planner->budget_bytes) == BYTES_GOOD;
  if (strcmp(option, "--name") == 0) {
    out->name = value;
    return true;
  }
  return false;
}

static void complain(const char *option, const char *value) {
  for (size_t i = 0; i < COUNT(word_options); i++) {
    if (strcmp(word_options[i].option, option) != 0) continue;
    fprintf(stderr, "tensor-arena: %s is \"%s\"; use one of", option, value);
    print_words(stderr, word_options[i].list);
    fputs("\n", stderr);
    return;
  }
  for (size_t i = 0; i < COUNT(value_options); i++) {
    if (strcmp(value_options[i].option, option) != 0) continue;
    uint64_t bytes;
    bool is_part = strcmp(option, "--budget") == 0 && read_bytes(value, &bytes) == BYTES_NOT_WHOLE;
    fprintf(stderr, "tensor-arena: %s is \"%s\"%s; give %s\n", option, value,
            is_part ? ", which is no whole number of bytes" : "", value_options[i].takes);
    return;
  }
  fprintf(stderr, "tensor-arena: there is no option %s; see --help\n", option);
}

static bool parse_arguments(settings *out, int argc, char **argv) {
  ta_planner_options_init(&out->planner);
  out->format = TA_FORMAT_JSON;
  out->name = "standard input";
  for (int i = 1; i < argc; i += 2) {
    if (strcmp(argv[i], "--keep-offsets") == 0) {
      out->planner.keep_offsets = 1;
      i--; /* it takes no value */
      continue;
    }
    if (i + 1 < argc && parse_option(out, argv[i], argv[i + 1])) continue;
    complain(argv[i], i + 1 < argc ? argv[i + 1] : "");
    return false;
  }
  return true;
}

/* NULL when reading or memory failed. */
static unsigned char *read_all(FILE *file, size_t *length) {
  size_t capacity = 1 << 16, used = 0;
  unsigned char *bytes = malloc(capacity);
  while (bytes != NULL) {
    size_t got = fread(bytes + used, 1, capacity - used, file);
    used += got;
    if (got == 0) break;
    if (used < capacity) continue;
    unsigned char *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(bytes, capacity *= 2);
    if (larger == NULL) free(bytes);
    bytes = larger;
  }
  if (bytes != NULL && ferror(file)) {
    free(bytes);
    return NULL;
  }
  *length = used;
  return bytes;
}

/* `opened`: whether the input was read, so that what is wrong is the call. */
static int exit_status(ta_status status, bool opened) {
  switch (status) {
  case TA_OK:
    return EXIT_GOOD;
  case TA_E_REFUSED:
    return EXIT_NO;
  case TA_E_MEMORY:
    return EXIT_FAILED;
  case TA_E_ARGUMENT:
  case TA_E_UNSUPPORTED:
    return EXIT_USAGE;
  case TA_E_INDEX:
    return opened ? EXIT_USAGE : EXIT_INPUT;
  default:
    return EXIT_INPUT;
  }
}

static int fail(ta_status status, const ta_error *error, bool opened) {
  fprintf(stderr, "tensor-arena: %s\n", error->text);
  return exit_status(status, opened);
}

static int answer_exit(const settings *set, ta_planner *planner) {
  ta_summary summary;
  if (ta_planner_summary(planner, &summary, NULL) != TA_OK) return EXIT_GOOD;
  if (summary.status == TA_UNSOUND) return EXIT_NO;
  if (set->planner.budget_bytes == TA_NO_OFFSET) return EXIT_GOOD;
  return summary.fits == 1 ? EXIT_GOOD : summary.fits == 2 ? EXIT_NO : EXIT_UNDECIDED;
}

static int write_plan(const settings *set, ta_planner *planner) {
  ta_error error;
  const char *text = NULL;
  size_t length = 0;
  ta_status status = ta_planner_plan(planner, &error);
  if (status == TA_OK) status = ta_planner_execute(planner, 0, INT32_MAX, &error);
  if (status == TA_OK) status = ta_planner_report(planner, set->format, &text, &length, &error);
  if (status != TA_OK) return fail(status, &error, true);
  if (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0) {
    fputs("tensor-arena: the plan could not be written\n", stderr);
    return EXIT_FAILED;
  }
  return answer_exit(set, planner);
}

static int run(const settings *set, const unsigned char *bytes, size_t length) {
  ta_error error;
  ta_model *model = NULL;
  ta_status status = ta_model_open(NULL, bytes, length, set->name, &model, &error);
  if (status != TA_OK) return fail(status, &error, false);
  ta_planner *planner = NULL;
  status = ta_planner_new(NULL, model, &set->planner, &planner, &error);
  int code = status == TA_OK ? write_plan(set, planner) : fail(status, &error, true);
  ta_planner_free(planner);
  ta_model_free(model);
  return code;
}

int main(int argc, char **argv) {
  settings set;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    print_usage(stdout);
    return EXIT_GOOD;
  }
  if (!parse_arguments(&set, argc, argv)) return EXIT_USAGE;
  size_t length = 0;
  unsigned char *bytes = read_all(stdin, &length);
  if (bytes == NULL) {
    fputs("tensor-arena: standard input could not be read into memory\n", stderr);
    return EXIT_FAILED;
  }
  int code = run(&set, bytes, length);
  free(bytes);
  return code;
}

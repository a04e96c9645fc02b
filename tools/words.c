/* Prints dist/words.js: the lists of tensor_arena_words.def, in the order of their numbers, and of
 * hidden.def. */
#include <stdio.h>

#include "tensor_arena.h"

int main(void) {
  puts("/** Made by the build from c/include/tensor_arena_words.def: a word's position is its number. */");
#define ROW(name)      "'" name "', "
#define LIST(constant) puts("export const " constant " = /** @type {const} */ ([");
#define END            puts("]);");
  LIST("KINDS")
#define KIND(number, id, name, people) puts(ROW(name));
#include "tensor_arena_words.def"
  END LIST("RUNTIMES")
#define RUNTIME(number, id, name, ...) puts(ROW(name));
#include "tensor_arena_words.def"
      END LIST("PLANNERS")
#define PLANNER(number, id, name, ...) puts(ROW(name));
#include "tensor_arena_words.def"
          END LIST("KERNELS")
#define KERNELS(number, id, name, ...) puts(ROW(name));
#include "tensor_arena_words.def"
              END LIST("TARGETS")
#define TARGET(number, id, name, people) puts(ROW(name));
#include "tensor_arena_words.def"
                  END LIST("FORMATS")
#define FORMAT(number, id, name, people) puts(ROW(name));
#include "tensor_arena_words.def"
                      END LIST("TYPES")
#define TYPE(number, id, name, people) puts(ROW(name));
#include "tensor_arena_words.def"
                          END LIST("PLAN_STATUSES")
#define PLAN_STATUS(number, id, name, people) puts(ROW(name));
#include "tensor_arena_words.def"
                              END

                                  puts("/** What each word is called in text for people. @type "
                                       "{Record<string, string>} */");
  puts("export const FOR_PEOPLE = {");
#define WORD(name, people)                     puts("  '" name "': '" people "',");
#define RUNTIME(number, id, name, people, ...) WORD(name, people)
#define PLANNER(number, id, name, people, ...) WORD(name, people)
#define KERNELS(number, id, name, people, ...) WORD(name, people)
#define TARGET(number, id, name, people)       WORD(name, people)
#include "tensor_arena_words.def"
  puts("};");

  puts("/** The chips that kernels are for. @type {Record<string, string>} */");
  puts("export const CHIPS = {");
#define KERNELS(number, id, name, people, chips) WORD(name, chips)
#include "tensor_arena_words.def"
  puts("};");

  puts("/** By runtime: the kinds of input that it takes and is the default of, as bits by position in "
       "KINDS; its fixed");
  puts(" * alignment (0: any); whether it plans all subgraphs together, and its own planner takes ranges of "
       "nodes; its");
  puts(" * default planner. */");
  puts("export const RUNTIME_TRAITS = Object.freeze([");
#define RUNTIME(number, id, name, people, takes, default_of, arena_alignment, alignment, fixed, whole,       \
                steps, planner)                                                                              \
  printf("  { name: '%s', takes: %d, defaultOf: %d, fixedAlignment: %d, wholeModel: %s, inSteps: %s, "       \
         "planner: %d },\n",                                                                                 \
         name, takes, default_of, fixed ? alignment : 0, whole ? "true" : "false", steps ? "true" : "false", \
         planner);
#include "tensor_arena_words.def"
  puts("]);");

  puts("/** Planners that spend search nodes. @type {readonly string[]} */");
  puts("export const SEARCHERS = [");
#define PLANNER(number, id, name, people, searches)                                                          \
  if (searches) puts(ROW(name));
#include "tensor_arena_words.def"
  puts("];");

  puts("/** What names may hide, for a regular expression's brackets: c/src/base/hidden.def. */");
  fputs("export const HIDDEN = '", stdout);
#define HIDDEN(first, last) printf("\\\\u%04x-\\\\u%04x", first, last);
#include "base/hidden.def"
  puts("';");
  return 0;
}

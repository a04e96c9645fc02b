/* Fuzz targets. Each takes any bytes, does with them what a host would do with a stranger's file, and aborts
 * when an answer contradicts itself; the sanitizers and the fuzzer see to the rest. The same functions are
 * run over the corpus by replay.c. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "tensor_arena.h"

/* A .tflite file: read, described, planned under every runtime and planner, reported in every format. */
void fuzz_tflite(const uint8_t *data, size_t size);
/* A packed graph block, with its operations. */
void fuzz_block(const uint8_t *data, size_t size);
/* A buffer list: planned and verified. */
void fuzz_csv(const uint8_t *data, size_t size);
/* A recipe for a graph and for operations on it, checked by the verifier after each. */
void fuzz_sequence(const uint8_t *data, size_t size);
/* A .tflite file: offline plans written into it and read back; the whole arena measured. */
void fuzz_offline(const uint8_t *data, size_t size);
/* A packed graph block under the interpreter's walk. */
void fuzz_walk(const uint8_t *data, size_t size);
/* Claims, and a slow second verifier. */
void fuzz_verify(const uint8_t *data, size_t size);

/* Aborts with a message on standard error. `what` is a sentence about what should have been. */
_Noreturn void fuzz_fail(const char *what);
#define FUZZ_CHECK(condition, what) ((condition) ? (void)0 : fuzz_fail(what))

/* To standard error: what two buffers did to each other. */
void fuzz_print_clash(const ta_clash *clash);

/* Bytes of the input, dealt one after the other; zeros when they have run out. */
typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

uint32_t fuzz_u8(fuzz_input *input);
uint32_t fuzz_below(fuzz_input *input, uint32_t n); /* 0 when n is 0 */
uint64_t fuzz_u64(fuzz_input *input);

/* Whether a text is one JSON value in UTF-8, of any depth. */
int fuzz_is_json(const char *text, size_t len);

/* What is asked of every status: that it has a name and, when it is not OK, a sentence. */
void fuzz_check_status(ta_status status, const ta_error *error);

/* Plans and executes under one choice, reports in every format, and checks what comes out. */
void fuzz_plan(const ta_model *model, uint32_t runtime, uint32_t kind, uint32_t alignment);

/* Has the verifier look at what the planner has placed so far. */
void fuzz_check_sound(const ta_model *model, ta_planner *planner);

/* Describes the model, which must be JSON. */
void fuzz_describe(ta_model *model);

#endif

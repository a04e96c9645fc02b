/* What the test programs that answer many requests in one run have in common. On both sides of the pipe a
 * header of 32-bit words, little-endian, stands before the bytes; its last word is how many there are. */
#ifndef TA_TESTS_REQUESTS_H
#define TA_TESTS_REQUESTS_H

#include "tensor_arena.h"

/* Answers one request: the header's words, and the bytes, as many as its last word says. */
typedef void (*answer_request)(const uint32_t *header, const uint8_t *bytes);

/* Reads standard input to its end and has each request answered. `words`: of a header, at most 8. The
 * program's exit status: 0; 3 a request that is cut short; 5 input, output or memory failed. */
int answer_requests(uint32_t words, answer_request answer);

uint32_t get_word(const uint8_t *at);
void put_word(uint32_t word);
void put_bytes(const void *bytes, size_t length);

/* The error's place in three words, -1 where it has none: subgraph, node, tensor. */
void put_place(const ta_error *error);
/* The length and the text, or, when `status` is none of success, the error's sentence. */
void put_text(ta_status status, const ta_error *error, const char *text, size_t length);

#endif

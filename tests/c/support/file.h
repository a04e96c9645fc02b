/* A .tflite file made byte by byte, to be as wrong as a test wants it. Parents first: references lead
 * forward. */
#ifndef TA_TESTS_FILE_H
#define TA_TESTS_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct file {
  uint8_t *at; /* to be freed */
  size_t len, capacity;
} file;

/* The root reference, still to be set, and the identifier. */
file start_file(void);

/* Positions of new parts, all zero but for what makes them a table or a vector. Each starts at a multiple
 * of 4. */
size_t put(file *f, size_t bytes);
size_t put_vector(file *f, uint32_t count, size_t element_bytes);
/* The slots below `slots` that are set in `present` are words, in order. */
size_t put_table(file *f, uint32_t slots, uint32_t present);

/* Where the n-th present word of a table is. */
size_t word(size_t table, size_t n);

void set32(file *f, size_t position, uint32_t value);
/* The word at `from` leads to `to`. */
void refer(file *f, size_t from, size_t to);

#endif

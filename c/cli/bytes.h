/* Sizes as people write them: 98304, 98,304, 0x18000, 96K, 96 KiB, 0.5MB, 1.5M. The package reads the same
 * (wasm/bytes.js). Units are powers of two, whatever they are called. */
#ifndef TA_CLI_BYTES_H
#define TA_CLI_BYTES_H

#include <stdint.h>

typedef enum bytes_read { BYTES_GOOD, BYTES_NONE, BYTES_NOT_WHOLE } bytes_read;

/* NONE: `text` is no size, or one past TA_MAX_BYTES; NOT_WHOLE: it is no whole number of bytes. */
bytes_read read_bytes(const char *text, uint64_t *out);

#endif

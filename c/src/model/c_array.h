/* Models as C source: the byte arrays that xxd -i and the like make of a .tflite, to be compiled into
 * firmware.
 *
 *     const unsigned char g_model[] = { 0x1c, 0x00, 0x00, 0x00, 0x54, 0x46, 0x4c, 0x33, ... };
 *
 * An array is numbers of one byte, decimal, octal or hexadecimal, with commas between them, in braces; xxd -i
 * of a pipe leaves the braces out. */
#ifndef TA_MODEL_C_ARRAY_H
#define TA_MODEL_C_ARRAY_H

#include "base/error.h"
#include "graph/graph.h"

/* What a text holds. */
typedef struct ta_c_arrays {
  size_t begins; /* where the numbers of the largest array that is a .tflite begin */
  size_t bytes;  /* how many it has; 0: there is none */
  bool others;   /* arrays of 8 bytes or more that are no .tflite */
  bool cut;      /* the text ends inside an array that begins as a .tflite */
} ta_c_arrays;

/* Looks through any bytes, once: O(n). */
ta_c_arrays ta_c_arrays_find(ta_bytes text);

/* Puts the bytes of the array found in model->file, into the model's own memory and in model->file's place.
 * Errors: MEMORY. */
ta_status ta_c_array_unpack(ta_model *model, const ta_c_arrays *found, ta_error *error);

#endif

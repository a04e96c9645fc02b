/* The .tflite reader. */
#ifndef TA_MODEL_TFLITE_H
#define TA_MODEL_TFLITE_H

#include "graph/graph.h"
#include "model/schema.h"

/* The name of the metadata entry that holds an offline plan, and the words before its offsets: version,
 * number of subgraphs, number of offsets. */
#define TA_OFFLINE_NAME "OfflineMemoryAllocation"
enum { TA_OFFLINE_HEADER_WORDS = 3 };

/* Whether the bytes carry the identifier of a .tflite file. */
bool ta_tflite_is(ta_bytes bytes);

/* Reads model->file into the model. O(n log n) time and O(n) memory in the file's bytes. Errors: NOT_A_MODEL
 * (a schema version this library does not know), TRUNCATED, MALFORMED, INDEX, NO_SUBGRAPH, LIMIT, MEMORY. */
ta_status ta_tflite_read(ta_model *model, ta_error *error);

#endif

/* The .tflite reader. */
#ifndef TA_MODEL_TFLITE_H
#define TA_MODEL_TFLITE_H

#include "graph/graph.h"

/* Where things stand in the file, by the format's slot numbers (table names as in the schema). */
enum {
  TA_MODEL_VERSION = 0,
  TA_MODEL_OPERATOR_CODES = 1,
  TA_MODEL_SUBGRAPHS = 2,
  TA_MODEL_DESCRIPTION = 3,
  TA_MODEL_BUFFERS = 4,
  TA_MODEL_METADATA_BUFFER = 5,
  TA_MODEL_METADATA = 6,
  TA_MODEL_SIGNATURE_DEFS = 7,
  TA_MODEL_EXTERNAL_BUFFER_GROUPS = 8,
  TA_MODEL_EXTERNAL_BUFFERS = 9,
  TA_MODEL_SLOTS = 10,

  TA_BUFFER_DATA = 0,
  TA_BUFFER_OFFSET = 1,
  TA_BUFFER_SIZE = 2,

  TA_METADATA_NAME = 0,
  TA_METADATA_BUFFER = 1
};

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

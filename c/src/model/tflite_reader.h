/* What the files of the .tflite reader (tflite*.c) share while they read one model. */
#ifndef TA_MODEL_TFLITE_READER_H
#define TA_MODEL_TFLITE_READER_H

#include "graph/graph.h"
#include "model/flatbuf.h"

/* An entry of Model.operator_codes. */
typedef struct ta_opcode {
  ta_str name;
  uint32_t op, version;
} ta_opcode;

typedef struct ta_reader {
  ta_model *model;
  ta_flat flat;
  ta_error *error;
  ta_region scratch; /* gone when the model has been read */

  ta_opcode *opcodes;
  uint32_t n_opcodes;
  uint32_t n_buffers;        /* model->constants: the Buffers, then the external buffers */
  uint32_t n_groups;         /* of external buffers */
  uint32_t n_externals;      /* entries of Model.external_buffers */
  uint32_t *external_ids;    /* of each entry */
  uint32_t *externals_by_id; /* their indices, sorted by id */
  uint32_t subgraph;         /* the one being read, or TA_NO_INDEX */
  ta_text where;             /* "subgraph 2 ", or nothing when the model has only one */
  char where_storage[24];
} ta_reader;

/* Fails at a node or tensor (TA_NO_INDEX: neither) of the subgraph that the reader is in. To what is wrong
 * with the file by MALFORMED and INDEX it adds that the file is damaged, and what to do. */
ta_status ta_reader_fail(const ta_reader *reader, ta_status status, uint32_t node, uint32_t tensor,
                         const char *format, ...);

/* What the damage sentences end in. */
#define TA_DAMAGED "the file is damaged: export or get it again"

/* From here on the reader is in that subgraph (TA_NO_INDEX: in none): sets `subgraph` and `where`. */
void ta_reader_enter(ta_reader *reader, uint32_t subgraph);

/* Fills model->constants from Model.buffers and Model.external_buffers, every position checked. */
ta_status ta_reader_constants(ta_reader *reader, const ta_flat_table *root);

/* Adds up the constants that tensors use, each once, whatever the number of its tensors. */
ta_status ta_reader_constant_bytes(ta_reader *reader);

/* The constant of an external buffer's id, or TA_NO_INDEX when the model lists no such id. O(log n). */
uint32_t ta_reader_external(const ta_reader *reader, uint32_t id);

/* Reads subgraph `index`: tensors, nodes and lists, every index but those of called subgraphs checked. */
ta_status ta_reader_subgraph(ta_reader *reader, const ta_flat_table *table, uint32_t index);

/* Fills and checks node->calls. */
ta_status ta_reader_calls(ta_reader *reader, uint32_t index, ta_node *node);

/* Signatures; metadata, and the offline plan among it. */
ta_status ta_reader_signatures(ta_reader *reader, const ta_flat_table *root);
ta_status ta_reader_metadata(ta_reader *reader, const ta_flat_table *root);

/* Lists what is odd but legal among the model's problems. */
ta_status ta_reader_problems(ta_reader *reader);

/* Reads entry `index` of a list of tables. */
typedef ta_status ta_read_entry(ta_reader *reader, const ta_flat_table *table, uint32_t index);

/* Reads the entries of a list of tables. `elements` is the memory taken for what is read: NULL when there was
 * none to be had. */
ta_status ta_reader_each(ta_reader *reader, const ta_flat_vector *vector, const void *elements,
                         ta_read_entry *read);

/* Copies a vector of ints, charging for it. */
ta_status ta_reader_list(ta_reader *reader, const ta_flat_table *table, uint32_t slot, ta_list *out);

#endif

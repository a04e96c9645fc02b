/* The whole arena that TensorFlow Lite Micro needs for a model, written out item by item. */
#ifndef TA_REPORT_SIZE_H
#define TA_REPORT_SIZE_H

#include "measure/whole.h"
#include "report/peak.h"

typedef struct ta_size_report {
  const ta_model *model;
  ta_size_options options;
  ta_tflm_plan plan;
  ta_peak peak; /* of the head */
  ta_size size;
  ta_whole whole;
  ta_missing *missing; /* operators outside the tables */
  uint32_t n_missing;
} ta_size_report;

/* What an arena of that size is compared with: the smallest accepted, or where that is not known what is in
 * use. */
uint64_t ta_size_needed(const ta_size *size);

void ta_write_size_json(const ta_size_report *report, ta_text *out);
void ta_write_size_text(const ta_size_report *report, ta_text *out);

#endif

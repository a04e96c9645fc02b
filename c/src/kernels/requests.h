/* Evaluates the terms of an operator's row. */
#ifndef TA_KERNELS_REQUESTS_H
#define TA_KERNELS_REQUESTS_H

#include "kernels/operator.h"

ta_status ta_requests_add(ta_requests *to, ta_region *region, const ta_request *request, ta_error *error);

/* Adds what a list of terms (NULL: none) asks for. */
void ta_terms_run(ta_query *op, const ta_term *terms, ta_requests *to);

bool ta_when_holds(ta_query *op, uint8_t when);

/* Bytes of the TfLiteTensors that Prepare asks for, laid out one after the other from an aligned place. */
uint64_t ta_temporaries(ta_query *op);

#endif

/* The temporary TfLiteTensors of an operator's Prepare. */
#include "base/num.h"
#include "kernels/query.h"
#include "kernels/requests.h"

static bool lay(uint64_t *end, ta_object object) {
  return ta_align_up(*end, object.align, end) && ta_add(*end, object.bytes, end);
}

/* A TfLiteTensor, and where it has scales and zero points its TfLiteAffineQuantization and the copy of the
 * zero points' array. */
static ta_status add(const ta_query *op, int of, uint64_t *end) {
  const ta_tensor *tensor = ta_query_tensor(op, of);
  const ta_tflm_target *target = op->needs->target;
  if (!tensor) return TA_OK;
  bool fits = lay(end, target->tensor);
  if (tensor->scales > 0 && tensor->zero_points > 0) {
    fits = fits && lay(end, target->quantization) && ta_align_up(*end, 4, end) &&
           ta_add(*end, 4 + 4 * (uint64_t)tensor->scales, end);
  }
  return fits ? TA_OK : ta_query_too_large(op);
}

static ta_status add_inputs(const ta_query *op, uint32_t first, uint64_t *end) {
  ta_status status = TA_OK;
  for (uint32_t k = first; k < op->node->inputs.n && !status; k++) status = add(op, INPUT((int)k), end);
  return status;
}

/* TFLM_DECODE: for output k its two inputs and itself. */
static ta_status add_triples(const ta_query *op, uint64_t *end) {
  ta_status status = TA_OK;
  for (uint32_t k = 0; k < op->node->outputs.n && !status; k++) {
    status = add(op, INPUT((int)(2 * k)), end);
    if (!status) status = add(op, INPUT((int)(2 * k + 1)), end);
    if (!status) status = add(op, OUTPUT((int)k), end);
  }
  return status;
}

ta_status ta_temporaries(const ta_query *op, uint64_t *bytes) {
  const ta_operator *row = op->row;
  ta_status status = TA_OK;
  bool other = row->temporaries_when != TA_ALWAYS && ta_when_holds(op, row->temporaries_when, &status);
  uint64_t end = 0;
  for (const char *at = other ? row->temporaries_then : row->temporaries; *at && !status;) {
    char what = *at++;
    if (what == ' ') continue;
    if (what == 'k') {
      status = add_triples(op, &end);
    } else if (*at == '*' || *at == '+') {
      status = add_inputs(op, *at++ == '*' ? 0 : 1, &end);
    } else {
      int k = 0;
      while (*at >= '0' && *at <= '9') k = 10 * k + (*at++ - '0');
      status = add(op, what == 'i' ? INPUT(k) : OUTPUT(k), &end);
    }
  }
  *bytes = end;
  return status;
}

/* The temporary TfLiteTensors of an operator's Prepare. */
#include "kernels/query.h"
#include "kernels/requests.h"

static void lay(ta_query *op, uint64_t *end, const ta_object *object) {
  *end = ta_query_add(op, ta_query_align(op, *end, object->align), object->bytes);
}

/* A TfLiteTensor, and where it has scales and zero points its TfLiteAffineQuantization and the copy of the
 * zero points' array. */
static void add(ta_query *op, int of, uint64_t *end) {
  const ta_tensor *tensor = ta_query_tensor(op, of);
  const ta_tflm_target *target = op->needs->target;
  if (!tensor) return;
  lay(op, end, &target->tensor);
  if (tensor->scales == 0 || tensor->zero_points == 0) return;
  lay(op, end, &target->quantization);
  *end = ta_query_add(op, ta_query_align(op, *end, 4), 4 + 4 * (uint64_t)tensor->scales);
}

static void add_inputs(ta_query *op, uint32_t first, uint64_t *end) {
  for (uint32_t k = first; k < op->node->inputs.n; k++) add(op, INPUT((int)k), end);
}

/* TFLM_DECODE: for output k its two inputs and itself. */
static void add_triples(ta_query *op, uint64_t *end) {
  for (uint32_t k = 0; k < op->node->outputs.n; k++) {
    add(op, INPUT((int)(2 * k)), end);
    add(op, INPUT((int)(2 * k + 1)), end);
    add(op, OUTPUT((int)k), end);
  }
}

uint64_t ta_temporaries(ta_query *op) {
  const char *own = op->kernel->temporaries;
  const char *at = own ? own : op->row->temporaries;
  uint8_t when = op->more->temporaries_when;
  if (when != TA_ALWAYS && ta_when_holds(op, when)) at = op->more->temporaries_then;
  uint64_t end = 0;
  while (*at) {
    char what = *at++;
    if (what == ' ') continue;
    if (what == 'k') {
      add_triples(op, &end);
    } else if (*at == '*' || *at == '+') {
      add_inputs(op, *at++ == '*' ? 0 : 1, &end);
    } else {
      int k = 0;
      while (*at >= '0' && *at <= '9') k = 10 * k + (*at++ - '0');
      add(op, what == 'i' ? INPUT(k) : OUTPUT(k), &end);
    }
  }
  return end;
}

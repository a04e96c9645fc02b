/* CMSIS-NN: one row an operator that has a kernel of its own there. What a row leaves out (builtin data,
 * temporaries, resize) is the reference's. */
#include "kernels/cmsis_nn.h"

#include "graph/ops.h"
#include "kernels/quantities.h"

#define PER_CHANNEL(condition, channels)                                                                     \
  { .when = condition, .requests = 2, TIMES(4, channels) }
#define TRANSPOSED(condition, of)                                                                            \
  {.when = condition, PLUS_WIDE(24, 12)}, {.when = condition, PLUS(4), TIMES(4, RANK(of))}, {                \
    .when = condition, TIMES(1, BYTES(of))                                                                   \
  }

static const ta_operator operators[] = {
    {.op = TA_OP_CONV_2D,
     INIT(60),
     .temporaries = "i0 i1 o0 i0 i1 i2 o0",
     .more = MORE(.prepare = TERMS(PER_CHANNEL(TA_IF_INT8_INT16, DIM(INPUT(1), 0))),
                  .scratch = TERMS({.emit = ta_cmsis_conv_scratch}))},
    {.op = TA_OP_DEPTHWISE_CONV_2D,
     INIT(60),
     .temporaries = "i0 i1 o0 i0 i1 i2 o0",
     .more = MORE(.prepare = TERMS(PER_CHANNEL(TA_IF_INT8_INT16, DIM(INPUT(1), 3))),
                  .scratch = TERMS({.when = TA_IF_INT8, .emit = ta_cmsis_depthwise_scratch}))},
    {.op = TA_OP_FULLY_CONNECTED,
     INIT(72),
     .more = MORE(.prepare = TERMS(PER_CHANNEL(TA_IF_PER_CHANNEL, SCALES(INPUT(1))),
                                   {.when = TA_IF_INT8_MVE, .emit = ta_cmsis_fully_connected_prepare}),
                  .scratch = TERMS({.when = TA_IF_INT8, .emit = ta_cmsis_fully_connected_scratch}))},
    {.op = TA_OP_AVERAGE_POOL_2D,
     INIT(36),
     .temporaries = "i0 o0 i0 o0",
     .more = MORE(.scratch = TERMS({.when = TA_IF_INT8_INT16_DSP, TIMES(4, DIM(INPUT(0), 3))}))},
    {.op = TA_OP_MAX_POOL_2D, INIT(36)},
    {.op = TA_OP_SOFTMAX,
     INIT(64),
     .more = MORE(.prepare = TERMS({.when = TA_IF_INT16, .requests = 2, PLUS(1026)}))},
    {.op = TA_OP_SVDF,
     INIT(40),
     .more =
         MORE(.prepare = TERMS({.when = TA_IF_INT8_MVE, TIMES(4, DIM(INPUT(1), 0))}),
              .scratch = TERMS({TIMES(4, DIM(INPUT(0), 0), DIM(INPUT(1), 0))},
                               {.when = TA_IF_INT8, TIMES(4, DIM(INPUT(0), 0), OWN(TA_OWN_SVDF_UNITS))}))},
    {.op = TA_OP_TRANSPOSE_CONV,
     .typed_by = 2,
     INIT(76),
     .more = MORE(.prepare = TERMS({.requests = 2, TIMES(4, DIM(INPUT(1), 0))}),
                  .scratch = TERMS({.when = TA_IF_INT8, .emit = ta_cmsis_transpose_conv_scratch},
                                   {.when = TA_IF_INT16, TIMES(8, ELEMS(OUTPUT(0)))},
                                   {.when = TA_IF_INT16_BIAS, TIMES(8, ELEMS(INPUT(3)))}))},
    {.op = TA_OP_UNIDIRECTIONAL_SEQUENCE_LSTM,
     INIT(912),
     .more = MORE(.prepare = TERMS({.when = TA_IF_INT8, .requests = 8, TIMES(4, DIM(INPUT(18), 1))},
                                   {.when = TA_IF_INT16, .requests = 8, TIMES(8, DIM(INPUT(18), 1))}),
                  .scratch = TERMS({.when = TA_IF_INT8_INT16,
                                    .requests = 3,
                                    TIMES(2, OWN(TA_OWN_LSTM_BATCH), DIM(INPUT(18), 1))},
                                   {.when = TA_IF_FLOAT,
                                    .requests = 4,
                                    TIMES(1, OWN(TA_OWN_LSTM_BATCH), DIM(INPUT(18), 1), ITEM(INPUT(19)))}))},
    {.op = TA_OP_BATCH_MATMUL,
     INIT(36),
     .more = MORE(.prepare = TERMS(TRANSPOSED(TA_IF_ADJ_X, INPUT(0)), TRANSPOSED(TA_IF_NOT_ADJ_Y, INPUT(1)),
                                   {.resize = true, PLUS(4), TIMES(4, RANK(OUTPUT(0)))},
                                   {.when = TA_IF_INT8_INT16, PLUS(28)}),
                  .scratch = TERMS({.when = TA_IF_INT8_MVE, TIMES(4, DIM(OUTPUT(0), -1))}))},
};

const ta_operator *ta_cmsis_nn_operators(uint32_t *count) {
  *count = sizeof operators / sizeof *operators;
  return operators;
}

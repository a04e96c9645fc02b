// One operator a case: its tensors (tflm-arena.js has the notation), and what its reference kernel takes from the
// arena, as numbers. [72, 56] is 72 bytes with 64-bit pointers and 56 with 32-bit ones. A comment shows where a
// number comes from when it depends on the tensors.

/** @typedef {import('./tflm-runner.js').Case} Case */

const SAME = 0;
const VALID = 1;
const ENUMS_8 = '8/4 8/4 2/1';
const ENUMS_4 = '4/4 4/4 1/1';

/** The one-input operators whose output has the input's shape. @type {[string, Partial<Case>][]} */
const UNARY = [
  ['ABS', { init: [28] }],
  ['RSQRT', { init: [28] }],
  ['SIN', {}],
  ['COS', {}],
  ['LOG', {}],
  ['SQRT', {}],
  ['SQUARE', {}],
  ['NEG', { temporaries: '' }],
  ['CEIL', {}],
  ['FLOOR', { temporaries: '' }],
  ['ROUND', {}],
  ['EXP', {}],
  ['ZEROS_LIKE', {}],
  ['LOGICAL_NOT', {}],
  ['ELU', { init: [256] }],
  ['HARD_SWISH', { init: [20] }],
  ['LOGISTIC', { init: [16] }],
  ['TANH', { init: [16], temporaries: 'i0 i0 o0' }],
  ['RELU', { init: [28] }],
  ['RELU6', { init: [8], temporaries: 'i0' }],
  ['LEAKY_RELU', { builtin: '4/4', init: [24] }],
  ['CAST', { builtin: ENUMS_8 }],
  ['QUANTIZE', { init: [32] }],
  ['DEQUANTIZE', { init: [32] }],
  ['L2_NORMALIZATION', { builtin: ENUMS_4, init: [4] }],
  ['SQUEEZE', { builtin: '36/4' }],
  ['SPACE_TO_BATCH_ND', { init: [4] }],
  ['BATCH_TO_SPACE_ND', {}],
  ['SHAPE', { builtin: ENUMS_4, temporaries: '' }],
  ['UNPACK', { builtin: '8/4', temporaries: '' }],
];

/** The two-input operators. @type {[string, Partial<Case>][]} */
const BINARY = [
  ['ADD', { builtin: ENUMS_8, init: [60] }],
  ['SUB', { builtin: ENUMS_8, init: [52] }],
  ['MUL', { builtin: ENUMS_4, init: [36] }],
  ['DIV', { builtin: ENUMS_4, init: [28] }],
  ['FLOOR_DIV', {}],
  ['FLOOR_MOD', {}],
  ['SQUARED_DIFFERENCE', { init: [112] }],
  ['MAXIMUM', { temporaries: '' }],
  ['MINIMUM', { temporaries: '' }],
  ['LOGICAL_AND', { temporaries: '' }],
  ['LOGICAL_OR', { temporaries: '' }],
  ['EQUAL', { init: [32], temporaries: 'i0 i1' }],
  ['NOT_EQUAL', { init: [32], temporaries: 'i0 i1' }],
  ['GREATER', { init: [32], temporaries: 'i0 i1' }],
  ['GREATER_EQUAL', { init: [32], temporaries: 'i0 i1' }],
  ['LESS', { init: [32], temporaries: 'i0 i1' }],
  ['LESS_EQUAL', { init: [32], temporaries: 'i0 i1' }],
  ['PRELU', { init: [28] }],
  ['PACK', { builtin: '8/4', temporaries: '' }],
  ['ARG_MAX', { builtin: ENUMS_4, temporaries: '' }],
  ['ARG_MIN', { builtin: ENUMS_4, temporaries: '' }],
  ['EXPAND_DIMS', {}],
  ['BROADCAST_ARGS', {}],
  ['BROADCAST_TO', {}],
  ['FILL', {}],
  ['REVERSE_V2', {}],
  ['TRANSPOSE', {}],
  ['PAD', { init: [56] }],
  ['RESIZE_BILINEAR', { builtin: '2/1' }],
  ['RESIZE_NEAREST_NEIGHBOR', { builtin: '2/1' }],
  ['SPLIT', { builtin: '4/4', temporaries: 'i0' }],
];

/** The three-input operators. @type {[string, Partial<Case>][]} */
const TERNARY = [
  ['SELECT_V2', { init: [1] }],
  ['SLICE', {}],
  ['DYNAMIC_UPDATE_SLICE', {}],
  ['PADV2', { init: [56] }],
  ['SPLIT_V', { builtin: '4/4', in: ['INT8[2,3]', 'INT8[2,3]', 'INT8[2,3]*200'], temporaries: 'i2' }],
];

/** @param {string[]} inputs @param {string} temporaries @returns {(row: [string, Partial<Case>]) => Case} */
const simple = (inputs, temporaries) => ([op, more]) => ({ op, in: inputs, out: ['INT8[2,3]'], temporaries, ...more });

const POOL = ['Pool2DOptions', { padding: VALID, stride_w: 2, stride_h: 1, filter_width: 3, filter_height: 2 }];

/** @type {Case[]} */
const POOLING = [
  ...['AVERAGE_POOL_2D', 'MAX_POOL_2D'].map((op) => ({
    op, in: ['INT8[1,4,4,2]'], out: ['INT8[1,3,1,2]'], builtin: '40/4', init: [32], temporaries: 'i0 o0',
    options: /** @type {[string, any]} */ (POOL),
  })),
  {
    op: 'L2_POOL_2D', in: ['FLOAT32[1,4,4,2]'], out: ['FLOAT32[1,1,1,1]'], builtin: '40/4', temporaries: 'o0 i0',
    options: /** @type {[string, any]} */ (POOL),
    prepare: [20], // 4 + 4 * 4 dimensions
    outBytes: [24], // [1, 4 - 2 + 1, ceil((4 - 3 + 1) / 2), 2] floats
  },
  {
    op: 'L2_POOL_2D', in: ['FLOAT32[1,5,5,1]'], out: ['FLOAT32[1]'], builtin: '40/4', temporaries: 'o0 i0',
    options: ['Pool2DOptions', { padding: SAME, stride_w: 2, stride_h: 3, filter_width: 3, filter_height: 2 }],
    prepare: [8], // 4 + 4 * 1: the dimensions as the file has them
    outBytes: [24], // [1, ceil(5 / 3), ceil(5 / 2), 1] floats
  },
];

const CONV_TEMPORARIES = 'o0 i0 i1 i0 i1 i2 o0';
const TRANSPOSE_CONV_TEMPORARIES = 'o0 i2 i1 i2 i1 i3 o0';
const BY_2 = { padding: SAME, stride_w: 2, stride_h: 2 };
/** @type {[string, any]} */
const CONV = ['Conv2DOptions', { padding: SAME, stride_w: 1, stride_h: 1 }];
/** @type {[string, any]} */
const DEPTHWISE = ['DepthwiseConv2DOptions', { padding: SAME, stride_w: 1, stride_h: 1, depth_multiplier: 1 }];

/** @type {Case[]} */
const CONVOLUTIONS = [
  ...['INT8', 'INT16', 'FLOAT32'].map((type) => ({
    op: 'CONV_2D', in: [`${type}[1,2,2,3]`, `${type === 'FLOAT32' ? type : 'INT8'}[6,3,3,3]=`, 'INT32[6]='], out: [`${type}[1,2,2,6]`],
    options: CONV, builtin: '28/4', init: [/** @type {[number, number]} */ ([72, 56])], temporaries: CONV_TEMPORARIES,
    prepare: [24, 24], // 4 * 6 output channels
  })),
  {
    op: 'CONV_2D', in: ['INT8[1,2,2,3]', 'INT4[6,3,3,3]=', null], out: ['INT8[1,2,2,6]'],
    options: CONV, builtin: '28/4', init: [[72, 56]], temporaries: CONV_TEMPORARIES,
    prepare: [24, 24],
    scratch: [162], // 6 * 3 * 3 * 3 elements of the filter
  },
  {
    op: 'DEPTHWISE_CONV_2D', in: ['INT8[1,2,2,3]', 'INT8[1,3,3,3]=', 'INT32[3]='], out: ['INT8[1,2,2,3]'],
    options: DEPTHWISE, builtin: '28/4', init: [[72, 56]], temporaries: CONV_TEMPORARIES,
    prepare: [12, 12], // 4 * filter dimension 3
  },
  {
    op: 'DEPTHWISE_CONV_2D', in: ['FLOAT32[1,2,2,3]', 'FLOAT32[1,3,3,3]=', 'FLOAT32[3]='], out: ['FLOAT32[1,2,2,3]'],
    options: DEPTHWISE, builtin: '28/4', init: [[72, 56]], temporaries: CONV_TEMPORARIES, prepare: [12, 12],
  },
  {
    op: 'DEPTHWISE_CONV_2D', in: ['INT8[1,2,2,3]', 'INT4[1,3,3,3]=', 'INT32[3]='], out: ['INT8[1,2,2,3]'],
    options: DEPTHWISE, builtin: '28/4', init: [[72, 56]], temporaries: CONV_TEMPORARIES, prepare: [12, 12],
    scratch: [27], // 1 * 3 * 3 * 3
  },
  {
    op: 'TRANSPOSE_CONV', in: ['INT32[4]=', 'INT8[6,3,3,2]=', 'INT8[1,2,2,2]', 'INT32[6]='], out: ['INT8[1,4,4,6]'],
    options: ['TransposeConvOptions', BY_2], builtin: '20/4 20/4 16/4', init: [[80, 72]], temporaries: TRANSPOSE_CONV_TEMPORARIES,
    prepare: [24, 24], // 4 * 6 output channels
    scratch: [384], // 4 * 1 * 4 * 4 * 6
  },
  {
    op: 'TRANSPOSE_CONV', in: ['INT32[4]=', 'INT8[6,3,3,2]=', 'INT16[1,2,2,2]', 'INT64[6]='], out: ['INT16[1,4,4,6]'],
    options: ['TransposeConvOptions', BY_2], builtin: '20/4 20/4 16/4', init: [[80, 72]], temporaries: TRANSPOSE_CONV_TEMPORARIES,
    prepare: [24, 24],
    scratch: [768], // 8 * 96
  },
  {
    op: 'TRANSPOSE_CONV', in: ['INT32[4]=', 'INT8[6,3,3,2]=', 'INT16[1,2,2,2]', 'INT16[6]='], out: ['INT16[1,4,4,6]'],
    options: ['TransposeConvOptions', BY_2], builtin: '20/4 20/4 16/4', init: [[80, 72]], temporaries: TRANSPOSE_CONV_TEMPORARIES,
    prepare: [24, 24],
    scratch: [768, 48], // 8 * 96, 8 * 6
  },
  {
    op: 'TRANSPOSE_CONV', in: ['INT32[4]=', 'FLOAT32[6,3,3,2]=', 'FLOAT32[1,2,2,2]'], out: ['FLOAT32[1,4,4,1]'],
    options: ['TransposeConvOptions', BY_2], builtin: '20/4 20/4 16/4', init: [[80, 72]], temporaries: 'o0 i2 i1',
    prepare: [24, 24],
  },
];

const LSTM_WEIGHTS = [...Array(4).fill('INT8[4,5]='), ...Array(4).fill('INT8[4,4]='), null, null, null, ...Array(4).fill('INT32[4]=')];
const LSTM_TEMPORARIES = 'i0 i1 i2 i3 i4 i5 i6 i7 i8 i12 i13 i14 i15 i18 i19 o0';

/** @type {Case[]} */
const MATRICES = [
  {
    op: 'FULLY_CONNECTED', in: ['INT8[1,8]', 'INT8[5,8]*1=', 'INT32[5]='], out: ['INT8[1,5]'],
    builtin: '16/4 16/4 5/1', init: [[64, 48]], temporaries: 'i0 i1 i2 o0',
  },
  {
    op: 'FULLY_CONNECTED', in: ['INT8[1,8]', 'INT8[5,8]*5=', null], out: ['INT8[1,5]'],
    builtin: '16/4 16/4 5/1', init: [[64, 48]], temporaries: 'i0 i1 i2 o0',
    prepare: [20, 20], // 4 * 5 scales
  },
  {
    op: 'FULLY_CONNECTED', in: ['FLOAT32[1,8]', 'FLOAT32[5,8]*5=', null], out: ['FLOAT32[1,5]'],
    builtin: '16/4 16/4 5/1', init: [[64, 48]], temporaries: 'i0 i1 i2 o0',
  },
  {
    op: 'FULLY_CONNECTED', in: ['INT8[1,8]', 'INT4[5,8]*1=', 'INT32[5]='], out: ['INT8[1,5]'],
    builtin: '16/4 16/4 5/1', init: [[64, 48]], temporaries: 'i0 i1 i2 o0',
    scratch: [40], // 5 * 8
  },
  {
    op: 'BATCH_MATMUL', in: ['FLOAT32[1,2,3]', 'FLOAT32[2,3,2]'], out: ['FLOAT32[2,2,2]'],
    options: ['BatchMatMulOptions', {}], builtin: '3/1', init: [[32, 16]], temporaries: 'i0 i1 o0',
    prepare: [[24, 12], 16, 48, 16], // the right one transposed: struct, 4 + 4 * 3, 12 floats; the output's shape 4 + 4 * 3
  },
  {
    op: 'BATCH_MATMUL', in: ['INT8[3,2]', 'INT8[4,3]='], out: ['INT8[1,8]'],
    options: ['BatchMatMulOptions', { adj_x: true, adj_y: true }], builtin: '3/1', init: [[32, 16]], temporaries: 'i0 i1 o0',
    prepare: [28, [24, 12], 12, 6, 12], // the left one transposed: struct, 4 + 4 * 2, 6 bytes
    outBytes: [8], // [2, 4]
  },
  {
    op: 'BATCH_MATMUL', in: ['INT16[3,2]', 'INT16[3,4]'], out: ['INT16[2,4]'],
    options: ['BatchMatMulOptions', { adj_x: true }], builtin: '3/1', init: [[32, 16]], temporaries: 'i0 i1 o0',
    prepare: [28, [24, 12], 12, 12, [24, 12], 12, 24, 12], // both transposed
  },
  {
    op: 'SVDF', in: ['FLOAT32[2,3]', 'FLOAT32[8,3]=', 'FLOAT32[8,2]=', null, 'FLOAT32[2,16]!'], out: ['FLOAT32[2,4]'],
    options: ['SVDFOptions', { rank: 2 }], builtin: '12/4 12/4 8/4', init: [36], temporaries: 'i0 i1 i2 i3 i4 o0',
    scratch: [64], // 4 * 2 batches * 8 filters
  },
  {
    op: 'SVDF', in: ['INT8[2,3]', 'INT8[8,3]=', 'INT16[8,2]=', 'INT32[4]=', 'INT16[2,16]!'], out: ['INT8[2,4]'],
    options: ['SVDFOptions', { rank: 2 }], builtin: '12/4 12/4 8/4', init: [36], temporaries: 'i0 i1 i2 i3 i4 o0',
    scratch: [64, 32], // 4 * 2 * 8; 4 * 2 * (8 filters / rank 2)
  },
  {
    op: 'UNIDIRECTIONAL_SEQUENCE_LSTM',
    in: ['INT8[3,2,5]', ...LSTM_WEIGHTS, null, null, 'INT8[1,4]!', 'INT16[1,9]!'], out: ['INT8[3,2,4]'],
    options: ['UnidirectionalSequenceLSTMOptions', {}], builtin: '16/4', init: [688], temporaries: LSTM_TEMPORARIES,
    scratch: [24, 24, 24, 24], // batch 3 (dimension 0) * 4 * 2
  },
  {
    op: 'UNIDIRECTIONAL_SEQUENCE_LSTM',
    in: ['FLOAT32[3,2,5]', ...LSTM_WEIGHTS, null, null, 'FLOAT32[1,4]!', 'FLOAT32[1,9]!'], out: ['FLOAT32[3,2,4]'],
    options: ['UnidirectionalSequenceLSTMOptions', { time_major: true }], builtin: '16/4', init: [688], temporaries: LSTM_TEMPORARIES,
    scratch: [32, 32, 32, 32], // batch 2 (dimension 1) * 4 * 4
  },
  { op: 'SOFTMAX', in: ['INT8[2,3]'], out: ['INT8[2,3]'], builtin: '4/4', init: [[80, 56]], temporaries: 'i0 o0' },
  {
    op: 'SOFTMAX', in: ['INT16[2,3]'], out: ['INT16[2,3]'], builtin: '4/4', init: [[80, 56]], temporaries: 'i0 o0',
    prepare: [1026, 1026],
  },
  { op: 'LOG_SOFTMAX', in: ['FLOAT32[2,3]'], out: ['FLOAT32[2,3]'], temporaries: 'i0 o0' },
  { op: 'LOG_SOFTMAX', in: ['INT8[2,3]'], out: ['INT8[2,3]'], prepare: [[40, 28]], temporaries: 'i0 o0' },
  { op: 'CUMSUM', in: ['FLOAT32[2,3]', 'INT32[]='], out: ['FLOAT32[2,3]'], builtin: '2/1', temporaries: 'i0 i1 o0' },
  { op: 'CUMSUM', in: ['INT8[2,3]', 'INT32[]='], out: ['INT8[2,3]'], builtin: '2/1', prepare: [36], temporaries: 'i0 i1 o0' },
  {
    op: 'ADD_N', in: ['FLOAT32[2]', 'FLOAT32[2]', 'FLOAT32[2]'], out: ['FLOAT32[2]'],
    scratch: [[24, 12]], // a pointer for each of 3 inputs
    temporaries: 'i0 o0 i1 i2',
  },
  { op: 'ADD_N', in: ['INT8[2]', 'INT8[2]'], out: ['INT8[2]'], prepare: [40], scratch: [[16, 8]], temporaries: 'i0 o0 i1' },
];

/** @type {Case[]} */
const REDUCTIONS = ['FLOAT32', 'INT16', 'INT8'].flatMap((type) => [
  ...['MEAN', 'SUM'].map((op) => ({
    op, in: [`${type}[2,3,4]`, 'INT32[2]='], out: [`${type}[2]`], options: /** @type {[string, any]} */ (['ReducerOptions', {}]),
    builtin: '1/1', init: [44],
    scratch: type === 'FLOAT32' ? [12, 8] : [8, 12, 8], // 4 * 2 output elements (quantised), 4 * rank 3, 4 * 2 axes
    temporaries: type === 'INT8' ? 'i0 o0 i1 i0 i1 o0' : 'i0 o0 i1 i0 i1',
  })),
  ...['REDUCE_MAX', 'REDUCE_MIN'].map((op) => ({
    op, in: [`${type}[2,3,4]`, 'INT32[2]='], out: [`${type}[2]`], options: /** @type {[string, any]} */ (['ReducerOptions', {}]),
    builtin: '1/1', init: [44], scratch: [12, 8],
    temporaries: type === 'INT8' ? 'i0 i1 i0 o0 i0 o0 i1' : 'i0 i1 i0 o0 i1',
  })),
  {
    op: 'REDUCE_ALL', in: [`${type}[2,3,4]`, 'INT32[2]='], out: [`${type}[2]`], options: /** @type {[string, any]} */ (['ReducerOptions', {}]),
    builtin: '1/1', init: [44], scratch: [12, 8],
    temporaries: type === 'INT8' ? 'i0 o0 i1 i0 i1 o0' : 'i0 o0 i1 i0 i1',
  },
]);

/** @type {Case[]} */
const SHAPES = [
  { op: 'RESHAPE', in: ['INT8[2,3]', 'INT32[1]='], out: ['INT8[6]'], builtin: '36/4', temporaries: 'i0 o0' },
  {
    op: 'RESHAPE', in: ['INT8[2,3,8]', 'INT32[2]='], out: ['INT8[4,-1]'], builtin: '36/4', temporaries: 'i0 o0',
    prepare: [12], // 4 + 4 * 2
    outBytes: [48], // [4, 12]
  },
  { op: 'RESHAPE', in: ['INT8[1]'], out: ['INT8[0]'], builtin: '36/4', temporaries: 'i0 o0', outBytes: [1] }, // a scalar
  { op: 'CONCATENATION', in: ['INT8[2]', 'INT8[3]', 'INT8[1]'], out: ['INT8[6]'], builtin: '8/4', init: [[40, 24]], temporaries: 'i0 o0 i0 i1 i2' },
  {
    op: 'STRIDED_SLICE', in: ['INT8[4]', 'INT32[1]=', 'INT32[1]=', 'INT32[1]='], out: ['INT8[2]'],
    builtin: '24/4', init: [84], temporaries: 'i0 i1 i2 i3 o0',
  },
  {
    op: 'MIRROR_PAD', in: ['INT8[2,3]', 'INT32[2,2]='], out: ['INT8[4,5]'], builtin: ENUMS_4, init: [20],
    scratch: [8, 8], // 4 * rank 2
    temporaries: 'i0 i1 o0',
  },
  {
    op: 'GATHER', in: ['INT8[5,3]', 'INT32[4]='], out: ['INT8[1,1]'], options: ['GatherOptions', {}], builtin: '8/4',
    prepare: [12], // 4 + 4 * 2
    outBytes: [12], // [4] + [3]
    temporaries: 'i0 i1 o0',
  },
  {
    op: 'GATHER', in: ['INT8[2,5,3]', 'INT32[2,4]='], out: ['INT8[1]'], options: ['GatherOptions', { axis: -2, batch_dims: -1 }], builtin: '8/4',
    prepare: [8], // 4 + 4 * 1
    outBytes: [24], // [2] + [4] + [3]
    temporaries: 'i0 i1 o0',
  },
  {
    op: 'GATHER_ND', in: ['INT8[4,5,6]', 'INT32[3,2]='], out: ['INT8[1,1]'],
    prepare: [12],
    outBytes: [18], // [3] + [6]
    temporaries: 'i0 i1 o0',
  },
  {
    op: 'EMBEDDING_LOOKUP', in: ['INT32[3]', 'INT8[10,7]='], out: ['INT8[1,1]'],
    prepare: [12, [16, 8]],
    outBytes: [21], // [3] + [7]
    temporaries: 'i0 i1 o0',
  },
  {
    op: 'SPACE_TO_DEPTH', in: ['INT8[1,4,6,3]'], out: ['INT8[1,1,1,1]'], options: ['SpaceToDepthOptions', { block_size: 2 }], builtin: '4/4',
    prepare: [20],
    outBytes: [72], // [1, 2, 3, 12]
    temporaries: 'i0 o0',
  },
  {
    op: 'DEPTH_TO_SPACE', in: ['INT8[1,2,3,12]'], out: ['INT8[1,1,1,1]'], options: ['DepthToSpaceOptions', { block_size: 2 }], builtin: '4/4',
    prepare: [20],
    outBytes: [72], // [1, 4, 6, 3]
    temporaries: 'i0 o0',
  },
];

const INT16 = 7;
const INT32 = 2;
const FLOAT32 = 0;

/** @type {Case[]} */
const CUSTOM = [
  { custom: 'CIRCULAR_BUFFER', in: ['INT8[1,2]'], out: ['INT8[1,2]'], init: [8], temporaries: 'i0 o0' },
  {
    custom: 'TFLite_Detection_PostProcess', in: ['FLOAT32[1,2,4]*300', 'FLOAT32[1,2,3]*310', 'FLOAT32[2,4]*320='],
    out: ['FLOAT32[1,3,4]', 'FLOAT32[1,3]', 'FLOAT32[1,3]', 'FLOAT32[1]'],
    customOptions: { max_detections: 3, num_classes: 5 }, init: [112],
    // N = 2 boxes, D = 3, C = 5: N, 16N, 4 * 2 * 3, 4N, 4N, 4DN, 4DN, 4N, 4DN, 4 max(C,D) N, 4 min(N,D) N
    scratch: [2, 32, 24, 8, 8, 24, 24, 8, 24, 40, 16],
    temporaries: 'i0 i1 i2',
  },
  {
    custom: 'TFLM_DECODE', in: ['INT8[4]=', 'UINT8[8]='], out: ['INT8[2]'], data: { 1: [0, 0, 0, 0, 0, 0, 0, 0] },
    prepare: [[8, 4], [72, 36]], temporaries: 'i0 i1 o0',
  },
  {
    custom: 'TFLM_DECODE', in: ['INT8[4]=', 'UINT8[8]=', 'INT8[4]=', 'UINT8[8]='], out: ['INT8[2]', 'INT8[3]'],
    data: { 1: [1, 0, 0, 0, 0, 0, 0, 0], 3: [2, 0, 0, 0, 0, 0, 0, 0] },
    prepare: [[16, 8], [56, 28], [80, 40]], temporaries: 'i0 i1 o0 i2 i3 o1',
  },
  {
    custom: 'TFLM_DECODE', in: ['INT8[4]=', 'UINT8[8]='], out: ['INT8[4]*4'], data: { 1: [2, 0, 0, 0, 0, 0, 0, 0] }, zeroPoint: 3,
    prepare: [[8, 4], [80, 40], 4], temporaries: 'i0 i1 o0', // 4 zero points
  },
  {
    custom: 'TFLM_DECODE', in: ['INT8[4]=', 'UINT8[8]='], out: ['INT8[4]*1'], data: { 1: [2, 0, 0, 0, 0, 0, 0, 0] }, zeroPoint: 3,
    prepare: [[8, 4], [80, 40]], temporaries: 'i0 i1 o0',
  },
  {
    custom: 'SignalDelay', in: ['FLOAT32[2,1,8]'], out: ['FLOAT32[2,1,8]'], customOptions: { delay_length: 5 }, init: [[32, 20]],
    // O = 2: two lists of 2 pointers, then twice a struct and 4 * (8 + 5)
    prepare: [[16, 8], [16, 8], [92, 76], [92, 76]], temporaries: 'i0 o0',
  },
  {
    custom: 'SignalFramer', in: ['INT16[3,4]'], out: ['INT16[3,1,10]', 'BOOL[1]'], customOptions: { frame_size: 10, frame_step: 4 }, init: [[40, 28]],
    // O = 3; 10 up to a multiple of 4 is 12: a struct and 4 * 12
    prepare: [[24, 12], [24, 12], [88, 72], [88, 72], [88, 72]], temporaries: 'i0 o0 o1',
  },
  {
    custom: 'SignalStacker', in: ['INT16[3]'], out: ['INT16[12]', 'BOOL[1]'],
    customOptions: { num_channels: 3, stacker_left_context: 2, stacker_right_context: 1 },
    init: [[56, 36], [88, 72]], // a struct and 4 * 3 * (2 + 1 + 1)
    temporaries: 'i0 o0 o1',
  },
  {
    custom: 'SignalOverlapAdd', in: ['INT16[2,3,8]'], out: ['INT16[2,3,4]'], customOptions: { frame_step: 4 }, init: [[32, 24]],
    prepare: [[16, 8], 16, 16], temporaries: 'i0 o0', // O = 2, 8 * 2 bytes each
  },
  {
    custom: 'SignalOverlapAdd', in: ['FLOAT32[1,8]'], out: ['FLOAT32[4]'], customOptions: { frame_step: 4 }, init: [[32, 24]],
    prepare: [[8, 4], 32], temporaries: 'i0 o0', // O = 1, 8 * 4
  },
  {
    custom: 'SignalRfft', in: ['INT16[16]'], out: ['INT16[18]'], customOptions: { T: INT16, fft_length: 16 },
    init: [[48, 32], [368, 356]], // 3P + 264 + 4 * 8 + 4 * 12
    scratch: [32], // 16 * 2
    temporaries: 'i0 o0',
  },
  {
    custom: 'SignalRfft', in: ['INT32[6]'], out: ['INT32[8]'], customOptions: { T: INT32, fft_length: 6 },
    init: [[48, 32], [344, 332]], // 3P + 264 + 8 * 3 + 8 * floor(9 / 2)
    scratch: [24],
    temporaries: 'i0 o0',
  },
  {
    custom: 'SignalIrfft', in: ['INT16[18]'], out: ['INT16[16]'], customOptions: { T: INT16, fft_length: 16 },
    init: [[32, 24], [368, 356]], temporaries: 'i0 o0',
  },
  {
    custom: 'SignalIrfft', in: ['FLOAT32[18]'], out: ['FLOAT32[16]'], customOptions: { T: FLOAT32, fft_length: 16 },
    init: [[32, 24], [464, 444]], // 3P + 264 + 8 * 8 + 8 * 12, and 16 | 8
    temporaries: 'i0 o0',
  },
  { custom: 'SignalWindow', in: ['INT16[4]', 'INT16[4]='], out: ['INT16[4]'], init: [8], temporaries: 'i0 i1 o0' },
  { custom: 'SignalEnergy', in: ['INT16[4]'], out: ['INT32[2]'], init: [8], temporaries: 'i0 o0' },
  { custom: 'SignalFilterBankLog', in: ['INT32[4]'], out: ['INT16[4]'], init: [8], temporaries: 'i0 o0' },
  { custom: 'SignalPCAN', in: ['INT32[4]', 'INT32[4]', 'INT16[4]='], out: ['INT32[4]'], init: [4], temporaries: 'i0 i1 i2 o0' },
  {
    custom: 'SignalFilterBank', in: ['INT32[4]', ...Array(5).fill('INT16[4]=')], out: ['INT64[3]'], customOptions: { num_channels: 3 },
    init: [[64, 36], 32], // 8 * (3 + 1)
    temporaries: 'i0 i1 i2 i3 i4 i5 o0',
  },
  {
    custom: 'SignalFilterBankSpectralSubtraction', in: ['INT32[5]'], out: ['INT32[5]', 'INT32[5]'], customOptions: { num_channels: 5 },
    init: [[56, 44], 20], // 4 * 5
    temporaries: 'i0 o0 o1',
  },
  { custom: 'SignalFilterBankSquareRoot', in: ['INT64[2]', 'INT32[1]'], out: ['INT32[2]'], temporaries: 'i0 i1 o0' },
  { custom: 'SignalFftAutoScale', in: ['INT16[4]'], out: ['INT16[4]', 'INT32[1]'], temporaries: 'i0 o0 o1' },
];

/** @type {readonly Case[]} */
export const REFERENCE_CASES = [
  ...UNARY.map(simple(['INT8[2,3]'], 'i0 o0')),
  ...BINARY.map(simple(['INT8[2,3]', 'INT8[2,3]'], 'i0 i1 o0')),
  ...TERNARY.map(simple(['INT8[2,3]', 'INT8[2,3]', 'INT8[2,3]'], 'i0 i1 i2 o0')),
  ...POOLING,
  ...CONVOLUTIONS,
  ...MATRICES,
  ...REDUCTIONS,
  ...SHAPES,
  ...CUSTOM,
];

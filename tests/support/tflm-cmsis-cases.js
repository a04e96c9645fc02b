// CMSIS-NN's kernels, one operator a case, as tflm-cases.js has them. `plain`, `dsp` and `mve` hold what the three
// kernel sets take besides what all take.

/** @typedef {import('./tflm-runner.js').Case} Case */
/** @typedef {Case & { plain?: Partial<Case>, dsp?: Partial<Case>, mve?: Partial<Case> }} CmsisCase */

const SAME = 0;
const VALID = 1;
const TEMPORARIES = 'i0 i1 o0 i0 i1 i2 o0';

/** A scratch buffer of the same bytes for plain C and DSP, and of others for MVE. @param {number} both @param {number} mve */
const scratch = (both, mve) => ({ plain: { scratch: [both] }, dsp: { scratch: [both] }, mve: { scratch: [mve] } });

/** @param {string} input @param {string} filter @param {string} output @param {Record<string, number>} [options] @returns {Case} */
const conv = (input, filter, output, options = {}) => ({
  op: 'CONV_2D', in: [input, filter, 'INT32[6]='], out: [output],
  options: ['Conv2DOptions', { padding: SAME, stride_w: 1, stride_h: 1, ...options }],
  builtin: '28/4', init: [60], temporaries: TEMPORARIES,
  prepare: [24, 24], // 4 * 6 output channels
});

/** @type {CmsisCase[]} */
const CONVOLUTIONS = [
  // k = 3 * 3 * 3 = 27: 4 * 28; MVE 4 * 32
  { ...conv('INT8[1,4,4,3]', 'INT8[6,3,3,3]=', 'INT8[1,4,4,6]'), ...scratch(112, 128) },
  { ...conv('INT8[1,4,4,3]', 'INT4[6,3,3,3]=', 'INT8[1,4,4,6]'), ...scratch(112, 128) },
  // A 1x1 filter needs nothing, with a stride too ...
  conv('INT8[1,2,2,3]', 'INT8[6,1,1,3]=', 'INT8[1,2,2,6]'),
  conv('INT8[1,4,4,3]', 'INT8[6,1,1,3]=', 'INT8[1,2,2,6]', { stride_w: 2, stride_h: 2 }),
  // ... but not with groups: k = 4: 4 * 4; MVE 4 * 16
  { ...conv('INT8[1,2,2,4]', 'INT8[6,1,1,2]=', 'INT8[1,2,2,6]'), ...scratch(16, 64) },
  // ... nor dilated: k = 3: 4 * 4; MVE 4 * 16
  { ...conv('INT8[1,2,2,3]', 'INT8[6,1,1,3]=', 'INT8[1,2,2,6]', { dilation_w_factor: 2 }), ...scratch(16, 64) },
  // A row: k = 3 * 4 = 12: 4 * 12; MVE total 2, asym 0, p 1, left 1, right 1: max(12 + 4, 8 + 4)
  { ...conv('INT8[1,1,8,4]', 'INT8[6,1,3,4]=', 'INT8[1,1,8,6]'), ...scratch(48, 16) },
  // k = 4 * 4 = 16: 4 * 16; MVE total 3, asym 1, p 1, left 1, right 2: max(16 + 4, 12 + 2 * 4)
  { ...conv('INT8[1,1,8,4]', 'INT8[6,1,4,4]=', 'INT8[1,1,8,6]'), ...scratch(64, 20) },
  // VALID, stride 4: 2 outputs, MVE total (2 - 1) * 4 + 3 - 8 = -1, asym -1, p 0, left 0, right max(1, (-1 + 3) div 4) = 1:
  // max(12, 8 + 1 * 4)
  { ...conv('INT8[1,1,8,4]', 'INT8[6,1,3,4]=', 'INT8[1,1,2,6]', { padding: VALID, stride_w: 4 }), ...scratch(48, 12) },
  // One column: left 1 + right 1 are more than 1 output, so MVE takes 4 * roundup(12, 16)
  { ...conv('INT8[1,1,1,4]', 'INT8[6,1,3,4]=', 'INT8[1,1,1,6]'), ...scratch(48, 64) },
  // A row whose stride * channels is no multiple of 4: k = 9: 4 * 12; MVE 4 * 16
  { ...conv('INT8[1,1,8,3]', 'INT8[6,1,3,3]=', 'INT8[1,1,8,6]'), ...scratch(48, 64) },
  // int16: 4 * 27; MVE 8 * 32. 1x1 too: 4 * 3; MVE 8 * 8
  { ...conv('INT16[1,4,4,3]', 'INT8[6,3,3,3]=', 'INT16[1,4,4,6]'), ...scratch(108, 256) },
  { ...conv('INT16[1,2,2,3]', 'INT8[6,1,1,3]=', 'INT16[1,2,2,6]'), ...scratch(12, 64) },
  { ...conv('FLOAT32[1,4,4,3]', 'FLOAT32[6,3,3,3]=', 'FLOAT32[1,4,4,6]'), prepare: [] },
];

/** @param {string} input @param {string} filter @param {string} output @param {number} bytes @param {Record<string, number>} [options] @returns {Case} */
const depthwise = (input, filter, output, bytes, options = {}) => ({
  op: 'DEPTHWISE_CONV_2D', in: [input, filter, 'INT32[3]='], out: [output],
  options: ['DepthwiseConv2DOptions', { padding: SAME, stride_w: 1, stride_h: 1, depth_multiplier: 1, ...options }],
  builtin: '28/4', init: [60], temporaries: TEMPORARIES,
  prepare: [bytes, bytes], // 4 * output channels
});

/** @type {CmsisCase[]} */
const DEPTHWISE = [
  // 3x3 with little padding: only MVE, 496 * 9
  { ...depthwise('INT8[1,4,4,3]', 'INT8[1,3,3,3]=', 'INT8[1,4,4,3]', 12), mve: { scratch: [4464] } },
  // 5x5: DSP 2 * 3 * 25, MVE 496 * 25
  { ...depthwise('INT8[1,4,4,3]', 'INT8[1,5,5,3]=', 'INT8[1,4,4,3]', 12), dsp: { scratch: [150] }, mve: { scratch: [12400] } },
  // INT4 filters, 3x3 too: 2 * 3 * 9
  { ...depthwise('INT8[1,4,4,3]', 'INT4[1,3,3,3]=', 'INT8[1,4,4,3]', 12), ...scratch(54, 4464) },
  // Not direct: two batches, a dilation, more output channels than inputs
  depthwise('INT8[2,4,4,3]', 'INT8[1,5,5,3]=', 'INT8[2,4,4,3]', 12),
  depthwise('INT8[1,4,4,3]', 'INT8[1,5,5,3]=', 'INT8[1,4,4,3]', 12, { dilation_h_factor: 2 }),
  depthwise('INT8[1,4,4,2]', 'INT8[1,5,5,4]=', 'INT8[1,4,4,4]', 16, { depth_multiplier: 2 }),
  // One input channel: MVE runs it as a convolution, k = 9: 4 * 16, and 4 * 9 for the filter
  { ...depthwise('INT8[1,4,4,1]', 'INT8[1,3,3,4]=', 'INT8[1,4,4,4]', 16, { depth_multiplier: 4 }), mve: { scratch: [100] } },
  // ... 1x1: 0 and 4 * 1
  { ...depthwise('INT8[1,2,2,1]', 'INT8[1,1,1,4]=', 'INT8[1,2,2,4]', 16, { depth_multiplier: 4 }), mve: { scratch: [4] } },
  // ... not with an INT4 filter
  depthwise('INT8[1,4,4,1]', 'INT4[1,3,3,4]=', 'INT8[1,4,4,4]', 16, { depth_multiplier: 4 }),
  // ... and not with one output channel, which is direct: 496 * 9
  { ...depthwise('INT8[1,4,4,1]', 'INT8[1,3,3,1]=', 'INT8[1,4,4,1]', 4), mve: { scratch: [4464] } },
  depthwise('INT16[1,4,4,3]', 'INT8[1,5,5,3]=', 'INT16[1,4,4,3]', 12),
  { ...depthwise('FLOAT32[1,4,4,3]', 'FLOAT32[1,5,5,3]=', 'FLOAT32[1,4,4,3]', 12), prepare: [] },
];

/** @param {(string | null)[]} inputs @param {string} output @returns {Case} */
const connected = (inputs, output) => ({
  op: 'FULLY_CONNECTED', in: inputs, out: [output], builtin: '16/4 16/4 5/1', init: [72], temporaries: 'i0 i1 i2 o0',
});

/** @type {CmsisCase[]} */
const FULLY_CONNECTED = [
  // MVE keeps the filter's sums: 4 * 5, for good when filter and bias are constant
  { ...connected(['INT8[1,8]', 'INT8[5,8]*1=', 'INT32[5]='], 'INT8[1,5]'), mve: { prepare: [20] } },
  { ...connected(['INT8[1,8]', 'INT8[5,8]*1=', null], 'INT8[1,5]'), mve: { prepare: [20] } },
  { ...connected(['INT8[1,8]', 'INT8[5,8]*1', 'INT32[5]='], 'INT8[1,5]'), mve: { scratch: [20] } },
  { ...connected(['INT8[1,8]', 'INT8[5,8]*1=', 'INT32[5]'], 'INT8[1,5]'), mve: { scratch: [20] } },
  // More than 2 dimensions, depth a multiple of 4, one scale: 8 * 5
  { ...connected(['INT8[1,2,8]', 'INT8[5,8]*1=', 'INT32[5]='], 'INT8[1,2,5]'), scratch: [40] },
  { ...connected(['INT8[1,2,6]', 'INT8[5,6]*1=', 'INT32[5]='], 'INT8[1,2,5]'), mve: { prepare: [20] } },
  // Five scales: 4 * 5 twice
  { ...connected(['INT8[1,8]', 'INT8[5,8]*5=', 'INT32[5]='], 'INT8[1,5]'), prepare: [20, 20], mve: { prepare: [20, 20, 20] } },
  { ...connected(['INT8[1,2,8]', 'INT8[5,8]*5=', 'INT32[5]='], 'INT8[1,2,5]'), prepare: [20, 20], mve: { prepare: [20, 20, 20] } },
  connected(['INT8[1,8]', 'INT4[5,8]*1=', 'INT32[5]='], 'INT8[1,5]'),
  connected(['INT16[1,8]', 'INT8[5,8]*1=', 'INT64[5]='], 'INT16[1,5]'),
  connected(['FLOAT32[1,8]', 'FLOAT32[5,8]*5=', null], 'FLOAT32[1,5]'),
];

/** @type {[string, any]} */
const POOL = ['Pool2DOptions', { padding: VALID, stride_w: 2, stride_h: 1, filter_width: 3, filter_height: 2 }];
/** @type {[string, any]} */
const BY_2 = ['TransposeConvOptions', { padding: SAME, stride_w: 2, stride_h: 2 }];
const TRANSPOSE_TEMPORARIES = 'o0 i2 i1 i2 i1 i3 o0';
const LSTM_WEIGHTS = [...Array(4).fill('INT8[4,5]='), ...Array(4).fill('INT8[4,4]='), null, null, null, ...Array(4).fill('INT32[4]=')];
const LSTM_TEMPORARIES = 'i0 i1 i2 i3 i4 i5 i6 i7 i8 i12 i13 i14 i15 i18 i19 o0';

/** @param {string} type @param {string} cell @returns {Case} */
const lstm = (type, cell) => ({
  op: 'UNIDIRECTIONAL_SEQUENCE_LSTM', in: [`${type}[3,2,5]`, ...LSTM_WEIGHTS, null, null, `${type}[1,4]!`, `${cell}[1,9]!`],
  out: [`${type}[3,2,4]`], options: ['UnidirectionalSequenceLSTMOptions', {}], builtin: '16/4', init: [912], temporaries: LSTM_TEMPORARIES,
});

/** @param {string[]} inputs @param {string} output @param {Record<string, number>} [more] @returns {Case} */
const transposeConv = (inputs, output, more = {}) => ({
  op: 'TRANSPOSE_CONV', in: ['INT32[4]=', ...inputs], out: [output], options: [BY_2[0], { ...BY_2[1], ...more }],
  builtin: '20/4 20/4 16/4', init: [76], temporaries: TRANSPOSE_TEMPORARIES, prepare: [24, 24],
});

/** @type {CmsisCase[]} */
const OTHERS = [
  ...['INT8', 'INT16'].map((type) => ({
    op: 'AVERAGE_POOL_2D', in: [`${type}[1,4,4,2]`], out: [`${type}[1,3,1,2]`], options: POOL,
    builtin: '40/4', init: [36], temporaries: 'i0 o0 i0 o0',
    dsp: { scratch: [8] }, // 4 * 2 channels
  })),
  { op: 'AVERAGE_POOL_2D', in: ['FLOAT32[1,4,4,2]'], out: ['FLOAT32[1,3,1,2]'], options: POOL, builtin: '40/4', init: [36], temporaries: 'i0 o0 i0 o0' },
  { op: 'MAX_POOL_2D', in: ['INT8[1,4,4,2]'], out: ['INT8[1,3,1,2]'], options: POOL, builtin: '40/4', init: [36], temporaries: 'i0 o0' },
  { op: 'SOFTMAX', in: ['INT8[2,3]'], out: ['INT8[2,3]'], builtin: '4/4', init: [64], temporaries: 'i0 o0' },
  { op: 'SOFTMAX', in: ['INT16[2,3]'], out: ['INT16[2,3]'], builtin: '4/4', init: [64], prepare: [1026, 1026], temporaries: 'i0 o0' },
  {
    op: 'SVDF', in: ['INT8[2,3]', 'INT8[8,3]=', 'INT16[8,2]=', 'INT32[4]=', 'INT16[2,16]!'], out: ['INT8[2,4]'],
    options: ['SVDFOptions', { rank: 2 }], builtin: '12/4 12/4 8/4', init: [40], temporaries: 'i0 i1 i2 i3 i4 o0',
    scratch: [64, 32],
    mve: { prepare: [32] }, // 4 * 8 filters
  },
  {
    op: 'SVDF', in: ['FLOAT32[2,3]', 'FLOAT32[8,3]=', 'FLOAT32[8,2]=', null, 'FLOAT32[2,16]!'], out: ['FLOAT32[2,4]'],
    options: ['SVDFOptions', { rank: 2 }], builtin: '12/4 12/4 8/4', init: [40], temporaries: 'i0 i1 i2 i3 i4 o0', scratch: [64],
  },
  // 4 * ((2 - 1) * 2 + max(3, 2)) * 6 * max(3, 2), and a request of 0 bytes
  { ...transposeConv(['INT8[6,3,3,2]=', 'INT8[1,2,2,2]', 'INT32[6]='], 'INT8[1,4,4,6]'), scratch: [360, 0] },
  // 20 input channels, strides up to 2: k = 180: 4 * 180, 180 * 6; MVE 4 * 192
  { ...transposeConv(['INT8[6,3,3,20]=', 'INT8[1,2,2,20]', 'INT32[6]='], 'INT8[1,4,4,6]'), scratch: [720, 1080], mve: { scratch: [768, 1080] } },
  // ... stride 3: 4 * ((2 - 1) * 3 + max(3, 2)) * 6 * max(3, 2)
  { ...transposeConv(['INT8[6,3,3,20]=', 'INT8[1,2,2,20]', 'INT32[6]='], 'INT8[1,4,6,6]', { stride_w: 3 }), scratch: [432, 0] },
  { ...transposeConv(['INT8[6,3,3,2]=', 'INT16[1,2,2,2]', 'INT64[6]='], 'INT16[1,4,4,6]'), scratch: [768] },
  { ...transposeConv(['INT8[6,3,3,2]=', 'INT16[1,2,2,2]', 'INT16[6]='], 'INT16[1,4,4,6]'), scratch: [768, 48] },
  { ...transposeConv(['FLOAT32[6,3,3,2]=', 'FLOAT32[1,2,2,2]'], 'FLOAT32[1,4,4,1]'), temporaries: 'o0 i2 i1' },
  // eight of 4 * 4 (int16: 8 * 4), three of batch 3 * 4 * 2; float: four of 3 * 4 * 4
  { ...lstm('INT8', 'INT16'), prepare: Array(8).fill(16), scratch: [24, 24, 24] },
  { ...lstm('INT16', 'INT16'), prepare: Array(8).fill(32), scratch: [24, 24, 24] },
  { ...lstm('FLOAT32', 'FLOAT32'), scratch: [48, 48, 48, 48] },
  {
    op: 'BATCH_MATMUL', in: ['INT8[3,2]', 'INT8[3,4]'], out: ['INT8[2,4]'], options: ['BatchMatMulOptions', { adj_x: true }],
    builtin: '3/1', init: [36], temporaries: 'i0 i1 o0',
    prepare: [12, 12, 6, 12, 12, 12, 12, 28], // both transposed: struct, 4 + 4 * 2, bytes; the output's shape; 28
    mve: { scratch: [16] }, // 4 * 4
  },
  {
    op: 'BATCH_MATMUL', in: ['FLOAT32[1,2,3]', 'FLOAT32[1,4,3]'], out: ['FLOAT32[1,2,4]'], options: ['BatchMatMulOptions', { adj_y: true }],
    builtin: '3/1', init: [36], temporaries: 'i0 i1 o0', prepare: [16], // 4 + 4 * 3
  },
];

/** @type {readonly CmsisCase[]} */
const ALL = [...CONVOLUTIONS, ...DEPTHWISE, ...FULLY_CONNECTED, ...OTHERS];

/** @param {'plain' | 'dsp' | 'mve'} set @returns {Case[]} */
export const cmsisCases = (set) => ALL.map(({ plain = {}, dsp = {}, mve = {}, ...shared }) => ({ ...shared, ...{ plain, dsp, mve }[set] }));

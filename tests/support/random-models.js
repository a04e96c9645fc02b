// Random models of the operators that may be cut into strips, in float32, int8 and int16, with branches; and random
// windows in them. The same seed gives the same model.
import { numbers } from '../../wasm/cli/litert.js';
import { buildModel } from './model-builder.js';

/** @typedef {import('./model-builder.js').Raw} Raw */
/** @typedef {'FLOAT32' | 'INT8' | 'INT16'} Type */
/** @typedef {{ index: number, shape: number[], type: Type, quantization: Raw | undefined }} Value */

const SAME = 0;
const VALID = 1;
const ARRAYS = { FLOAT32: Float32Array, INT8: Int8Array, INT16: Int16Array };

export class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.next = numbers(seed);
  }
  /** A whole number from `least` to `most`, both included. @param {number} least @param {number} most */
  int(least, most) {
    return least + (this.next() % (most - least + 1));
  }
  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[this.next() % list.length]);
  }
  /** @param {number} percent */
  chance(percent) {
    return this.int(0, 99) < percent;
  }
}

/** Builds one model, operator by operator. */
class Maker {
  /** @type {Raw[]} */
  tensors = [];
  /** @type {Raw[]} */
  operators = [];

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @param {Type} type @returns {Raw | undefined} */
  quantization(type) {
    if (type === 'FLOAT32') return undefined;
    const wide = type === 'INT16';
    return { scale: [this.random.int(20, 90) / (wide ? 2 ** 17 : 2 ** 10)], zero_point: [wide ? 0 : this.random.int(-30, 30)] };
  }

  /** @param {Raw} tensor */
  tensor(tensor) {
    return this.tensors.push(tensor) - 1;
  }

  /** @param {number[]} shape @param {Type} type @param {Raw} [quantization] @returns {Value} */
  value(shape, type, quantization = this.quantization(type)) {
    return { index: this.tensor({ shape, type, ...(quantization && { quantization }) }), shape, type, quantization };
  }

  /** @param {number[]} shape @param {readonly number[]} values */
  ints(shape, values) {
    return this.tensor({ type: 'INT32', shape, data: Int32Array.from(values) });
  }

  /** @param {number[]} shape @param {Type} type @param {Raw | undefined} quantization */
  constant(shape, type, quantization) {
    const n = shape.reduce((a, b) => a * b, 1);
    const data = Array.from({ length: n }, () => (type === 'FLOAT32' ? this.random.int(-64, 64) / 64 : this.random.int(-100, 100)));
    return this.tensor({ shape, type, data: ARRAYS[type].from(data), ...(quantization && { quantization }) });
  }

  /** Weights of a convolution and its bias. @param {number[]} shape @param {Type} type @param {number} channels @param {number} dimension */
  weights(shape, type, channels, dimension) {
    if (type === 'FLOAT32') return [this.constant(shape, type, undefined), this.constant([channels], type, undefined)];
    const scale = Array.from({ length: channels }, () => this.random.int(10, 60) / 2 ** 13);
    const filter = this.constant(shape, 'INT8', { scale, zero_point: scale.map(() => 0), quantized_dimension: dimension });
    const values = Array.from({ length: channels }, () => this.random.int(-500, 500));
    const bias = type === 'INT16' ? { type: 'INT64', data: BigInt64Array.from(values, BigInt) } : { type: 'INT32', data: Int32Array.from(values) };
    return [filter, this.tensor({ ...bias, shape: [channels], quantization: { scale: scale.map((s) => s / 64), zero_point: scale.map(() => 0) } })];
  }

  /** @param {string} op @param {number[]} inputs @param {Value} output @param {[string, Raw]} [options] @param {number} [version] */
  add(op, inputs, output, options, version = 1) {
    this.operators.push({ op, version, inputs, outputs: [output.index], ...(options && { options }) });
    return output;
  }
}

/** Outputs of a window that slides over rows; 0: none fits. @param {number} rows @param {number} reach @param {number} stride @param {number} padding */
const slide = (rows, reach, stride, padding) => (padding === SAME ? Math.ceil(rows / stride) : Math.max(0, Math.floor((rows - reach) / stride) + 1));

/** @typedef {(maker: Maker, x: Value, others: Value[]) => Value | null} Step  null: not on this input */

/** @param {Maker} m @param {Value} x @param {boolean} depthwise */
function convolution(m, x, depthwise) {
  const { random } = m;
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  const [kh, kw] = [random.int(1, 4), random.int(1, 3)];
  const [sh, sw] = [random.pick([1, 1, 2, 3]), random.pick([1, 1, 2])];
  const [dh, dw] = sh === 1 && sw === 1 && random.chance(20) ? [random.int(1, 2), random.int(1, 2)] : [1, 1];
  const padding = random.pick([SAME, SAME, VALID]);
  const [oh, ow] = [slide(rows, (kh - 1) * dh + 1, sh, padding), slide(columns, (kw - 1) * dw + 1, sw, padding)];
  const times = depthwise ? random.pick([1, 1, 2]) : 1;
  const channels = depthwise ? depth * times : random.int(1, 5);
  if (oh < 1 || ow < 1 || channels > 12) return null;
  const shape = depthwise ? [1, kh, kw, channels] : [channels, kh, kw, depth];
  const inputs = [x.index, ...m.weights(shape, x.type, channels, depthwise ? 3 : 0)];
  const output = m.value([1, oh, ow, channels], x.type);
  const common = { padding, stride_h: sh, stride_w: sw, dilation_h_factor: dh, dilation_w_factor: dw, fused_activation_function: random.pick([0, 1, 3]) };
  if (!depthwise) return m.add('CONV_2D', inputs, output, ['Conv2DOptions', common], 3);
  return m.add('DEPTHWISE_CONV_2D', inputs, output, ['DepthwiseConv2DOptions', { ...common, depth_multiplier: times }], 3);
}

/** @param {string} op @returns {Step} */
const pool = (op) => (m, x) => {
  const { random } = m;
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  const [kh, kw, sh, sw] = [random.int(1, 3), random.int(1, 3), random.int(1, 2), random.int(1, 2)];
  const padding = random.pick([SAME, VALID]);
  const [oh, ow] = [slide(rows, kh, sh, padding), slide(columns, kw, sw, padding)];
  if (oh < 1 || ow < 1) return null;
  const options = { padding, stride_h: sh, stride_w: sw, filter_height: kh, filter_width: kw, fused_activation_function: random.pick([0, 0, 1]) };
  return m.add(op, [x.index], m.value([1, oh, ow, depth], x.type, x.quantization), ['Pool2DOptions', options], 3);
};

/** @param {string} op @returns {Step} */
const pad = (op) => (m, x) => {
  const { random } = m;
  const paddings = [0, 0, random.int(0, 2), random.int(0, 2), random.int(0, 2), random.int(0, 2), 0, random.chance(15) ? 1 : 0];
  const shape = x.shape.map((extent, d) => extent + Number(paddings[2 * d]) + Number(paddings[2 * d + 1]));
  const inputs = [x.index, m.ints([4, 2], paddings)];
  if (op === 'PADV2') inputs.push(m.constant([], x.type, x.quantization));
  return m.add(op, inputs, m.value(shape, x.type, x.quantization), [op === 'PAD' ? 'PadOptions' : 'PadV2Options', {}], 3);
};

/** @param {string} op @param {string} [options] @returns {Step} */
const binary = (op, options = op === 'MAXIMUM' || op === 'MINIMUM' ? 'MaximumMinimumOptions' : `${op[0]}${op.slice(1).toLowerCase()}Options`) => (m, x, others) => {
  const { random } = m;
  const channels = Number(x.shape[3]);
  const keeps = op === 'MAXIMUM' || op === 'MINIMUM';
  const partner = others.find((other) => other.type === x.type && other.shape.join() === x.shape.join() && (!keeps || other.quantization === x.quantization));
  const quantization = keeps ? x.quantization : m.quantization(x.type);
  const other = partner && random.chance(70) ? partner.index : m.constant(random.pick([[channels], [1, 1, 1, channels], [1]]), x.type, quantization);
  const inputs = random.chance(80) ? [x.index, other] : [other, x.index];
  const fused = ['ADD', 'SUB', 'MUL'].includes(op) ? { fused_activation_function: random.pick([0, 0, 1]) } : {};
  const more = op === 'ADD' || op === 'SUB' ? { pot_scale_int16: false } : {};
  return m.add(op, inputs, m.value(x.shape, x.type, keeps ? x.quantization : undefined), [options, { ...fused, ...more }], 2);
};

/** @param {string} op @param {[string, Raw]} [options] @returns {Step} */
const unary = (op, options) => (m, x) => {
  const fixed = { LOGISTIC: [1 / 256, -128], TANH: [1 / 128, 0] }[op];
  const wide = { scale: [2 ** -15], zero_point: [0] };
  const quantization = x.type === 'FLOAT32' || !fixed ? undefined : x.type === 'INT16' ? wide : { scale: [fixed[0]], zero_point: [fixed[1]] };
  return m.add(op, [x.index], m.value(x.shape, x.type, quantization), options, 2);
};

/** @type {Step} */
function concatenation(m, x, others) {
  const alike = others.filter((other) => other.type === x.type && other.shape[1] === x.shape[1] && other.shape[2] === x.shape[2] && JSON.stringify(other.quantization) === JSON.stringify(x.quantization));
  const all = [x, ...alike.slice(0, 2)];
  const channels = all.reduce((sum, { shape }) => sum + Number(shape[3]), 0);
  if (channels > 12) return null;
  const shape = [1, Number(x.shape[1]), Number(x.shape[2]), channels];
  return m.add('CONCATENATION', all.map(({ index }) => index), m.value(shape, x.type, x.quantization), ['ConcatenationOptions', { axis: m.random.pick([3, -1]) }], 3);
}

/** @param {string} op @param {string} options @returns {Step} */
const resize = (op, options) => (m, x) => {
  const [fy, fx] = [m.random.pick([1, 2, 4]), m.random.pick([1, 2])];
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  if (rows * fy > 40 || columns * fx > 24 || fy * fx === 1) return null;
  const inputs = [x.index, m.ints([2], [rows * fy, columns * fx])];
  return m.add(op, inputs, m.value([1, rows * fy, columns * fx, depth], x.type, x.quantization), [options, { half_pixel_centers: m.random.chance(50) }], 3);
};

/** @type {Step} */
function spaceToDepth(m, x) {
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  if (rows % 2 || columns % 2 || depth > 3) return null;
  return m.add('SPACE_TO_DEPTH', [x.index], m.value([1, rows / 2, columns / 2, depth * 4], x.type, x.quantization), ['SpaceToDepthOptions', { block_size: 2 }], 2);
}

/** @type {Step} */
function depthToSpace(m, x) {
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  if (depth % 4 || rows > 20 || columns > 12) return null;
  return m.add('DEPTH_TO_SPACE', [x.index], m.value([1, rows * 2, columns * 2, depth / 4], x.type, x.quantization), ['DepthToSpaceOptions', { block_size: 2 }], 2);
}

/** @type {Step} */
function transposed(m, x) {
  const { random } = m;
  const [, rows = 0, columns = 0, depth = 0] = x.shape;
  const stride = random.pick([1, 2]);
  const padding = random.pick([SAME, VALID]);
  const k = random.int(padding === VALID ? stride : 1, 4);
  const [oh = 0, ow = 0] = [rows, columns].map((n) => (padding === SAME ? n * stride : (n - 1) * stride + k));
  if (oh > 40 || ow > 24) return null;
  const channels = random.int(1, 3);
  const shape = [1, oh, ow, channels];
  const [filter = 0, bias = 0] = m.weights([channels, k, k, depth], x.type, channels, 0);
  const inputs = [m.ints([4], shape), filter, x.index, ...(random.chance(50) ? [bias] : [])];
  return m.add('TRANSPOSE_CONV', inputs, m.value(shape, x.type), ['TransposeConvOptions', { padding, stride_h: stride, stride_w: stride }], 3);
}

/** To another type, or another scale. @type {Step} */
function requantize(m, x) {
  const to = m.random.pick(/** @type {Type[]} */ (x.type === 'FLOAT32' ? ['INT8'] : ['INT8', 'FLOAT32']));
  if (x.type === 'INT16') return null;
  if (to === 'FLOAT32') return m.add('DEQUANTIZE', [x.index], m.value(x.shape, to), ['DequantizeOptions', {}], 2);
  return m.add('QUANTIZE', [x.index], m.value(x.shape, to), ['QuantizeOptions', {}], 1);
}

/** @type {Step} */
function prelu(m, x) {
  if (x.type === 'INT16') return null;
  const alpha = m.constant([1, 1, Number(x.shape[3])], x.type, m.quantization(x.type));
  return m.add('PRELU', [x.index, alpha], m.value(x.shape, x.type));
}

/** @type {Record<string, { types: string, step: Step }>} */
const STEPS = {
  CONV_2D: { types: 'f8w', step: (m, x) => convolution(m, x, false) },
  DEPTHWISE_CONV_2D: { types: 'f8w', step: (m, x) => convolution(m, x, true) },
  AVERAGE_POOL_2D: { types: 'f8w', step: pool('AVERAGE_POOL_2D') },
  MAX_POOL_2D: { types: 'f8w', step: pool('MAX_POOL_2D') },
  PAD: { types: 'f8w', step: pad('PAD') },
  PADV2: { types: 'f8', step: pad('PADV2') },
  ADD: { types: 'f8w', step: binary('ADD') },
  SUB: { types: 'f8w', step: binary('SUB') },
  MUL: { types: 'f8w', step: binary('MUL') },
  DIV: { types: 'f', step: binary('DIV') },
  MAXIMUM: { types: 'f8', step: binary('MAXIMUM') },
  MINIMUM: { types: 'f8', step: binary('MINIMUM') },
  SQUARED_DIFFERENCE: { types: 'f8', step: binary('SQUARED_DIFFERENCE', 'SquaredDifferenceOptions') },
  PRELU: { types: 'f8', step: prelu },
  RELU: { types: 'f8w', step: unary('RELU') },
  RELU6: { types: 'f8', step: unary('RELU6') },
  LEAKY_RELU: { types: 'f8w', step: unary('LEAKY_RELU', ['LeakyReluOptions', { alpha: 0.25 }]) },
  LOGISTIC: { types: 'f8w', step: unary('LOGISTIC') },
  TANH: { types: 'f8w', step: unary('TANH') },
  HARD_SWISH: { types: 'f8', step: unary('HARD_SWISH', ['HardSwishOptions', {}]) },
  ELU: { types: 'f8', step: unary('ELU') },
  ABS: { types: 'f', step: unary('ABS', ['AbsOptions', {}]) },
  NEG: { types: 'f', step: unary('NEG', ['NegOptions', {}]) },
  SQRT: { types: 'f', step: unary('SQRT') },
  RSQRT: { types: 'f', step: unary('RSQRT') },
  SQUARE: { types: 'f', step: unary('SQUARE', ['SquareOptions', {}]) },
  EXP: { types: 'f', step: unary('EXP', ['ExpOptions', {}]) },
  LOG: { types: 'f', step: unary('LOG') },
  SIN: { types: 'f', step: unary('SIN') },
  COS: { types: 'f', step: unary('COS', ['CosOptions', {}]) },
  FLOOR: { types: 'f', step: unary('FLOOR') },
  CEIL: { types: 'f', step: unary('CEIL') },
  ROUND: { types: 'f', step: unary('ROUND') },
  QUANTIZE: { types: 'f8', step: requantize },
  CONCATENATION: { types: 'f8w', step: concatenation },
  RESIZE_NEAREST_NEIGHBOR: { types: 'f8w', step: resize('RESIZE_NEAREST_NEIGHBOR', 'ResizeNearestNeighborOptions') },
  RESIZE_BILINEAR: { types: 'f8', step: resize('RESIZE_BILINEAR', 'ResizeBilinearOptions') },
  SPACE_TO_DEPTH: { types: 'f8', step: spaceToDepth },
  DEPTH_TO_SPACE: { types: 'f8', step: depthToSpace },
  TRANSPOSE_CONV: { types: 'f8w', step: transposed },
};
export const OPERATORS = Object.keys(STEPS);
const LETTER = { FLOAT32: 'f', INT8: '8', INT16: 'w' };
/** These are taken more often: what they do to rows is where mistakes are made. */
const SPATIAL = ['CONV_2D', 'CONV_2D', 'DEPTHWISE_CONV_2D', 'DEPTHWISE_CONV_2D', 'MAX_POOL_2D', 'AVERAGE_POOL_2D', 'PAD', 'TRANSPOSE_CONV', 'RESIZE_NEAREST_NEIGHBOR', 'RESIZE_BILINEAR'];

/**
 * @typedef {object} RandomModel
 * @property {Uint8Array} bytes
 * @property {string[]} ops
 * @property {string} window  for the rewriter: operators, strips and marks
 */

/** @param {number} seed @returns {RandomModel} */
export function randomModel(seed) {
  const random = new Random(seed);
  const m = new Maker(random);
  const flat = random.chance(12);
  const first = m.value([1, flat ? 1 : random.int(6, 20), random.int(flat ? 12 : 3, flat ? 30 : 9), random.int(1, 4)], random.pick(/** @type {Type[]} */ (['FLOAT32', 'INT8', 'INT8', 'INT16'])));
  const made = [first];
  let x = first;
  const steps = random.int(3, 9);
  for (let tries = 0; m.operators.length < steps && tries < 60; tries++) {
    const op = random.chance(55) ? random.pick(SPATIAL) : random.pick(OPERATORS);
    const { types, step } = /** @type {{ types: string, step: Step }} */ (STEPS[op]);
    if (!types.includes(LETTER[x.type])) continue;
    // Now and then an earlier value goes on: what has been made since becomes a branch.
    const from = random.chance(20) ? random.pick(made) : x;
    if (!types.includes(LETTER[from.type])) continue;
    const output = step(m, from, made.filter((value) => value !== from).reverse());
    if (output === null) continue;
    made.push(output);
    x = output;
  }
  // What nobody reads is an output.
  const read = new Set(m.operators.flatMap(({ inputs }) => inputs));
  const unread = made.filter(({ index }) => index !== first.index && !read.has(index));
  const outputs = [...unread, ...(random.chance(15) ? [random.pick(made.slice(1))] : [])].map(({ index }) => index);
  const model = { tensors: m.tensors, operators: m.operators, inputs: [first.index], outputs: [...new Set(outputs)] };
  return { bytes: buildModel(model), ops: m.operators.map(({ op }) => op), window: randomWindow(random, m) };
}

/** @param {Random} random @param {Maker} maker */
function randomWindow(random, { operators }) {
  const last = operators.length - 1;
  const from = random.chance(50) ? 0 : random.int(0, last);
  const to = random.chance(50) ? last : random.int(from, last);
  const some = (/** @type {number[]} */ list, /** @type {number} */ percent) => list.filter(() => random.chance(percent));
  const inside = operators.map((_, i) => i).slice(from, to + 1);
  const exact = random.chance(50) ? some(inside.filter((i) => /CONV|SPACE_TO_DEPTH/.test(operators[i]?.op)), 40) : [];
  const trim = random.chance(50) ? some(inside.flatMap((i) => operators[i]?.outputs), 30) : [];
  const strips = random.chance(10) ? random.int(9, 14) : random.int(2, 5);
  return `${from}-${to}:${strips}${exact.length ? `:exact=${exact}` : ''}${trim.length ? `:trim=${trim}` : ''}`;
}

// Operators that make each output value of one value of each input.
import { activationRange, clamp, multiplierOf, rangeOf, round, scaled } from './fixed-point.js';

/** @typedef {import('../interpreter.js').Tensor} Tensor */
/** @typedef {import('../interpreter.js').Kernel} Kernel */

/** Where each output element finds its value in an input that may be broadcast. @param {Tensor} input @param {Tensor} output @returns {Int32Array} */
export function broadcast(input, output) {
  const rank = output.shape.length;
  const shape = [...Array(rank - input.shape.length).fill(1), ...input.shape];
  const places = new Int32Array(output.data.length);
  const steps = shape.map((extent, d) => (extent === 1 ? 0 : shape.slice(d + 1).reduce((a, b) => a * b, 1)));
  const at = Array(rank).fill(0);
  for (let i = 0, from = 0; i < places.length; i++) {
    places[i] = from;
    for (let d = rank - 1; d >= 0; d--) {
      from += steps[d];
      if (++at[d] < output.shape[d]) break;
      from -= steps[d] * output.shape[d];
      at[d] = 0;
    }
  }
  return places;
}

/**
 * @param {(a: number, b: number) => number} real
 * @param {(a: Tensor, b: Tensor, output: Tensor) => (x: number, y: number) => number} quantized
 * @returns {Kernel}
 */
const binary = (real, quantized) => ([a, b], [output], o) => {
  const [inA, inB] = [broadcast(a, output), broadcast(b, output)];
  const range = activationRange(o.fused_activation_function, output);
  const apply = output.type === 'FLOAT32' ? (/** @type {number} */ x, /** @type {number} */ y) => Math.fround(real(x, y)) : quantized(a, b, output);
  for (let i = 0; i < output.data.length; i++) output.data[i] = clamp(apply(a.data[inA[i]], b.data[inB[i]]), range);
};

/** Both inputs on one scale with room for the sum: 20 bits to the left, of int16 15. @param {(x: number, y: number) => number} op */
const summed = (op) => (/** @type {Tensor} */ a, /** @type {Tensor} */ b, /** @type {Tensor} */ output) => {
  const left = 2 ** (output.type === 'INT16' ? 15 : 20);
  const twice = 2 * Math.max(a.scale, b.scale);
  const [mA, mB, mOut] = [a.scale / twice, b.scale / twice, twice / (left * output.scale)].map(multiplierOf);
  return (/** @type {number} */ x, /** @type {number} */ y) =>
    output.zero + scaled(op(scaled((x - a.zero) * left, mA), scaled((y - b.zero) * left, mB)), mOut);
};

export const ADD = binary((x, y) => x + y, summed((x, y) => x + y));
export const SUB = binary((x, y) => x - y, summed((x, y) => x - y));
export const MUL = binary((x, y) => x * y, (a, b, output) => {
  const multiplier = multiplierOf((a.scale * b.scale) / output.scale);
  return (x, y) => output.zero + scaled((x - a.zero) * (y - b.zero), multiplier);
});
export const SQUARED_DIFFERENCE = binary((x, y) => Math.fround(x - y) ** 2, (a, b, output) => onReals((x, y) => (x - y) ** 2, [a, b], output));
export const DIV = binary((x, y) => x / y, (a, b, output) => onReals((x, y) => x / y, [a, b], output));
export const MAXIMUM = binary(Math.max, () => Math.max);
export const MINIMUM = binary(Math.min, () => Math.min);

/** A function of real numbers between the inputs' scales and the output's. @param {(...reals: number[]) => number} f @param {Tensor[]} inputs @param {Tensor} output */
function onReals(f, inputs, output) {
  const range = rangeOf(output.type);
  return (/** @type {number[]} */ ...values) => {
    const real = f(...values.map((value, i) => (value - inputs[i].zero) * inputs[i].scale));
    return clamp(round(real / output.scale) + output.zero || 0, range);
  };
}

/** @param {(x: number, o: any) => number} f @param {(input: Tensor, output: Tensor, o: any) => (x: number) => number} [quantized] @returns {Kernel} */
const unary = (f, quantized) => ([input], [output], o) => {
  const apply = output.type === 'FLOAT32' ? (/** @type {number} */ x) => Math.fround(f(x, o)) : (quantized?.(input, output, o) ?? onReals((x) => f(x, o), [input], output));
  for (let i = 0; i < output.data.length; i++) output.data[i] = apply(input.data[i]);
};

/** Rescaled, then kept between two real numbers. @param {number} least @param {number} most */
const limited = (least, most) =>
  unary((x) => clamp(x, [least, most]), (input, output) => {
    const multiplier = multiplierOf(input.scale / output.scale);
    const [low, high] = rangeOf(output.type);
    const range = /** @type {[number, number]} */ ([Math.max(low, output.zero + round(least / output.scale)), Math.min(high, output.zero + round(most / output.scale))]);
    return (x) => clamp(output.zero + scaled(x - input.zero, multiplier), range);
  });

/** Positive and negative values have multipliers of their own. @param {Tensor} input @param {Tensor} output @param {number} alpha */
function leaky(input, output, alpha) {
  const [positive, negative] = [input.scale / output.scale, Math.abs((input.scale * alpha) / output.scale)].map(multiplierOf);
  const sign = Math.sign(alpha);
  return (/** @type {number} */ x) =>
    clamp(output.zero + (x >= input.zero ? scaled(x - input.zero, positive) : sign * scaled(x - input.zero, negative)), rangeOf(output.type));
}

export const RELU = limited(0, Infinity);
export const RELU6 = limited(0, 6);
export const RELU_N1_TO_1 = limited(-1, 1);
export const LEAKY_RELU = unary((x, o) => (x >= 0 ? x : x * Math.fround(o.alpha ?? 0)), (input, output, o) => leaky(input, output, o.alpha ?? 0));
export const LOGISTIC = unary((x) => 1 / (1 + Math.exp(-x)));
export const TANH = unary(Math.tanh);
export const HARD_SWISH = unary((x) => (x * clamp(x + 3, [0, 6])) / 6);
export const ELU = unary((x) => (x < 0 ? Math.expm1(x) : x));
export const ABS = unary(Math.abs);
export const NEG = unary((x) => -x);
export const SQRT = unary(Math.sqrt);
export const RSQRT = unary((x) => 1 / Math.sqrt(x));
export const SQUARE = unary((x) => x * x);
export const EXP = unary(Math.exp);
export const LOG = unary(Math.log);
export const SIN = unary(Math.sin);
export const COS = unary(Math.cos);
export const FLOOR = unary(Math.floor);
export const CEIL = unary(Math.ceil);

/** Half to even. */
export const ROUND = unary((x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x)));

/** @type {Kernel} */
export function PRELU([input, alpha], [output]) {
  const [inInput, inAlpha] = [broadcast(input, output), broadcast(alpha, output)];
  const [positive, negative] = [input.scale / output.scale, (input.scale * alpha.scale) / output.scale].map(multiplierOf);
  for (let i = 0; i < output.data.length; i++) {
    const [x, a] = [input.data[inInput[i]], alpha.data[inAlpha[i]]];
    if (output.type === 'FLOAT32') output.data[i] = x >= 0 ? x : x * a;
    else output.data[i] = clamp(output.zero + (x >= input.zero ? scaled(x - input.zero, positive) : scaled((x - input.zero) * (a - alpha.zero), negative)), rangeOf(output.type));
  }
}

/** @type {Kernel} */
export function QUANTIZE([input], [output]) {
  const range = rangeOf(output.type);
  const multiplier = multiplierOf(input.scale / output.scale);
  for (let i = 0; i < output.data.length; i++)
    output.data[i] = clamp(output.zero + (input.type === 'FLOAT32' ? round(Math.fround(input.data[i] / output.scale)) : scaled(input.data[i] - input.zero, multiplier)), range);
}

/** @type {Kernel} */
export function DEQUANTIZE([input], [output]) {
  for (let i = 0; i < output.data.length; i++) output.data[i] = (input.data[i] - input.zero) * input.scale;
}

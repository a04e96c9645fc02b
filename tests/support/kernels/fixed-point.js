// Quantized arithmetic as the reference kernels of TensorFlow Lite define it.

/**
 * @typedef {import('../interpreter.js').Tensor} Tensor
 * @typedef {{ value: number, shift: number }} Multiplier  value / 2^31 * 2^shift
 */

const ONE = 2n ** 31n;
const HALF = 2n ** 30n;

/** The least and the greatest value of a type. @param {string} type @returns {[number, number]} */
export function rangeOf(type) {
  if (type === 'INT8') return [-128, 127];
  if (type === 'INT16') return [-32768, 32767];
  if (type === 'INT32') return [-(2 ** 31), 2 ** 31 - 1];
  if (type === 'UINT8') return [0, 255];
  return [-Infinity, Infinity];
}

/** @param {number} value @param {readonly [number, number]} range */
export const clamp = (value, [least, most]) => Math.min(Math.max(value, least), most);

/** Half away from zero, as C's round(). @param {number} value */
export const round = (value) => (value < 0 ? -Math.round(-value) : Math.round(value));

/** A positive real number as 31 bits and a shift. @param {number} real @returns {Multiplier} */
export function multiplierOf(real) {
  if (real === 0) return { value: 0, shift: 0 };
  let shift = 0;
  let fraction = real;
  for (; fraction >= 1; shift++) fraction /= 2;
  for (; fraction < 0.5; shift--) fraction *= 2;
  let value = round(fraction * 2 ** 31);
  if (value === 2 ** 31) [value, shift] = [2 ** 30, shift + 1];
  return shift < -31 ? { value: 0, shift: 0 } : { value, shift };
}

/** 32 bits: the high half of the doubled product, rounded, then a rounding shift to the right. @param {number} x @param {Multiplier} m */
export function scaled(x, { value, shift }) {
  const product = BigInt(x) * 2n ** BigInt(Math.max(shift, 0)) * BigInt(value);
  const high = Number((product + (product >= 0n ? HALF : 1n - HALF)) / ONE);
  const right = Math.max(-shift, 0);
  if (right === 0) return high;
  const unit = 2 ** right;
  const whole = Math.floor(high / unit);
  const rest = high - whole * unit;
  return whole + (rest > unit / 2 - 1 + (high < 0 ? 1 : 0) ? 1 : 0);
}

/** 64 bits, for accumulators of int16 convolutions: with 15 bits of the multiplier. @param {number} x @param {Multiplier} m */
export function scaledWide(x, { value, shift }) {
  const reduced = value < 0x7fff0000 ? (value + 2 ** 15) >> 16 : 0x7fff;
  const right = BigInt(15 - shift);
  return Number((BigInt(x) * BigInt(reduced) + 2n ** (right - 1n)) >> right);
}

const NONE = 0;
const RELU = 1;
const RELU_N1_TO_1 = 2;
const RELU6 = 3;

/** What a fused activation leaves of the output's range. @param {number | undefined} activation @param {Tensor} output @returns {[number, number]} */
export function activationRange(activation, output) {
  const [least, most] = rangeOf(output.type);
  const at = (/** @type {number} */ real) => (output.type === 'FLOAT32' ? real : output.zero + round(real / output.scale));
  switch (activation ?? NONE) {
    case NONE: return [least, most];
    case RELU: return [Math.max(least, at(0)), most];
    case RELU_N1_TO_1: return [Math.max(least, at(-1)), Math.min(most, at(1))];
    case RELU6: return [Math.max(least, at(0)), Math.min(most, at(6))];
    default: throw new Error(`no activation ${activation}`);
  }
}

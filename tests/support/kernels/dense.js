// What stands at the end of networks.
import { activationRange, clamp, multiplierOf, rangeOf, round, scaled, scaledWide } from './fixed-point.js';

/** @typedef {import('../interpreter.js').Kernel} Kernel */

/** @type {Kernel} */
export function FULLY_CONNECTED([input, weights, bias], [output], o) {
  const [channels, inner] = weights.shape;
  const range = activationRange(o.fused_activation_function, output);
  const float = output.type === 'FLOAT32';
  const add = float ? Math.fround : (/** @type {number} */ v) => v;
  const multipliers = float ? [] : weights.scales.map((scale) => multiplierOf((input.scale * scale) / output.scale));
  const scale = output.type === 'INT16' ? scaledWide : scaled;
  for (let i = 0; i < output.data.length; i++) {
    const c = i % channels;
    const from = Math.floor(i / channels) * inner;
    let sum = 0;
    for (let k = 0; k < inner; k++) sum = add(sum + add((input.data[from + k] - input.zero) * (weights.data[c * inner + k] - weights.zero)));
    sum = add(sum + (bias ? bias.data[c] : 0));
    output.data[i] = clamp(float ? sum : scale(sum, multipliers[multipliers.length > 1 ? c : 0]) + output.zero, range);
  }
}

/** @type {Kernel} */
export function SOFTMAX([input], [output], o) {
  const n = input.shape[input.shape.length - 1];
  for (let from = 0; from < input.data.length; from += n) {
    const reals = Array.from({ length: n }, (_, i) => (input.data[from + i] - input.zero) * input.scale * (o.beta ?? 0));
    const most = Math.max(...reals);
    const parts = reals.map((real) => Math.exp(real - most));
    const sum = parts.reduce((a, b) => a + b, 0);
    parts.forEach((part, i) => {
      output.data[from + i] = output.type === 'FLOAT32' ? part / sum : clamp(round(part / sum / output.scale) + output.zero, rangeOf(output.type));
    });
  }
}

/** @type {Kernel} */
export function MEAN([input, axes], [output]) {
  const rank = input.shape.length;
  const reduced = new Set(Array.from(axes.data, (axis) => (Number(axis) + rank) % rank));
  const kept = input.shape.map((extent, d) => (reduced.has(d) ? 1 : extent));
  const sums = new Float64Array(output.data.length);
  const at = input.shape.map(() => 0);
  for (let flat = 0; flat < input.data.length; flat++) {
    const to = at.reduce((sum, index, d) => sum * kept[d] + (reduced.has(d) ? 0 : index), 0);
    sums[to] += input.data[flat];
    for (let d = rank - 1; d >= 0 && ++at[d] === input.shape[d]; d--) at[d] = 0;
  }
  const n = input.data.length / output.data.length;
  sums.forEach((sum, i) => {
    const real = (sum / n - input.zero) * input.scale;
    output.data[i] = output.type === 'FLOAT32' ? sum / n : clamp(round(real / output.scale) + output.zero, rangeOf(output.type));
  });
}

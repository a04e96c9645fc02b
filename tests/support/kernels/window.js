// Operators whose outputs each see a window of rows and columns.
import { activationRange, clamp, multiplierOf, scaled, scaledWide } from './fixed-point.js';

/** @typedef {import('../interpreter.js').Tensor} Tensor */
/** @typedef {import('../interpreter.js').Kernel} Kernel */

const SAME = 0;

/**
 * @typedef {{ stride: number, dilation: number, filter: number, before: number }} Window  on one axis
 */

/** @param {number} rows @param {number} outputs @param {number} stride @param {number} dilation @param {number} filter @param {number} padding @returns {Window} */
function windowOf(rows, outputs, stride, dilation, filter, padding) {
  const reach = (filter - 1) * dilation + 1;
  const total = padding === SAME ? Math.max(0, (Math.ceil(rows / stride) - 1) * stride + reach - rows) : 0;
  const expected = padding === SAME ? Math.ceil(rows / stride) : Math.floor((rows - reach) / stride) + 1;
  if (outputs !== expected) throw new Error(`${outputs} outputs of ${rows} rows, not ${expected}`);
  return { stride, dilation, filter, before: Math.floor(total / 2) };
}

/** Filter and input positions of an output that lie inside. @param {Window} w @param {number} output @param {number} rows @returns {[number, number][]} */
function taps({ stride, dilation, filter, before }, output, rows) {
  /** @type {[number, number][]} */
  const inside = [];
  for (let k = 0; k < filter; k++) {
    const at = output * stride - before + k * dilation;
    if (at >= 0 && at < rows) inside.push([k, at]);
  }
  return inside;
}

/** How an accumulator becomes an output of channel c. @param {Tensor} input @param {Tensor} filter @param {Tensor} output @param {number | undefined} activation */
function finish(input, filter, output, activation) {
  const range = activationRange(activation, output);
  if ((input.type === 'FLOAT32') !== (filter.type === 'FLOAT32')) throw new Error('the interpreter has no hybrid convolution');
  if (output.type === 'FLOAT32') return (/** @type {number} */ sum) => Math.fround(clamp(sum, range));
  const multipliers = filter.scales.map((scale) => multiplierOf((input.scale * scale) / output.scale));
  const scale = output.type === 'INT16' ? scaledWide : scaled;
  return (/** @type {number} */ sum, /** @type {number} */ c) => {
    const multiplier = multipliers[multipliers.length > 1 ? c : 0];
    return clamp(scale(sum, /** @type {import('./fixed-point.js').Multiplier} */ (multiplier)) + output.zero, range);
  };
}

/** @type {Kernel} */
export function CONV_2D([input, filter, bias], [output], o) {
  const [batches, rows, columns, depth] = input.shape;
  const [channels, height, width, inner] = filter.shape;
  const y = windowOf(rows, output.shape[1], o.stride_h, o.dilation_h_factor ?? 1, height, o.padding ?? SAME);
  const x = windowOf(columns, output.shape[2], o.stride_w, o.dilation_w_factor ?? 1, width, o.padding ?? SAME);
  const end = finish(input, filter, output, o.fused_activation_function);
  const add = input.type === 'FLOAT32' ? Math.fround : (/** @type {number} */ v) => v;
  const groups = depth / inner;
  let to = 0;
  for (let b = 0; b < batches; b++)
    for (let oy = 0; oy < output.shape[1]; oy++) {
      const ys = taps(y, oy, rows);
      for (let ox = 0; ox < output.shape[2]; ox++) {
        const xs = taps(x, ox, columns);
        for (let c = 0; c < channels; c++) {
          let sum = 0;
          const first = Math.floor(c / (channels / groups)) * inner;
          for (const [ky, iy] of ys)
            for (const [kx, ix] of xs) {
              const from = ((b * rows + iy) * columns + ix) * depth + first;
              const weight = ((c * height + ky) * width + kx) * inner;
              for (let i = 0; i < inner; i++) sum = add(sum + add((input.data[from + i] - input.zero) * filter.data[weight + i]));
            }
          output.data[to++] = end(add(sum + (bias ? bias.data[c] : 0)), c);
        }
      }
    }
}

/** @type {Kernel} */
export function DEPTHWISE_CONV_2D([input, filter, bias], [output], o) {
  const [batches, rows, columns, depth] = input.shape;
  const [, height, width, channels] = filter.shape;
  const y = windowOf(rows, output.shape[1], o.stride_h, o.dilation_h_factor ?? 1, height, o.padding ?? SAME);
  const x = windowOf(columns, output.shape[2], o.stride_w, o.dilation_w_factor ?? 1, width, o.padding ?? SAME);
  const end = finish(input, filter, output, o.fused_activation_function);
  const add = input.type === 'FLOAT32' ? Math.fround : (/** @type {number} */ v) => v;
  const times = channels / depth;
  let to = 0;
  for (let b = 0; b < batches; b++)
    for (let oy = 0; oy < output.shape[1]; oy++) {
      const ys = taps(y, oy, rows);
      for (let ox = 0; ox < output.shape[2]; ox++) {
        const xs = taps(x, ox, columns);
        for (let c = 0; c < channels; c++) {
          let sum = 0;
          const i = Math.floor(c / times);
          for (const [ky, iy] of ys)
            for (const [kx, ix] of xs)
              sum = add(sum + add((input.data[((b * rows + iy) * columns + ix) * depth + i] - input.zero) * filter.data[(ky * width + kx) * channels + c]));
          output.data[to++] = end(add(sum + (bias ? bias.data[c] : 0)), c);
        }
      }
    }
}

/** @param {(values: number[], output: Tensor) => number} reduce @returns {Kernel} */
const pool = (reduce) => ([input], [output], o) => {
  const [batches, rows, columns, depth] = input.shape;
  const y = windowOf(rows, output.shape[1], o.stride_h, 1, o.filter_height, o.padding ?? SAME);
  const x = windowOf(columns, output.shape[2], o.stride_w, 1, o.filter_width, o.padding ?? SAME);
  const range = activationRange(o.fused_activation_function, output);
  let to = 0;
  for (let b = 0; b < batches; b++)
    for (let oy = 0; oy < output.shape[1]; oy++)
      for (let ox = 0; ox < output.shape[2]; ox++)
        for (let c = 0; c < depth; c++) {
          const values = [];
          for (const [, iy] of taps(y, oy, rows))
            for (const [, ix] of taps(x, ox, columns)) values.push(input.data[((b * rows + iy) * columns + ix) * depth + c]);
          output.data[to++] = clamp(reduce(values, output), range);
        }
};

export const MAX_POOL_2D = pool((values) => Math.max(...values));

/** Integers are rounded half away from zero. */
export const AVERAGE_POOL_2D = pool((values, { type }) => {
  if (type === 'FLOAT32') return Math.fround(values.reduce((sum, value) => Math.fround(sum + value), 0) / values.length);
  const sum = values.reduce((a, b) => a + b, 0);
  const half = Math.floor(values.length / 2);
  return Math.trunc((sum > 0 ? sum + half : sum - half) / values.length);
});

/** @type {Kernel} */
export function TRANSPOSE_CONV([, filter, input, bias], [output], o) {
  const [batches, rows, columns, depth] = input.shape;
  const [, height, width, channels] = [0, ...filter.shape.slice(1, 3), filter.shape[0]];
  const [, outRows, outColumns] = output.shape;
  const before = (/** @type {number} */ outputs, /** @type {number} */ stride, /** @type {number} */ k) =>
    (o.padding ?? SAME) === SAME ? Math.floor(Math.max(0, (Math.ceil(outputs / stride) - 1) * stride + k - outputs) / 2) : 0;
  const [top, left] = [before(outRows, o.stride_h, height), before(outColumns, o.stride_w, width)];
  const end = finish(input, filter, output, o.fused_activation_function);
  const add = input.type === 'FLOAT32' ? Math.fround : (/** @type {number} */ v) => v;
  const sums = new Float64Array(output.data.length);
  for (let b = 0; b < batches; b++)
    for (let iy = 0; iy < rows; iy++)
      for (let ix = 0; ix < columns; ix++)
        for (let i = 0; i < depth; i++) {
          const value = input.data[((b * rows + iy) * columns + ix) * depth + i] - input.zero;
          for (let ky = 0; ky < height; ky++) {
            const oy = iy * o.stride_h - top + ky;
            if (oy < 0 || oy >= outRows) continue;
            for (let kx = 0; kx < width; kx++) {
              const ox = ix * o.stride_w - left + kx;
              if (ox < 0 || ox >= outColumns) continue;
              for (let c = 0; c < channels; c++) {
                const to = ((b * outRows + oy) * outColumns + ox) * channels + c;
                sums[to] = add(sums[to] + add(value * filter.data[((c * height + ky) * width + kx) * depth + i]));
              }
            }
          }
        }
  sums.forEach((sum, to) => {
    const c = to % channels;
    output.data[to] = end(add(sum + (bias ? bias.data[c] : 0)), c);
  });
}

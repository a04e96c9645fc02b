// Operators that only put values elsewhere, and resizings.
import { broadcast } from './elementwise.js';
import { clamp, rangeOf, round } from './fixed-point.js';

/** @typedef {import('../interpreter.js').Tensor} Tensor */
/** @typedef {import('../interpreter.js').Kernel} Kernel */

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Calls `each` with every index of a shape and its flat place. @param {readonly number[]} shape @param {(at: number[], flat: number) => void} each */
function visit(shape, each) {
  const at = shape.map(() => 0);
  for (let flat = 0; flat < sizeOf(shape); flat++) {
    each(at, flat);
    for (let d = shape.length - 1; d >= 0 && ++at[d] === shape[d]; d--) at[d] = 0;
  }
}

/** @param {readonly number[]} shape @param {readonly number[]} at */
const flatOf = (shape, at) => at.reduce((flat, index, d) => flat * shape[d] + index, 0);

/** @type {Kernel} */
function pad([input, paddings, value], [output]) {
  const before = input.shape.map((_, d) => Number(paddings.data[2 * d]));
  input.shape.forEach((extent, d) => {
    const expected = extent + before[d] + Number(paddings.data[2 * d + 1]);
    if (output.shape[d] !== expected) throw new Error(`dimension ${d} of a PAD is ${output.shape[d]}, not ${expected}`);
  });
  output.data.fill(value ? value.data[0] : output.zero);
  visit(input.shape, (at, flat) => {
    output.data[flatOf(output.shape, at.map((index, d) => index + before[d]))] = input.data[flat];
  });
}
export { pad as PAD, pad as PADV2 };

/** @type {Kernel} */
export function SLICE([input, begin, size], [output]) {
  const first = input.shape.map((_, d) => Number(begin.data[d]));
  output.shape.forEach((extent, d) => {
    const expected = Number(size.data[d]) === -1 ? input.shape[d] - first[d] : Number(size.data[d]);
    if (first[d] < 0 || extent !== expected || first[d] + extent > input.shape[d]) throw new Error(`dimension ${d} of a SLICE goes outside, or is ${extent}, not ${expected}`);
  });
  visit(output.shape, (at, flat) => {
    output.data[flat] = input.data[flatOf(input.shape, at.map((index, d) => index + first[d]))];
  });
}

/** Inputs of other scales are rescaled. @type {Kernel} */
export function CONCATENATION(inputs, [output], o) {
  const rank = output.shape.length;
  const axis = ((o.axis ?? 0) + rank) % rank;
  const total = inputs.reduce((sum, { shape }) => sum + shape[axis], 0);
  if (total !== output.shape[axis]) throw new Error(`a CONCATENATION makes ${total}, not ${output.shape[axis]}`);
  let from = 0;
  for (const input of inputs) {
    if (input.shape.some((extent, d) => d !== axis && extent !== output.shape[d])) throw new Error('inputs of a CONCATENATION differ in shape');
    const alike = output.type === 'FLOAT32' || (input.scale === output.scale && input.zero === output.zero);
    visit(input.shape, (at, flat) => {
      const to = flatOf(output.shape, at.map((index, d) => (d === axis ? index + from : index)));
      const value = input.data[flat];
      output.data[to] = alike ? value : clamp(round(((value - input.zero) * input.scale) / output.scale) + output.zero, rangeOf(output.type));
    });
    from += input.shape[axis];
  }
}

/** @type {Kernel} */
export function RESIZE_NEAREST_NEIGHBOR([input], [output], o) {
  const source = [1, 2].map((d) => (/** @type {number} */ at) => {
    const scale = o.align_corners && output.shape[d] > 1 ? (input.shape[d] - 1) / (output.shape[d] - 1) : input.shape[d] / output.shape[d];
    const place = (at + (o.half_pixel_centers ? 0.5 : 0)) * scale;
    return Math.min(Math.max(o.align_corners ? round(place) : Math.floor(place), 0), input.shape[d] - 1);
  });
  visit(output.shape, ([b, y, x, c], flat) => {
    output.data[flat] = input.data[flatOf(input.shape, [b, source[0](y), source[1](x), c])];
  });
}

/** Integers: places in 1/1024 of a row. @type {Kernel} */
export function RESIZE_BILINEAR([input], [output], o) {
  const between = [1, 2].map((d) => (/** @type {number} */ at) => {
    const scale = o.align_corners && output.shape[d] > 1 ? (input.shape[d] - 1) / (output.shape[d] - 1) : input.shape[d] / output.shape[d];
    const place = o.half_pixel_centers ? (at + 0.5) * scale - 0.5 : at * scale;
    const [low, high] = [Math.max(Math.floor(place), 0), Math.min(Math.ceil(place), input.shape[d] - 1)];
    return { low, high, part: output.type === 'FLOAT32' ? Math.fround(place - low) : Math.floor(place * 1024 + 0.5) - low * 1024 };
  });
  const unit = output.type === 'FLOAT32' ? 1 : 1024;
  visit(output.shape, ([b, oy, ox, c], flat) => {
    const [y, x] = [between[0](oy), between[1](ox)];
    const at = (/** @type {number} */ iy, /** @type {number} */ ix) => input.data[flatOf(input.shape, [b, iy, ix, c])];
    const sum =
      at(y.low, x.low) * (unit - y.part) * (unit - x.part) +
      at(y.high, x.low) * y.part * (unit - x.part) +
      at(y.low, x.high) * (unit - y.part) * x.part +
      at(y.high, x.high) * y.part * x.part;
    output.data[flat] = unit === 1 ? sum : round(sum / (unit * unit));
  });
}

/** @type {Kernel} */
export function SPACE_TO_DEPTH([input], [output], { block_size: block }) {
  const depth = input.shape[3];
  visit(input.shape, ([b, y, x, c], flat) => {
    const inner = (y % block) * block + (x % block);
    output.data[flatOf(output.shape, [b, Math.floor(y / block), Math.floor(x / block), inner * depth + c])] = input.data[flat];
  });
}

/** @type {Kernel} */
export function DEPTH_TO_SPACE([input], [output], { block_size: block }) {
  const depth = output.shape[3];
  visit(output.shape, ([b, y, x, c], flat) => {
    const inner = (y % block) * block + (x % block);
    output.data[flat] = input.data[flatOf(input.shape, [b, Math.floor(y / block), Math.floor(x / block), inner * depth + c])];
  });
}

/** @type {Kernel} */
export function RESHAPE([input], [output]) {
  output.data.set(input.data);
}

/** @type {Kernel} */
export function TRANSPOSE([input, order], [output]) {
  visit(output.shape, (at, flat) => {
    const from = Array(at.length).fill(0);
    at.forEach((index, d) => (from[Number(order.data[d])] = index));
    output.data[flat] = input.data[flatOf(input.shape, from)];
  });
}

/** @type {Kernel} */
export function BROADCAST_TO([input], [output]) {
  broadcast(input, output).forEach((from, i) => (output.data[i] = input.data[from]));
}

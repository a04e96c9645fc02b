// A plain interpreter for .tflite models: every operator that a window of strips may hold, and a few that stand around
// it, in float32, int8 and int16. It exists to compare two files byte by byte, so each output value depends on nothing
// but the values the operator's definition names. Integer arithmetic is that of the reference kernels; functions that
// kernels look up in tables (LOGISTIC, TANH, EXP, ...) are rounded from real numbers.
import { fill, numbers } from '../../wasm/cli/litert.js';
import { decodeModel, OPERATORS } from './model-builder.js';
import { TENSOR_TYPES } from './tflite-schema.js';
import * as dense from './kernels/dense.js';
import * as elementwise from './kernels/elementwise.js';
import * as layout from './kernels/layout.js';
import * as window from './kernels/window.js';

/**
 * @typedef {object} Tensor
 * @property {string} type
 * @property {number[]} shape
 * @property {any} data  a typed array
 * @property {number} scale  of the first channel; 1 without quantization
 * @property {number} zero
 * @property {number[]} scales
 *
 * @typedef {(inputs: Tensor[], outputs: Tensor[], options: any) => void} Kernel  where an input is absent, there is none
 */

const { broadcast: _, ...onEach } = elementwise;
/** @type {Record<string, Kernel>} */
const KERNELS = { ...dense, ...onEach, ...layout, ...window };

/** @type {Record<string, any>} */
const ARRAYS = { FLOAT32: Float32Array, INT8: Int8Array, INT16: Int16Array, INT32: Int32Array, UINT8: Uint8Array, INT64: BigInt64Array, BOOL: Uint8Array };

const nameOf = (/** @type {Record<string, number>} */ numbers, /** @type {number} */ number) => Object.keys(numbers).find((name) => numbers[name] === number) ?? `${number}`;

/** Two in a byte, the lower half first. @param {Uint8Array} bytes @param {number} n */
function unpackInt4(bytes, n) {
  return Int8Array.from({ length: n }, (_, i) => ((Number(bytes[i >> 1]) >> (4 * (i & 1))) << 28) >> 28);
}

/** @param {any} raw @param {any[]} buffers @returns {Tensor & { constant: boolean }} */
function makeTensor(raw, buffers) {
  const type = nameOf(TENSOR_TYPES, raw.type ?? 0);
  const shape = [...(raw.shape ?? [])];
  const n = shape.reduce((a, b) => a * b, 1);
  const bytes = buffers[raw.buffer ?? 0]?.data;
  // What a float tensor's quantization says is history.
  const { scale = [], zero_point: zero = [] } = (type !== 'FLOAT32' && raw.quantization) || {};
  const common = { shape, scale: scale[0] ?? 1, zero: zero[0] ?? 0, scales: scale.length ? [...scale] : [1] };
  if (type === 'INT4') return { ...common, type: 'INT8', data: unpackInt4(bytes, n), constant: true };
  const array = ARRAYS[type];
  if (array === undefined) throw new Error(`the interpreter has no type ${type}`);
  const constant = (bytes?.length ?? 0) > 0;
  const wide = constant ? new array(bytes.slice().buffer) : new array(n);
  return { ...common, type, constant, data: wide instanceof BigInt64Array ? Float64Array.from(wide, Number) : wide };
}

export class Interpreter {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const model = decodeModel(bytes);
    const [graph] = model.subgraphs;
    this.inputs = [...(graph.inputs ?? [])];
    this.outputs = [...(graph.outputs ?? [])];
    this.tensors = graph.tensors.map((/** @type {any} */ tensor) => makeTensor(tensor, model.buffers));
    this.nodes = (graph.operators ?? []).map((/** @type {any} */ operator) => {
      const code = model.operator_codes[operator.opcode_index ?? 0];
      const op = nameOf(OPERATORS, Math.max(code.deprecated_builtin_code ?? 0, code.builtin_code ?? 0));
      return { op, inputs: operator.inputs ?? [], outputs: operator.outputs ?? [], options: operator.builtin_options?.[1] ?? {} };
    });
    this.unknown = [...new Set(this.nodes.map((/** @type {any} */ { op }) => op).filter((/** @type {string} */ op) => !(op in KERNELS)))];
  }

  /**
   * @param {number} seed  of the inputs, which are those that LiteRT is given for it
   * @returns {Uint8Array[]} the bytes of each output
   */
  run(seed) {
    const next = numbers(seed);
    for (const t of this.inputs) {
      const { data, type } = this.tensors[t];
      fill(new DataView(data.buffer), type === 'FLOAT32' ? 'float32' : undefined, next);
    }
    for (const { op, inputs, outputs, options } of this.nodes) {
      const kernel = KERNELS[op];
      if (kernel === undefined) throw new Error(`the interpreter has no ${op}`);
      const at = (/** @type {number} */ t) => (t < 0 ? undefined : this.tensors[t]);
      kernel(inputs.map(at), outputs.map(at), options);
    }
    return this.outputs.map((t) => {
      const { data } = this.tensors[t];
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    });
  }
}

/**
 * The first output and seed at which two models differ; null: their outputs are the same byte by byte.
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 * @param {readonly number[]} seeds
 */
export function firstDifference(a, b, seeds) {
  const [one, other] = [new Interpreter(a), new Interpreter(b)];
  for (const seed of seeds) {
    const [left, right] = [one.run(seed), other.run(seed)];
    if (left.length !== right.length) return { seed, output: Math.min(left.length, right.length) };
    const output = left.findIndex((bytes, i) => Buffer.compare(bytes, /** @type {Uint8Array} */ (right[i])) !== 0);
    if (output >= 0) return { seed, output };
  }
  return null;
}

// What TensorFlow Lite Micro's arena must come to for a model of one operator, worked out from the requests that a
// test writes down as numbers: a second implementation of the arena's arithmetic, which shares nothing with the core.

/**
 * A number, or one for 64-bit and one for 32-bit pointers.
 * @typedef {number | [wide: number, narrow: number]} Bytes
 *
 * @typedef {object} Tensor
 * @property {string} type
 * @property {number[]} shape
 * @property {number} scales
 * @property {boolean} constant
 * @property {boolean} variable
 *
 * @typedef {object} Requests  what the operator is expected to take
 * @property {string} [builtin]  "8/4 8/4 2/1": bytes/alignment at lp64, ilp32, cortex-m; one stands for all
 * @property {Bytes[]} [init]
 * @property {Bytes[]} [prepare]
 * @property {Bytes[]} [scratch]
 * @property {string} [temporaries]  "i0 o0"
 */

const OBJECTS = {
  lp64: { pointer: 8, runtime: [[72, 8], [72, 8], [72, 8], [16, 8]], subgraph: [16, 8], evaluated: [24, 8], node: [64, 8], handle: [8, 8], tensor: [64, 8], quantization: [24, 8], request: 16, info: 32 },
  ilp32: { pointer: 4, runtime: [[36, 4], [44, 4], [36, 4], [8, 4]], subgraph: [8, 4], evaluated: [12, 4], node: [32, 4], handle: [4, 4], tensor: [40, 4], quantization: [12, 4], request: 12, info: 24 },
  'cortex-m': { pointer: 4, runtime: [[36, 4], [44, 4], [36, 4], [8, 4]], subgraph: [8, 4], evaluated: [12, 4], node: [32, 4], handle: [4, 4], tensor: [32, 4], quantization: [12, 4], request: 12, info: 24 },
};

/** @typedef {keyof typeof OBJECTS} Target */
const WHICH_BUILTIN = { lp64: 0, ilp32: 1, 'cortex-m': 2 };

/** TFLM's bytes of an element. @type {Record<string, number>} */
const ITEM = { FLOAT32: 4, FLOAT16: 2, INT32: 4, UINT8: 1, INT64: 8, BOOL: 1, INT16: 2, INT8: 1, INT4: 1, RESOURCE: 4 };

/** @param {number} value @param {number} align */
const up = (value, align) => Math.ceil(value / align) * align;

/** @param {Tensor} tensor */
export const bytesOf = ({ type, shape }) => shape.reduce((product, dim) => product * dim, ITEM[type]);

/** @param {Bytes} bytes @param {Target} target */
const pick = (bytes, target) => (typeof bytes === 'number' ? bytes : bytes[target === 'lp64' ? 0 : 1]);

/** The TfLiteTensors of an operator's Prepare, one behind the other. @param {Target} target @param {Tensor[]} tensors */
function temporaryBytes(target, tensors) {
  const { tensor, quantization } = OBJECTS[target];
  return tensors.reduce((end, { scales }) => {
    const plain = up(end, tensor[1]) + tensor[0];
    return scales === 0 ? plain : up(plain, quantization[1]) + quantization[0] + 4 + 4 * scales;
  }, 0);
}

/**
 * @param {Target} target
 * @param {Requests} requests
 * @param {{ inputs: (Tensor | null)[], outputs: Tensor[], outputBytes?: number[], free?: number }} model
 *   its tensors (the model has no inputs and outputs of its own), what its outputs take when that is not what their
 *   shapes in the file say, and how many of the other tensors' places the plan can do without (variables, handles)
 */
export function expectArena(target, requests, { inputs, outputs, outputBytes }) {
  const objects = OBJECTS[target];
  const tensors = /** @type {Tensor[]} */ ([...inputs.filter(Boolean), ...outputs]);
  const scratch = (requests.scratch ?? []).map((bytes) => pick(bytes, target));
  let tail = 0;
  /** @param {number} bytes @param {number} align */
  const take = (bytes, align) => (tail = up(tail + bytes, align));

  for (const [bytes, align] of objects.runtime) take(bytes, align);
  take(objects.subgraph[0], objects.subgraph[1]);
  take(objects.evaluated[0] * tensors.length, objects.evaluated[1]);
  take(objects.node[0], objects.node[1]);
  const builtins = requests.builtin?.split(' ') ?? [];
  const builtin = builtins.length === 1 ? builtins[0] : builtins[WHICH_BUILTIN[target]];
  if (builtin) {
    const [bytes, align] = builtin.split('/').map(Number);
    take(bytes, align);
  }
  for (const bytes of requests.init ?? []) take(pick(bytes, target), 16);
  for (const bytes of requests.prepare ?? []) take(pick(bytes, target), 16);
  const named = (requests.temporaries ?? '').split(' ').filter(Boolean);
  const asked = named.map((name) => (name[0] === 'i' ? inputs : outputs)[Number(name.slice(1))]);
  const present = /** @type {Tensor[]} */ (asked.filter(Boolean));
  const preparePeak = 12 * objects.request + temporaryBytes(target, present) + tail;

  if (scratch.length > 0) take(objects.handle[0] * scratch.length, objects.handle[1]);
  for (const tensor of tensors.filter(({ variable }) => variable)) take(bytesOf(tensor), 16);
  const planned = [
    ...tensors.flatMap((tensor, i) => {
      const k = i - (tensors.length - outputs.length);
      const bytes = k >= 0 ? (outputBytes?.[k] ?? bytesOf(tensor)) : bytesOf(tensor);
      return tensor.constant || tensor.variable || bytes === 0 ? [] : [up(bytes, 16)];
    }),
    ...scratch.map((bytes) => up(bytes, 16)),
  ];
  const lists = up(up(objects.request * (scratch.length + 12), objects.pointer) + objects.pointer, objects.pointer);
  const planPeak =
    up(tail, 16) + 40 * planned.length + up(lists + objects.info * (tensors.length + scratch.length), 16);
  take(0, 16); // the empty arrays of inputs and outputs

  return {
    tail,
    linearHead: planned.reduce((sum, bytes) => sum + bytes, 0),
    scratch: scratch.map((bytes) => up(bytes, 16)),
    /** @param {number} head */
    minArena: (head) => up(Math.max(head + tail, planPeak, preparePeak), 16),
    /** @param {number} head whether the temporaries are what decides */
    decidedByPrepare: (head) => up(preparePeak, 16) > up(Math.max(head + tail, planPeak), 16),
  };
}

/**
 * "INT8[2,3]", with "*4" = four scales and zero points (0: none; unless said, a number that differs from tensor to
 * tensor, so that temporaries can be told apart), "=" = a constant, "!" = a variable. null: absent.
 * @param {string | null} text @param {number} scales
 * @returns {Tensor | null}
 */
export function parseTensor(text, scales) {
  if (text === null) return null;
  const [, type, dims, own, marks] = /** @type {RegExpExecArray} */ (/^(\w+)\[([^\]]*)\](?:\*(\d+))?([=!]*)$/.exec(text));
  return {
    type,
    shape: dims === '' ? [] : dims.split(',').map(Number),
    scales: own === undefined ? scales : Number(own),
    constant: marks.includes('='),
    variable: marks.includes('!'),
  };
}

/** The tensor for the model builder. @param {Tensor} tensor @param {{ data?: Uint8Array, zeroPoint?: number }} [more] */
export function rawTensor(tensor, { data, zeroPoint = 0 } = {}) {
  const { type, shape, scales, constant, variable } = tensor;
  return {
    type,
    shape,
    ...(variable ? { is_variable: true } : {}),
    ...(constant ? { data: data ?? Math.max(1, Math.abs(bytesOf(tensor))) } : {}),
    ...(scales > 0
      ? { quantization: { scale: Array(scales).fill(0.5), zero_point: Array(scales).fill(zeroPoint) } }
      : {}),
  };
}

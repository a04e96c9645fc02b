/** Errors that teach: what is wrong, where, and what to do next. */

/** @typedef {import('../types.js').Failure} Failure */

const TITLES = /** @type {Record<string, string>} */ ({
  'not-a-model': 'This is no model that can be read here',
  truncated: 'The file ends too early',
  malformed: 'The file breaks the rules of its format',
  'bad-index': 'The file refers to something that is not there',
  'no-subgraph': 'The model is empty',
  'bad-syntax': 'The text cannot be read',
  'over-limit': 'A size is larger than can be planned',
  'out-of-memory': 'The sandbox ran out of memory',
  unsupported: 'This runtime does not plan this model',
  'refused-by-runtime': 'The runtime itself would refuse this model',
  crashed: 'The sandbox stopped',
});

const NEXT = /** @type {Record<string, string>} */ ({
  'not-a-model': 'Open a .tflite file, a buffer list as CSV, or a graph or plan as JSON.',
  truncated: 'Download or copy the file again: its end is missing.',
  malformed: 'Convert the model again, or check it with the tool that wrote it.',
  'bad-index': 'Convert the model again, or check it with the tool that wrote it.',
  'no-subgraph': 'Convert the model again: a model needs at least one subgraph.',
  unsupported: 'Choose another runtime.',
  'refused-by-runtime': 'Choose another runtime, or change the model.',
  'out-of-memory': 'Close other models, or open a smaller one.',
});

/** What the first bytes of other model formats look like. */
const OTHERS = /** @type {const} */ ([
  ['an ONNX file', (/** @type {Uint8Array} */ b) => b[0] === 0x08 && (b[1] ?? 99) < 20 && b[2] === 0x12, 'Convert it to .tflite, for example with onnx2tf.'],
  ['a zip archive (a PyTorch or Keras model)', (/** @type {Uint8Array} */ b) => b[0] === 0x50 && b[1] === 0x4b, 'Convert the model inside to .tflite.'],
  ['an HDF5 file (a Keras model)', (/** @type {Uint8Array} */ b) => b[0] === 0x89 && b[1] === 0x48 && b[2] === 0x44, 'Convert it to .tflite with the TensorFlow Lite converter.'],
  ['a web page', (/** @type {Uint8Array} */ b) => b[0] === 0x3c, 'Download the file itself, not the page about it.'],
  ['a gzip archive', (/** @type {Uint8Array} */ b) => b[0] === 0x1f && b[1] === 0x8b, 'Unpack it first.'],
]);

/**
 * @param {unknown} error
 * @param {Uint8Array} [bytes]  the file, to tell what else it may be
 * @returns {Failure}
 */
export function failureOf(error, bytes) {
  if (isFailure(error)) return bytes ? withKind(error, bytes) : error;
  const { message = String(error), code = 'failed' } = /** @type {{ message?: string, code?: string }} */ (error ?? {});
  const failure = {
    title: TITLES[code] ?? 'That did not work',
    text: message.charAt(0).toUpperCase() + message.slice(1),
    next: NEXT[code] ?? '',
    detail: `${code}: ${message}`,
  };
  return bytes ? withKind(failure, bytes) : failure;
}

/** @param {unknown} error @returns {error is Failure} */
function isFailure(error) {
  return error !== null && typeof error === 'object' && 'title' in error && 'detail' in error;
}

/** @param {Failure} failure @param {Uint8Array} bytes @returns {Failure} */
function withKind(failure, bytes) {
  if (!failure.detail.startsWith('not-a-model')) return failure;
  const other = OTHERS.find(([, is]) => is(bytes));
  return other ? { ...failure, title: `This is ${other[0]}`, next: other[2] } : failure;
}

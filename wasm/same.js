/** Whether two models compute the same, proved by the core. */
import { SAME } from '../dist/layouts.js';
import { UsageError } from './errors.js';
import { Model } from './model.js';

/** @typedef {import('./index.js').Sameness} Sameness */
/** @typedef {import('./instance.js').Instance} Instance */

const NONE = 0xffffffff;

/** What `same` is for each of the core's answers. */
const ANSWERS = [true, false, null];

/** @typedef {{ bytes: Uint8Array } | { json: object }} Read */

/** @param {Read} read */
function bytesOf(read) {
  if ('bytes' in read) return read.bytes;
  throw new UsageError('unsupported', 'only two .tflite models can be shown to compute the same; this is JSON.');
}

/**
 * @param {Instance} instance  a fresh one
 * @param {Read} newRead
 * @param {Read} oldRead
 * @returns {Sameness}
 */
export function sameIn(instance, newRead, oldRead) {
  new Model(instance, { bytes: bytesOf(newRead) });
  const old = bytesOf(oldRead);
  const { value } = instance.yielded('verify_same', instance.put(old), old.length);
  const view = instance.view();
  const index = (/** @type {number} */ field) => {
    const number = view.getUint32(value + field, true);
    return number === NONE ? null : number;
  };
  const first = view.getInt32(value + SAME.first, true);
  return {
    same: ANSWERS[view.getUint32(value + SAME.answer, true)] ?? null,
    operators: view.getUint32(value + SAME.operators, true),
    kernels: view.getUint32(value + SAME.reference_only, true) === 1 ? 'reference' : 'any',
    subgraph: index(SAME.subgraph),
    node: index(SAME.node),
    oldNode: index(SAME.old_node),
    right: first < 0 ? null : [first, view.getInt32(value + SAME.last, true)],
    text: instance.cString(value + SAME.text, SAME.text_length),
  };
}

/** What callers hand in by mistake for a model and its name, and what they should do instead. */
import { UsageError } from './errors.js';
import { show } from './names.js';

/** One line that ends like a file's name. */
const PATH = /^[^\n,{]*\.(tflite|lite|csv|json|bin)$/i;

/** What holds a file's bytes, or will. */
const NOT_YET_BYTES = /** @type {const} */ ([
  ['a promise', (/** @type {any} */ value) => typeof value.then === 'function', 'await it, and give what it yields'],
  ['a file or a response', (/** @type {any} */ value) => typeof value.arrayBuffer === 'function', 'give what its arrayBuffer() yields'],
  ['shared memory', (/** @type {object} */ value) => /^\[object Shared/.test(Object.prototype.toString.call(value)), 'give a view of it, as in new Uint8Array(it)'],
  ['a URL', (/** @type {object} */ value) => value instanceof URL, 'read what it points to, and give the bytes'],
]);

/**
 * @param {unknown} input
 * @param {unknown} name
 */
export function checkInput(input, name) {
  if (name !== undefined && typeof name !== 'string') throw new UsageError('bad-argument', `name is ${show(name)}; give a text.`);
  if (typeof input === 'string' && PATH.test(input))
    throw new UsageError('bad-argument', `the input is the text ${show(input)}, which looks like a path; read that file and give its bytes.`);
  if (input === null || typeof input !== 'object') return;
  for (const [what, is, todo] of NOT_YET_BYTES) if (is(input)) throw new UsageError('bad-argument', `the input is ${what}; ${todo}.`);
}

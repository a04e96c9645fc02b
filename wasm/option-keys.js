/** Options objects: the keys that a call takes. */
import { UsageError } from './errors.js';
import { show } from './names.js';

/**
 * Checks an options object's keys, so that a misspelt one is not silently without effect.
 * @param {object} options
 * @param {readonly string[]} known
 * @param {string} call  the call they were given to, for the error
 */
export function checkOptions(options, known, call) {
  if (options === null || typeof options !== 'object') throw new UsageError('bad-argument', `${call} was given ${show(options)} for its options; give an object.`);
  for (const key of Object.keys(options))
    if (!known.includes(key)) {
      const may = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
      throw new UsageError('bad-argument', `${call} has no option ${show(key)}; ${may}.`);
    }
}

/**
 * The options of a search that are no numbers.
 * @param {{ signal?: unknown, onProgress?: unknown }} options
 */
export function checkSearch({ signal, onProgress }) {
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new UsageError('bad-argument', `signal is ${show(signal)}; give an AbortSignal.`);
  if (onProgress !== undefined && typeof onProgress !== 'function') throw new UsageError('bad-argument', `onProgress is ${show(onProgress)}; give a function.`);
}

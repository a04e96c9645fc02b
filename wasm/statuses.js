/** The core's statuses as errors. */
import { AnswerError, InputError, LimitError, TensorArenaError, UsageError } from './errors.js';

/** @typedef {import('./index.js').Place} Place */

/** Which class stands for which of the core's statuses. @type {Readonly<Record<string, typeof TensorArenaError>>} */
const CLASS_OF = Object.freeze({
  'bad-argument': UsageError,
  'out-of-memory': LimitError,
  'over-limit': LimitError,
  'wrong-order': UsageError,
  'not-a-model': InputError,
  truncated: InputError,
  malformed: InputError,
  'bad-index': InputError,
  'no-subgraph': InputError,
  'bad-syntax': InputError,
  unsupported: UsageError,
  'tensor-grew': UsageError,
  'refused-by-runtime': AnswerError,
});

/**
 * The error that stands for one of the core's statuses.
 * @param {string} code
 * @param {string} message
 * @param {Place} [place]
 */
export function coreError(code, message, place) {
  return new (CLASS_OF[code] ?? TensorArenaError)(code, message, place);
}

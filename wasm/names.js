/** Words to numbers: an option's word is its position in the core's list. */
import { UsageError } from './errors.js';

export { CHIPS, FORMATS, FOR_PEOPLE, KERNELS, KINDS, PLANNERS, PLAN_STATUSES, RUNTIMES, RUNTIME_TRAITS, SEARCHERS, TARGETS, TYPES } from '../dist/words.js';

/** A block's operations. */
export const OPERATIONS = /** @type {const} */ ([
  'plan',
  'execute',
  'reset',
  'reset_after',
  'resize',
  'retype',
  'release',
  'acquire',
]);

/**
 * A word's number. Unknown words are errors that list the known ones.
 * @param {readonly unknown[]} words
 * @param {unknown} word
 * @param {string} what  what the word is, for the error
 * @returns {number}
 */
export function numberOf(words, word, what) {
  const number = words.indexOf(word);
  if (number < 0) throw new UsageError('bad-argument', `${what} is ${show(word)}; use one of ${words.join(', ')}.`);
  return number;
}

/**
 * A value as it may stand in an error: short, on one line.
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/**
 * An integer that the core's argument can hold.
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 * @param {string} what
 * @returns {number}
 */
export function integer(value, least, most, what) {
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
    throw new UsageError('bad-argument', `${what} is ${show(value)}; give a whole number from ${least} to ${most}.`);
  return Number(value);
}

export const INT32_MAX = 2 ** 31 - 1;

/**
 * Checks of JSON that somebody wrote: each function returns the value in its type, or throws an InputError that
 * says where the fault is and what should stand there.
 */
import { InputError } from './errors.js';
import { show } from './names.js';

export class Checker {
  #what;

  /** @param {string} what  the kind of JSON, for the errors */
  constructor(what) {
    this.#what = what;
  }

  /**
   * @param {string} where
   * @param {string} wrong
   * @returns {never}
   */
  refuse(where, wrong) {
    throw new InputError('bad-syntax', `${this.#what}: ${where} ${wrong}.`);
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @param {string} takes
   * @returns {never}
   */
  #wrong(value, where, takes) {
    this.refuse(where, value === undefined ? `is missing; give ${takes}` : `is ${show(value)}; give ${takes}`);
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @param {readonly string[]} [known]  the keys it may have; without it, any
   * @returns {Record<string, unknown>}
   */
  object(value, where, known) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) this.#wrong(value, where, 'an object');
    for (const key of known === undefined ? [] : Object.keys(value))
      if (!known?.includes(key)) this.refuse(where, `has the unknown key ${show(key)}; the known ones are ${known?.join(', ')}`);
    return /** @type {Record<string, unknown>} */ (value);
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @returns {readonly unknown[]}
   */
  list(value, where) {
    return Array.isArray(value) ? [...value] : this.#wrong(value, where, 'a list'); // a hole is undefined then, and refused
  }

  /**
   * @param {unknown} value
   * @param {number} least
   * @param {number} most
   * @param {string} where
   * @returns {number}
   */
  whole(value, least, most, where) {
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
      this.#wrong(value, where, `a whole number from ${least} to ${most}`);
    return Number(value);
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @returns {number}
   */
  bytes(value, where) {
    return this.whole(value, 0, Number.MAX_SAFE_INTEGER, where);
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @returns {boolean}
   */
  flag(value, where) {
    return typeof value === 'boolean' ? value : this.#wrong(value, where, 'true or false');
  }

  /**
   * @param {unknown} value
   * @param {string} where
   * @returns {string}
   */
  text(value, where) {
    return typeof value === 'string' ? value : this.#wrong(value, where, 'a text');
  }

  /**
   * @param {unknown} value
   * @param {readonly string[]} words
   * @param {string} where
   * @returns {number} the word's place in the list
   */
  word(value, words, where) {
    const index = words.indexOf(/** @type {string} */ (value));
    return index >= 0 ? index : this.#wrong(value, where, `one of ${words.join(', ')}`);
  }
}

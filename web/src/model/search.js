/**
 * The search language: words are ANDed. Plain text matches names and operators, letters in order; `op:`,
 * `dtype:`, `kind:` match a part; `step:12` those live then; `@0x9000` those that hold the address; `>16K` and
 * `<4K` sizes; `life>10` lengths of life.
 */
import { parseBytes } from './format.js';

/** @typedef {{ name: string, op: string, dtype: string, kind: string, bytes: number, offset: number, first: number, last: number }} Item */
/** @typedef {(item: Item) => boolean} Test */

/**
 * @param {string} query
 * @returns {{ test: Test, error: string | null }}
 */
export function parseQuery(query) {
  /** @type {Test[]} */
  const tests = [];
  let error = null;
  for (const word of query.trim().split(/\s+/).filter(Boolean)) {
    const test = parseWord(word);
    if (typeof test === 'string') error = test;
    else tests.push(test);
  }
  return { test: (item) => tests.every((test) => test(item)), error };
}

/** @param {string} word @returns {Test | string} */
function parseWord(word) {
  const field = /^(op|dtype|kind|step|name):(.*)$/i.exec(word);
  if (field) return parseField(/** @type {string} */ (field[1]).toLowerCase(), /** @type {string} */ (field[2]));
  const compare = /^(life|bytes|size)?([<>]=?)(.+)$/i.exec(word);
  if (compare) return parseCompare(compare[1]?.toLowerCase() ?? 'bytes', /** @type {string} */ (compare[2]), /** @type {string} */ (compare[3]));
  if (word.startsWith('@')) {
    const at = parseBytes(word.slice(1));
    return at === null ? `"${word}": write an address like @0x9000` : (item) => item.offset <= at && at < item.offset + item.bytes;
  }
  return (item) => isFuzzy(item.name, word) || isFuzzy(item.op, word);
}

/** @param {string} field @param {string} value @returns {Test | string} */
function parseField(field, value) {
  const wanted = value.toLowerCase();
  if (field === 'step') {
    const step = Number(value);
    return value === '' || !Number.isInteger(step) ? `"step:${value}": write a step like step:12` : (item) => item.first <= step && step <= item.last;
  }
  const key = /** @type {'op' | 'dtype' | 'kind' | 'name'} */ (field);
  return (item) => item[key].toLowerCase().includes(wanted);
}

/** @param {string} what @param {string} sign @param {string} text @returns {Test | string} */
function parseCompare(what, sign, text) {
  const value = parseBytes(text);
  if (value === null) return `"${what === 'bytes' ? '' : what}${sign}${text}": write a number like >16K`;
  /** @param {Item} item */
  const of = (item) => (what === 'life' ? item.last - item.first + 1 : item.bytes);
  if (sign === '>') return (item) => of(item) > value;
  if (sign === '>=') return (item) => of(item) >= value;
  if (sign === '<') return (item) => of(item) < value;
  return (item) => of(item) <= value;
}

/**
 * Whether the word's letters stand in the text in this order, beginning at a part of the name, with few left out.
 * @param {string} text
 * @param {string} word
 */
function isFuzzy(text, word) {
  const where = text.toLowerCase();
  const what = word.toLowerCase();
  if (where.includes(what)) return true;
  if (what.length < 3) return false;
  let at = -1;
  let gaps = 0;
  for (const letter of what) {
    const next = where.indexOf(letter, at + 1);
    if (next < 0) return false;
    if (at >= 0) gaps += next - at - 1;
    at = next;
  }
  return gaps <= what.length;
}

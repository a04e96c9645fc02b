/** Numbers as people read them. The thousands separator is a comma, as in the core's texts. */
import { readBytes } from '../../../wasm/bytes.js';

/** @param {number} value */
export function count(value) {
  return value.toLocaleString('en-US');
}

/** @param {number} value */
export function bytes(value) {
  return `${count(value)} B`;
}

/** Short, for axes and tight places: 54 KiB, 1.5 MiB. @param {number} value */
export function short(value) {
  if (value < 1024) return `${value < 10 ? Math.round(value * 100) / 100 : Math.round(value)} B`;
  const unit = Math.min(4, Math.floor(Math.log2(value) / 10));
  const scaled = value / 1024 ** unit;
  const digits = scaled >= 100 || Number.isInteger(scaled) ? 0 : 1;
  return `${scaled.toFixed(digits)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}`;
}

/** @param {number} value */
export function hex(value) {
  return `0x${Math.round(value).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
  return whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : '0 %';
}

/** @param {number} n @param {string} one @param {string} [many] */
export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** @param {number} first @param {number} last */
export function life(first, last) {
  if (last < 0) return 'never';
  return first === last ? `${first}` : `${first} to ${last}`;
}

/** "96K", "0x1800", "1.5 MiB" in bytes; null when it is none of these, or no whole number of bytes. @param {string} text @returns {number | null} */
export function parseBytes(text) {
  const read = readBytes(text);
  return read?.isWhole ? read.bytes : null;
}

/** A name that is longer loses its start, for layers share prefixes. */
const NAME_BYTES = 64;

/**
 * A tensor's name as everything but the details show it; the core's texts keep the same rule (c/src/report/names.c).
 * Converters join the names of all the layers they fused with ';': the first one names the result.
 * @param {string} name
 */
export function firstName(name) {
  const end = name.indexOf(';');
  const first = end > 0 ? name.slice(0, end) : name;
  if (first.length <= NAME_BYTES / 4) return first;
  const encoded = new TextEncoder().encode(first);
  let start = encoded.length - NAME_BYTES;
  if (start <= 0) return first;
  while (((encoded[start] ?? 0) & 0xc0) === 0x80) start++;
  return `...${new TextDecoder().decode(encoded.subarray(start))}`;
}

/** The shorter, telling end of a tensor's name. @param {string} name */
export function shortName(name) {
  const parts = firstName(name).split('/').filter(Boolean);
  return parts.slice(-2).join('/') || name;
}

/** Shared by so many of the names, a part tells nothing. */
const MOST = 0.6;
/** Shorter shared parts than this are kept. */
const LEAST_SHARED = 3;
/** So many letters of a shared head stay before what would be but a number. */
const HEAD_LETTERS = 3;
const LEAST_NAME = 3;

/** The longest of the parts that most names share; '' when there is none. @param {readonly string[]} names @param {(name: string) => string[]} partsOf */
function mostShared(names, partsOf) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) for (const part of partsOf(name)) if (part.length >= LEAST_SHARED) counts.set(part, (counts.get(part) ?? 0) + 1);
  let best = '';
  for (const [part, n] of counts) if (n >= names.length * MOST && n > 2 && part.length > best.length) best = part;
  return best;
}

/**
 * What most names share at both ends, cut at separators: "activation_" and "/Relu" of activation_1/Relu.
 * @param {readonly string[]} names
 * @returns {{ head: string, tail: string }}
 */
export function sharedEnds(names) {
  const tail = mostShared(names, (name) => [...name.matchAll(/[/;.:]/g)].map(({ index }) => name.slice(index)));
  const bare = names.map((name) => (tail && name.endsWith(tail) ? name.slice(0, -tail.length) : name));
  const head = mostShared(bare, (name) => [...name.matchAll(/[_/.]/g)].map(({ index }) => name.slice(0, index + 1)));
  return { head, tail };
}

/** A name without what most names share; a number alone would be no name. @param {string} name @param {{ head: string, tail: string }} shared */
export function withoutShared(name, { head, tail }) {
  const bare = tail && name.endsWith(tail) ? name.slice(0, -tail.length) : name;
  if (!head || !bare.startsWith(head)) return bare || name;
  const rest = bare.slice(head.length);
  return rest.length >= LEAST_NAME && !/^\d/.test(rest) ? rest : `${head.slice(0, HEAD_LETTERS)} ${rest}`;
}

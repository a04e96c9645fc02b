// Rewrites models with the core built natively (tests/native/shrink_one.c).
import { spawnSync } from 'node:child_process';
import { folderOf } from './native.js';

/** Sets of steps, as tensor_arena.h numbers them. */
export const STEPS = { order: 1, fold: 2, strips: 4, plan: 8 };

/**
 * A window of shrink.json as the text that the core takes.
 * @param {{ first: number, last: number, strips: number, exact: number[], trim: number[] }} window
 */
export function windowText({ first, last, strips, exact, trim }) {
  const marks = [
    ['exact', exact],
    ['trim', trim],
  ].map(([word, list]) => (list?.length ? `:${word}=${list}` : ''));
  return `${first}-${last}:${strips}${marks.join('')}`;
}

/**
 * @param {Uint8Array} bytes
 * @param {Record<string, string | number>} [options]  of shrink_one, without their dashes
 * @param {string} [variant]
 * @returns {{ report?: any, file: Uint8Array, error?: string }} `file` is empty when nothing is gained
 */
export function shrink(bytes, options = {}, variant = 'native') {
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status, stdout, stderr } = spawnSync(`${folderOf(variant)}/bin/shrink_one`, words, { input: bytes, maxBuffer: 2 ** 30 });
  const text = stderr.toString();
  if (status !== 0 && status !== 1) return { error: text.trim() || `exit ${status}`, file: new Uint8Array() };
  return { report: JSON.parse(text), file: new Uint8Array(stdout) };
}

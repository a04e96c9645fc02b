// Pairs of models held against each other in one run of tests/native/same_many.c.
import { execFileSync } from 'node:child_process';
import { folderOf } from './native.js';

const WORDS = 6;
const NONE = 0xffffffff;

/**
 * @typedef {{ status: number, same: boolean | null, operators: number, node: number | null, oldNode: number | null, text: string }} Answer
 */

/**
 * @param {readonly (readonly [newBytes: Uint8Array, oldBytes: Uint8Array])[]} pairs
 * @returns {Answer[]}
 */
export function sameMany(pairs) {
  const parts = pairs.flatMap(([newBytes, oldBytes]) => [
    new Uint8Array(Uint32Array.of(newBytes.length, newBytes.length + oldBytes.length).buffer),
    newBytes,
    oldBytes,
  ]);
  const output = execFileSync(`${folderOf('native')}/bin/same_many`, { input: Buffer.concat(parts), maxBuffer: 2 ** 31 - 1 });
  const index = (/** @type {number} */ at) => (output.readUInt32LE(at) === NONE ? null : output.readUInt32LE(at));
  const answers = [];
  for (let at = 0; at < output.length; ) {
    const length = output.readUInt32LE(at + 4 * (WORDS - 1));
    const end = at + 4 * WORDS + length;
    answers.push({
      status: output.readUInt32LE(at),
      same: [true, false, null][output.readUInt32LE(at + 4)] ?? null,
      operators: output.readUInt32LE(at + 8),
      node: index(at + 12),
      oldNode: index(at + 16),
      text: output.toString('utf8', at + 4 * WORDS, end),
    });
    at = end;
  }
  return answers;
}

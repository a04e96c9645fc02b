// Where the native programs are, which builds there are, and how the programs' answers are read. TENSOR_ARENA_NATIVE
// puts another build in the place of build/native: the one with sanitizers, which also counts what is covered.
import { readFileSync } from 'node:fs';

/** @param {string} variant */
export function folderOf(variant) {
  return variant === 'native' ? (process.env.TENSOR_ARENA_NATIVE ?? 'build/native') : `build/${variant}`;
}

/** Only x86-64 has a 32-bit sibling that the same compiler builds for. */
export const NARROW = process.arch === 'x64' ? ['native32'] : [];

/**
 * What most tests drive: the native build in each width, and both wasm modules.
 * @template T
 * @param {(variant: string) => T} native
 * @param {(name: string, file: string) => T} wasm
 * @returns {T[]}
 */
export function eachBuild(native, wasm) {
  return [
    ...['native', ...NARROW].map((variant) => native(variant)),
    wasm('emscripten', 'dist/tensor_arena.wasm'),
    wasm('wasi', 'dist/tensor_arena-wasi.wasm'),
  ];
}

/** Status names by number, from the core's own list. @type {string[]} */
const STATUSES = [];
for (const [, number, name] of readFileSync('c/include/tensor_arena_status.def', 'utf8').matchAll(/^STATUS\((\d+), \w+, "([^"]+)"/gm))
  STATUSES[Number(number)] = String(name);

/**
 * The answers of a program that says where (tests/native/support/requests.h): status, place, length, text.
 * @param {Buffer} output
 */
export function placedAnswers(output) {
  const index = (/** @type {number} */ at) => (output.readInt32LE(at) < 0 ? null : output.readInt32LE(at));
  const answers = [];
  for (let at = 0; at < output.length; ) {
    const end = at + 20 + output.readUInt32LE(at + 16);
    answers.push({
      status: String(STATUSES[output.readUInt32LE(at)]),
      place: { subgraph: index(at + 4), node: index(at + 8), tensor: index(at + 12) },
      text: output.toString('utf8', at + 20, end),
    });
    at = end;
  }
  return answers;
}

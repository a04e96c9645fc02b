// The manifest of exports, wasm/exports.txt. One export a line, `#` starts a comment:
//   name(parameter, ...) -> result      a function; each parameter and the result is an i32
//   name(parameter, ...)                a function without a result
//   memory                              the memory
import { readFileSync } from 'node:fs';

/** @typedef {{ name: string, parameters: number, result: boolean, kind: 'function' | 'memory' }} Export */

/** @returns {Export[]} */
export function readManifest() {
  const path = 'wasm/exports.txt';
  /** @type {Export[]} */
  const exports = [];
  readFileSync(path, 'utf8').split('\n').forEach((line, index) => {
    const text = line.replace(/#.*/, '').trim();
    if (text === '') return;
    const match = /^(\w+)\(([\w, ]*)\)( -> \w+)?$/.exec(text);
    if (text === 'memory') exports.push({ name: text, parameters: 0, result: false, kind: 'memory' });
    else if (!match) throw new Error(`${path}:${index + 1}: "${text}" is not "name(a, b) -> result"`);
    else {
      const [, name, list, result] = match;
      const parameters = list.trim() === '' ? 0 : list.split(',').length;
      exports.push({ name, parameters, result: result !== undefined, kind: 'function' });
    }
  });
  return exports;
}

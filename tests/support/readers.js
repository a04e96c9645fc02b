// Files read by every build: what each holds, or the error. Native builds read all of a list in one run of
// tests/native/read_many.c, the wasm modules through the package's open().
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eachBuild, folderOf, placedAnswers } from './native.js';

/**
 * @typedef {Record<string, any>} Raw
 * @typedef {object} Reading
 * @property {string} status  "ok", or the error's code
 * @property {string} [text]  the error's sentence
 * @property {{ subgraph: number | null, node: number | null, tensor: number | null }} [place]
 * @property {Raw} [model]  the description
 *
 * @typedef {object} Reader
 * @property {string} name
 * @property {(files: Uint8Array[]) => Promise<Reading[]>} read
 */

/** @param {Uint8Array} bytes */
function request(bytes) {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(bytes.length);
  return [header, bytes];
}

/** @param {string} [folder] of a native build @returns {Reader} */
export function nativeReader(folder = folderOf('native')) {
  return {
    name: folder,
    async read(files) {
      const input = Buffer.concat(files.flatMap(request));
      const output = execFileSync(`${folder}/bin/read_many`, { input, maxBuffer: 2 ** 31 - 1 });
      return placedAnswers(output).map(({ status, place, text }) => (status === 'ok' ? { status, model: JSON.parse(text) } : { status, text, place }));
    },
  };
}

/** @param {string} name @param {string} file @returns {Reader} */
function wasmReader(name, file) {
  return {
    name,
    async read(files) {
      const { open } = await import('../../wasm/index.js');
      const module = await WebAssembly.compile(readFileSync(file));
      /** @type {Reading[]} */
      const readings = [];
      for (const bytes of files) {
        try {
          const { description } = await open(bytes, { name: '', wasm: module });
          readings.push({ status: 'ok', model: description });
        } catch (error) {
          const { code, message, place } = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
          if (code === undefined) throw error;
          const { subgraph, node, tensor } = place;
          readings.push({ status: code, text: message, place: { subgraph, node, tensor } });
        }
      }
      return readings;
    },
  };
}

/** @type {readonly Reader[]} */
export const readers = eachBuild((variant) => nativeReader(folderOf(variant)), wasmReader);

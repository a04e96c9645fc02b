// Files read by every build: what each holds, or the error. Native builds read all of a list in one run of
// tests/native/read_many.c, the wasm modules through the package's open().
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { folderOf } from './native.js';

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

/** Status names by number, from the core's own list. @type {string[]} */
const STATUSES = [];
for (const [, number, name] of readFileSync('c/include/tensor_arena_status.def', 'utf8').matchAll(
  /^STATUS\((\d+), \w+, "([^"]+)"/gm,
)) {
  STATUSES[Number(number)] = name;
}

/** @param {Uint8Array} bytes */
function request(bytes) {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(bytes.length);
  return [header, bytes];
}

/** @param {number} index */
const placed = (index) => (index < 0 ? null : index);

/** @param {string} [folder] of a native build @returns {Reader} */
export function nativeReader(folder = folderOf('native')) {
  return {
    name: folder,
    async read(files) {
      const input = Buffer.concat(files.flatMap(request));
      const output = execFileSync(`${folder}/bin/read_many`, { input, maxBuffer: 2 ** 31 - 1 });
      const readings = [];
      for (let at = 0; at < output.length; ) {
        const [status, length] = [output.readUInt32LE(at), output.readUInt32LE(at + 16)];
        const [subgraph, node, tensor] = [4, 8, 12].map((word) => placed(output.readInt32LE(at + word)));
        const text = output.toString('utf8', at + 20, at + 20 + length);
        readings.push(
          status === 0
            ? { status: 'ok', model: JSON.parse(text) }
            : { status: STATUSES[status], text, place: { subgraph, node, tensor } },
        );
        at += 20 + length;
      }
      return readings;
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

/** Only x86-64 has a 32-bit sibling that the same compiler builds for. */
const narrow = process.arch === 'x64' ? [nativeReader('build/native32')] : [];

/** @type {readonly Reader[]} */
export const readers = [
  nativeReader(),
  ...narrow,
  wasmReader('emscripten', 'dist/tensor_arena.wasm'),
  wasmReader('wasi', 'dist/tensor_arena-wasi.wasm'),
];

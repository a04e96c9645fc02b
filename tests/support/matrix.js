// One request, answered by every build: native by compiler, width and optimisation, and both wasm modules.
// Native builds answer all requests in one run of tests/native/plan_many.c.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from '../../wasm/index.js';
import { packGraph } from '../../wasm/graph.js';
import { FORMATS, PLANNERS, RUNTIMES } from '../../wasm/names.js';
import { NARROW, folderOf } from './native.js';

/**
 * @typedef {object} Request
 * @property {string} label
 * @property {Uint8Array | import('../../wasm/index.js').Graph} input
 * @property {import('../../wasm/index.js').PlannerOptions} options
 * @property {import('../../wasm/index.js').ReportFormat} [format]
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {(requests: Request[]) => Promise<string[]>} answer  the report, or the error, of each
 */

const REQUEST_WORDS = 8;
/** What plan_many takes for "the default": 0 for the numbers, 255 for what is named. */
const DEFAULT_NAME = 255;

/** @param {readonly string[]} names @param {string | undefined} name */
const numberOf = (names, name) => (name === undefined ? DEFAULT_NAME : names.indexOf(name));

/** @param {Request} request @returns {Uint8Array} */
function pack({ input, options, format = 'json' }) {
  const bytes = input instanceof Uint8Array ? input : packGraph(input).bytes;
  const packed = new Uint8Array(4 * REQUEST_WORDS + bytes.length);
  const words = [
    numberOf(RUNTIMES, options.runtime),
    numberOf(PLANNERS, options.planner),
    options.alignment ?? 0,
    options.subgraph ?? 0,
    0,
    options.nodes ?? 0,
    FORMATS.indexOf(format),
    bytes.length,
  ];
  const view = new DataView(packed.buffer);
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  packed.set(bytes, 4 * REQUEST_WORDS);
  return packed;
}

/** @param {string} variant the folder in build/ @returns {Engine} */
function native(variant) {
  return {
    name: variant,
    async answer(requests) {
      const input = Buffer.concat(requests.map(pack));
      const output = execFileSync(`${folderOf(variant)}/bin/plan_many`, { input, maxBuffer: 2 ** 31 - 1 });
      const answers = [];
      for (let at = 0; at < output.length; ) {
        const status = output.readUInt32LE(at);
        const end = at + 8 + output.readUInt32LE(at + 4);
        const text = output.toString('utf8', at + 8, end);
        answers.push(status === 0 ? text : `error: ${text}`);
        at = end;
      }
      return answers;
    },
  };
}

/** @param {string} name @param {string} file @returns {Engine} */
function wasm(name, file) {
  return {
    name,
    async answer(requests) {
      const module = await WebAssembly.compile(readFileSync(file));
      const answers = [];
      for (const { input, options, format = 'json' } of requests) {
        try {
          const model = await open(input, { name: '', wasm: module });
          const planner = model.planner(options);
          planner.plan();
          planner.execute();
          answers.push(planner.text(format));
        } catch (error) {
          answers.push(`error: ${/** @type {Error} */ (error).message}`);
        }
      }
      return answers;
    },
  };
}

/** @type {Engine[]} The first is what the others are compared with. */
export const engines = [
  ...['native', ...NARROW, 'gcc-O0', 'gcc-O3', 'clang', 'clang-O0', 'clang-O3'].map(native),
  wasm('emscripten', 'dist/tensor_arena.wasm'),
  wasm('wasi', 'dist/tensor_arena-wasi.wasm'),
];

// TensorFlow Lite Micro's plan and its whole arena, asked of every build: native builds answer a list of requests in
// one run of tests/native/tflm_many.c, the wasm modules answer through the package.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from '../../wasm/index.js';
import { FORMATS, KERNELS, PLANNERS, TARGETS } from '../../wasm/names.js';
import { eachBuild, folderOf, placedAnswers } from './native.js';

/**
 * @typedef {Record<string, any>} Raw
 *
 * @typedef {object} Request
 * @property {'plan' | 'size'} call
 * @property {Uint8Array} file
 * @property {string} [target]
 * @property {string} [kernels]
 * @property {string} [planner]
 * @property {string} [format]  "json" or "text"
 * @property {number} [budget]
 *
 * @typedef {object} Answer
 * @property {string} status  "ok", or the error's code
 * @property {string} text    the report, or the error's sentence
 * @property {Raw} report     parsed; {} for an error or another format
 * @property {{ subgraph: number | null, node: number | null, tensor: number | null }} place  of the error
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {(requests: Request[]) => Promise<Answer[]>} answer
 */

export const SIZE_TARGETS = TARGETS;
export const SIZE_KERNELS = KERNELS;

const NOWHERE = { subgraph: null, node: null, tensor: null };

/** @param {string} text @param {string} format @returns {Raw} */
const parse = (text, format) => (format === 'json' ? JSON.parse(text) : {});

/** @param {Request} request */
function pack({ call, file, target = 'cortex-m', kernels = 'reference', planner = 'own', format = 'json', budget = 0 }) {
  const words = [
    call === 'size' ? 1 : 0,
    TARGETS.indexOf(/** @type {any} */ (target)),
    KERNELS.indexOf(/** @type {any} */ (kernels)),
    PLANNERS.indexOf(/** @type {any} */ (planner)),
    FORMATS.indexOf(/** @type {any} */ (format)),
    budget,
    file.length,
  ];
  const header = Buffer.alloc(4 * words.length);
  words.forEach((word, i) => header.writeInt32LE(word, 4 * i));
  return [header, file];
}

/** @param {string} variant the folder in build/ @returns {Engine} */
export function native(variant) {
  return {
    name: variant,
    async answer(requests) {
      const input = Buffer.concat(requests.flatMap(pack));
      const output = execFileSync(`${folderOf(variant)}/bin/tflm_many`, { input, maxBuffer: 2 ** 31 - 1 });
      return placedAnswers(output).map(({ status, place, text }, i) =>
        status === 'ok'
          ? { status, text, report: parse(text, requests[i]?.format ?? 'json'), place: NOWHERE }
          : { status, text, report: {}, place },
      );
    },
  };
}

/** @param {Request} request @param {WebAssembly.Module} module @returns {Promise<string>} */
async function ask({ call, file, target, kernels, planner, format = 'json', budget }, module) {
  const model = await open(file, { name: '', wasm: module });
  /** @param {Record<string, unknown>} options */
  const given = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  if (call === 'size') {
    const options = /** @type {any} */ (given({ target, kernels, planner, budget }));
    return format === 'json' ? JSON.stringify(model.size(options)) : model.sizeText(options);
  }
  const made = model.planner(/** @type {any} */ (given({ runtime: 'tflm', planner, kernels })));
  made.plan();
  made.execute();
  return made.text(/** @type {any} */ (format));
}

/** @param {string} name @param {string} file @returns {Engine} */
function wasm(name, file) {
  return {
    name,
    async answer(requests) {
      const module = await WebAssembly.compile(readFileSync(file));
      /** @type {Answer[]} */
      const answers = [];
      for (const request of requests) {
        try {
          const text = await ask(request, module);
          answers.push({ status: 'ok', text, report: parse(text, request.format ?? 'json'), place: NOWHERE });
        } catch (error) {
          const { code, message, place } = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
          if (code === undefined) throw error;
          const { subgraph, node, tensor } = place;
          answers.push({ status: code, text: message, report: {}, place: { subgraph, node, tensor } });
        }
      }
      return answers;
    },
  };
}

/** @type {readonly Engine[]} */
export const engines = eachBuild(native, wasm);

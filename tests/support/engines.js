// One planner, several builds: a graph with a list of operations goes in, and after each operation the offsets
// and marks, or the error, come out. Native builds get it as a packed block (tests/native/run_block.c), the wasm
// modules through the package's planner calls.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { packGraph } from '../../wasm/graph.js';
import { open } from '../../wasm/index.js';
import { PLANNERS, RUNTIMES } from '../../wasm/names.js';
import { eachBuild, folderOf } from './native.js';

/** @typedef {import('../../wasm/index.js').Graph} Graph */
/** @typedef {import('../../wasm/index.js').Operation} Operation */
/** @typedef {import('../../wasm/index.js').Planner} Planner */
/** @typedef {import('../../wasm/index.js').PlannerOptions} PlannerOptions */

/**
 * @typedef {object} Answer
 * @property {string} status  "ok", or the error's code
 * @property {string} [text]  the error's sentence
 * @property {(number | null)[]} [offsets]  one a tensor, then scratch buffers
 * @property {number} [arena]
 * @property {number} [persistent]
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {(graph: Graph, operations: readonly Operation[], options: PlannerOptions) => Promise<Answer[]>} run
 */

/** @param {string} variant  the folder in build/ @returns {Engine} */
function native(variant) {
  return {
    name: variant,
    async run(graph, operations, { runtime = 'tflite-2018', planner = 'own', alignment = 0 }) {
      const numbers = [RUNTIMES.indexOf(runtime), PLANNERS.indexOf(planner), alignment];
      const output = execFileSync(`${folderOf(variant)}/bin/run_block`, numbers.map(String), {
        input: packGraph(graph, operations).bytes,
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
      });
      return output.trimEnd().split('\n').filter(Boolean).map((line) => JSON.parse(line));
    },
  };
}

/** @param {Planner} planner @param {Operation} operation */
function apply(planner, operation) {
  switch (operation.op) {
    case 'plan':
      return planner.plan();
    case 'execute':
      return planner.execute(operation.first, operation.last);
    case 'reset':
      return planner.reset();
    case 'reset_after':
      return planner.resetAfter(operation.node);
    case 'resize':
      return planner.resize(operation.tensor, operation.bytes);
    case 'retype':
      return planner.retype(operation.tensor, operation.type);
    case 'release':
      return planner.release();
    case 'acquire':
      return planner.acquire();
  }
}

/** @param {unknown} error @returns {Answer} */
function failure(error) {
  const { code, message } = /** @type {import('../../wasm/index.js').TensorArenaError} */ (error);
  if (code === undefined) throw error;
  return { status: code, text: message };
}

/** @param {string} name @param {string} file @returns {Engine} */
function wasm(name, file) {
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let compiled;
  return {
    name,
    async run(graph, operations, options) {
      compiled ??= WebAssembly.compile(readFileSync(file));
      const module = await compiled;
      let planner;
      try {
        planner = (await open(graph, { wasm: module })).planner(options);
      } catch (error) {
        return [failure(error)];
      }
      return operations.map((operation) => {
        try {
          apply(planner, operation);
        } catch (error) {
          return failure(error);
        }
        const { arenaBytes, persistentBytes, offsets } = planner.layout();
        const placed = Array.from(offsets, (offset) => (Number.isNaN(offset) ? null : offset));
        return { status: 'ok', arena: arenaBytes, persistent: persistentBytes, offsets: placed };
      });
    },
  };
}

/** @type {readonly Engine[]} */
export const engines = eachBuild(native, wasm);

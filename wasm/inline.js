/** The same package with the wasm in its JavaScript: one file for bundles that cannot carry another. */
import { compileUrl } from '#source';
import { WASM_BASE64 } from '../dist/wasm-inline.js';
import { openModel } from './model.js';
import { moduleGetter } from './module.js';

export { AnswerError, CrashError, InputError, LimitError, LoadError, TensorArenaError, UsageError } from './errors.js';

/** @typedef {import('./index.js').Input} Input */
/** @typedef {import('./index.js').OpenOptions} OpenOptions */

const getModule = /*#__PURE__*/ moduleGetter(
  () => WebAssembly.compile(Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0))),
  compileUrl,
);

/**
 * @param {Input} input
 * @param {OpenOptions} [options]
 */
export async function open(input, options = {}) {
  return openModel(() => getModule(options.wasm), input, options);
}

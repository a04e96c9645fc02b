/** The package's entry: index.d.ts says what each function takes and gives. */
import { compileUrl } from '#source';
import { openModel } from './model.js';
import { moduleGetter } from './module.js';

export { AnswerError, CrashError, InputError, LimitError, LoadError, TensorArenaError, UsageError } from './errors.js';

/** @typedef {import('./index.js').Input} Input */
/** @typedef {import('./index.js').OpenOptions} OpenOptions */

/** Bundlers find the file by this literal. */
const getModule = /*#__PURE__*/ moduleGetter(
  () => compileUrl(new URL('../dist/tensor_arena.wasm', import.meta.url)),
  compileUrl,
);

/**
 * @param {Input} input
 * @param {OpenOptions} [options]
 */
export async function open(input, options = {}) {
  return openModel(() => getModule(options.wasm), input, options);
}

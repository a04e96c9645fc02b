/** What every entry of the package offers, given where its wasm comes from. */
import { hold, openModel, openModelSync, readInput, startIn } from './model.js';
import { compileSync, moduleGetter } from './module.js';
import { checkOptions } from './option-keys.js';
import { checkInput } from './mistakes.js';
import { sameIn } from './same.js';
import { verifyIn } from './verify.js';

/** @typedef {import('./index.js').Input} Input */
/** @typedef {import('./index.js').OpenOptions} OpenOptions */
/** @typedef {import('./index.js').OpenSyncOptions} OpenSyncOptions */
/** @typedef {import('./index.js').VerifyOptions} VerifyOptions */

/**
 * @param {() => Promise<WebAssembly.Module>} compileOwn  compiles the package's own module
 * @param {(url: URL) => Promise<WebAssembly.Module>} compileUrl  how this platform reads a URL
 */
export function entry(compileOwn, compileUrl) {
  const getModule = moduleGetter(compileOwn, compileUrl);
  return {
    /**
     * @param {Input} input
     * @param {OpenOptions} [options]
     */
    async open(input, options = {}) {
      return openModel(() => getModule(options.wasm), input, options);
    },

    /**
     * @param {Input} input
     * @param {OpenSyncOptions} options
     */
    openSync(input, options) {
      return openModelSync(() => compileSync(options?.wasm), input, options);
    },

    /**
     * @param {Input} input
     * @param {VerifyOptions} [options]
     */
    async verify(input, options = {}) {
      checkOptions(options, ['name', 'wasm', 'model'], 'verify()');
      checkInput(input, options.name);
      const held = hold(readInput(input));
      const wasm = getModule(options.wasm);
      const [module, model] = await Promise.all([wasm, options.model === undefined ? undefined : openModel(() => wasm, options.model, {})]);
      return verifyIn(await startIn(module), held, options.name, model);
    },

    /**
     * @param {Input} newModel
     * @param {Input} oldModel
     * @param {OpenOptions} [options]
     */
    async verifySame(newModel, oldModel, options = {}) {
      checkOptions(options, ['wasm'], 'verifySame()');
      const [newHeld, oldHeld] = [newModel, oldModel].map((input) => {
        checkInput(input, undefined);
        return hold(readInput(input));
      });
      return sameIn(await startIn(await getModule(options.wasm)), newHeld, oldHeld);
    },
  };
}

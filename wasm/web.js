/** The same for pages that have neither a bundler nor an import map: nothing here needs resolving. */
import { entry } from './entry.js';
import { compileUrl } from './source-web.js';

export * from './errors.js';

const compileOwn = () => compileUrl(new URL('../dist/tensor_arena.wasm', import.meta.url));

export const { open, openSync, verify, verifySame } = /*#__PURE__*/ entry(compileOwn, compileUrl);

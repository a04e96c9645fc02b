/** The package's entry: index.d.ts says what each function takes and gives. */
import { compileUrl } from '#source';
import { entry } from './entry.js';

export * from './errors.js';

/** Bundlers find the file by this literal. */
const compileOwn = () => compileUrl(new URL('../dist/tensor_arena.wasm', import.meta.url));

export const { open, openSync, verify, verifySame } = /*#__PURE__*/ entry(compileOwn, compileUrl);

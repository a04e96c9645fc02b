/** The same with the wasm in its JavaScript: for bundles that cannot carry another file. */
import { compileUrl } from '#source';
import { WASM_BASE64 } from '../dist/wasm-inline.js';
import { entry } from './entry.js';
import { compileBytes } from './module.js';

export * from './errors.js';

const compileOwn = () => compileBytes(Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0)), 'the inline entry');

export const { open, openSync, verify, verifySame } = /*#__PURE__*/ entry(compileOwn, compileUrl);

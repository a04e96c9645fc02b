/** How browsers and their workers read a wasm URL. */
export { fetchModule as compileUrl } from './module.js';

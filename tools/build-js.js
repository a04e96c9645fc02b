// Prints dist/build.js: the boundary's version and the build id that the JavaScript was written for.
import { readFileSync } from 'node:fs';

const abi = /^#define TA_ABI_VERSION (\d+)$/m.exec(readFileSync('c/include/tensor_arena.h', 'utf8'))?.[1];
if (abi === undefined) throw new Error('c/include/tensor_arena.h defines no TA_ABI_VERSION');
const id = readFileSync('build/build-id', 'utf8').trim();
process.stdout.write(`/** Made by the build. The wasm beside this file answers with the same two. */
export const ABI = ${abi};
export const BUILD_ID = '${id}';
`);

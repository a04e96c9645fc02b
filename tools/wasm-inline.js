// Prints a JavaScript module that holds a file's bytes as base64. Argument: the file.
import { readFileSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);
process.stdout.write(`/** Made by the build: the bytes of tensor_arena.wasm in base64. */
export const WASM_BASE64 =
  '${readFileSync(file).toString('base64')}';
`);

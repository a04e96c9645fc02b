// Runs a WASI command as a process, with standard input and output and nothing else:
//   node --no-warnings wasi-command.js COMMAND.wasm ARGUMENT...
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [file = '', ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [file, ...args], returnOnExit: true });
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), /** @type {any} */ (wasi.getImportObject()));
process.exitCode = Number(wasi.start(instance));

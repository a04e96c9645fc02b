// The fuzzers' corpus, their seeds and the shared models, and what runs them through a fuzz target without a fuzzer.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from './native.js';
import { sharedModels } from './shared.js';

/** @param {string} folder */
const filesIn = (folder) => readdirSync(folder).sort().map((name) => join(folder, name));
/** @param {string} kind */
const corpusOf = (kind) => ['tests/fuzz/corpus', 'build/fuzz/seeds'].flatMap((folder) => filesIn(`${folder}/${kind}`));

/** Files by what they are. */
export const inputs = { tflite: corpusOf('tflite'), block: corpusOf('block'), csv: corpusOf('csv') };

/** Files by the fuzz target that reads them. @type {Record<string, string[]>} */
export const targets = { ...inputs, offline: inputs.tflite, walk: inputs.block, sequence: corpusOf('sequence'), verify: corpusOf('verify') };

/** Real models, for the targets that read models. */
export const models = sharedModels();
export const modelTargets = ['tflite', 'offline'];

const wasiCommand = (/** @type {string} */ file) => [process.execPath, '--no-warnings', 'tests/support/wasi-command.js', file];

/**
 * What runs them: natively, and as a WASI command made by each wasm toolchain of the very objects that its library
 * module is made of.
 * @type {Record<string, string[]>}
 */
export const replays = {
  native: [`${folderOf('native')}/fuzz/replay`],
  emscripten: wasiCommand('build/emscripten/replay.wasm'),
  wasi: wasiCommand('build/wasi/replay.wasm'),
};

/** @param {string} file */
function request(file) {
  const bytes = readFileSync(file);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}

/**
 * How long each file took. Fails at one that stops the target, naming it.
 * @param {string[] | undefined} command  one of `replays`
 * @param {string} target
 * @param {string[]} files
 * @returns {{ ms: number, file: string }[]}
 */
export function replay([program = '', ...args] = [], target, files) {
  const input = Buffer.concat(files.flatMap(request));
  const { status, signal, stdout, stderr } = spawnSync(program, [...args, target], { input, encoding: 'utf8', timeout: 240_000 });
  const lines = stdout.split('\n').filter((line) => line !== '');
  assert.equal(status, 0, `${target} stopped at ${files[lines.length] ?? 'its end'}: ${signal ?? ''} ${stderr}`);
  return lines.map((ms, i) => ({ ms: Number(ms), file: String(files[i]) }));
}

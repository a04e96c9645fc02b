/**
 * LiteRT with XNNPACK, from the optional package @litertjs/core, run in Node: what it takes to load it where there is no
 * browser, and the same inputs for any two models.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { Undecided } from './exit.js';

/**
 * @typedef {object} Runnable
 * @property {(seed: number) => Promise<Uint8Array[]>} run  the bytes of each output; the same seed gives the same inputs
 * @property {() => void} free
 *
 * @typedef {object} LiteRt
 * @property {(bytes: Uint8Array) => Promise<Runnable>} compile  fails on a model that it does not take
 */

const PACKAGE = '@litertjs/core';

/** By the number of their element type. @type {Record<number, 'float32'>} */
const REALS = { 1: 'float32' };

/** @type {Promise<LiteRt> | undefined} */
let loaded;

/** @returns {Promise<LiteRt>} */
export function loadLiteRt() {
  loaded ??= load();
  return loaded;
}

async function load() {
  /** @type {any} */
  let core;
  let folder = '';
  try {
    folder = join(dirname(fileURLToPath(import.meta.resolve(PACKAGE))), '../wasm');
    core = await import(PACKAGE);
  } catch {
    throw new Undecided(`this needs LiteRT: npm install ${PACKAGE}`);
  }
  /** What the runtime has to say of a model. @type {string[]} */
  const said = [];
  pretendWorker(folder, (line) => void said.push(line));
  const { warn } = console;
  try {
    console.warn = () => {}; // that there is no GPU
    const runtime = await core.loadLiteRt(`${folder}/`);
    const { liteRtEnvironment } = runtime.getDefaultEnvironment();
    return { compile: (/** @type {Uint8Array} */ bytes) => compile(runtime.liteRtWasm, liteRtEnvironment, bytes, said) };
  } catch (cause) {
    throw new Undecided(`LiteRT does not start here (${messageOf(cause)})`, { cause });
  } finally {
    console.warn = warn;
  }
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * The package loads its module as a worker of a browser does, and its module then finds itself in Node.
 * @param {string} folder
 * @param {(line: string) => void} say
 */
function pretendWorker(folder, say) {
  const scope = /** @type {any} */ (globalThis);
  scope.self = globalThis;
  scope.importScripts = (/** @type {string} */ path) => vm.runInThisContext(readFileSync(path, 'utf8'), { filename: path });
  scope.require = createRequire(join(folder, 'litert.js'));
  scope.__dirname = folder;
  scope.Module = { print: say, printErr: say };
  if (scope.navigator === undefined) scope.navigator = {};
}

/** @param {any} wasm @param {any} environment @param {Uint8Array} bytes @param {string[]} said @returns {Promise<Runnable>} */
async function compile(wasm, environment, bytes, said) {
  said.length = 0;
  const at = wasm._malloc(bytes.length);
  wasm.HEAPU8.set(bytes, at);
  try {
    const model = wasm.loadModel(environment, at, bytes.length);
    const compiled = await wasm.compileModel(environment, model, { accelerator: 'wasm', cpuOptions: { numThreads: 1 }, gpuOptions: {}, webNNOptions: {} });
    return {
      run: (seed) => run(wasm, environment, model, compiled, seed),
      free() {
        compiled.delete();
        model.delete();
        wasm._free(at);
      },
    };
  } catch (cause) {
    wasm._free(at);
    const why = said.find((line) => /error|fail|unresolved|unsupported/i.test(line) && !/accelerator/i.test(line)) ?? messageOf(cause);
    throw new Undecided(`LiteRT does not take this model: ${why.replace(/^.*?\] /, '')}`, { cause });
  }
}

/** @param {any} wasm @param {any} environment @param {any} model @param {any} compiled @param {number} seed */
async function run(wasm, environment, model, compiled, seed) {
  const next = numbers(seed);
  const inputs = [];
  const count = model.getSignature(0).inputNames().size();
  for (let i = 0; i < count; i++) {
    const type = withoutUnknowns(wasm, model.getInputTensorType(0, i));
    const buffer = wasm.LiteRtTensorBuffer.createManaged(environment, wasm.LiteRtTensorBufferType.HOST_MEMORY, type, type.bytes());
    const at = buffer.lock(wasm.LiteRtTensorBufferLockMode.WRITE);
    fill(new DataView(wasm.HEAPU8.buffer, at, type.bytes()), REALS[type.elementType().value], next);
    buffer.unlock();
    type.delete();
    inputs.push(buffer);
  }
  /** @type {any[]} */
  const outputs = await compiled.run(0, inputs);
  const bytes = outputs.map((buffer) => {
    const at = buffer.lock(wasm.LiteRtTensorBufferLockMode.READ);
    const copy = wasm.HEAPU8.slice(at, at + buffer.packedSize());
    buffer.unlock();
    return copy;
  });
  for (const buffer of [...inputs, ...outputs]) buffer.delete();
  return bytes;
}

/** A dimension that is only known when the model runs is 1. @param {any} wasm @param {any} type */
function withoutUnknowns(wasm, type) {
  const found = type.layout().dimensions();
  const dimensions = Array.from({ length: found.size() }, (_, d) => found.get(d));
  if (dimensions.every((dimension) => dimension >= 0)) return type;
  const known = new wasm.VectorInt32();
  for (const dimension of dimensions) known.push_back(Math.abs(dimension));
  return wasm.LiteRtRankedTensorType.create({ value: type.elementType().value }, wasm.LiteRtLayout.create(known));
}

/** 32 random bits at a time. @param {number} seed */
export function numbers(seed) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Reals from -1 to 1; of every other type, random bytes. @param {DataView} view @param {'float32' | undefined} real @param {() => number} next */
export function fill(view, real, next) {
  for (let at = 0; at < view.byteLength; at += real ? 4 : 1) {
    if (real) view.setFloat32(at, next() / 2 ** 31 - 1, true);
    else view.setUint8(at, next() >>> 24);
  }
}

/**
 * @typedef {object} Comparison
 * @property {'identical' | 'different' | 'unsteady'} outcome  unsteady: the first model differs from itself
 * @property {number} outputs
 * @property {number} bytes  of all outputs
 * @property {number} [seed]
 * @property {number} [output]  the first that differs
 * @property {number} [byte]  the first in it
 */

/**
 * @param {readonly Uint8Array[]} a
 * @param {readonly Uint8Array[]} b
 * @returns {{ output: number, byte: number } | null}
 */
function firstDifference(a, b) {
  for (let output = 0; output < Math.max(a.length, b.length); output++) {
    const [one, other] = [a[output] ?? new Uint8Array(), b[output] ?? new Uint8Array()];
    const n = Math.min(one.length, other.length);
    for (let byte = 0; byte < n; byte++) if (one[byte] !== other[byte]) return { output, byte };
    if (one.length !== other.length || a[output] === undefined || b[output] === undefined) return { output, byte: n };
  }
  return null;
}

/**
 * Runs both models on the same inputs, and the first one twice: what differs from itself shows nothing.
 * @param {Runnable} a
 * @param {Runnable} b
 * @param {number} seeds  how many
 * @returns {Promise<Comparison>}
 */
export async function compareRuns(a, b, seeds) {
  let counts = { outputs: 0, bytes: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const expected = await a.run(seed);
    counts = { outputs: expected.length, bytes: expected.reduce((sum, { length }) => sum + length, 0) };
    const itself = firstDifference(expected, await a.run(seed));
    if (itself) return { outcome: 'unsteady', ...counts, seed, ...itself };
    const difference = firstDifference(expected, await b.run(seed));
    if (difference) return { outcome: 'different', ...counts, seed, ...difference };
  }
  return { outcome: 'identical', ...counts };
}

/** A model in its own sandbox, and how inputs get there. */
import { InputError, UsageError } from './errors.js';
import { packGraph } from './graph.js';
import { Instance } from './instance.js';
import { Interpreter } from './interpreter.js';
import { cannotStart, isBytes, toBytes } from './module.js';
import { KINDS, show } from './names.js';
import { checkOptions } from './option-keys.js';
import { writeOfflinePlan } from './offline.js';
import { PLAN_FORMAT, PlanFile, readPlan } from './plan-file.js';
import { Planner } from './planner.js';
import { sizeText } from './size.js';
import { checkInput } from './mistakes.js';

/** @typedef {import('./index.js').Input} Input */
/** @typedef {import('./index.js').Graph} Graph */
/** @typedef {import('./index.js').InterpreterOptions} InterpreterOptions */
/** @typedef {import('./index.js').ModelDescription} ModelDescription */
/** @typedef {import('./index.js').OfflineOptions} OfflineOptions */
/** @typedef {import('./index.js').OfflineResult} OfflineResult */
/** @typedef {import('./index.js').PlannerOptions} PlannerOptions */
/** @typedef {import('./index.js').Size} Size */
/** @typedef {import('./index.js').SizeOptions} SizeOptions */

const TFLITE_IDENTIFIER = [0x54, 0x46, 0x4c, 0x33];
const SPACE = /[\s\uFEFF]/;
const JSON_SPACES = [0x20, 0x0a, 0x0d, 0x09];

/**
 * Whether bytes are JSON rather than one of the kinds the core reads: their first character that is no space
 * opens an object. A .tflite file may begin with any byte, but has its identifier at byte 4.
 * @param {Uint8Array} bytes
 */
function looksLikeJson(bytes) {
  if (TFLITE_IDENTIFIER.every((byte, i) => bytes[4 + i] === byte)) return false;
  let at = [0xef, 0xbb, 0xbf].every((byte, i) => bytes[i] === byte) ? 3 : 0;
  while (JSON_SPACES.includes(bytes[at] ?? 0)) at++;
  return bytes[at] === 0x7b;
}

/** @param {string} text */
function firstCharacter(text) {
  let at = 0;
  while (at < text.length && SPACE.test(text.charAt(at))) at++;
  return text.charAt(at);
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parseJson(text) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new InputError('bad-syntax', `this is no valid JSON: ${/** @type {Error} */ (cause).message}.`, undefined, { cause });
  }
}

/**
 * What an input is: bytes for the core, or an object that was JSON.
 * @param {Input} input
 * @returns {{ bytes: Uint8Array } | { json: object }}
 */
export function readInput(input) {
  if (typeof input === 'string') return firstCharacter(input) === '{' ? asObject(parseJson(input)) : { bytes: new TextEncoder().encode(input) };
  if (!isBytes(input)) return asObject(input);
  const bytes = toBytes(input);
  return looksLikeJson(bytes) ? asObject(parseJson(new TextDecoder().decode(bytes))) : { bytes };
}

/**
 * @param {unknown} value
 * @returns {{ json: object }}
 */
function asObject(value) {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { json: value };
  throw new UsageError('bad-argument', `the input is ${show(value)}; give bytes, a graph object, a plan object, or the text of a buffer list.`);
}

/**
 * @param {{ bytes: Uint8Array } | { json: object }} read
 * @returns {read is { json: object }}
 */
export function isPlan(read) {
  return 'json' in read && /** @type {{ format?: unknown }} */ (read.json).format === PLAN_FORMAT;
}

/** @param {WebAssembly.Module} module */
export async function startIn(module) {
  try {
    return await Instance.start(module);
  } catch (cause) {
    throw cannotStart(cause);
  }
}

/** @param {WebAssembly.Module} module */
function startSyncIn(module) {
  try {
    return Instance.startSync(module);
  } catch (cause) {
    throw cannotStart(cause);
  }
}

/**
 * What was read, kept for after the next await: by then the caller may have changed or transferred it.
 * @param {{ bytes: Uint8Array } | { json: object }} read
 * @returns {{ bytes: Uint8Array, name?: string } | { json: object }}
 */
export function hold(read) {
  if ('bytes' in read) return { bytes: read.bytes.slice() };
  const { json } = read;
  return isPlan(read) ? { json: readPlan(json) } : packGraph(/** @type {Graph} */ (json));
}

export class Model {
  /** @type {Instance} */
  #instance;
  /** @type {ModelDescription | null} */
  #description = null;

  /**
   * @param {Instance} instance
   * @param {{ bytes: Uint8Array, name?: string } | { json: object }} input
   * @param {string} [name]
   */
  constructor(instance, input, name) {
    const packed = 'bytes' in input ? { name: '', ...input } : packGraph(/** @type {Graph} */ (input.json));
    const nameAt = instance.put(new TextEncoder().encode((name ?? packed.name).replaceAll('\0', '\uFFFD')));
    const bytesAt = instance.put(packed.bytes);
    instance.call('open', bytesAt, packed.bytes.length, nameAt);
    instance.free(nameAt);
    this.#instance = instance;
    this.kind = KINDS[instance.value('kind')];
  }

  /** Parsed when first asked for: a planner does not need it. */
  get description() {
    this.#description ??= /** @type {ModelDescription} */ (JSON.parse(this.#instance.text('describe')));
    return this.#description;
  }

  get name() {
    return this.description.name;
  }

  get subgraphs() {
    return this.description.subgraphs;
  }

  get tensors() {
    return this.subgraphs[0]?.tensors ?? [];
  }

  get nodes() {
    return this.subgraphs[0]?.nodes ?? [];
  }

  get signatures() {
    return this.description.signatures;
  }

  get rows() {
    return this.description.rows;
  }

  get problems() {
    return this.description.problems;
  }

  /** @param {PlannerOptions} [options] */
  planner(options = {}) {
    return new Planner(this.#instance, options);
  }

  /** @param {InterpreterOptions} [options] */
  interpreter(options = {}) {
    return new Interpreter(this.#instance, options);
  }

  /**
   * @param {SizeOptions} [options]
   * @returns {Size}
   */
  size(options = {}) {
    return JSON.parse(sizeText(this.#instance, options, 'json'));
  }

  /**
   * @param {OfflineOptions} [options]
   * @returns {Promise<OfflineResult>}
   */
  writeOfflinePlan(options = {}) {
    const reopen = async (/** @type {Uint8Array} */ bytes) => new Model(await Instance.start(this.#instance.module), { bytes });
    return writeOfflinePlan(this, this.#instance, reopen, options);
  }

  /** @param {SizeOptions} [options] */
  sizeText(options = {}) {
    return sizeText(this.#instance, options, 'text');
  }
}

/**
 * @param {() => Promise<WebAssembly.Module>} getModule
 * @param {Input} input
 * @param {{ name?: string }} options
 */
export async function openModel(getModule, input, options) {
  checkOptions(options, ['name', 'wasm'], 'open()');
  checkInput(input, options.name);
  const read = readInput(input);
  if (isPlan(read)) return new PlanFile(read.json);
  const held = hold(read);
  return new Model(await startIn(await getModule()), held, options.name);
}

/**
 * @param {() => WebAssembly.Module} getModule
 * @param {Input} input
 * @param {{ name?: string }} options
 */
export function openModelSync(getModule, input, options) {
  checkOptions(options ?? {}, ['name', 'wasm'], 'openSync()');
  checkInput(input, options?.name);
  const read = readInput(input);
  if (isPlan(read)) return new PlanFile(read.json);
  return new Model(startSyncIn(getModule()), read, options.name);
}

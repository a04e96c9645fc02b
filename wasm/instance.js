/**
 * One instance of the core: its memory, its calls, its errors. Everything that crosses the boundary crosses it
 * here. Views are taken anew for each access, as any call may move the memory.
 */
import { ABI, BUILD_ID } from '../dist/build.js';
import { ERROR } from '../dist/layouts.js';
import { CrashError, LimitError, LoadError } from './errors.js';
import { settled } from './module.js';
import { coreError } from './statuses.js';

/** TA_NO_BYTE. */
const NO_BYTE = 2n ** 64n - 1n;

/** @typedef {Record<string, (...args: number[]) => number>} Exports */

export class Instance {
  /** @type {Exports} */
  #exports;
  /** @type {WebAssembly.Memory} */
  #memory;
  /** @type {CrashError | null} */
  #crash = null;

  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Module} module  what it is an instance of
   */
  constructor(instance, module) {
    this.module = module;
    const { memory, ...functions } = instance.exports;
    this.#memory = /** @type {WebAssembly.Memory} */ (memory);
    this.#exports = /** @type {Exports} */ (functions);
    this.#exports._initialize?.();
    this.#checkBuild();
  }

  /** @param {WebAssembly.Module} module */
  static async start(module) {
    return new Instance(await settled(WebAssembly.instantiate(module, {})), module);
  }

  /** @param {WebAssembly.Module} module */
  static startSync(module) {
    return new Instance(new WebAssembly.Instance(module, {}), module);
  }

  #checkBuild() {
    const { abi, build_id: buildId } = this.#exports;
    if (abi === undefined || buildId === undefined)
      throw new LoadError('wasm-mismatch', 'this wasm file is not the core of tensor-arena.');
    if (abi() !== ABI)
      throw new LoadError('wasm-mismatch', `the wasm file has ABI ${abi()} and this JavaScript ABI ${ABI}: use both from one release.`);
    const id = this.cString(buildId() >>> 0, 64);
    if (id !== BUILD_ID)
      throw new LoadError('wasm-mismatch', `the wasm file is of build ${id} and this JavaScript of build ${BUILD_ID}: use both from one release.`);
  }

  /**
   * Calls an export and gives back its i32, unsigned. After a trap the instance answers nothing any more.
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  value(name, ...args) {
    if (this.#crash !== null)
      throw new CrashError('crashed', `this model's sandbox stopped earlier (${this.#crash.message}): open the model again.`, undefined, {
        cause: this.#crash,
      });
    const call = this.#exports[name];
    if (call === undefined) throw new LoadError('wasm-mismatch', `the wasm file has no export ${name}.`);
    try {
      return call(...args) >>> 0;
    } catch (cause) {
      this.#crash = new CrashError('crashed', `the core stopped in ${name}: ${/** @type {Error} */ (cause).message}`, undefined, { cause });
      throw this.#crash;
    }
  }

  /**
   * Calls an export that returns a status; throws what it stands for when that is not "ok".
   * @param {string} name
   * @param {...number} args
   */
  call(name, ...args) {
    const status = this.value(name, ...args);
    if (status !== 0) throw this.#error(status);
  }

  /**
   * Calls an export that returns a status and yields something.
   * @param {string} name
   * @param {...number} args
   * @returns {{ value: number, length: number }}
   */
  yielded(name, ...args) {
    this.call(name, ...args);
    const at = this.value('result');
    const view = this.view();
    return { value: view.getUint32(at, true), length: view.getUint32(at + 4, true) };
  }

  /**
   * Calls an export that yields a text.
   * @param {string} name
   * @param {...number} args
   */
  text(name, ...args) {
    const { value, length } = this.yielded(name, ...args);
    return new TextDecoder().decode(this.bytes(value, length));
  }

  view() {
    return new DataView(this.#memory.buffer);
  }

  /**
   * A view that the next call may invalidate.
   * @param {number} at
   * @param {number} length
   */
  bytes(at, length) {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  get crashed() {
    return this.#crash !== null;
  }

  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Puts bytes into the core's memory, and a zero byte behind them.
   * @param {Uint8Array} bytes
   * @returns {number} their address
   */
  put(bytes) {
    const at = bytes.length < 0xffffffff ? this.value('alloc', bytes.length + 1) : 0;
    if (at === 0) throw new LimitError('out-of-memory', `the sandbox has no memory for ${bytes.length} bytes.`);
    const room = this.bytes(at, bytes.length + 1);
    room.set(bytes);
    room[bytes.length] = 0;
    return at;
  }

  /**
   * Passes a 64-bit value through memory.
   * @template T
   * @param {number} value
   * @param {(at: number) => T} use
   * @returns {T}
   */
  withWide(value, use) {
    const at = this.put(new Uint8Array(new BigUint64Array([BigInt(value)]).buffer));
    try {
      return use(at);
    } finally {
      this.free(at);
    }
  }

  /** @param {number} at */
  free(at) {
    if (!this.crashed) this.value('dealloc', at);
  }

  /** @param {number} status */
  #error(status) {
    const at = this.value('error');
    const name = this.cString(this.value('status_name', status), 64);
    const view = this.view();
    const index = (/** @type {number} */ offset) => {
      const value = view.getInt32(at + offset, true);
      return value < 0 ? null : value;
    };
    const byte = view.getBigUint64(at + ERROR.byte, true);
    return coreError(name, this.cString(at + ERROR.text, ERROR.text_length), {
      subgraph: index(ERROR.subgraph),
      node: index(ERROR.node),
      tensor: index(ERROR.tensor),
      byte: byte === NO_BYTE ? null : Number(byte),
    });
  }

  /**
   * A text that ends in a zero byte.
   * @param {number} at
   * @param {number} most  bytes
   */
  cString(at, most) {
    const bytes = this.bytes(at, Math.min(most, this.#memory.buffer.byteLength - at));
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }
}

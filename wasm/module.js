/**
 * From whatever the caller has (bytes, a compiled module, a URL, or a function that gives one of them) to a
 * WebAssembly.Module. Web standards only.
 */
import { LimitError, LoadError, TensorArenaError } from './errors.js';

/** @typedef {import('./index.js').WasmSource} WasmSource */

/** What every wasm file begins with. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const MIME_TYPE = 'application/wasm';

/** What helps where the wasm is not found. */
const OR_ELSE = 'hand the wasm in as the option wasm, or import tensor-arena/inline';
export const NOT_THERE = `put tensor_arena.wasm there, ${OR_ELSE}`;

let warned = false;

/** Of any realm. @param {unknown} value @returns {value is ArrayBuffer} */
const isArrayBuffer = (value) => Object.prototype.toString.call(value) === '[object ArrayBuffer]';

/** @param {unknown} value @returns {value is ArrayBuffer | ArrayBufferView} */
export function isBytes(value) {
  return ArrayBuffer.isView(value) || isArrayBuffer(value);
}

/**
 * Shared memory may change while it is read, so it is copied first.
 * @param {ArrayBuffer | ArrayBufferView} data
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function toBytes(data) {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  return /** @type {Uint8Array<ArrayBuffer>} */ (isArrayBuffer(bytes.buffer) ? bytes : bytes.slice());
}

/**
 * Says in words what bytes are that are no wasm: most often a server's page for a file it does not have.
 * @param {Uint8Array} bytes
 * @param {string} origin
 */
function checkMagic(bytes, origin) {
  if (MAGIC.every((byte, i) => bytes[i] === byte)) return;
  const begins = new TextDecoder().decode(bytes.subarray(0, 64)).replace(/^\uFEFF?\s+/, '');
  if (begins.startsWith('<'))
    throw new LoadError('wasm-unavailable', `got an HTML page from ${origin}, not the wasm file: check the path.`);
  throw new LoadError('wasm-unavailable', `what came from ${origin} is no wasm file (${bytes.length} bytes).`);
}

/**
 * Node 20 now and then waits for ever when promises of WebAssembly are all that it waits for. A timer that stands
 * until the promise is settled keeps its event loop turning.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function settled(promise) {
  const timer = setInterval(() => {}, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} origin
 */
export function compileBytes(bytes, origin) {
  checkMagic(bytes, origin);
  return compiling(WebAssembly.compile(bytes), origin);
}

/**
 * @param {Promise<WebAssembly.Module>} compiled
 * @param {string} origin
 */
function compiling(compiled, origin) {
  return settled(compiled).catch((cause) => {
    const why = `${/** @type {Error} */ (cause).message}`;
    const hint = /Content Security Policy|unsafe-eval/i.test(why) ? ": let the page's script-src have 'wasm-unsafe-eval'" : '';
    throw new LoadError('wasm-unavailable', `the wasm from ${origin} could not be compiled (${why})${hint}.`, undefined, { cause });
  });
}

/**
 * Compiles while downloading. That needs the type application/wasm: what comes with another is downloaded first
 * and then compiled, with one warning.
 * @param {URL} url
 */
export async function fetchModule(url) {
  const response = await fetchOk(url);
  const type = response.headers.get('content-type')?.split(';')[0]?.trim();
  if (type === MIME_TYPE && WebAssembly.compileStreaming !== undefined)
    return compiling(WebAssembly.compileStreaming(response), url.href);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const compiled = compileBytes(bytes, url.href);
  if (!warned) {
    warned = true;
    console.warn(`tensor-arena: ${url.href} is served as ${type ?? 'no type'}; serve it as ${MIME_TYPE} to load it faster.`);
  }
  return compiled;
}

/** @param {URL} url */
async function fetchOk(url) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new LoadError('wasm-unavailable', `${url.href} could not be fetched.`, undefined, { cause });
  }
  if (!response.ok) throw new LoadError('wasm-unavailable', `${url.href} answered ${response.status} ${response.statusText}: ${NOT_THERE}.`);
  return response;
}

/**
 * @param {WasmSource} source
 * @param {(url: URL) => Promise<WebAssembly.Module>} compileUrl  how this platform reads a URL
 * @returns {Promise<WebAssembly.Module>}
 */
async function resolveModule(source, compileUrl) {
  const given = typeof source === 'function' ? await source() : source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof URL) return compileUrl(given);
  if (typeof given === 'string') return compileUrl(parseUrl(given));
  if (isBytes(given)) return compileBytes(toBytes(given), 'the given bytes');
  throw new LoadError('wasm-unavailable', 'the wasm option takes bytes, a WebAssembly.Module, a URL, or a function that gives one.');
}

/**
 * The package's own module is compiled once, when first asked for; a failure is not kept, so that the next
 * call tries again.
 * @param {() => Promise<WebAssembly.Module>} compileOwn
 * @param {(url: URL) => Promise<WebAssembly.Module>} compileUrl
 * @returns {(source?: WasmSource) => Promise<WebAssembly.Module>}
 */
export function moduleGetter(compileOwn, compileUrl) {
  /** @type {Promise<WebAssembly.Module> | null} */
  let own = null;
  return (source) => {
    if (source !== undefined) return resolveModule(source, compileUrl);
    own ??= (async () => compileOwn())().catch((error) => {
      own = null;
      if (error instanceof LoadError) throw error;
      throw new LoadError('wasm-unavailable', `this bundle does not know where its files lie, so its wasm cannot be found (import.meta.url is lost): bundle as an ES module, ${OR_ELSE}.`, undefined, { cause: error });
    });
    return own;
  };
}

/**
 * Where nothing can be awaited: only what is there already.
 * @param {unknown} source
 * @returns {WebAssembly.Module}
 */
export function compileSync(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (!isBytes(source))
    throw new LoadError('wasm-unavailable', 'openSync() needs the wasm option: bytes, or a WebAssembly.Module.');
  const bytes = toBytes(source);
  checkMagic(bytes, 'the given bytes');
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new LoadError('wasm-unavailable', `the given wasm could not be compiled (${/** @type {Error} */ (cause).message}).`, undefined, { cause });
  }
}

/**
 * What it means that a module has no instance.
 * @param {unknown} cause
 * @returns {TensorArenaError}
 */
export function cannotStart(cause) {
  if (cause instanceof TensorArenaError) return cause;
  const { message } = /** @type {Error} */ (cause);
  return cause instanceof RangeError
    ? new LimitError('out-of-memory', `there is no memory for another sandbox (${message}): let go of other models first.`, undefined, { cause })
    : new LoadError('wasm-mismatch', `this wasm file is not the core of tensor-arena (${message}).`, undefined, { cause });
}

/** @param {string} text */
function parseUrl(text) {
  try {
    return new URL(text, globalThis.location?.href);
  } catch (cause) {
    throw new LoadError('wasm-unavailable', `${text} is no URL; give a whole one, or a URL object.`, undefined, { cause });
  }
}

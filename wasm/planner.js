/** A planner: the calls of the core's planner, one JavaScript method each. */
import { PLANNER_OPTIONS } from '../dist/layouts.js';
import { readBuffers, readMarks, readSummary, readWhy } from './layouts.js';
import {
  FORMATS,
  INT32_MAX,
  KERNELS,
  PLANNERS,
  RUNTIMES,
  TARGETS,
  TYPES,
  integer,
  numberOf,
} from './names.js';
import { checkOptions, checkSearch } from './option-keys.js';

/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./index.js').AllocationType} AllocationType */
/** @typedef {import('./index.js').Layout} Layout */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').PlannerOptions} PlannerOptions */
/** @typedef {import('./index.js').ReportFormat} ReportFormat */
/** @typedef {import('./index.js').SolveOptions} SolveOptions */
/** @typedef {import('./index.js').SolveResult} SolveResult */

const OPTION_KEYS = ['runtime', 'planner', 'alignment', 'subgraph', 'kernels', 'preserveAll', 'keepOffsets', 'budget', 'nodes', 'target', 'force'];

/** TA_DEFAULT_NODES: what a search may spend when nobody says otherwise. */
const DEFAULT_NODES = 2_000_000;

/** The first slice of a search, in nodes, and how long a slice should keep the event loop waiting. */
const FIRST_SLICE = 1000;
const SLICE_MS = 12;

/**
 * Planners are freed when nobody holds them any more, so that a page that re-plans for hours does not grow.
 * @type {FinalizationRegistry<{ instance: Instance, handle: number, call: string }>}
 */
const forgotten = new FinalizationRegistry(({ instance, handle, call }) => {
  if (!instance.crashed) instance.value(call, handle);
});

/**
 * @param {object} owner
 * @param {Instance} instance
 * @param {number} handle
 * @param {string} call  the export that frees the handle
 */
export function freeWithOwner(owner, instance, handle, call) {
  forgotten.register(owner, { instance, handle, call });
}

/**
 * Writes the options into the core's struct.
 * @param {Instance} instance
 * @param {PlannerOptions} options
 */
export function writeOptions(instance, options) {
  const at = instance.value('options');
  const view = instance.view();
  const word = (/** @type {number} */ offset, /** @type {number} */ value) => view.setUint32(at + offset, value, true);
  const wide = (/** @type {number} */ offset, /** @type {number} */ value) =>
    view.setBigUint64(at + offset, BigInt(value), true);

  if (options.runtime !== undefined) word(PLANNER_OPTIONS.runtime, numberOf(RUNTIMES, options.runtime, 'runtime'));
  if (options.planner !== undefined) word(PLANNER_OPTIONS.planner, numberOf(PLANNERS, options.planner, 'planner'));
  if (options.kernels !== undefined) word(PLANNER_OPTIONS.kernels, numberOf(KERNELS, options.kernels, 'kernels'));
  if (options.target !== undefined) word(PLANNER_OPTIONS.target, numberOf(TARGETS, options.target, 'target'));
  if (options.force !== undefined) word(PLANNER_OPTIONS.force, numberOf([false, true], options.force, 'force'));
  if (options.alignment !== undefined) word(PLANNER_OPTIONS.alignment, integer(options.alignment, 1, INT32_MAX, 'alignment'));
  if (options.subgraph !== undefined) word(PLANNER_OPTIONS.subgraph, integer(options.subgraph, 0, INT32_MAX, 'subgraph'));
  if (options.preserveAll !== undefined) word(PLANNER_OPTIONS.preserve_all, numberOf([false, true], options.preserveAll, 'preserveAll'));
  if (options.keepOffsets !== undefined) word(PLANNER_OPTIONS.keep_offsets, numberOf([false, true], options.keepOffsets, 'keepOffsets'));
  if (options.budget !== undefined) wide(PLANNER_OPTIONS.budget_bytes, integer(options.budget, 0, Number.MAX_SAFE_INTEGER, 'budget'));
  if (options.nodes !== undefined) wide(PLANNER_OPTIONS.max_nodes, integer(options.nodes, 1, Number.MAX_SAFE_INTEGER, 'nodes'));
}

/**
 * @param {Instance} instance
 * @param {number} handle  a planner's
 * @returns {Layout}
 */
export function readLayout(instance, handle) {
  const marks = instance.yielded('marks', handle).value;
  const [arenaBytes, persistentBytes] = readMarks(instance.view(), marks);
  const { value, length } = instance.yielded('buffers', handle);
  return { arenaBytes, persistentBytes, ...readBuffers(instance.view(), value, length) };
}

export class Planner {
  /** @type {Instance} */
  #instance;
  /** @type {number} */
  #handle;
  #nodes;

  /**
   * @param {Instance} instance
   * @param {PlannerOptions} options
   */
  constructor(instance, options) {
    checkOptions(options, OPTION_KEYS, 'planner()');
    writeOptions(instance, options);
    this.#instance = instance;
    this.#nodes = options.nodes ?? DEFAULT_NODES;
    this.#handle = instance.yielded('planner').value;
    freeWithOwner(this, instance, this.#handle, 'planner_free');
  }

  /**
   * For the package's own modules: what else can be done with the core's planner.
   * @template T
   * @param {(handle: number) => T} use
   * @returns {T}
   */
  useHandle(use) {
    return use(this.#handle);
  }

  plan() {
    this.#instance.call('plan', this.#handle);
  }

  /**
   * @param {number} [first]
   * @param {number} [last]
   */
  execute(first = 0, last = Infinity) {
    this.#instance.call('execute', this.#handle, node(first, 'first'), node(last, 'last'));
  }

  reset() {
    this.#instance.call('reset', this.#handle);
  }

  /** @param {number} after */
  resetAfter(after) {
    this.#instance.call('reset_after', this.#handle, node(after, 'node'));
  }

  /**
   * @param {number} tensor
   * @param {number} bytes
   */
  resize(tensor, bytes) {
    const index = integer(tensor, 0, INT32_MAX, 'tensor');
    const size = integer(bytes, 0, Number.MAX_SAFE_INTEGER, 'bytes');
    this.#instance.withWide(size, (at) => this.#instance.call('resize', this.#handle, index, at));
  }

  /**
   * @param {number} tensor
   * @param {AllocationType} type
   */
  retype(tensor, type) {
    const index = integer(tensor, 0, INT32_MAX, 'tensor');
    this.#instance.call('retype', this.#handle, index, numberOf(TYPES, type, 'type'));
  }

  /**
   * @param {number} buffer
   * @param {number | null} offset
   */
  fix(buffer, offset) {
    const index = integer(buffer, 0, INT32_MAX, 'buffer');
    const place = offset === null ? -1 : integer(offset, 0, Number.MAX_SAFE_INTEGER, 'offset'); /* -1: all bits set */
    this.#instance.withWide(place, (at) => this.#instance.call('fix', this.#handle, index, at));
  }

  release() {
    this.#instance.call('release', this.#handle);
  }

  acquire() {
    this.#instance.call('acquire', this.#handle);
  }

  /**
   * @param {SolveOptions} [options]
   * @returns {Promise<SolveResult>}
   */
  async solve(options = {}) {
    checkOptions(options, ['nodes', 'signal', 'onProgress'], 'solve()');
    checkSearch(options);
    const { signal, onProgress } = options;
    let left = integer(options.nodes ?? this.#nodes, 1, Number.MAX_SAFE_INTEGER, 'nodes');
    let slice = FIRST_SLICE;
    const turns = new Turns();
    try {
      signal?.throwIfAborted();
      this.plan();
      for (;;) {
        const started = performance.now();
        const nodes = Math.min(slice, left);
        const done = this.#step(nodes);
        left -= nodes;
        const { searchNodes, arenaBytes, lowerBoundBytes, status, fits } = this.summary();
        const progress = { searchNodes, arenaBytes, lowerBoundBytes };
        if (done || left === 0) return { ...progress, done, status, fits };
        onProgress?.(progress);
        // The search is the same however it is cut; only how long the loop waits depends on the clock.
        const took = Math.max(performance.now() - started, 0.1);
        slice = Math.max(FIRST_SLICE, Math.round(nodes * Math.min(4, SLICE_MS / took)));
        await turns.next();
        signal?.throwIfAborted();
      }
    } finally {
      turns.end();
    }
  }

  /** @param {number} nodes */
  #step(nodes) {
    return this.#instance.withWide(nodes, (at) => this.#instance.yielded('solve', this.#handle, at).value === 1);
  }

  summary() {
    const { value } = this.#instance.yielded('summary', this.#handle);
    return readSummary(this.#instance.view(), value);
  }

  layout() {
    return readLayout(this.#instance, this.#handle);
  }

  /** @param {number} buffer */
  why(buffer) {
    const { value, length } = this.#instance.yielded('why', this.#handle, integer(buffer, 0, INT32_MAX, 'buffer'));
    return { ...readWhy(this.#instance.view(), value), rule: length === 0 ? null : this.#instance.cString(length, 128) };
  }

  /** @returns {Plan} */
  report() {
    return JSON.parse(this.text('json'));
  }

  /** @param {ReportFormat} [format] */
  text(format = 'text') {
    return this.#instance.text('report', this.#handle, numberOf(FORMATS, format, 'format'));
  }
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function node(value, what) {
  return value === Infinity ? INT32_MAX : integer(value, -INT32_MAX - 1, INT32_MAX, what);
}

/**
 * Lets the event loop run between slices. A message comes back sooner than the shortest timer; but where there is
 * setImmediate, a thousand messages are answered before a timer has its turn.
 */
class Turns {
  #channel = new MessageChannel();

  next() {
    return new Promise((resolve) => {
      if ('setImmediate' in globalThis) return void setImmediate(resolve);
      this.#channel.port1.onmessage = resolve;
      this.#channel.port2.postMessage(null);
    });
  }

  end() {
    this.#channel.port1.close();
  }
}

/** The page's side of the engine: in a worker where one can start, else on this thread. */
import { Engine } from './engine.js';
import { failureOf } from './failure.js';

/** @typedef {import('./engine.js').Progress} Progress */
/** @typedef {{ resolve: (value: any) => void, reject: (reason: unknown) => void, progress: Progress }} Waiting */

export class Host {
  #module;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Engine | null} */
  #engine = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #next = 1;
  #workerUrl;

  /** @param {WebAssembly.Module} module @param {URL | null} workerUrl  null: stay on this thread */
  constructor(module, workerUrl) {
    this.#module = module;
    this.#workerUrl = workerUrl;
    this.#start();
  }

  #start() {
    if (this.#workerUrl !== null)
      try {
        const worker = new Worker(this.#workerUrl, { type: 'module' });
        worker.onmessage = ({ data }) => this.#receive(data);
        worker.onerror = () => this.#fallBack();
        worker.postMessage({ module: this.#module });
        this.#worker = worker;
        return;
      } catch {
        // No worker here: the same code runs on this thread.
      }
    this.#engine = new Engine(this.#module);
  }

  /** The worker did not start or died: whoever waits is told; later calls run here. */
  #fallBack() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#engine = new Engine(this.#module);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(failureOf(new Error('the worker stopped; open the model again.')));
  }

  /** @param {{ id: number, value?: unknown, failure?: unknown, progress?: { stage: string, fraction: number | null, note?: string } }} data */
  #receive({ id, value, failure, progress }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (progress) {
      waiting.progress(progress.stage, progress.fraction, progress.note);
      return;
    }
    this.#waiting.delete(id);
    if (failure) waiting.reject(failure);
    else waiting.resolve(value);
  }

  /**
   * @param {string} call  a method of the engine
   * @param {unknown[]} args
   * @param {Progress} [progress]
   * @returns {Promise<any>}
   */
  call(call, args, progress = () => {}) {
    if (this.#engine) {
      const methods = /** @type {Record<string, (...given: unknown[]) => Promise<unknown>>} */ (/** @type {unknown} */ (this.#engine));
      return Promise.resolve(methods[call]?.call(this.#engine, ...args, progress)).catch((error) => {
        throw failureOf(error);
      });
    }
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#worker?.postMessage({ id, call, args });
    });
  }

  /** Drops all that runs. What was open must be opened again. */
  restart() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
    this.#start();
  }
}

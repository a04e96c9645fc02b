/** The worker's side of host.js: calls come in, answers and progress go out. */
import { Engine } from './engine.js';
import { failureOf } from './failure.js';

/** @type {Engine | null} */
let engine = null;

/** Answers calls, one after the other as they come. */
export function startWorker() {
  self.onmessage = async ({ data }) => {
    const { id, call, args, module } = data;
    if (module) {
      engine = new Engine(module);
      return;
    }
    /** @type {import('./engine.js').Progress} */
    const progress = (stage, fraction, note) => self.postMessage({ id, progress: { stage, fraction, note } });
    try {
      const methods = /** @type {Record<string, (...given: unknown[]) => Promise<unknown>>} */ (/** @type {unknown} */ (engine));
      const value = await methods[call]?.call(engine, ...args, progress);
      // Pixels move; what the engine may keep is copied.
      const { pixels, ids } = /** @type {Partial<import('../types.js').Picture>} */ (value ?? {});
      self.postMessage({ id, value }, { transfer: pixels && ids ? [pixels.buffer, ids.buffer] : [] });
    } catch (error) {
      self.postMessage({ id, failure: failureOf(error) });
    }
  };
}

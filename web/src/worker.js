/** The worker's side of host.js: calls come in, answers and progress go out. */
import { Engine } from './engine.js';
import { failureOf } from './failure.js';

/** @type {Engine | null} */
let engine = null;

/** The typed arrays of an answer, which move instead of being copied. @param {unknown} value @param {Set<ArrayBuffer>} found */
function buffersOf(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (value !== null && typeof value === 'object' && !Array.isArray(value)) for (const part of Object.values(value)) buffersOf(part, found);
  return found;
}

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
      self.postMessage({ id, value }, { transfer: [...buffersOf(value)] });
    } catch (error) {
      self.postMessage({ id, failure: failureOf(error) });
    }
  };
}

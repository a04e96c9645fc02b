/** The whole arena that TensorFlow Lite Micro needs: what is planned, and what it keeps for good. */

import { RUNTIME_TRAITS } from '../../../dist/words.js';

/** @typedef {import('../types.js').WholeArena} WholeArena */
/** @typedef {import('../types.js').PlanHead} PlanHead */
/** @typedef {import('../types.js').PlanOptions} PlanOptions */

/** What TFLM rounds an arena to. */
const ARENA_UNIT = RUNTIME_TRAITS.find(({ wholeModel }) => wholeModel)?.fixedAlignment ?? 1;

/** What the runtime calls its parts, and what they are. */
const PARTS = /** @type {const} */ ([
  ['operator data', ['builtin data', 'Init', 'Prepare']],
  ['tensor records', ['TfLiteEvalTensor', 'input TfLiteTensor', 'output TfLiteTensor', 'input pointers', 'output pointers']],
  ['node records', ['NodeAndRegistration']],
  ['variables', ['variable tensor']],
  ['scratch handles', ['scratch handles']],
]);
const OTHERS = 'the runtime itself';

/**
 * @param {import('../../../wasm/index.js').Model} model
 * @param {Pick<PlanHead, 'runtime' | 'planner'>} head
 * @param {Partial<PlanOptions>} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<WholeArena | null>}
 */
export async function wholeArena(model, head, { kernels = 'reference', target = 'cortex-m' }, signal) {
  if (head.runtime !== 'tflm') return null;
  const wanted = /** @type {import('../../../wasm/index.js').SizeOptions} */ ({ kernels, target, planner: head.planner === 'linear' ? 'linear' : 'own' });
  const size = model.size(wanted);
  // The best plan is there only once it is in the file: what counts is what the runtime needs for that.
  const figures = head.planner === 'optimal' ? await figuresOfRewritten(model, wanted, size, signal) : size;
  const { head_bytes: planned, arena_used_bytes: used, min_arena_bytes: smallest } = figures;
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { what, bytes } of size.items) {
    const label = PARTS.find(([, names]) => /** @type {readonly string[]} */ (names).includes(what))?.[0] ?? OTHERS;
    sums.set(label, (sums.get(label) ?? 0) + bytes);
  }
  const parts = [...sums].map(([label, bytes]) => ({ label, bytes })).sort((a, b) => b.bytes - a.bytes);
  const padding = size.tail_bytes - parts.reduce((sum, part) => sum + part.bytes, 0);
  if (padding > 0) parts.push({ label: 'padding', bytes: padding });
  const missing = [...new Set(size.missing)];
  return {
    total: smallest ?? used,
    smallest,
    used,
    items: size.items,
    align: ARENA_UNIT,
    rewritten: head.planner === 'optimal',
    head: planned,
    tail: used - planned,
    parts,
    complete: size.covered,
    target,
    kernels,
    notes: missing.length > 0 ? [`what ${missing.join(', ')} ${missing.length === 1 ? 'asks' : 'ask'} for: TFLM has no such ${missing.length === 1 ? 'operator' : 'operators'} of its own`] : [],
  };
}

/**
 * What the runtime needs once the best plan is in the file; what it needs now, where the file cannot be given one.
 * @param {import('../../../wasm/index.js').Model} model @param {import('../../../wasm/index.js').SizeOptions} wanted @param {import('../../../wasm/index.js').Size} now @param {AbortSignal | undefined} signal
 */
async function figuresOfRewritten(model, { kernels, target }, now, signal) {
  try {
    const { after } = await model.writeOfflinePlan({ ...(kernels && { kernels }), ...(target && { target }), ...(signal && { signal }) });
    return after;
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'refused-by-runtime') throw error;
    return now;
  }
}

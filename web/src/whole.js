/** The whole arena that TensorFlow Lite Micro needs: what is planned, and what it keeps for good. */

/** @typedef {import('./types.js').WholeArena} WholeArena */
/** @typedef {import('./types.js').PlanHead} PlanHead */
/** @typedef {import('./types.js').PlanOptions} PlanOptions */

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
 * @param {import('../../wasm/index.js').Model} model
 * @param {Pick<PlanHead, 'runtime' | 'planner' | 'arena_bytes'>} head
 * @param {Partial<PlanOptions>} options
 * @returns {WholeArena | null}
 */
export function wholeArena(model, head, { kernels = 'reference', target = 'cortex-m' }) {
  if (head.runtime !== 'tflm') return null;
  const size = model.size(/** @type {import('../../wasm/index.js').SizeOptions} */ ({ kernels, target, planner: head.planner === 'linear' ? 'linear' : 'own' }));
  const isOwn = head.planner !== 'optimal';
  const used = head.arena_bytes + size.tail_bytes;
  const smallest = isOwn ? size.min_arena_bytes : null;
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
    head: head.arena_bytes,
    tail: size.tail_bytes,
    parts,
    complete: size.covered,
    target,
    kernels,
    notes: missing.length > 0 ? [`what ${missing.join(', ')} ${missing.length === 1 ? 'asks' : 'ask'} for: TFLM has no such ${missing.length === 1 ? 'operator' : 'operators'} of its own`] : [],
  };
}

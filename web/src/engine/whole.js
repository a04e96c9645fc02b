/** The whole arena that TensorFlow Lite Micro needs: what is planned, and what it keeps for good. */

import { RUNTIME_TRAITS } from '../../../dist/words.js';

/** @typedef {import('../types.js').WholeArena} WholeArena */
/** @typedef {import('../types.js').PlanHead} PlanHead */

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
 * The report's figures, and what they are made of.
 * @param {import('../../../wasm/index.js').Model | null} model  null: a plan came alone, without what it is made of
 * @param {PlanHead} head
 * @returns {WholeArena | null}
 */
export function wholeArena(model, { runtime, planner, target, kernels, head_bytes: head, tail_bytes: tail, min_arena_bytes: smallest, unknown }) {
  if (runtime !== 'tflm' || !target || !kernels || head === undefined || tail === undefined || head === null || tail === null) return null;
  // What is kept for good is the same wherever the tensors lie; `size` names it item by item.
  const size = model?.size(/** @type {import('../../../wasm/index.js').SizeOptions} */ ({ kernels, target, planner: planner === 'linear' ? 'linear' : 'own' })) ?? { items: [], missing: [] };
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { what, bytes } of size.items) {
    const label = PARTS.find(([, names]) => /** @type {readonly string[]} */ (names).includes(what))?.[0] ?? OTHERS;
    sums.set(label, (sums.get(label) ?? 0) + bytes);
  }
  const parts = [...sums].map(([label, bytes]) => ({ label, bytes })).sort((a, b) => b.bytes - a.bytes);
  const padding = tail - parts.reduce((sum, part) => sum + part.bytes, 0);
  if (padding > 0) parts.push({ label: model ? 'padding' : 'kept for good', bytes: padding });
  const missing = [...new Set(size.missing)];
  return {
    total: smallest ?? head + tail,
    smallest: smallest ?? null,
    used: head + tail,
    items: size.items,
    align: ARENA_UNIT,
    rewritten: planner === 'optimal',
    head,
    tail,
    parts,
    complete: (unknown?.operators ?? 0) === 0,
    target,
    kernels,
    notes: missing.length > 0 ? [`what ${missing.join(', ')} ${missing.length === 1 ? 'asks' : 'ask'} for: TFLM has no such ${missing.length === 1 ? 'operator' : 'operators'} of its own`] : [],
  };
}

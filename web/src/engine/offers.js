/**
 * What one can do to need less: each way is tried by the code that does it, and its figures are those of the whole
 * arena. Ways that save nothing are none.
 */
import { plannerOptions } from './describe.js';

/** @typedef {import('../types.js').Offer} Offer */
/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {import('../../../wasm/model.js').Model} Model */
/** @typedef {Offer & { file?: Uint8Array | null }} Found */
/** @typedef {(model: Model, info: ModelInfo, options: PlanOptions, signal: AbortSignal) => Promise<Omit<Found, 'saves'> | null>} Way */

/** What a search that nobody asked for may cost. */
const NODES = 200_000;

/** Alignments that are tried where the runtime takes any. */
const ALIGNMENTS = [4, 8, 16];

/** The places of the smallest plan, written into the file. @type {Way} */
async function betterPlaces(model, _info, options, signal) {
  if (options.runtime !== 'tflm' || options.planner === 'optimal') return null;
  const { kernels, target } = /** @type {import('../../../wasm/index.js').OfflineOptions} */ (options);
  const { bytes: file, after, outcome, proved } = await model.writeOfflinePlan({ ...(kernels && { kernels }), ...(target && { target }), nodes: NODES, signal });
  if (outcome !== 'smaller' || after.min_arena_bytes === null) return null;
  return { id: 'plan', what: `better places, same tensors${proved ? '' : ' (the best found)'}`, bytes: after.min_arena_bytes, cost: '', isFile: true, file, change: { planner: 'optimal' } };
}

/** The smallest plan, where whoever runs the model places its buffers. @type {Way} */
async function smallestPlan(model, info, options, signal) {
  if (options.runtime === 'tflm' || options.planner === 'optimal') return null;
  const change = { planner: 'optimal' };
  const planner = model.planner(plannerOptions(info, { ...options, ...change }));
  await planner.solve({ nodes: NODES, signal });
  const cost = options.runtime === 'none' ? '' : 'only where you place the buffers yourself';
  return { id: 'optimal', what: 'the smallest plan', bytes: planner.summary().neededBytes, cost, isFile: false, change };
}

/** What the runtime does by itself, where something else is shown. @type {Way} */
async function ownPlan(model, info, options) {
  if (options.planner === 'own' || (info.kind === 'csv' && !info.hasOffsets)) return null;
  const change = { planner: 'own' };
  const planner = model.planner(plannerOptions(info, { ...options, ...change }));
  planner.plan();
  planner.execute();
  return { id: 'own', what: "the runtime's own planner", bytes: planner.summary().neededBytes, cost: '', isFile: false, change };
}

/** The same planner with smaller alignments. @param {number} alignment @returns {Way} */
const alignedTo = (alignment) => async (model, info, options) => {
  if (options.runtime === 'tflm' || info.kind === 'csv' || options.planner === 'optimal' || alignment >= options.alignment) return null;
  const change = { alignment };
  const planner = model.planner(plannerOptions(info, { ...options, ...change }));
  planner.plan();
  planner.execute();
  return { id: `alignment-${alignment}`, what: `buffers aligned to ${alignment} bytes`, bytes: planner.summary().neededBytes, cost: 'where the kernels allow it', isFile: false, change };
};

/** @type {readonly Way[]} */
const WAYS = [betterPlaces, smallestPlan, ownPlan, ...ALIGNMENTS.map(alignedTo)];

/**
 * @param {Model} model @param {ModelInfo} info @param {PlanOptions} options @param {number} now  what is needed as it is @param {AbortSignal} signal
 * @returns {Promise<Found[]>} the best first
 */
export async function findOffers(model, info, options, now, signal) {
  const found = [];
  for (const way of WAYS) {
    const offer = await way(model, info, options, signal).catch((error) => {
      signal.throwIfAborted();
      // A way that this model cannot take is none.
      if (error.code === 'refused-by-runtime' || error.code === 'unsupported') return null;
      throw error;
    });
    signal.throwIfAborted();
    if (offer && offer.bytes < now) found.push({ ...offer, saves: now - offer.bytes });
  }
  return found.sort((a, b) => a.bytes - b.bytes);
}

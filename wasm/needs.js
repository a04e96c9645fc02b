/**
 * Holds a plan against what its model needs: that each tensor a planner is asked to place is in it, with a place and
 * with all its bytes, and that only those share bytes that work in place.
 */
import { UsageError } from './errors.js';

/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').PlanBuffer} PlanBuffer */
/** @typedef {import('./model.js').Model} Model */

/** @param {PlanBuffer} buffer */
const keyOf = (buffer) => ('tensor' in buffer ? `${buffer.subgraph ?? 0}:${buffer.tensor}` : '');

/** What a planner of the plan's runtime is asked to place, unplaced. @param {Plan} plan @param {Model} model */
function askedOf({ runtime, planner, subgraph }, model) {
  const asked = model.planner({ runtime, planner: planner === 'optimal' ? planner : 'own', ...(runtime !== 'tflm' && subgraph !== null && { subgraph }) });
  asked.plan();
  return asked.report().buffers;
}

/**
 * The buffers of the plan that lack a place, by index. Throws where the plan is none of this model.
 * @param {Map<string, number>} indexOf  by key
 * @param {Plan} plan
 * @param {readonly PlanBuffer[]} asked
 */
function withoutPlace(indexOf, plan, asked) {
  const lacking = [];
  for (const need of asked) {
    if (need.arena !== 'rw' || need.bytes === 0 || !('tensor' in need)) continue;
    const refuse = (/** @type {string} */ what) => {
      throw new UsageError('bad-argument', `the plan is of another model: tensor ${need.tensor} of subgraph ${need.subgraph} ${what}; give the model that it was made for.`);
    };
    const i = indexOf.get(keyOf(need));
    const buffer = plan.buffers[i ?? -1];
    if (i === undefined || buffer === undefined) return refuse('is not in it');
    if (buffer.bytes < need.bytes) return refuse(`has ${buffer.bytes} bytes in it and needs ${need.bytes}`);
    if (buffer.arena === null) lacking.push(i);
  }
  return lacking;
}

/**
 * Which buffers may lie in their root's bytes: those that do under the runtime, where both have the model's bytes;
 * with other bytes, those whose node reads the root or what shares with it.
 * @param {Plan} plan
 * @param {Model} model
 * @param {readonly PlanBuffer[]} asked
 */
function sharingRule(plan, model, asked) {
  const askedFor = new Map(asked.map((buffer) => [keyOf(buffer), buffer]));
  /** @type {Map<number, Set<string>>} */
  const groups = new Map();
  for (const buffer of plan.buffers) {
    const { shares } = buffer;
    if (shares === undefined) continue;
    const group = groups.get(shares) ?? new Set([keyOf(/** @type {PlanBuffer} */ (plan.buffers[shares]))]);
    groups.set(shares, group.add(keyOf(buffer)));
  }
  /** What the nodes that write a tensor read. @type {Map<string, string[]>} */
  const sources = new Map();
  model.subgraphs.forEach(({ nodes }, g) => {
    for (const { inputs, outputs } of nodes)
      for (const tensor of outputs) sources.set(`${g}:${tensor}`, [...(sources.get(`${g}:${tensor}`) ?? []), ...inputs.map((input) => `${g}:${input}`)]);
  });
  return (/** @type {PlanBuffer} */ buffer) => {
    const root = /** @type {PlanBuffer} */ (plan.buffers[buffer.shares ?? 0]);
    const [need, needed] = [askedFor.get(keyOf(buffer)), askedFor.get(keyOf(root))];
    if (need?.bytes === buffer.bytes && needed?.bytes === root.bytes) return asked[need.shares ?? -1] === needed;
    return sources.get(keyOf(buffer))?.some((source) => groups.get(buffer.shares ?? 0)?.has(source)) ?? false;
  };
}

/**
 * @param {Plan} plan
 * @param {Model} model
 * @returns {{ lacking: number[], plan: Plan }} the buffers without a place; the plan, in which only those share that may
 */
export function holdAgainst(plan, model) {
  const asked = askedOf(plan, model);
  const indexOf = new Map(plan.buffers.map((buffer, i) => [keyOf(buffer), i]));
  const lacking = withoutPlace(indexOf, plan, asked);
  const mayShare = sharingRule(plan, model, asked);
  const buffers = plan.buffers.map((buffer) => {
    if (buffer.shares === undefined || mayShare(buffer)) return buffer;
    const { shares, ...alone } = buffer;
    return alone;
  });
  return { lacking, plan: { ...plan, buffers } };
}

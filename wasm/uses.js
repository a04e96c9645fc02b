/**
 * Holds the lives of a plan against what uses its buffers. A plan says which node each of its steps runs; the model
 * says what a node touches. Nothing of this is taken from how the planners work lives out.
 */
import { UsageError } from './errors.js';

/** @typedef {import('./index.js').Clash} Clash */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').PlanBuffer} PlanBuffer */
/** @typedef {import('./index.js').ModelDescription} ModelDescription */

/**
 * A use that a life misses. `by` is what uses it.
 * @typedef {{ buffer: number, step: number, by: string }} Missed
 */

const key = (/** @type {number | null} */ subgraph, /** @type {number} */ index) => `${subgraph ?? 0}:${index}`;

/** @param {Plan} plan @param {ModelDescription} model */
function checkItIsTheModels(plan, { subgraphs, kind }) {
  const refuse = (/** @type {string} */ what) => {
    throw new UsageError('bad-argument', `the plan is of another model: ${what}; give the model that it was made for.`);
  };
  if (plan.source.kind === 'csv' || kind === 'csv') refuse('a buffer list holds no uses');
  if (plan.timeline.length !== plan.steps) refuse(`it has ${plan.steps} steps and a timeline of ${plan.timeline.length}`);
  for (const { subgraph, node } of plan.timeline)
    if (node !== null && subgraphs[subgraph]?.nodes[node] === undefined) refuse(`it runs node ${node} of subgraph ${subgraph}`);
  const main = plan.subgraph ?? 0;
  const run = new Set(plan.timeline.map(({ subgraph, node }) => (subgraph === main ? node : null)));
  const left = subgraphs[main]?.nodes.findIndex((_, node) => !run.has(node)) ?? -1;
  if (left >= 0) refuse(`it does not run node ${left} of subgraph ${main}`);
  for (const buffer of plan.buffers)
    if ('tensor' in buffer && subgraphs[buffer.subgraph ?? 0]?.tensors[buffer.tensor] === undefined) refuse(`it has tensor ${buffer.tensor} of subgraph ${buffer.subgraph}`);
}

/**
 * Every use, in order of the steps: what each node touches, scratch buffers included, the main subgraph's inputs
 * before the first step is over, its outputs in the last one, and variables all the time.
 * @param {Plan} plan
 * @param {ModelDescription} model
 * @param {(use: { key: string, step: number, by: string }) => void} visit
 */
function visitUses(plan, { subgraphs }, visit) {
  plan.timeline.forEach(({ subgraph, node }, step) => {
    const used = node === null ? undefined : subgraphs[subgraph]?.nodes[node];
    if (used === undefined) return;
    const by = `${used.name} #${node}`.trim();
    for (const tensor of [...used.inputs, ...used.outputs, ...used.temporaries]) visit({ key: key(subgraph, tensor), step, by });
    visit({ key: `scratch ${key(subgraph, Number(node))}`, step, by });
  });
  const last = plan.steps - 1;
  if (last < 0) return;
  const main = plan.subgraph ?? 0;
  for (const tensor of subgraphs[main]?.inputs ?? []) visit({ key: key(main, tensor), step: 0, by: 'the model, as its input' });
  for (const tensor of subgraphs[main]?.outputs ?? []) visit({ key: key(main, tensor), step: last, by: 'the model, as its output' });
  if (plan.runtime === 'tflite-2018') return; // it knows no variables
  subgraphs.forEach(({ variables }, g) => {
    for (const tensor of variables)
      for (const step of [0, last]) visit({ key: key(g, tensor), step, by: 'the next run, as its variable' });
  });
}

/**
 * The first use of each buffer that its life does not cover. Only buffers of the rw arena have a life to keep.
 * @param {Plan} plan
 * @param {ModelDescription} model
 * @returns {Missed[]}
 */
export function missedUses(plan, model) {
  checkItIsTheModels(plan, model);
  /** @type {Map<string, number[]>} */
  const buffers = new Map();
  plan.buffers.forEach((buffer, i) => {
    if (buffer.arena !== 'rw') return;
    const name = 'node' in buffer ? `scratch ${key(buffer.subgraph, buffer.node)}` : 'tensor' in buffer ? key(buffer.subgraph, buffer.tensor) : '';
    const same = buffers.get(name);
    if (same) same.push(i);
    else buffers.set(name, [i]);
  });
  /** @type {Map<number, Missed>} */
  const missed = new Map();
  visitUses(plan, model, (use) => {
    for (const i of buffers.get(use.key) ?? []) {
      const { first, last } = /** @type {PlanBuffer} */ (plan.buffers[i]);
      if ((use.step < first || use.step > last) && !missed.has(i)) missed.set(i, { buffer: i, step: use.step, by: use.by });
    }
  });
  return [...missed.values()].sort((a, b) => a.buffer - b.buffer);
}

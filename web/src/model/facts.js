/** What follows from a plan and its model: who writes and reads what, what is live when, what the peak is made of. */
import { firstName, sharedEnds, shortName, withoutShared } from './format.js';
import { at, besideStep, countsAsLive, indexAt, localPeaks, start } from './live.js';
import { NAMES } from './names.js';
import { isUnbounded } from './sentences.js';
import { NO_USES, stepsOfNodes, usesOfTensors } from './uses.js';

export { at, countsAsLive, indexAt } from './live.js';

/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {import('../types.js').PlanData} PlanData */
/** @typedef {import('../types.js').Changes} Changes */
/** @typedef {import('./uses.js').NodeRef} NodeRef */
/** @typedef {import('./uses.js').Uses} Uses */
/** @typedef {ReturnType<typeof makeFacts>} Facts */

/** Beyond this many buffers, what costs a look at each of them is left out. */
export const HUGE = 20_000;

/** From so many steps on a map of all of them is too fine to begin with. */
export const MANY_STEPS = 150;

/**
 * @param {ModelInfo} model
 * @param {PlanData} plan
 */
export function makeFacts(model, plan) {
  const { head, columns, names } = plan;
  const uses = usesOfTensors(model);
  const steps = stepsOfNodes(head.timeline);
  const { changes } = plan;
  const peaks = localPeaks(changes);
  /** @type {Map<string, number>} */
  const buffers = new Map();
  const isGraph = model.subgraphs.length > 0;
  for (let i = 0; isGraph && i < columns.n; i++) if (columns.scratch[i] === 0) buffers.set(`${columns.subgraph[i]}:${columns.index[i]}`, i);

  const short = columns.n > HUGE ? [] : names.flatMap((name, i) => (columns.arena[i] === 1 && name ? [shortName(name)] : []));
  const shared = sharedEnds(short);

  const facts = {
    model,
    plan,
    head,
    columns,
    n: columns.n,
    /** Where the whole arena ends: with what is kept for good, where that is known. */
    end: plan.whole ? plan.whole.total : head.arena_bytes,
    /** The buffer whose end is the planned part's; -1 for none. */
    top: highest(columns, head.arena_bytes),
    changes,
    peaks,
    /** Whether there are operators that use the buffers. */
    isGraph,
    /** What no plan can be below; null where the plan breaks the rules, so that its arena may be below it, and where not everything has its place. */
    bound: isUnbounded(head) || head.status === 'unplanned' || plan.clashes.length > 0 ? null : head.lower_bound_bytes,

    /** What the user should know: from reader and planner, and what is known only when the model runs. @type {readonly import('../types.js').Problem[]} */
    problems: [...(plan.refusal ? [{ code: 'refused', text: `${NAMES[plan.refusal.runtime] ?? plan.refusal.runtime} refuses this model: ${plan.refusal.text}` }] : []), ...head.problems],

    /** The buffers that share bytes with one while both live. @param {number} i */
    clashesOf: (i) => plan.clashes.filter(({ a, b }) => a === i || b === i),

    /** @param {number} subgraph @param {number} tensor */
    bufferOf: (subgraph, tensor) => buffers.get(`${subgraph}:${tensor}`) ?? -1,

    /** @param {number} i */
    isPlaced: (i) => columns.arena[i] === 1 && at(columns.offset, i) >= 0 && at(columns.bytes, i) > 0,

    /** Steps, both included, and bytes [low, high). @param {number} i */
    spanOf: (i) => ({ first: start(columns, i), last: at(columns.last, i), low: at(columns.offset, i), high: at(columns.offset, i) + at(columns.bytes, i) }),

    /** @param {number} i @returns {import('../types.js').ModelTensor | null} */
    tensor: (i) => (columns.scratch[i] ? null : model.subgraphs[at(columns.subgraph, i)]?.tensors[at(columns.index, i)] ?? null),

    /** @param {number} i @returns {Uses} */
    uses: (i) => {
      if (columns.scratch[i]) return { ...NO_USES, writers: [{ subgraph: at(columns.subgraph, i), node: at(columns.index, i) }] };
      return isGraph ? (uses.get(`${columns.subgraph[i]}:${columns.index[i]}`) ?? NO_USES) : NO_USES;
    },

    /** @param {NodeRef} ref */
    nodeName: ({ subgraph, node }) => `${model.subgraphs[subgraph]?.nodes[node]?.name || 'node'} #${node}`,

    /** @param {NodeRef} ref */
    stepOfNode: ({ subgraph, node }) => steps.get(`${subgraph}:${node}`) ?? -1,

    /** The operator of a step; '' where the step is no node. @param {number} step */
    opOfStep: (step) => {
      const entry = head.timeline[step];
      if (entry === undefined || entry.node === null) return '';
      return model.subgraphs[entry.subgraph]?.nodes[entry.node]?.name ?? '';
    },

    /** "CONV_2D #2", "model inputs", "". @param {number} step */
    stepName: (step) => {
      const entry = head.timeline[step];
      if (entry === undefined) return '';
      if (entry.node === null) return step === 0 ? 'model inputs' : `enters subgraph ${entry.subgraph}`;
      return facts.nodeName({ subgraph: entry.subgraph, node: entry.node });
    },

    /** The whole name, however long. @param {number} i */
    fullName: (i) => {
      if (columns.scratch[i]) return `scratch of ${facts.nodeName({ subgraph: at(columns.subgraph, i), node: at(columns.index, i) })}`;
      return names[i] || `tensor ${columns.index[i]}`;
    },

    /** As sentences, tables and tips name it. @param {number} i */
    label: (i) => firstName(facts.fullName(i)),

    /** @param {number} i */
    shortLabel: (i) => shortName(facts.fullName(i)),

    /** For the tightest places: without what most names begin and end with. @param {number} i */
    tinyLabel: (i) => withoutShared(facts.shortLabel(i), shared),

    /** What writes it: the operator's name, or what it is. @param {number} i */
    op: (i) => {
      const writer = facts.uses(i).writers[0];
      return writer ? (model.subgraphs[writer.subgraph]?.nodes[writer.node]?.name ?? '') : '';
    },

    /** @param {number} i */
    dtype: (i) => facts.tensor(i)?.dtype ?? '',

    /** input, output, variable, scratch, shared, persistent or intermediate. @param {number} i */
    kind: (i) => {
      if (columns.scratch[i]) return 'scratch';
      if (columns.arena[i] === 2) return 'persistent';
      const used = facts.uses(i);
      if (facts.tensor(i)?.isVariable) return 'variable';
      if (used.isInput) return 'input';
      if (used.isOutput) return 'output';
      return columns.shares[i] === -1 ? 'intermediate' : 'shared';
    },

    /** Steps for which it is kept without being read or written. @param {number} i */
    slack: (i) => {
      if (!isGraph) return 0;
      const touched = new Set();
      const used = facts.uses(i);
      for (const ref of [...used.writers, ...used.readers]) touched.add(facts.stepOfNode(ref));
      if (used.isInput) touched.add(start(columns, i));
      touched.delete(-1);
      return Math.max(0, at(columns.last, i) - start(columns, i) + 1 - Math.max(1, touched.size));
    },

    /** @param {number} step */
    liveBytes: (step) => {
      const i = indexAt(changes.step, step);
      return i < 0 ? 0 : at(changes.live, i);
    },

    /** Buffers of the rw arena that are live at a step, largest first. @param {number} step */
    liveAt: (step) => {
      const list = [];
      for (let i = 0; i < columns.n; i++)
        if (columns.arena[i] === 1 && start(columns, i) <= step && step <= at(columns.last, i)) list.push(i);
      return list.sort((a, b) => at(columns.bytes, b) - at(columns.bytes, a) || a - b);
    },

    /** The most live bytes in steps from and to, both included, where that is, and how many buffers live then. @param {number} from @param {number} to */
    sumsOf: (from, to) => {
      let [most, where] = [facts.liveBytes(from), from];
      for (let k = indexAt(changes.step, from) + 1; k < changes.step.length && at(changes.step, k) <= to; k++) if (at(changes.live, k) > most) [most, where] = [at(changes.live, k), at(changes.step, k)];
      let buffers = 0;
      for (let i = 0; i < columns.n; i++) buffers += Number(columns.arena[i] === 1 && start(columns, i) <= to && at(columns.last, i) >= from);
      return { most, at: where, buffers };
    },

    /** What the node of a step reads and writes, and what waits meanwhile, largest first. @param {number} step */
    partsAt: (step) => {
      const entry = head.timeline[step];
      const live = facts.liveAt(step).filter((i) => countsAsLive(columns, i) && at(columns.bytes, i) > 0);
      const uses = (/** @type {number} */ i, /** @type {'readers' | 'writers'} */ side) => entry !== undefined && facts.uses(i)[side].some(({ subgraph, node }) => subgraph === entry.subgraph && node === entry.node);
      const written = live.filter((i) => uses(i, 'writers'));
      const read = live.filter((i) => uses(i, 'readers') && !written.includes(i));
      return { read, written, waiting: live.filter((i) => !written.includes(i) && !read.includes(i)) };
    },

    /** The peak if the buffer were not there. @param {number} i */
    peakWithout: (i) => {
      const from = indexAt(changes.step, start(columns, i));
      const to = indexAt(changes.step, at(columns.last, i));
      let peak = Math.max(at(changes.before, from), changes.after[to + 1] ?? 0);
      for (let k = from; k <= to; k++) peak = Math.max(peak, at(changes.live, k) - at(columns.bytes, i));
      return peak;
    },

    /** The most live bytes at any step but one. @param {number} step */
    peakBeside: (step) => besideStep(changes, step),
  };
  if (plan.unknownSizes > 0 && columns.n <= HUGE) facts.problems = [...facts.problems, ...unknownSizes(facts)];
  return facts;
}

/** @param {import('../types.js').Columns} columns @param {number} end */
function highest({ n, offset, bytes, arena }, end) {
  for (let i = 0; i < n; i++) if (arena[i] === 1 && at(bytes, i) > 0 && at(offset, i) + at(bytes, i) === end) return i;
  return -1;
}

/** Tensors of unknown size that a node writes. @param {Facts} facts @param {number} node */
export function outputsOf(facts, node) {
  const graph = facts.model.subgraphs[facts.head.subgraph ?? 0];
  return (graph?.nodes[node]?.outputs ?? []).filter((tensor) => graph?.tensors[tensor]?.type === 'dynamic');
}

/** Tensors that their operators allocate: a problem each, with its operator. @param {Facts} facts @returns {import('../types.js').Problem[]} */
function unknownSizes(facts) {
  const problems = [];
  for (let i = 0; i < facts.n; i++) {
    if (facts.tensor(i)?.type !== 'dynamic') continue;
    const [writer] = facts.uses(i).writers;
    problems.push({ code: 'size-not-known', text: `${facts.label(i)}: its size is known only when ${writer ? facts.nodeName(writer) : 'the model'} runs, so the arena is at least what is shown.`, subgraph: at(facts.columns.subgraph, i), tensor: at(facts.columns.index, i) });
  }
  return problems;
}

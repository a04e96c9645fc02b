/** What follows from a plan and its model: who writes and reads what, what is live when, what the peak is made of. */
import { bytes, commonStart, count, firstName, shortName } from './format.js';

/** @typedef {import('./types.js').ModelInfo} ModelInfo */
/** @typedef {import('./types.js').PlanData} PlanData */
/** @typedef {import('./types.js').Columns} Columns */
/** @typedef {{ subgraph: number, node: number }} NodeRef */
/** @typedef {{ writers: NodeRef[], readers: NodeRef[], isInput: boolean, isOutput: boolean }} Uses */
/** @typedef {import('./types.js').Changes} Changes */
/** @typedef {ReturnType<typeof makeFacts>} Facts */

const NO_USES = /** @type {Uses} */ ({ writers: [], readers: [], isInput: false, isOutput: false });

/** Beyond this many buffers, what costs a look at each of them is left out. */
export const HUGE = 20_000;

/**
 * Live bytes as they change.
 * @param {Columns} columns
 * @returns {Changes}
 */
export function liveChanges(columns) {
  const edges = new Float64Array(columns.n * 2);
  let m = 0;
  for (let i = 0; i < columns.n; i++)
    if (countsAsLive(columns, i)) {
      edges[m++] = start(columns, i);
      edges[m++] = at(columns.last, i) + 1;
    }
  const sorted = edges.subarray(0, m).sort();
  let distinct = 0;
  for (let i = 0; i < m; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[distinct++] = at(sorted, i);
  const step = Int32Array.from(sorted.subarray(0, distinct));
  const live = new Float64Array(distinct);
  for (let i = 0; i < columns.n; i++)
    if (countsAsLive(columns, i)) {
      add(live, indexAt(step, start(columns, i)), at(columns.bytes, i));
      add(live, indexAt(step, at(columns.last, i) + 1), -at(columns.bytes, i));
    }
  for (let i = 1; i < distinct; i++) add(live, i, at(live, i - 1));
  const before = new Float64Array(distinct + 1);
  const after = new Float64Array(distinct + 1);
  for (let i = 0; i < distinct; i++) before[i + 1] = Math.max(at(before, i), at(live, i));
  for (let i = distinct - 1; i >= 0; i--) after[i] = Math.max(at(after, i + 1), at(live, i));
  return { step, live, before, after };
}

/** @param {ArrayLike<number>} array @param {number} index */
export function at(array, index) {
  return /** @type {number} */ (array[index]);
}

/** @param {Float64Array} array @param {number} index @param {number} value */
function add(array, index, value) {
  if (index >= 0 && index < array.length) array[index] = at(array, index) + value;
}

/** @param {Columns} columns @param {number} i */
function start(columns, i) {
  return Math.max(0, at(columns.first, i));
}

/** In the rw arena, with a life, and not in another buffer's bytes. @param {Columns} columns @param {number} i */
export function countsAsLive(columns, i) {
  return columns.arena[i] === 1 && columns.shares[i] === -1 && at(columns.last, i) >= 0;
}

/** The last entry of a sorted list that is at most `value`; -1 when none is. @param {ArrayLike<number>} list @param {number} value */
export function indexAt(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(list, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

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
  const prefix = commonStart(short);

  const facts = {
    model,
    plan,
    head,
    columns,
    n: columns.n,
    changes,
    peaks,
    /** Whether there are operators that use the buffers. */
    isGraph,
    /** What no plan can be below; null where the plan breaks the rules, so that its arena may be below it, and where not everything has its place. */
    bound: isUnbounded(head) || head.status === 'unplanned' || plan.clashes.length > 0 ? null : head.lower_bound_bytes,

    /** What the user should know: from reader and planner, and what is known only when the model runs. @type {readonly import('./types.js').Problem[]} */
    problems: head.problems,

    /** The buffers that share bytes with one while both live. @param {number} i */
    clashesOf: (i) => plan.clashes.filter(({ a, b }) => a === i || b === i),

    /** @param {number} subgraph @param {number} tensor */
    bufferOf: (subgraph, tensor) => buffers.get(`${subgraph}:${tensor}`) ?? -1,

    /** @param {number} i */
    isPlaced: (i) => columns.arena[i] === 1 && at(columns.offset, i) >= 0 && at(columns.bytes, i) > 0,

    /** @param {number} i @returns {import('./types.js').ModelTensor | null} */
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

    /** For the tightest places: without what most names begin with. @param {number} i */
    tinyLabel: (i) => {
      const name = facts.shortLabel(i);
      return name.startsWith(prefix) ? name.slice(prefix.length) : name;
    },

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
  if (plan.unknownSizes > 0 && columns.n <= HUGE) facts.problems = [...head.problems, ...unknownSizes(facts)];
  return facts;
}

/** Tensors that their operators allocate: a problem each, with its operator. @param {Facts} facts @returns {import('./types.js').Problem[]} */
function unknownSizes(facts) {
  const problems = [];
  for (let i = 0; i < facts.n; i++) {
    if (facts.tensor(i)?.type !== 'dynamic') continue;
    const [writer] = facts.uses(i).writers;
    problems.push({ code: 'size-not-known', text: `${facts.label(i)}: its size is known only when ${writer ? facts.nodeName(writer) : 'the model'} runs, so the arena is at least what is shown.`, subgraph: at(facts.columns.subgraph, i), tensor: at(facts.columns.index, i) });
  }
  return problems;
}

/** @param {Changes} changes @param {number} step @returns {{ step: number, bytes: number } | null} */
function besideStep(changes, step) {
  let best = null;
  for (let i = 0; i < changes.step.length; i++) {
    const from = at(changes.step, i);
    const to = i + 1 < changes.step.length ? at(changes.step, i + 1) : from + 1;
    if (from === step && to === step + 1) continue;
    if (best === null || at(changes.live, i) > best.bytes) best = { step: from === step ? step + 1 : from, bytes: at(changes.live, i) };
  }
  return best;
}

/** Steps whose live bytes are above both neighbours'. @param {Changes} changes @returns {number[]} */
function localPeaks({ step, live }) {
  const peaks = [];
  for (let i = 0; i < step.length; i++) {
    const left = i > 0 ? at(live, i - 1) : -1;
    const right = i + 1 < step.length ? at(live, i + 1) : -1;
    if (at(live, i) > left && at(live, i) > right) peaks.push(at(step, i));
  }
  return peaks;
}

/** @param {ModelInfo} model */
function usesOfTensors(model) {
  /** @type {Map<string, Uses>} */
  const uses = new Map();
  /** @param {number} subgraph @param {number} tensor */
  const of = (subgraph, tensor) => {
    const key = `${subgraph}:${tensor}`;
    let entry = uses.get(key);
    if (!entry) uses.set(key, (entry = { writers: [], readers: [], isInput: false, isOutput: false }));
    return entry;
  };
  model.subgraphs.forEach((graph, g) => {
    for (const t of graph.inputs) of(g, t).isInput = true;
    for (const t of graph.outputs) of(g, t).isOutput = true;
    graph.nodes.forEach((node, k) => {
      for (const t of new Set(node.inputs)) if (t >= 0) of(g, t).readers.push({ subgraph: g, node: k });
      for (const t of new Set(node.outputs)) if (t >= 0) of(g, t).writers.push({ subgraph: g, node: k });
    });
  });
  return uses;
}

/** @param {import('./types.js').PlanHead['timeline']} timeline */
function stepsOfNodes(timeline) {
  const steps = new Map();
  timeline.forEach(({ subgraph, node }, step) => {
    if (node !== null && !steps.has(`${subgraph}:${node}`)) steps.set(`${subgraph}:${node}`, step);
  });
  return steps;
}

/**
 * How far a plan is from what no plan can be below.
 * @param {import('./types.js').PlanHead} head
 * @returns {{ text: string, tone: 'good' | 'plain' | 'bad', long: string }}
 */
export function optimality(head) {
  const above = head.arena_bytes - head.lower_bound_bytes;
  if (head.status === 'unplanned') return { text: 'placed in part', tone: 'plain', long: 'not everything has its place yet' };
  if (head.status === 'unsound') return { text: 'not sound', tone: 'bad', long: 'not sound: see the problems' };
  if (head.status === 'overlapping')
    return { text: 'overlaps on purpose', tone: 'plain', long: 'the file lays live tensors over each other on purpose' };
  if (head.status === 'undecided')
    return { text: 'cannot be told', tone: 'plain', long: 'whether the tensors that share bytes lose any, the file does not show' };
  if (head.arena_bytes === 0) return { text: 'nothing to plan', tone: 'plain', long: 'nothing to plan' };
  if (head.status === 'optimal' || above === 0) return { text: 'smallest possible', tone: 'good', long: 'no plan of these lifetimes is smaller' };
  const share = ((above / head.lower_bound_bytes) * 100).toFixed(1);
  return { text: `${share} % above`, tone: 'plain', long: `${bytes(above)} (${share} %) above the lower bound` };
}

/** Whether the file itself lays live tensors over each other and may well mean it. @param {{ status: string }} head */
export const mayOverlap = ({ status }) => status === 'overlapping' || status === 'undecided';

/** Whether the plan's places break the rules that the lower bound rests on. @param {{ status: string }} head */
export const isUnbounded = (head) => mayOverlap(head) || head.status === 'unsound';

/** Naming more tensors than this in one sentence helps nobody. */
const NAMED = 3;

/** Said instead of the peak, which is at step -1 then. */
export const UNTOUCHED = 'No step of the run touches what lies in the arena';

/** @param {Facts} facts */
export function peakParts(facts) {
  const { head, columns } = facts;
  const live = facts.liveAt(head.peak.step).filter((i) => countsAsLive(columns, i) && at(columns.bytes, i) > 0);
  return {
    step: head.peak.step,
    where: facts.stepName(head.peak.step),
    named: live.slice(0, NAMED),
    others: live.slice(NAMED),
    otherBytes: live.slice(NAMED).reduce((sum, i) => sum + at(columns.bytes, i), 0),
    all: live,
  };
}

/** The sentence for a ticket: plain text, true by itself. @param {Facts} facts @param {number | null} budget */
export function ticketSentence(facts, budget) {
  const { head, model, plan } = facts;
  if (head.arena_bytes === 0 && head.persistent_bytes === 0) return `${model.name}: nothing to plan; no tensor needs a place in the arena.`;
  const total = plan.whole ? plan.whole.total : head.arena_bytes;
  const least = plan.unknownSizes > 0 || plan.whole?.complete === false ? 'at least ' : '';
  const peak = peakParts(facts);
  const names = peak.named.map((i) => `${facts.label(i)} ${bytes(at(facts.columns.bytes, i))}`);
  if (peak.others.length > 0) names.push(`${count(peak.others.length)} more with ${bytes(peak.otherBytes)}`);
  const made = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'nothing');
  const parts = [
    `${model.name} under ${head.runtime} needs ${least}${bytes(total)} of arena${plan.whole ? ` (tensors ${bytes(plan.whole.head)}, kept for good ${bytes(plan.whole.tail)})` : ''}.`,
    peak.step < 0 ? `${UNTOUCHED}.` : `The peak is ${bytes(head.peak.live_bytes)} at step ${peak.step}${peak.where ? ` (${peak.where})` : ''}: ${made}.`,
    `${sentenceCase(optimality(head).long)}${facts.bound === null ? '' : `; no plan can be below ${bytes(facts.bound)}`}.`,
  ];
  if (budget !== null) parts.push(total <= budget ? `Fits ${bytes(budget)}, ${bytes(budget - total)} left.` : `Over the budget of ${bytes(budget)} by ${bytes(total - budget)}.`);
  return parts.join(' ');
}

/** @param {string} text */
function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Random graphs and random sequences of planner operations, as fast-check arbitraries (which shrink what
// fails) and as seeded lists (which repeat). `tidy` graphs are what a runtime makes of a model: every tensor
// has one role, nodes read what was made before. `wild` graphs refer to anything from anywhere.
import fc from 'fast-check';

/**
 * @typedef {import('../../wasm/index.js').AllocationType} AllocationType
 * @typedef {import('../../wasm/index.js').Operation} Operation
 * @typedef {{ bytes: number, type: AllocationType, is_variable?: boolean }} Tensor
 * @typedef {{ inputs: number[], outputs: number[], temporaries: number[], inplace?: number }} Node
 * @typedef {{ tensors: Tensor[], nodes: Node[], inputs: number[], outputs: number[], variables?: number[],
 *   alignment?: number, preserve_all?: boolean }} Graph
 * @typedef {{ graph: Graph, operations: Operation[] }} Case
 */
/**
 * What an arbitrary makes.
 * @template A
 * @typedef {A extends fc.Arbitrary<infer T> ? T : never} Value
 */

const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const TYPES = /** @type {const} */ (['arena_rw', 'arena_rw_persistent', 'dynamic', 'mmap_ro', 'none', 'custom']);

const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.nat(40) },
  { weight: 3, arbitrary: fc.constantFrom(4, 8, 16, 64) },
  { weight: 3, arbitrary: fc.nat(5000) },
  { weight: 1, arbitrary: fc.constant(0) },
);
const anyBytes = fc.oneof(
  { weight: 30, arbitrary: bytes },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52, MAX_BYTES - 64, MAX_BYTES) },
);
const type = fc.oneof(
  { weight: 16, arbitrary: fc.constant('arena_rw') },
  { weight: 2, arbitrary: fc.constant('arena_rw_persistent') },
  { weight: 2, arbitrary: fc.constantFrom(...TYPES) },
);
const inplace = fc.oneof(fc.constant(0), fc.constantFrom(4, 5, 8, 12, 28), fc.nat(31));
const alignment = fc.constantFrom(undefined, 1, 2, 4, 8, 16, 32, 64, 4096, 2 ** 20);
const preserveAll = fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

/** A reference is resolved against what exists when it is used; null is an absent entry. */
const reference = fc.option(fc.nat(1000), { freq: 8 });
/** Constants stay small: the sum of them all has a limit of its own. */
const newTensor = fc
  .record({ bytes: anyBytes, type })
  .map((tensor) => (tensor.type === 'mmap_ro' ? { ...tensor, bytes: tensor.bytes % 4096 } : tensor));

/** Recipes, which shrink well because no part of one depends on a number in another. */
const tidyRecipe = fc.record({
  inputs: fc.array(newTensor, { maxLength: 4 }),
  variables: fc.array(newTensor, { maxLength: 2 }),
  constants: fc.array(bytes, { maxLength: 2 }),
  nodes: fc.array(
    fc.record({
      reads: fc.array(reference, { maxLength: 4 }),
      makes: fc.array(newTensor, { maxLength: 3 }),
      temporaries: fc.array(newTensor, { maxLength: 2 }),
      inplace,
    }),
    { maxLength: 12, size: 'max' },
  ),
  outputs: fc.array(reference, { maxLength: 3 }),
  alignment,
  preserveAll,
});

/** Without the keys that say nothing. @param {Graph} graph @returns {Graph} */
function compact(graph) {
  if (graph.alignment === undefined) delete graph.alignment;
  if (!graph.preserve_all) delete graph.preserve_all;
  return graph;
}

/** @param {Value<typeof tidyRecipe>} recipe @returns {Graph} */
function tidyGraph(recipe) {
  /** @type {Tensor[]} */
  const tensors = [];
  const make = (/** @type {Tensor} */ tensor) => tensors.push({ ...tensor }) - 1;
  const inputs = recipe.inputs.map(make);
  const variables = recipe.variables.map((tensor) => make({ ...tensor, is_variable: true }));
  const constants = recipe.constants.map((size) => make({ bytes: size, type: 'mmap_ro' }));
  const readable = [...inputs, ...variables, ...constants];
  const pick = (/** @type {number | null} */ choice) =>
    choice === null || readable.length === 0 ? -1 : readable[readable.length - 1 - (choice % readable.length)];
  const nodes = recipe.nodes.map((node) => {
    const reads = node.reads.map(pick);
    const outputs = node.makes.map(make);
    const temporaries = node.temporaries.map(make);
    readable.push(...outputs);
    return { inputs: reads, outputs, temporaries, inplace: node.inplace };
  });
  const outputs = recipe.outputs.map(pick).filter((tensor) => tensor !== -1);
  return compact({
    tensors, nodes, inputs, outputs, variables, alignment: recipe.alignment, preserve_all: recipe.preserveAll,
  });
}

/** Graphs of the kind that models make. */
const tidyGraphs = tidyRecipe.map(tidyGraph);

const wildRecipe = fc.record({
  tensors: fc.array(fc.tuple(newTensor, fc.boolean()).map(([tensor, is]) => ({ ...tensor, is_variable: is })), { maxLength: 10, size: 'max' }),
  nodes: fc.array(
    fc.record({
      inputs: fc.array(reference, { maxLength: 4 }),
      outputs: fc.array(reference, { maxLength: 3 }),
      temporaries: fc.array(fc.nat(1000), { maxLength: 2 }),
      inplace,
    }),
    { maxLength: 8, size: 'max' },
  ),
  inputs: fc.array(reference, { maxLength: 4 }),
  outputs: fc.array(reference, { maxLength: 4 }),
  variables: fc.array(fc.nat(1000), { maxLength: 2 }),
  alignment,
  preserveAll,
});

/** @param {Value<typeof wildRecipe>} recipe @returns {Graph} */
function wildGraph(recipe) {
  const n = recipe.tensors.length;
  const resolve = (/** @type {(number | null)[]} */ list) => list.map((choice) => (choice === null || n === 0 ? -1 : choice % n));
  const known = (/** @type {number[]} */ list) => resolve(list).filter((tensor) => tensor !== -1);
  return compact({
    tensors: recipe.tensors,
    nodes: recipe.nodes.map((node) => ({
      inputs: resolve(node.inputs),
      outputs: resolve(node.outputs),
      temporaries: known(node.temporaries),
      inplace: node.inplace,
    })),
    inputs: resolve(recipe.inputs),
    outputs: resolve(recipe.outputs),
    variables: known(recipe.variables),
    alignment: recipe.alignment,
    preserve_all: recipe.preserveAll,
  });
}

/** Graphs that break every habit: written twice, read before written, one tensor in many roles. */
const wildGraphs = wildRecipe.map(wildGraph);

const step = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('next') },
    { weight: 3, arbitrary: fc.constant('range') },
    { weight: 2, arbitrary: fc.constant('whole') },
    { weight: 4, arbitrary: fc.constant('resize') },
    { weight: 2, arbitrary: fc.constant('retype') },
    { weight: 1, arbitrary: fc.constantFrom('plan', 'reset', 'release', 'acquire') },
    { weight: 2, arbitrary: fc.constant('reset_after') },
  ),
  a: fc.nat(1000),
  b: fc.nat(1000),
  bytes,
  type: fc.constantFrom(...TYPES),
});

/**
 * Operations that fit the graph. `next` executes one to three nodes from where the last execute ended.
 * @param {Graph} graph @param {Value<typeof step>[]} steps @param {boolean} planFirst @returns {Operation[]}
 */
function operationsFor(graph, steps, planFirst) {
  const nodes = graph.nodes.length;
  let at = 0;
  /** @type {Operation[]} */
  const operations = planFirst ? [{ op: 'plan' }] : [];
  for (const { kind, a, b, bytes: size, type: newType } of steps) {
    if (kind === 'next') {
      const last = at + (a % 3);
      operations.push({ op: 'execute', first: at, last });
      at = Math.min(last + 1, Math.max(nodes - 1, 0));
    } else if (kind === 'range') {
      const first = a % (nodes + 2);
      operations.push({ op: 'execute', first, last: first + (b % (nodes + 3)) - 1 });
    } else if (kind === 'whole') {
      operations.push({ op: 'execute', first: 0, last: Math.max(nodes - 1, 0) });
      at = Math.max(nodes - 1, 0);
    } else if (kind === 'reset_after') {
      const node = a % (nodes + 2);
      operations.push({ op: 'reset_after', node });
      at = Math.min(node + 1, Math.max(nodes - 1, 0));
    } else if (kind === 'resize' || kind === 'retype') {
      if (graph.tensors.length === 0) continue;
      const tensor = a % graph.tensors.length;
      operations.push(kind === 'resize' ? { op: kind, tensor, bytes: size } : { op: kind, tensor, type: newType });
    } else {
      operations.push({ op: kind });
      if (kind === 'reset') at = 0;
    }
  }
  return operations;
}

/** @param {typeof tidyGraphs} graphs @param {number} maxSteps */
const casesOf = (graphs, maxSteps) =>
  fc
    .tuple(graphs, fc.array(step, { maxLength: maxSteps, size: 'max' }), fc.oneof({ weight: 19, arbitrary: fc.constant(true) }, fc.constant(false)))
    .map(([graph, steps, planFirst]) => ({ graph, operations: operationsFor(graph, steps, planFirst) }));

/** @type {fc.Arbitrary<Case>} */
export const tidyCases = casesOf(tidyGraphs, 14);
/** @type {fc.Arbitrary<Case>} */
export const wildCases = casesOf(wildGraphs, 14);

/** The same list each time. @param {fc.Arbitrary<Case>} cases @param {number} seed @param {number} count @returns {Case[]} */
export function sample(cases, seed, count) {
  return fc.sample(cases, { seed, numRuns: count });
}

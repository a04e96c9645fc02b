/** Who writes and reads what. */

/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {{ subgraph: number, node: number }} NodeRef */
/** @typedef {{ writers: NodeRef[], readers: NodeRef[], isInput: boolean, isOutput: boolean }} Uses */

export const NO_USES = /** @type {Uses} */ ({ writers: [], readers: [], isInput: false, isOutput: false });

/** @param {ModelInfo} model */
export function usesOfTensors(model) {
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

/** @param {import('../types.js').PlanHead['timeline']} timeline */
export function stepsOfNodes(timeline) {
  const steps = new Map();
  timeline.forEach(({ subgraph, node }, step) => {
    if (node !== null && !steps.has(`${subgraph}:${node}`)) steps.set(`${subgraph}:${node}`, step);
  });
  return steps;
}

/** Between the package's words and the page's: what is told of a model, and how a planner is asked. */
import { KINDS, RUNTIME_TRAITS } from '../../../dist/words.js';

/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../../../wasm/model.js').Model} Model */

/** The runtimes that plan this kind of input, the default first. @param {string} kind */
function runtimesFor(kind) {
  const bit = 1 << KINDS.indexOf(/** @type {typeof KINDS[number]} */ (kind));
  const preferred = RUNTIME_TRAITS.filter(({ takes }) => takes & bit).reverse();
  return preferred.sort((a, b) => Number((b.defaultOf & bit) !== 0) - Number((a.defaultOf & bit) !== 0)).map(({ name }) => name);
}

/** How many tensors of a subgraph their operators allocate when they run. @param {ModelInfo} info @param {number} subgraph */
export function unknownIn(info, subgraph) {
  return (info.subgraphs[subgraph]?.tensors ?? []).filter(({ type }) => type === 'dynamic').length;
}

/** @param {ModelInfo} info @param {Partial<PlanOptions>} options */
export function plannerOptions(info, options) {
  const { runtime = 'none', planner = 'own', alignment = 0, subgraph = 0, kernels = 'reference', target = 'cortex-m' } = options;
  const isTflm = runtime === 'tflm';
  return /** @type {import('../../../wasm/index.js').PlannerOptions} */ ({
    runtime,
    planner: info.kind === 'csv' && planner === 'own' && !info.hasOffsets ? 'optimal' : planner,
    ...(alignment > 0 && !isTflm && info.kind !== 'csv' ? { alignment } : {}),
    ...(isTflm || info.kind === 'csv' ? {} : { subgraph }),
    ...(isTflm ? { kernels, target } : {}),
  });
}

/** @param {Model} model @param {string} name @param {number} fileBytes @returns {ModelInfo} */
export function describe(model, name, fileBytes) {
  return {
    kind: model.kind,
    name,
    fileBytes,
    runtimes: runtimesFor(model.kind),
    hasOffsets: model.kind === 'csv' && model.rows.some(({ offset }) => offset !== null),
    subgraphs: (model.kind === 'csv' ? [] : model.subgraphs).map((graph) => ({
      name: graph.name,
      inputs: graph.inputs,
      outputs: graph.outputs,
      nodes: graph.nodes.map(({ name: op, inputs, outputs, temporaries }) => ({ name: op, inputs, outputs, temporaries })),
      tensors: graph.tensors.map((tensor) => {
        const known = /** @type {{ dtype?: string | null, shape?: number[], is_variable?: boolean }} */ (/** @type {unknown} */ (tensor));
        return {
          name: tensor.name,
          dtype: known.dtype ?? null,
          shape: known.shape ?? [],
          bytes: tensor.bytes,
          type: tensor.type,
          isVariable: known.is_variable ?? false,
        };
      }),
    })),
  };
}

/**
 * The plan with the places of a walk so far. No bound is known of what is placed in part.
 * @param {ReturnType<typeof import('./columns.js').readPlan>} base
 * @param {import('../../../wasm/index.js').Layout} layout
 */
export function walked({ head, columns, names }, layout) {
  const { offsets, bytes, first, last, arena, arenaBytes, persistentBytes } = layout;
  return {
    head: { ...head, arena_bytes: arenaBytes, persistent_bytes: persistentBytes, status: /** @type {const} */ ('unplanned') },
    columns: { ...columns, offset: offsets, bytes, first, last, arena },
    names,
  };
}

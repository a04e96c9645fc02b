/** From the plan JSON to columns. */

/** @typedef {import('../types.js').Columns} Columns */
/** @typedef {import('../types.js').PlanHead} PlanHead */

/**
 * @typedef {object} PlanBuffer
 * @property {'tensor' | 'scratch'} kind
 * @property {number} [tensor]
 * @property {number} [node]
 * @property {string} [id]
 * @property {string} name
 * @property {number | null} subgraph
 * @property {number} bytes
 * @property {'rw' | 'persistent' | null} arena
 * @property {number} first
 * @property {number} last
 * @property {number | null} offset
 * @property {number} [shares]
 */
/** @typedef {PlanHead & { format: string, source: { kind: string, name: string }, buffers: readonly PlanBuffer[] }} PlanJson */

/**
 * @param {PlanJson} plan
 * @returns {{ head: PlanHead, columns: Columns, names: string[] }}
 */
export function readPlan(plan) {
  const { buffers, ...head } = plan;
  const n = buffers.length;
  /** @type {Columns} */
  const columns = {
    n,
    bytes: new Float64Array(n),
    offset: new Float64Array(n),
    first: new Int32Array(n),
    last: new Int32Array(n),
    arena: new Uint8Array(n),
    index: new Int32Array(n),
    subgraph: new Int32Array(n),
    scratch: new Uint8Array(n),
    shares: new Int32Array(n),
  };
  /** @type {string[]} */
  const names = [];
  buffers.forEach((buffer, i) => {
    columns.bytes[i] = buffer.bytes;
    columns.offset[i] = buffer.offset ?? NaN;
    columns.first[i] = buffer.first;
    columns.last[i] = buffer.last;
    columns.arena[i] = buffer.arena === 'rw' ? 1 : buffer.arena === 'persistent' ? 2 : 0;
    columns.index[i] = buffer.tensor ?? buffer.node ?? i;
    columns.subgraph[i] = buffer.subgraph ?? 0;
    columns.scratch[i] = Number(buffer.kind === 'scratch');
    columns.shares[i] = buffer.shares ?? -1;
    names.push(buffer.name || buffer.id || '');
  });
  return { head, columns, names };
}

/** Beyond this many rows, a plan's JSON would be larger than everything else together. */
const LIGHT = 200_000;

/**
 * A buffer list's plan without its JSON.
 * @param {import('../../../wasm/index.js').Planner} planner
 * @param {string[]} names
 * @param {string} method  the planner's name
 * @returns {{ head: PlanHead, columns: Columns, names: string[] }}
 */
export function readRowsPlan(planner, names, method) {
  const { offsets, bytes, first, last, arena, shares } = planner.layout();
  const summary = planner.summary();
  const n = bytes.length;
  if (names.length !== n) throw new Error(`the page reads ${names.length} rows of this list, the core ${n}.`);
  /** @type {PlanHead} */
  const head = {
    runtime: 'none',
    planner: method,
    subgraph: null,
    alignment: { arena: summary.arenaAlignment, tensor: summary.tensorAlignment },
    status: summary.status,
    arena_bytes: summary.arenaBytes,
    persistent_bytes: summary.persistentBytes,
    lower_bound_bytes: summary.lowerBoundBytes,
    constant_bytes: summary.constantBytes,
    peak: { step: summary.peakStep, live_bytes: summary.peakLiveBytes },
    steps: summary.steps,
    timeline: [],
    problems: [],
  };
  const columns = { n, bytes, offset: offsets, first, last, arena, index: Int32Array.from(bytes, (_, i) => i), subgraph: new Int32Array(n), scratch: new Uint8Array(n), shares };
  return { head, columns, names };
}

/** Whether a plan is read without its JSON. @param {import('../../../wasm/index.js').Planner} planner */
export function isLong(planner) {
  return planner.layout().bytes.length > LIGHT;
}

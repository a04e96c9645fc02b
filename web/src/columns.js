/** From the core's plan JSON to columns, and back out of a pasted plan. */

/** @typedef {import('./types.js').Columns} Columns */
/** @typedef {import('./types.js').PlanHead} PlanHead */

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

/**
 * A plan that somebody gives us: checked before it is believed.
 * @param {unknown} value
 * @returns {PlanJson}
 */
export function checkPlan(value) {
  const plan = /** @type {Record<string, unknown>} */ (value);
  const need = (/** @type {boolean} */ is, /** @type {string} */ what) => {
    if (!is) throw new Error(`the plan JSON is incomplete: ${what}.`);
  };
  need(Array.isArray(plan['buffers']), 'it has no list "buffers"');
  const isCount = (/** @type {unknown} */ n) => Number.isSafeInteger(n) && Number(n) >= 0;
  for (const key of ['arena_bytes', 'lower_bound_bytes', 'steps']) need(isCount(plan[key]), `"${key}" is not a whole number`);
  const buffers = /** @type {PlanBuffer[]} */ (plan['buffers']);
  buffers.forEach((buffer, i) => {
    const where = `buffers[${i}]`;
    need(buffer !== null && typeof buffer === 'object', `${where} is no object`);
    need(isCount(buffer.bytes), `${where}.bytes is not a whole number`);
    need(buffer.offset === null || isCount(buffer.offset), `${where}.offset is neither a whole number nor null`);
    need(Number.isInteger(buffer.first) && Number.isInteger(buffer.last), `${where}.first and .last are not whole numbers`);
    need(Math.abs(buffer.first) < 2 ** 31 && Math.abs(buffer.last) < 2 ** 31, `${where}'s life is out of range`);
  });
  return /** @type {PlanJson} */ (/** @type {unknown} */ ({
    runtime: 'none',
    planner: 'given',
    subgraph: null,
    alignment: { arena: 1, tensor: 1 },
    status: 'feasible',
    persistent_bytes: 0,
    constant_bytes: 0,
    peak: { step: 0, live_bytes: 0 },
    timeline: [],
    problems: [],
    source: { kind: 'plan', name: 'plan' },
    ...plan,
  }));
}

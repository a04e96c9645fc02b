/** Plans that come with their places: a plan file, or a buffer list whose offsets clash. They are shown as they are. */
import { Instance } from '../../../wasm/instance.js';
import { TensorArenaError } from '../../../wasm/errors.js';
import { readPlan as checkPlan } from '../../../wasm/plan-file.js';
import { verifyClaims, verifyList } from '../../../wasm/verify.js';
import { readPlan, readRowsPlan } from './columns.js';
import { at, liveChanges } from '../model/live.js';
import { isUnbounded } from '../model/sentences.js';
import { bytes, count } from '../model/format.js';
import { claimedOffsets, namesOf } from './rows.js';

/** @typedef {import('../types.js').Problem} Problem */
/** @typedef {import('../types.js').PlanData} PlanData */
/** @typedef {import('./columns.js').PlanJson} PlanJson */
/** @typedef {import('../../../wasm/index.js').Clash} CoreClash */
/** @typedef {import('../../../wasm/index.js').Model} Model */
/** @typedef {{ read: ReturnType<typeof readPlan>, overlaps: PlanData['clashes'], json: () => string }} Given */

/** Pairs of buffers that share bytes while both live. @param {readonly CoreClash[]} clashes @returns {PlanData['clashes']} */
function overlapsOf(clashes) {
  return clashes
    .filter(({ kind, b }) => kind === 'overlap' && b !== null)
    .map(({ a, b, bytes: [low, high], steps }) => ({ a, b: Number(b), bytes: [low, high + 1], steps: [Math.max(0, steps[0]), steps[1]] }));
}

/** @param {readonly CoreClash[]} clashes @param {number} total  of which those are the first @returns {Problem[]} */
function faultsOf(clashes, total) {
  const faults = clashes.map(({ kind, text, a, b }) => ({ code: kind, text: `${text}.`, buffers: b === null ? [a] : [a, b] }));
  const more = total - clashes.length;
  return more > 0 ? [...faults, { code: 'more', text: `And ${count(more)} more like these.` }] : faults;
}

/** What the core's own check finds in a plan. @param {WebAssembly.Module} module @param {import('../../../wasm/index.js').Plan} plan */
export async function overlapsIn(module, plan) {
  return overlapsOf(verifyClaims(await Instance.start(module), plan).clashes);
}

/** @param {object} value */
function checked(value) {
  try {
    return checkPlan(value);
  } catch (error) {
    // What is no finding of the check itself comes of copying the plan.
    throw error instanceof TensorArenaError ? error : new Error('the file is nested too deeply.');
  }
}

/**
 * The head with what follows from the buffers, and a problem for each other thing that the file says.
 * @param {ReturnType<typeof readPlan>} read
 */
function heldAgainstBuffers({ head, columns }) {
  const { step, live } = liveChanges(columns);
  const most = live.reduce((a, b) => Math.max(a, b), 0);
  const end = (/** @type {number} */ arena) => columns.offset.reduce((sum, offset, i) => (columns.arena[i] === arena ? Math.max(sum, offset + at(columns.bytes, i) || 0) : sum), 0);
  // TensorFlow Lite's own planners keep the marks that they once reached, where the highest buffer has gone since.
  const keepsMarks = head.planner === 'own' && head.runtime !== 'tflm';
  const [arena, persistent] = [Math.max(end(1), keepsMarks ? head.arena_bytes : 0), Math.max(end(2), keepsMarks ? head.persistent_bytes : 0)];
  const bound = head.lower_bound_bytes;
  const isWhole = columns.offset.every((offset, i) => columns.arena[i] !== 1 || offset >= 0 || at(columns.bytes, i) === 0);
  const least = isUnbounded(head) || !isWhole ? bound : head.status === 'optimal' ? arena : Math.min(bound, arena);
  const claims = /** @type {const} */ ([
    ['arena', head.arena_bytes, arena],
    ['persistent arena', head.persistent_bytes, persistent],
    ['peak', head.peak.live_bytes, most],
    ['lower bound', bound, least],
  ]);
  const problems = claims.filter(([, said, is]) => said !== is).map(([what, said, is]) => ({ code: 'claim', text: `The file says ${what} ${bytes(said)}; its buffers say ${bytes(is)}.` }));
  const peak = { step: most > 0 ? at(step, live.indexOf(most)) : -1, live_bytes: most };
  return { head: { ...head, arena_bytes: arena, persistent_bytes: persistent, peak }, problems };
}

/** @param {WebAssembly.Module} module @param {object} value  a plan JSON @param {boolean} isOurs  what it says of itself was computed here @returns {Promise<Given>} */
export async function givenPlan(module, value, isOurs) {
  const plan = checked(value);
  const { clashes, clashCount } = verifyClaims(await Instance.start(module), plan);
  const read = readPlan(/** @type {PlanJson} */ (/** @type {unknown} */ (plan)));
  const { head, problems } = isOurs ? { head: read.head, problems: [] } : heldAgainstBuffers(read);
  const faults = [...problems, ...faultsOf(clashes, clashCount)];
  // What a faulty plan says of itself does not count.
  const status = faults.length > 0 && plan.status !== 'overlapping' ? 'unsound' : head.status;
  return {
    read: { ...read, head: { ...head, status, problems: [...faults, ...head.problems] } },
    overlaps: overlapsOf(clashes),
    json: () => `${JSON.stringify(plan)}\n`,
  };
}

/**
 * The places that a buffer list claims, when they cannot all be kept; null when its offsets have no fault.
 * @param {Instance} instance  in which the list is open
 * @param {Model} model
 * @returns {Given | null}
 */
export function givenList(instance, model) {
  const { rows } = model;
  const names = namesOf(rows);
  const offsets = claimedOffsets(rows);
  const alignments = Float64Array.from(rows, ({ alignment }) => alignment);
  const planner = model.planner({ runtime: 'none', planner: 'linear' });
  planner.plan();
  const { head, columns: unplaced } = readRowsPlan(planner, names, 'linear');
  const columns = { ...unplaced, offset: offsets };
  let arena = 0;
  let missing = 0;
  for (let i = 0; i < columns.n; i++) {
    if (Number.isNaN(at(offsets, i))) missing++;
    else arena = Math.max(arena, at(offsets, i) + at(columns.bytes, i));
  }
  const placed = { ...head, arena_bytes: arena };
  const { clashes, clashCount } =
    missing === 0 ? verifyList(instance, (i) => names[i] || `row ${i}`) : verifyClaims(instance, asPlan(placed, columns, names, alignments));
  if (clashCount === 0) return null;
  const problems = faultsOf(clashes, clashCount);
  if (missing > 0) problems.push({ code: 'unplaced', text: `${count(missing)} of the ${count(columns.n)} buffers have no offset, and are not on the map.` });
  return {
    read: { head: { ...placed, status: 'unsound', problems }, columns, names },
    overlaps: overlapsOf(clashes),
    json: () => `${JSON.stringify(asPlan(placed, columns, names, alignments))}\n`,
  };
}

/**
 * @param {import('../types.js').PlanHead} head @param {import('../types.js').Columns} columns @param {string[]} names @param {Float64Array} alignments
 * @returns {import('../../../wasm/index.js').Plan}
 */
function asPlan(head, columns, names, alignments) {
  const buffers = names.map((name, i) => {
    const isPlaced = !Number.isNaN(at(columns.offset, i));
    return {
      id: name,
      subgraph: null,
      kind: 'tensor',
      name,
      bytes: at(columns.bytes, i),
      arena: isPlaced ? 'rw' : null,
      first: at(columns.first, i),
      last: at(columns.last, i),
      offset: isPlaced ? at(columns.offset, i) : null,
      ...(at(columns.shares, i) < 0 ? {} : { shares: at(columns.shares, i) }),
      alignment: at(alignments, i),
    };
  });
  const plan = { format: 'tensor-arena-plan', version: 1, source: { kind: 'csv', name: '' }, ...head, status: 'feasible', buffers, problems: [] };
  return /** @type {import('../../../wasm/index.js').Plan} */ (/** @type {unknown} */ (plan));
}

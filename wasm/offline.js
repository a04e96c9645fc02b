/** Writing the smallest plan back into a .tflite, for TensorFlow Lite Micro to follow. */
import { AnswerError } from './errors.js';
import { integer } from './names.js';
import { checkOptions } from './option-keys.js';

/** @typedef {import('./index.js').OfflineFigures} OfflineFigures */
/** @typedef {import('./index.js').OfflineOptions} OfflineOptions */
/** @typedef {import('./index.js').OfflineOutcome} OfflineOutcome */
/** @typedef {import('./index.js').OfflineResult} OfflineResult */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').Size} Size */
/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./model.js').Model} Model */

const OPTION_KEYS = ['target', 'kernels', 'nodes', 'budget', 'force', 'signal', 'onProgress'];

/** An offset that leaves the place to the runtime. */
const ONLINE = -1;

/** What TFLM rounds an arena to. */
export const ARENA_UNIT = 16;

/**
 * The flat tensors that must have no offset. Variables, which the runtime then keeps out of the head; given one,
 * they would lose what they hold between two runs. And the runtime looks a variable's offset up as if its subgraph
 * were the first, so what stands at its index there must have none either, or the variable gets no place at all.
 * @param {Model} model
 */
function keptOnline(model) {
  /** @type {Set<number>} */
  const online = new Set();
  let base = 0;
  for (const { tensors } of model.subgraphs) {
    tensors.forEach(({ is_variable }, t) => {
      if (is_variable) online.add(base + t).add(t);
    });
    base += tensors.length;
  }
  return online;
}

/**
 * One offset for each tensor of every subgraph. Scratch buffers cannot be given one.
 * @param {Plan} plan
 * @param {Set<number>} online
 */
function offsetsOf(plan, online) {
  const tensors = plan.buffers.filter(({ kind }) => kind === 'tensor');
  return Int32Array.from(tensors, ({ arena, offset }, i) => (arena === 'rw' && offset !== null && !online.has(i) ? offset : ONLINE));
}

/**
 * @param {Instance} instance
 * @param {Int32Array} offsets
 * @returns {Uint8Array} the file, copied
 */
function write(instance, offsets) {
  const at = instance.put(new Uint8Array(offsets.buffer));
  const { value, length } = instance.yielded('offline_write', at, offsets.length);
  const file = instance.bytes(value, length).slice();
  instance.free(value);
  instance.free(at);
  return file;
}

/** @param {Size} size @returns {OfflineFigures} */
function figures({ head_bytes, arena_used_bytes, min_arena_bytes }) {
  return { head_bytes, arena_used_bytes, min_arena_bytes };
}

/**
 * What the runtime needs for the written file against what it needs now.
 * @param {Size} now
 * @param {Size} then
 * @returns {OfflineOutcome}
 */
function compare(now, then) {
  if (then.arena_used_bytes > now.arena_used_bytes || Number(then.min_arena_bytes) > Number(now.min_arena_bytes)) return 'worse';
  return then.arena_used_bytes < now.arena_used_bytes ? 'smaller' : 'same';
}

/**
 * Whether the arena fits; null: not decided. Where neither this plan nor what is proved of all plans decides, a
 * longer search may.
 * @param {Size} size
 * @param {number} boundBytes  no head is smaller
 * @param {number} budget
 */
function fits({ head_bytes, arena_used_bytes, min_arena_bytes, covered }, boundBytes, budget) {
  const needed = min_arena_bytes ?? arena_used_bytes;
  if (needed <= budget) return covered ? true : null;
  const rounded = (/** @type {number} */ bytes) => Math.ceil(bytes / ARENA_UNIT) * ARENA_UNIT;
  const headDecides = needed === rounded(arena_used_bytes);
  return headDecides && rounded(arena_used_bytes - head_bytes + boundBytes) <= budget ? null : false;
}

/**
 * @param {Size} size
 * @param {number} boundBytes
 * @param {number | undefined} budget
 */
function budgetAnswer(size, boundBytes, budget) {
  if (budget === undefined) return {};
  const shortfall = (size.min_arena_bytes ?? size.arena_used_bytes) - budget;
  return { budget_bytes: budget, fits: fits(size, boundBytes, budget), ...(shortfall > 0 && { shortfall_bytes: shortfall }) };
}

/**
 * The plans worth writing, best first: TFLM places scratch buffers itself, around the fixed tensors, so what it
 * needs for the best plan may be more than the solver's figure, and even more than for its own.
 * @param {Plan} best
 * @param {Plan} own
 * @param {Model} model
 */
function candidates(best, own, model) {
  const online = keptOnline(model);
  const list = [offsetsOf(best, online), offsetsOf(own, online)];
  // Without a single offset, the runtime does what it did before.
  if (!model.description.has_offline_plan) list.push(new Int32Array(list[0]?.length ?? 0).fill(ONLINE));
  return list;
}

/**
 * @param {Model} model
 * @param {Instance} instance  the model's
 * @param {(bytes: Uint8Array) => Promise<Model>} reopen
 * @param {OfflineOptions} options
 * @returns {Promise<OfflineResult>}
 */
export async function writeOfflinePlan(model, instance, reopen, options) {
  checkOptions(options, OPTION_KEYS, 'writeOfflinePlan()');
  const { target = 'cortex-m', kernels = 'reference', force = false, nodes, signal, onProgress } = options;
  const budget = options.budget === undefined ? undefined : integer(options.budget, 0, Number.MAX_SAFE_INTEGER, 'budget');
  const before = model.size({ target, kernels });
  const planner = model.planner({ runtime: 'tflm', planner: 'own', kernels });
  planner.plan();
  planner.execute();
  const own = planner.report();
  if (own.status === 'overlapping' || own.status === 'undecided')
    throw new AnswerError('refused-by-runtime', 'the offline plan of this file makes live buffers share bytes, on purpose, around an ethos-u; replacing it could break what it was made for.');

  const solver = model.planner({ runtime: 'tflm', planner: 'optimal', kernels });
  await solver.solve({ ...(nodes !== undefined && { nodes }), ...(signal && { signal }), ...(onProgress && { onProgress }) });
  const best = solver.report();

  let file = null;
  let after = before;
  /** @type {OfflineOutcome} */
  let outcome = 'worse';
  for (const offsets of candidates(best, own, model)) {
    file = write(instance, offsets);
    after = (await reopen(file)).size({ target, kernels });
    outcome = compare(before, after);
    if (outcome !== 'worse') break;
  }
  const keeps = outcome === 'smaller' || (outcome === 'same' && force);
  const stands = keeps ? after : before;
  return {
    bytes: keeps ? file : null,
    outcome,
    target,
    kernels,
    before: figures(before),
    after: figures(stands),
    proved: best.status === 'optimal' && stands.head_bytes === best.arena_bytes,
    lower_bound_bytes: best.lower_bound_bytes,
    peak: stands.peak,
    covered: stands.covered,
    missing: stands.missing,
    ...budgetAnswer(stands, best.lower_bound_bytes, budget),
  };
}

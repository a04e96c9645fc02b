/** Checks plans: a plan JSON, a buffer list with offsets, or a .tflite that carries an offline plan. */
import { CLAIM, CLASH, VERDICT } from '../dist/layouts.js';
import { UsageError } from './errors.js';
import { Model, isPlan } from './model.js';
import { PlanFile } from './plan-file.js';
import { holdAgainst } from './needs.js';
import { missedUses } from './uses.js';

/** @typedef {import('./index.js').Clash} Clash */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').Verdict} Verdict */
/** @typedef {import('./instance.js').Instance} Instance */

/** As many clashes are named; a verdict counts all of them. */
const LISTED = 1000;

const NOT_CLAIMED = -(2n ** 63n);
const NONE = 0xffffffff;

/** What each kind of clash says of buffers a and b. @satisfies {Record<import('./index.js').ClashKind, unknown>} */
const SENTENCES = {
  overlap: (/** @type {Clash} */ c, /** @type {string} */ a, /** @type {string} */ b) =>
    `${a} and ${b} share bytes ${c.bytes[0]}..${c.bytes[1]} in steps ${c.steps[0]}..${c.steps[1]}`,
  misaligned: (/** @type {Clash} */ c, /** @type {string} */ a) => `${a} starts at byte ${c.bytes[0]}, which its alignment does not allow`,
  outside: (/** @type {Clash} */ c, /** @type {string} */ a) => `${a} has bytes ${c.bytes[0]}..${c.bytes[1]} past the arena's end`,
  negative: (/** @type {Clash} */ _, /** @type {string} */ a) => `${a} starts before the arena`,
  unplaced: (/** @type {Clash} */ _, /** @type {string} */ a) => `${a} has no offset`,
  backwards: (/** @type {Clash} */ c, /** @type {string} */ a) => `${a} ends at step ${c.steps[1]}, before it begins at step ${c.steps[0]}`,
  adrift: (/** @type {Clash} */ _, /** @type {string} */ a, /** @type {string} */ b) => `${a}, a view of ${b}, does not lie inside it where it says`,
  'short-lived': (/** @type {Clash} */ c, /** @type {string} */ a, /** @type {string} */ by) => `${a} is used in step ${c.steps[0]} by ${by}, when it does not live`,
};
/** In the order of the core's numbers; the core itself finds no short-lived ones. */
const KINDS = /** @type {import('./index.js').ClashKind[]} */ (Object.keys(SENTENCES));

/**
 * Calls one of the core's verifiers and reads what it found.
 * @param {Instance} instance
 * @param {string} call
 * @param {number[]} args  what comes before the clashes
 * @param {(index: number) => string} nameOf
 * @returns {Pick<Verdict, 'sound' | 'clashes' | 'clashCount'>}
 */
function verdict(instance, call, args, nameOf) {
  const clashesAt = instance.put(new Uint8Array(LISTED * CLASH.SIZE));
  const { value } = instance.yielded(call, ...args, clashesAt, LISTED);
  const view = instance.view();
  const listed = view.getUint32(value + VERDICT.listed, true);
  /** @type {Clash[]} */
  const clashes = [];
  for (let i = 0; i < listed; i++) clashes.push(readClash(view, clashesAt + i * CLASH.SIZE, nameOf));
  const found = {
    sound: view.getUint32(value + VERDICT.sound, true) === 1,
    clashes,
    clashCount: Number(view.getBigUint64(value + VERDICT.clashes, true)),
  };
  instance.free(clashesAt);
  return found;
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {(index: number) => string} nameOf
 * @returns {Clash}
 */
function readClash(view, at, nameOf) {
  const b = view.getUint32(at + CLASH.b, true);
  const kind = KINDS[view.getUint32(at + CLASH.kind, true)] ?? 'overlap';
  /** @type {Clash} */
  const clash = {
    kind,
    a: view.getUint32(at + CLASH.a, true),
    b: b === NONE ? null : b,
    bytes: [Number(view.getBigUint64(at + CLASH.low, true)), Number(view.getBigUint64(at + CLASH.high, true))],
    steps: [view.getInt32(at + CLASH.first, true), view.getInt32(at + CLASH.last, true)],
    text: '',
  };
  return { ...clash, text: SENTENCES[kind](clash, nameOf(clash.a), clash.b === null ? '' : nameOf(clash.b)) };
}

/**
 * Without its model, a plan that says that the file's offline plan overlaps is believed, but for every other fault.
 * @param {Plan} plan
 * @param {readonly Clash[]} clashes
 */
function saysOnPurpose({ status }, clashes) {
  return status === 'overlapping' && clashes.every(({ kind }) => kind === 'overlap');
}

/**
 * The plan's buffers as claims. Those that share bytes are a group, and its root lives as long as they all do.
 * @param {Plan} plan
 */
function packClaims({ buffers, alignment }) {
  const root = (/** @type {number} */ i) => buffers[i]?.shares ?? i;
  const shared = new Set(buffers.flatMap(({ shares }) => shares ?? []));
  const first = buffers.map((buffer) => buffer.first);
  const last = buffers.map((buffer) => buffer.last);
  buffers.forEach(({ shares }, i) => {
    if (shares === undefined) return;
    first[shares] = Math.min(Number(first[shares]), Number(first[i]));
    last[shares] = Math.max(Number(last[shares]), Number(last[i]));
  });
  const packed = new Uint8Array(buffers.length * CLAIM.SIZE);
  const view = new DataView(packed.buffer);
  buffers.forEach((buffer, i) => {
    const at = i * CLAIM.SIZE;
    const placed = buffer.arena !== null;
    view.setBigInt64(at + CLAIM.offset, buffer.offset === null ? NOT_CLAIMED : BigInt(buffer.offset), true);
    // What lies in no arena is in nobody's way.
    view.setBigUint64(at + CLAIM.bytes, BigInt(placed ? buffer.bytes : 0), true);
    view.setBigUint64(at + CLAIM.alignment, BigInt(buffer.alignment ?? alignment.tensor), true);
    view.setInt32(at + CLAIM.first, Number(first[i]), true);
    view.setInt32(at + CLAIM.last, Number(last[i]), true);
    view.setUint32(at + CLAIM.group, shared.has(root(i)) ? root(i) : NONE, true);
    view.setUint32(at + CLAIM.arena, Number(buffer.arena === 'persistent'), true);
  });
  return packed;
}

/**
 * Uses that the plan's lives do not cover.
 * @param {Plan} plan
 * @param {Model} model
 * @param {(index: number) => string} nameOf
 * @returns {Clash[]}
 */
function shortLived(plan, model, nameOf) {
  return missedUses(plan, model.description).map(({ buffer, step, by }) => {
    const { offset, bytes } = /** @type {import('./index.js').PlanBuffer} */ (plan.buffers[buffer]);
    const low = offset ?? 0;
    /** @type {Clash} */
    const clash = { kind: 'short-lived', a: buffer, b: null, bytes: [low, low + Math.max(bytes - 1, 0)], steps: [step, step], text: '' };
    return { ...clash, text: SENTENCES['short-lived'](clash, nameOf(buffer), by) };
  });
}

/**
 * A buffer that its model needs, and that lies in no arena.
 * @param {number} a
 * @param {Plan} plan
 * @returns {Clash}
 */
function unplaced(a, plan) {
  const { first, last } = /** @type {import('./index.js').PlanBuffer} */ (plan.buffers[a]);
  /** @type {Clash} */
  const clash = { kind: 'unplaced', a, b: null, bytes: [0, 0], steps: [first, last], text: '' };
  return { ...clash, text: SENTENCES.unplaced(clash, namesOf(plan)(a)) };
}

/** @param {Plan} plan */
const namesOf = (plan) => (/** @type {number} */ i) => plan.buffers[i]?.name || `buffer ${i}`;

/**
 * What a plan says of places and lives, held against itself.
 * @param {Instance} instance
 * @param {Plan} plan
 */
export function verifyClaims(instance, plan) {
  const claimsAt = instance.put(packClaims(plan));
  const sizes = new BigUint64Array([BigInt(plan.arena_bytes), BigInt(plan.persistent_bytes)]);
  const sizesAt = instance.put(new Uint8Array(sizes.buffer));
  return verdict(instance, 'verify', [claimsAt, plan.buffers.length, sizesAt], namesOf(plan));
}

/**
 * @param {Instance} instance
 * @param {Plan} plan
 * @param {Model} [model]  that the plan was made for
 * @returns {Verdict}
 */
function verifyPlan(instance, plan, model) {
  const short = model === undefined ? [] : shortLived(plan, model, namesOf(plan));
  const held = model === undefined ? { plan, lacking: [] } : holdAgainst(plan, model);
  const found = verifyClaims(instance, held.plan);
  const lacking = held.lacking.map((i) => unplaced(i, plan));
  const all = {
    sound: found.sound && short.length + lacking.length === 0,
    clashes: [...short, ...lacking, ...found.clashes].slice(0, LISTED),
    clashCount: found.clashCount + short.length + lacking.length,
  };
  return { ...all, onPurpose: model ? areOnPurpose(model, plan, all.clashes) : saysOnPurpose(plan, all.clashes), problems: plan.problems };
}

/**
 * The claims of the buffer list that the instance has open.
 * @param {Instance} instance
 * @param {(index: number) => string} nameOf
 */
export function verifyList(instance, nameOf) {
  return verdict(instance, 'verify_rows', [], nameOf);
}

/**
 * @param {Instance} instance
 * @param {Model} model
 * @returns {Verdict}
 */
function verifyRows(instance, model) {
  const { rows, problems } = model;
  if (rows.length > 0 && rows.every(({ offset }) => offset === null))
    throw new UsageError('unsupported', 'this buffer list has no offset column, so there is no plan to verify; use plan.');
  return { ...verifyList(instance, (i) => rows[i]?.id ?? `row ${i}`), onPurpose: false, problems };
}

/** The builtin operator number of custom operators. */
const CUSTOM = 32;

/**
 * A custom operator may know that what it takes and gives share bytes: Arm's Vela makes such operators and such
 * plans. Two buffers that meet anywhere else share bytes by mistake.
 * @param {Model} model
 * @param {Plan} plan
 * @param {readonly Clash[]} clashes
 */
function areOnPurpose(model, plan, clashes) {
  const operators = model.subgraphs.map(({ nodes }) =>
    nodes.filter(({ op }) => op === CUSTOM).map(({ inputs, outputs }) => new Set([...inputs, ...outputs])),
  );
  const known = (/** @type {Clash} */ { kind, a, b }) => {
    const [first, second] = [plan.buffers[a], plan.buffers[b ?? a]];
    if (kind !== 'overlap' || !first || !second || !('tensor' in first) || !('tensor' in second)) return false;
    if (first.subgraph !== second.subgraph) return false;
    return operators[first.subgraph ?? 0]?.some((used) => used.has(first.tensor) && used.has(second.tensor)) ?? false;
  };
  return clashes.length > 0 && clashes.every(known);
}

/**
 * What TensorFlow Lite Micro will do with the offline plan that the file carries.
 * @param {Instance} instance
 * @param {Model} model
 * @returns {Verdict}
 */
function verifyOfflinePlan(instance, model) {
  if (!model.description.has_offline_plan)
    throw new UsageError('unsupported', 'this model carries no offline plan, so there is no plan to verify; use plan.');
  const planner = model.planner({ runtime: 'tflm', planner: 'own' });
  planner.plan();
  planner.execute();
  const plan = planner.report();
  const found = planner.useHandle((handle) => verdict(instance, 'verify_planner', [handle], namesOf(plan)));
  return { ...found, onPurpose: areOnPurpose(model, plan, found.clashes), problems: plan.problems };
}

/**
 * @param {Instance} instance  a fresh one
 * @param {{ bytes: Uint8Array } | { json: object }} read  a plan in it has been checked
 * @param {string} [name]
 * @param {Model | PlanFile} [of]  the model that a plan was made for
 * @returns {Verdict}
 */
export function verifyIn(instance, read, name, of) {
  if (of instanceof PlanFile) throw new UsageError('bad-argument', 'what was given as the model is a plan, too; give the model that the plan was made for.');
  if (isPlan(read)) return verifyPlan(instance, /** @type {Plan} */ (read.json), of);
  if (of !== undefined) throw new UsageError('bad-argument', 'only a plan JSON is held against a model; verify this without one.');
  const model = new Model(instance, read, name);
  if (model.kind === 'csv') return verifyRows(instance, model);
  if (model.kind === 'tflite') return verifyOfflinePlan(instance, model);
  throw new UsageError('unsupported', 'a graph holds no plan to verify; plan it first and verify the plan.');
}

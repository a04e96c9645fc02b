/**
 * A plan that was written to JSON, opened to be looked at: it has its places already, so its planner gives them
 * and takes no calls that would change them.
 */
import { Checker } from './check.js';
import { InputError, UsageError } from './errors.js';
import { INT32_MAX, KINDS, PLANNERS, PLAN_STATUSES, RUNTIMES, numberOf } from './names.js';

/** @typedef {import('./index.js').Layout} Layout */
/** @typedef {import('./index.js').ModelDescription} ModelDescription */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./index.js').PlanBuffer} PlanBuffer */
/** @typedef {import('./index.js').Planner} PlannerInterface */
/** @typedef {import('./index.js').Summary} Summary */

export const PLAN_FORMAT = 'tensor-arena-plan';
const ARENAS = ['rw', 'persistent'];

const check = new Checker('plan JSON');

/**
 * @param {unknown} value
 * @param {string} where
 */
function orNull(value, where) {
  return value === null ? null : check.whole(value, 0, INT32_MAX, where);
}

/**
 * @param {unknown} value
 * @param {number} i
 * @param {number} count
 */
function checkBuffer(value, i, count) {
  const where = `buffers[${i}]`;
  const buffer = check.object(value, where);
  const of = check.word(buffer.kind, ['tensor', 'scratch'], `${where}.kind`) === 0 ? 'tensor' : 'node';
  if (buffer.id === undefined) check.whole(buffer[of], 0, INT32_MAX, `${where}.${of}`);
  check.text(buffer.name, `${where}.name`);
  orNull(buffer.subgraph, `${where}.subgraph`);
  check.bytes(buffer.bytes, `${where}.bytes`);
  if (buffer.arena !== null) check.word(buffer.arena, ARENAS, `${where}.arena`);
  check.whole(buffer.first, -1, INT32_MAX, `${where}.first`);
  check.whole(buffer.last, -1, INT32_MAX, `${where}.last`);
  if (buffer.offset !== null) check.whole(buffer.offset, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, `${where}.offset`);
  if (buffer.shares !== undefined) check.whole(buffer.shares, 0, count - 1, `${where}.shares`);
  if (buffer.alignment !== undefined) check.whole(buffer.alignment, 1, Number.MAX_SAFE_INTEGER, `${where}.alignment`);
}

/** @param {Record<string, unknown>} plan */
function checkHead(plan) {
  check.word(plan.format, [PLAN_FORMAT], 'format');
  check.whole(plan.version, 1, 1, 'version');
  const source = check.object(plan.source, 'source');
  check.word(source.kind, KINDS, 'source.kind');
  check.text(source.name, 'source.name');
  check.word(plan.runtime, RUNTIMES, 'runtime');
  check.word(plan.planner, PLANNERS, 'planner');
  orNull(plan.subgraph, 'subgraph');
  const alignment = check.object(plan.alignment, 'alignment');
  check.whole(alignment.arena, 1, Number.MAX_SAFE_INTEGER, 'alignment.arena');
  check.whole(alignment.tensor, 1, Number.MAX_SAFE_INTEGER, 'alignment.tensor');
  check.word(plan.status, PLAN_STATUSES, 'status');
  for (const key of ['arena_bytes', 'persistent_bytes', 'lower_bound_bytes', 'constant_bytes']) check.bytes(plan[key], key);
  const peak = check.object(plan.peak, 'peak');
  check.whole(peak.step, -1, INT32_MAX, 'peak.step');
  check.bytes(peak.live_bytes, 'peak.live_bytes');
  check.whole(plan.steps, 0, INT32_MAX, 'steps');
}

/** What a later version adds is hardly deeper; copying needs stack for each level. */
const MOST_DEPTH = 64;

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null;

/** @param {object} value */
function copyOf(value) {
  const seen = new Set();
  for (let level = [value], depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) check.refuse('the plan', `is nested too deeply: more than ${MOST_DEPTH} levels`);
    level = level.filter((each) => !seen.has(each) && seen.add(each)).flatMap((each) => Object.values(each).filter(isObject));
  }
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new InputError('bad-syntax', 'plan JSON: the plan has values that JSON has not; give what JSON.parse gives.', undefined, { cause });
  }
}

/**
 * @param {object} value
 * @returns {Plan} a copy, checked; keys that this version does not know are kept
 */
export function readPlan(value) {
  const plan = check.object(copyOf(value), 'the plan');
  checkHead(plan);
  check.list(plan.timeline, 'timeline').forEach((step, i) => {
    const { subgraph, node } = check.object(step, `timeline[${i}]`);
    check.whole(subgraph, 0, INT32_MAX, `timeline[${i}].subgraph`);
    orNull(node, `timeline[${i}].node`);
  });
  const buffers = check.list(plan.buffers, 'buffers');
  buffers.forEach((buffer, i) => checkBuffer(buffer, i, buffers.length));
  check.list(plan.problems, 'problems').forEach((problem, i) => {
    const { code, text } = check.object(problem, `problems[${i}]`);
    check.text(code, `problems[${i}].code`);
    check.text(text, `problems[${i}].text`);
  });
  return /** @type {Plan} */ (/** @type {unknown} */ (plan));
}

/** @returns {never} */
function placed() {
  throw new UsageError('unsupported', 'this is a plan, which has its places already; open the model it was made from to plan again.');
}

/** @implements {PlannerInterface} */
class PlanFilePlanner {
  #plan;

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
  }

  plan = placed;
  execute = placed;
  reset = placed;
  resetAfter = placed;
  resize = placed;
  retype = placed;
  fix = placed;
  release = placed;
  acquire = placed;
  why = placed;

  /** @returns {Promise<never>} */
  async solve() {
    return placed();
  }

  /** @returns {Layout} */
  layout() {
    const buffers = this.#plan.buffers.filter(({ kind }) => kind === 'tensor');
    return {
      arenaBytes: this.#plan.arena_bytes,
      persistentBytes: this.#plan.persistent_bytes,
      offsets: Float64Array.from(buffers, ({ offset }) => offset ?? NaN),
      bytes: Float64Array.from(buffers, ({ bytes }) => bytes),
      first: Int32Array.from(buffers, ({ first }) => first),
      last: Int32Array.from(buffers, ({ last }) => last),
      allocated: Uint8Array.from(buffers, ({ offset }) => Number(offset !== null)),
      arena: Uint8Array.from(buffers, ({ arena }) => (arena === null ? 0 : ARENAS.indexOf(arena) + 1)),
      shares: Int32Array.from(buffers, ({ shares }) => shares ?? -1),
    };
  }

  /** @returns {Summary} */
  summary() {
    const { peak, alignment, ...plan } = this.#plan;
    return {
      arenaBytes: plan.arena_bytes,
      persistentBytes: plan.persistent_bytes,
      lowerBoundBytes: plan.lower_bound_bytes,
      constantBytes: plan.constant_bytes,
      peakLiveBytes: peak.live_bytes,
      peakStep: peak.step,
      steps: plan.steps,
      status: plan.status,
      arenaAlignment: alignment.arena,
      tensorAlignment: alignment.tensor,
      neededBytes: plan.min_arena_bytes ?? plan.arena_bytes,
      leastNeededBytes: plan.lower_bound_bytes,
      headBytes: plan.head_bytes ?? null,
      tailBytes: plan.tail_bytes ?? null,
      minArenaBytes: plan.min_arena_bytes ?? null,
      unknownTensors: plan.unknown?.tensors ?? 0,
      unknownOperators: plan.unknown?.operators ?? 0,
      searchNodes: 0,
      searchEnded: false,
      fits: plan.fits ?? null,
      betterBytes: null,
      fixedPlaces: plan.buffers.filter(({ fixed }) => fixed).length,
    };
  }

  report() {
    return structuredClone(this.#plan);
  }

  /** @param {import('./index.js').ReportFormat} [format] */
  text(format = 'text') {
    numberOf(['json'], format, 'format of a plan that was opened');
    return `${JSON.stringify(this.#plan)}\n`;
  }
}

export class PlanFile {
  kind = /** @type {const} */ ('plan');
  #plan;

  /** @param {object} value */
  constructor(value) {
    this.#plan = readPlan(value);
  }

  get name() {
    return this.#plan.source.name;
  }

  /** @returns {ModelDescription} */
  get description() {
    const { source, alignment, constant_bytes, problems } = this.report();
    const nothing = { schema_version: 0, preserve_all: false, subgraphs: [], signatures: [], metadata: [], rows: [] };
    return { ...source, ...nothing, alignment: alignment.tensor, constant_bytes, has_offline_plan: false, problems };
  }

  report() {
    return structuredClone(this.#plan);
  }

  get subgraphs() {
    return [];
  }

  get tensors() {
    return [];
  }

  get nodes() {
    return [];
  }

  get signatures() {
    return [];
  }

  get rows() {
    return [];
  }

  get problems() {
    return this.report().problems;
  }

  planner() {
    return new PlanFilePlanner(this.#plan);
  }

  interpreter = placed;
  size = placed;
  sizeText = placed;

  /** @returns {Promise<never>} */
  async writeOfflinePlan() {
    return placed();
  }
}

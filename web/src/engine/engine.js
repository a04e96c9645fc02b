/**
 * What runs beside the page: models, planners, the painter. In a worker, or, where none can start, on the page's
 * own thread; the same code.
 */
import { Instance } from '../../../wasm/instance.js';
import { Model, isPlan, readInput } from '../../../wasm/model.js';
import { isLong, readPlan, readRowsPlan } from './columns.js';
import { liveChanges } from '../model/live.js';
import { isUnbounded } from '../model/sentences.js';
import { describe, plannerOptions, unknownIn, walked } from './describe.js';
import { givenList, givenPlan, overlapsIn } from './given.js';
import { MapView } from './mapview.js';
import { findOffers } from './offers.js';
import { namesOf, rowsWithin } from './rows.js';
import { wholeArena } from './whole.js';

/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../types.js').PlanData} PlanData */
/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {import('../types.js').Frame} Frame */
/** @typedef {import('../types.js').Ink} Ink */
/** @typedef {import('../../../wasm/index.js').Planner} Planner */
/** @typedef {(stage: string, fraction: number | null, note?: string) => void} Progress */
/** @typedef {import('./columns.js').PlanJson} PlanJson */
/** @typedef {import('../types.js').FrozenPlan} FrozenPlan */
/** @typedef {{ turn: number, info: ModelInfo, bytes: Uint8Array, instance: Instance | null, model: Model | null, given: import('./given.js').Given | null, frozen?: FrozenPlan, planner?: Planner, total?: number, offers?: readonly import('./offers.js').Found[], map?: MapView, walk?: import('../../../wasm/index.js').Interpreter | null }} Source  an open model, its plan, and the picture of that */

export class Engine {
  #module;
  /** What is shown: replaced as a whole, and only once all that is asked for is there. @type {Source | null} */
  #source = null;
  /** @type {Uint8Array} */
  #classes = new Uint8Array(3);
  /** @type {readonly Ink[]} */
  #inks = [];
  /** @type {AbortController | null} */
  #running = null;
  /** @type {AbortController | null} */
  #offering = null;
  /** Counts what is asked for. */
  #turn = 0;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * Opens a model and plans it. The one before stays until this one is ready.
   * @param {Uint8Array} bytes
   * @param {string} name
   * @param {Partial<PlanOptions>} options
   * @param {Progress} progress
   */
  async open(bytes, name, options, progress) {
    const turn = this.#begin();
    progress('parse', null);
    const source = { turn, ...(await this.#read(bytes, name)) };
    const wanted = options.runtime;
    const runtimes = source.info.runtimes;
    const tries = wanted !== undefined && runtimes.includes(wanted) ? [wanted, ...runtimes.filter((r) => r !== wanted)] : runtimes;
    const plan = await this.#planFirst(source, tries, options, progress);
    this.#keep(source);
    return { model: source.info, plan };
  }

  /** Ends what something else was asked for meanwhile. @param {Source} source */
  #check({ turn }) {
    if (turn !== this.#turn) throw new Error('something else was asked for meanwhile.');
  }

  /** @param {Source} source */
  #keep(source) {
    this.#check(source);
    this.#source = source;
  }

  /** What is open, to be planned in another way. @returns {Source} */
  #copy() {
    return { .../** @type {Source} */ (this.#source), turn: this.#turn };
  }

  /** @param {Uint8Array} bytes @param {string} name @returns {Promise<Omit<Source, 'turn'>>} */
  async #read(bytes, name) {
    const input = readInput(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    if (isPlan(input)) {
      const info = { kind: /** @type {const} */ ('plan'), name, fileBytes: 0, subgraphs: [], runtimes: [], hasOffsets: false };
      return { info, bytes, instance: null, model: null, given: await givenPlan(this.#module, input.json, false) };
    }
    const instance = await Instance.start(this.#module);
    const model = new Model(instance, input, name);
    return { info: describe(model, name, bytes.length), bytes, instance, model, given: null };
  }

  /**
   * The first runtime that takes the model, and what the preferred one said.
   * @param {Source} source @param {readonly string[]} runtimes @param {Partial<PlanOptions>} options @param {Progress} progress
   * @returns {Promise<PlanData>}
   */
  async #planFirst(source, runtimes, options, progress) {
    if (source.info.hasOffsets) this.#takeAsGiven(source);
    if (source.given) {
      const plan = await this.#show(source, source.given.read, source.given.read.head.unknown?.tensors ?? 0, source.given.overlaps);
      return { ...plan, whole: wholeArena(null, plan.head) };
    }
    let refusal = null;
    for (const runtime of runtimes) {
      try {
        const plan = await this.#plan(source, { ...options, runtime }, progress);
        return { ...plan, refusal };
      } catch (error) {
        if (!isRefusal(error) || runtime === runtimes.at(-1)) throw error;
        refusal ??= { runtime, text: /** @type {Error} */ (error).message };
      }
    }
    throw new Error('there is no runtime for this kind of file.');
  }

  /** A buffer list whose offsets clash is looked at as the plan that it is. @param {Source} source */
  #takeAsGiven(source) {
    const { instance, model } = source;
    source.given = instance && model ? givenList(instance, model) : null;
    if (source.given) source.info = { ...source.info, kind: 'plan', runtimes: [], hasOffsets: false };
  }

  /**
   * Plans the open model anew.
   * @param {PlanOptions} options
   * @param {Progress} progress
   */
  async plan(options, progress) {
    this.#begin();
    const source = this.#copy();
    const plan = await this.#plan(source, options, progress);
    this.#keep(source);
    return plan;
  }

  /** @param {Source} source @param {Partial<PlanOptions>} options @param {Progress} progress @returns {Promise<PlanData>} */
  async #plan(source, options, progress) {
    const { model, info } = source;
    if (!model) throw new Error('no model is open.');
    progress('plan', null);
    const wanted = plannerOptions(info, options);
    const planner = model.planner(wanted);
    const search = await this.#place(source, planner, wanted.planner, progress);
    progress('draw', null);
    const plan = info.kind === 'csv' && isLong(planner) ? await this.#show(source, readRowsPlan(planner, namesOf(model.rows), wanted.planner ?? 'optimal'), 0, []) : await this.#showReport(source, planner, options);
    plan.whole = wholeArena(model, plan.head);
    source.total = plan.whole?.total ?? plan.head.arena_bytes;
    plan.search = plan.head.status === 'optimal' ? '' : search;
    source.planner = planner;
    source.walk = null;
    return plan;
  }

  /** @param {Source} source @param {Planner} planner @param {Partial<PlanOptions>} options */
  async #showReport(source, planner, options) {
    const report = planner.report();
    // TFLM plans the whole model and says itself what it does not know.
    const unknownSizes = report.subgraph === null ? report.unknown.tensors : Math.max(report.unknown.tensors, unknownIn(source.info, options.subgraph ?? 0));
    const overlaps = isUnbounded(report) ? await overlapsIn(this.#module, report) : [];
    return this.#show(source, readPlan(/** @type {PlanJson} */ (/** @type {unknown} */ (report))), unknownSizes, overlaps);
  }

  /** What is asked for now takes the place of what was asked for before. */
  #begin() {
    this.#running?.abort();
    this.#offering?.abort();
    return ++this.#turn;
  }

  /** Gives places; tells how a search ended that proved nothing. @param {Source} source @param {Planner} planner @param {string | undefined} method @param {Progress} progress @returns {Promise<PlanData['search']>} */
  async #place(source, planner, method, progress) {
    this.#check(source);
    if (method !== 'optimal') {
      planner.plan();
      planner.execute();
      return '';
    }
    const running = new AbortController();
    this.#running = running;
    try {
      const { done } = await planner.solve({
        signal: running.signal,
        onProgress: ({ searchNodes, arenaBytes, lowerBoundBytes }) =>
          progress('search', null, `${searchNodes.toLocaleString('en-US')} nodes searched, ${arenaBytes.toLocaleString('en-US')} B so far, bound ${lowerBoundBytes.toLocaleString('en-US')} B`),
      });
      return done ? '' : 'spent';
    } catch (error) {
      // Stopped: the best plan so far is in place.
      if (!running.signal.aborted) throw error;
      this.#check(source);
      return 'stopped';
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * The interpreter's walk over the open model: starts over, or takes the next step.
   * @param {PlanOptions} options
   * @param {'start' | 'next'} move
   * @param {readonly (readonly [tensor: number, bytes: number])[]} sizes  what came out of the node that ran
   */
  async walk(options, move, sizes) {
    const source = this.#copy();
    const { model, planner } = source;
    if (!model || !planner) throw new Error('no model is open.');
    if (move === 'start' || !source.walk) {
      const { runtime, alignment, subgraph } = plannerOptions(source.info, options);
      source.walk = model.interpreter({ runtime: runtime === 'tflite' ? 'tflite' : 'tflite-2018', ...(alignment ? { alignment } : {}), subgraph: subgraph ?? 0 });
    }
    const { walk } = source;
    /** @type {import('../../../wasm/index.js').WalkStep} */
    let step = { node: -1, planned: null, done: false };
    if (move === 'start') step = { ...step, planned: walk.allocateTensors() };
    else {
      for (const [tensor, bytes] of sizes) walk.setBytes(tensor, bytes);
      step = walk.next();
    }
    const base = readPlan(/** @type {PlanJson} */ (/** @type {unknown} */ (planner.report())));
    const plan = await this.#show(source, walked(base, walk.layout()), unknownIn(source.info, options.subgraph), []);
    this.#keep(source);
    return { step, plan };
  }

  /** What can be done to need less than now. Ends without an answer when something else is asked for. @param {PlanOptions} options @returns {Promise<import('../types.js').Offer[]>} */
  async offers(options) {
    const source = this.#source;
    if (!source?.model) return [];
    const { signal } = (this.#offering = new AbortController());
    source.offers = await findOffers(source.model, source.info, options, source.total ?? 0, signal);
    return source.offers.map(({ file: _, ...offer }) => offer);
  }

  /** The file of an offer. @param {string} id @returns {Promise<Uint8Array | null>} */
  async offered(id) {
    return this.#source?.offers?.find((offer) => offer.id === id)?.file ?? null;
  }

  /** Ends a search; what it has found so far is the plan. */
  async stop() {
    this.#running?.abort();
  }

  /** Why a buffer lies where it does. @param {number} buffer @returns {Promise<import('../types.js').Why | null>} */
  async why(buffer) {
    if (this.#source?.given) return this.#source.frozen?.whys[buffer] ?? null;
    return this.#source?.planner?.why(buffer) ?? null;
  }

  /** The reasons for all places. @param {number} count  of buffers */
  async whys(count) {
    return Promise.all(Array.from({ length: count }, (_, i) => this.why(i)));
  }

  /** Shows what was frozen. @param {FrozenPlan} frozen */
  async thaw(frozen) {
    const { info, plan, ...rest } = frozen;
    const turn = this.#begin();
    const given = await givenPlan(this.#module, plan, info.fileBytes > 0);
    const source = { turn, info, bytes: new Uint8Array(0), instance: null, model: null, given, frozen };
    const shown = await this.#show(source, given.read, rest.unknownSizes, given.overlaps);
    this.#keep(source);
    return { model: info, plan: { ...shown, ...rest } };
  }

  /**
   * @param {Source} source
   * @param {ReturnType<typeof readPlan>} read
   * @param {number} unknownSizes
   * @param {PlanData['clashes']} clashes
   * @returns {Promise<PlanData>}
   */
  async #show(source, read, unknownSizes, clashes) {
    source.map = await MapView.of(this.#module, read.columns);
    const memoryBytes = source.map.memoryBytes + (source.instance?.memoryBytes ?? 0);
    return { ...read, whole: null, search: '', unknownSizes, refusal: null, clashes, changes: liveChanges(read.columns), memoryBytes };
  }

  /** What the next pictures are painted with. @param {Uint8Array} classes @param {readonly Ink[]} inks */
  async paint(classes, inks) {
    this.#classes = classes;
    this.#inks = inks;
  }

  /** @param {Frame} frame @param {number} scale */
  async picture(frame, scale) {
    const { map } = this.#source ?? {};
    if (!map) throw new Error('no plan is open.');
    const started = performance.now();
    const { ids, pixels } = map.picture(frame, this.#classes, this.#inks, scale);
    const labels = map.labels(frame, 32 * scale, 14 * scale);
    const { x0, x1, y0, y1 } = frame;
    return { viewport: { x0, x1, y0, y1 }, width: frame.width, height: frame.height, ids, pixels, labels, cost: performance.now() - started };
  }

  /** @param {Frame} frame */
  async curve(frame) {
    return this.#source?.map?.curve(frame);
  }

  /** @param {Frame} frame @param {number} x @param {number} y */
  async pick(frame, x, y) {
    return this.#source?.map?.pick(frame, x, y) ?? { count: 0, buffers: new Uint32Array(0) };
  }

  /** The open list without what does not live between two steps. @param {number} from @param {number} to */
  async within(from, to) {
    return rowsWithin(this.#source?.model?.rows ?? [], from, to);
  }

  /** The plan as text, written by the core. @param {'json' | 'csv' | 'c' | 'svg' | 'text'} format */
  async text(format) {
    const { given, planner } = /** @type {Source} */ (this.#source);
    return given ? given.json() : planner?.text(format);
  }
}

/** @param {unknown} error */
function isRefusal(error) {
  const code = /** @type {{ code?: string }} */ (error).code;
  return code === 'unsupported' || code === 'refused-by-runtime';
}

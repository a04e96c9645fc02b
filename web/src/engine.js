/**
 * What runs beside the page: models, planners, the painter. In a worker, or, where none can start, on the page's
 * own thread; the same code.
 */
import { Instance } from '../../wasm/instance.js';
import { Model, isPlan, readInput } from '../../wasm/model.js';
import { isLong, readPlan, readRowsPlan } from './columns.js';
import { isUnbounded, liveChanges } from './facts.js';
import { givenList, givenPlan, overlapsIn } from './given.js';
import { MapView } from './mapview.js';
import { readRows, rowsWithin } from './rows.js';
import { wholeArena } from './whole.js';

/** @typedef {import('./types.js').PlanOptions} PlanOptions */
/** @typedef {import('./types.js').PlanData} PlanData */
/** @typedef {import('./types.js').ModelInfo} ModelInfo */
/** @typedef {import('./types.js').Frame} Frame */
/** @typedef {import('./types.js').Ink} Ink */
/** @typedef {import('../../wasm/index.js').Planner} Planner */
/** @typedef {(stage: string, fraction: number | null, note?: string) => void} Progress */
/** @typedef {import('./columns.js').PlanJson} PlanJson */
/** @typedef {import('./types.js').FrozenPlan} FrozenPlan */
/** @typedef {{ info: ModelInfo, bytes: Uint8Array, instance: Instance | null, model: Model | null, given: import('./given.js').Given | null, frozen?: FrozenPlan }} Source */

/** Which runtimes plan which kinds of input, the preferred one first. */
const RUNTIMES = /** @type {Record<string, readonly string[]>} */ ({
  tflite: ['tflm', 'tflite', 'tflite-2018'],
  graph: ['tflite-2018', 'tflite'],
  csv: ['none'],
  plan: [],
});

export class Engine {
  #module;
  /** @type {Source | null} */
  #source = null;
  /** @type {Planner | null} */
  #planner = null;
  /** @type {MapView | null} */
  #map = null;
  /** @type {import('../../wasm/index.js').Interpreter | null} */
  #walk = null;
  /** @type {Uint8Array} */
  #classes = new Uint8Array(3);
  /** @type {readonly Ink[]} */
  #inks = [];
  /** @type {AbortController | null} */
  #running = null;
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
    this.#begin();
    progress('parse', null);
    const source = await this.#read(bytes, name);
    const wanted = options.runtime;
    const runtimes = source.info.runtimes;
    const tries = wanted !== undefined && runtimes.includes(wanted) ? [wanted, ...runtimes.filter((r) => r !== wanted)] : runtimes;
    const plan = await this.#planFirst(source, tries, options, progress);
    this.#source = source;
    return { model: source.info, plan };
  }

  /** @param {Uint8Array} bytes @param {string} name @returns {Promise<Source>} */
  async #read(bytes, name) {
    const input = readInput(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    if (isPlan(input)) {
      const info = { kind: /** @type {const} */ ('plan'), name, fileBytes: bytes.length, subgraphs: [], runtimes: [] };
      return { info, bytes, instance: null, model: null, given: await givenPlan(this.#module, input.json) };
    }
    const instance = await Instance.start(this.#module);
    const model = new Model(instance, input, name);
    return { info: describe(model, name, bytes.length), bytes, instance, model, given: null };
  }

  /**
   * The first runtime that takes the model; what the preferred one said stays as a problem.
   * @param {Source} source @param {readonly string[]} runtimes @param {Partial<PlanOptions>} options @param {Progress} progress
   * @returns {Promise<PlanData>}
   */
  async #planFirst(source, runtimes, options, progress) {
    if (source.given) return this.#show(source, source.given.read, 0, source.given.overlaps);
    let refusal = null;
    for (const runtime of runtimes) {
      try {
        const plan = await this.#plan(source, { ...options, runtime }, progress);
        if (refusal) plan.head = { ...plan.head, problems: [refusal, ...plan.head.problems] };
        return plan;
      } catch (error) {
        if (source.info.kind === 'csv' && this.#takeAsGiven(source)) return this.#planFirst(source, [], options, progress);
        if (!isRefusal(error) || runtime === runtimes.at(-1)) throw error;
        refusal ??= { code: 'refused', text: `${runtime} does not plan this model: ${/** @type {Error} */ (error).message}` };
      }
    }
    throw new Error('there is no runtime for this kind of file.');
  }

  /** A buffer list whose offsets clash cannot be planned, but looked at, as a plan. @param {Source} source */
  #takeAsGiven(source) {
    const { instance, model, bytes } = source;
    source.given = instance && model ? givenList(instance, model, bytes) : null;
    if (!source.given) return false;
    source.info = { ...source.info, kind: 'plan', runtimes: [] };
    return true;
  }

  /**
   * Plans the open model anew.
   * @param {PlanOptions} options
   * @param {Progress} progress
   */
  async plan(options, progress) {
    if (!this.#source) throw new Error('no model is open.');
    this.#begin();
    const { given } = this.#source;
    return given ? this.#show(this.#source, given.read, 0, given.overlaps) : this.#plan(this.#source, options, progress);
  }

  /** @param {Source} source @param {Partial<PlanOptions>} options @param {Progress} progress @returns {Promise<PlanData>} */
  async #plan(source, options, progress) {
    const { model, info } = source;
    if (!model) throw new Error('no model is open.');
    progress('plan', null);
    const wanted = plannerOptions(info, options);
    const planner = model.planner(wanted);
    const search = await this.#place(planner, wanted.planner, progress);
    progress('draw', null);
    const plan = info.kind === 'csv' && isLong(planner) ? await this.#show(source, readRowsPlan(planner, readRows(source.bytes).names, wanted.planner ?? 'optimal'), 0, []) : await this.#showReport(source, planner, options);
    plan.whole = wholeArena(model, plan.head, options);
    plan.search = plan.head.status === 'optimal' ? '' : search;
    this.#planner = planner;
    this.#walk = null;
    return plan;
  }

  /** @param {Source} source @param {Planner} planner @param {Partial<PlanOptions>} options */
  async #showReport(source, planner, options) {
    const report = planner.report();
    const unknownSizes = Math.max(planner.summary().unknownSizes, unknownIn(source.info, options.subgraph ?? 0));
    const overlaps = isUnbounded(report) ? await overlapsIn(this.#module, report) : [];
    return this.#show(source, readPlan(/** @type {PlanJson} */ (/** @type {unknown} */ (report))), unknownSizes, overlaps);
  }

  /** What is asked for now takes the place of what was asked for before. */
  #begin() {
    this.#turn++;
    this.#running?.abort();
  }

  /** Gives places; tells how a search ended that proved nothing. @param {Planner} planner @param {string | undefined} method @param {Progress} progress @returns {Promise<PlanData['search']>} */
  async #place(planner, method, progress) {
    if (method !== 'optimal') {
      planner.plan();
      planner.execute();
      return '';
    }
    const turn = this.#turn;
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
      if (turn !== this.#turn) throw new Error('something else was asked for meanwhile.', { cause: error });
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
    const source = this.#source;
    const model = source?.model;
    if (!source || !model || !this.#planner) throw new Error('no model is open.');
    if (move === 'start' || !this.#walk) {
      const { runtime, alignment, subgraph } = plannerOptions(source.info, options);
      this.#walk = model.interpreter({ runtime: runtime === 'tflite' ? 'tflite' : 'tflite-2018', ...(alignment ? { alignment } : {}), subgraph: subgraph ?? 0 });
    }
    const walk = this.#walk;
    /** @type {import('../../wasm/index.js').WalkStep} */
    let step = { node: -1, planned: null, done: false };
    if (move === 'start') step = { ...step, planned: walk.allocateTensors() };
    else {
      for (const [tensor, bytes] of sizes) walk.setBytes(tensor, bytes);
      step = walk.next();
    }
    const base = readPlan(/** @type {PlanJson} */ (/** @type {unknown} */ (this.#planner.report())));
    return { step, plan: await this.#show(source, walked(base, walk.layout()), unknownIn(source.info, options.subgraph), []) };
  }

  /**
   * The smallest change of the options with which the open model fits.
   * @param {PlanOptions} options
   * @param {number} budget
   * @param {Progress} progress
   */
  async findFitting(options, budget, progress) {
    const { model, info } = /** @type {Source} */ (this.#source);
    if (!model) return { change: null, label: '', bytes: 0 };
    const aligned = options.runtime === 'tflm' || info.kind === 'csv' ? [] : [16, 8, 4].filter((n) => n < options.alignment);
    const changes = [...['own', 'optimal'].filter((planner) => planner !== options.planner).map((planner) => ({ planner })), ...aligned.flatMap((alignment) => [{ alignment }, { alignment, planner: 'optimal' }])];
    for (const change of changes) {
      const tried = { ...options, ...change };
      const planner = model.planner(plannerOptions(info, tried));
      const search = await this.#place(planner, tried.planner, progress);
      const { arenaBytes } = planner.summary();
      const head = { runtime: tried.runtime, planner: tried.planner, arena_bytes: arenaBytes };
      const bytes = wholeArena(model, head, tried)?.total ?? arenaBytes;
      const label = [tried.planner === options.planner ? '' : `planner ${tried.planner}`, tried.alignment === options.alignment ? '' : `alignment ${tried.alignment}`].filter(Boolean).join(', ');
      if (bytes <= budget) return { change, label: label.charAt(0).toUpperCase() + label.slice(1), bytes };
      if (search === 'stopped') break;
    }
    return { change: null, label: '', bytes: 0 };
  }

  /** Ends a search; what it has found so far is the plan. */
  async stop() {
    this.#running?.abort();
  }

  /** Why a buffer lies where it does. @param {number} buffer @returns {Promise<import('./types.js').Why | null>} */
  async why(buffer) {
    if (this.#source?.given) return this.#source.frozen?.whys[buffer] ?? null;
    return this.#planner?.why(buffer) ?? null;
  }

  /** The reasons for all places. @param {number} count  of buffers */
  async whys(count) {
    return Promise.all(Array.from({ length: count }, (_, i) => this.why(i)));
  }

  /** Shows what was frozen. @param {FrozenPlan} frozen */
  async thaw(frozen) {
    const { info, plan, ...rest } = frozen;
    const given = await givenPlan(this.#module, plan);
    this.#source = { info, bytes: new Uint8Array(0), instance: null, model: null, given, frozen };
    return { model: info, plan: { ...(await this.#show(this.#source, given.read, rest.unknownSizes, given.overlaps)), ...rest } };
  }

  /**
   * @param {Source} source
   * @param {ReturnType<typeof readPlan>} read
   * @param {number} unknownSizes
   * @param {PlanData['clashes']} clashes
   * @returns {Promise<PlanData>}
   */
  async #show(source, read, unknownSizes, clashes) {
    this.#map = await MapView.of(this.#module, read.columns);
    const memoryBytes = this.#map.memoryBytes + (source.instance?.memoryBytes ?? 0);
    return { ...read, whole: null, search: '', unknownSizes, clashes, changes: liveChanges(read.columns), memoryBytes };
  }

  /** What the next pictures are painted with. @param {Uint8Array} classes @param {readonly Ink[]} inks */
  async paint(classes, inks) {
    this.#classes = classes;
    this.#inks = inks;
  }

  /** @param {Frame} frame @param {number} scale */
  async picture(frame, scale) {
    if (!this.#map) throw new Error('no plan is open.');
    const started = performance.now();
    const { ids, pixels } = this.#map.picture(frame, this.#classes, this.#inks, scale);
    const labels = this.#map.labels(frame, 32 * scale, 14 * scale);
    const { x0, x1, y0, y1 } = frame;
    return { viewport: { x0, x1, y0, y1 }, width: frame.width, height: frame.height, ids, pixels, labels, cost: performance.now() - started };
  }

  /** @param {Frame} frame */
  async curve(frame) {
    if (!this.#map) throw new Error('no plan is open.');
    return this.#map.curve(frame);
  }

  /** @param {Frame} frame @param {number} x @param {number} y */
  async pick(frame, x, y) {
    return this.#map?.pick(frame, x, y) ?? { count: 0, buffers: new Uint32Array(0) };
  }

  /** The open list without what does not live between two steps. @param {number} from @param {number} to */
  async within(from, to) {
    return rowsWithin(/** @type {Source} */ (this.#source).bytes, from, to);
  }

  /** The plan as text, written by the core. @param {'json' | 'csv' | 'c' | 'svg' | 'text'} format */
  async text(format) {
    if (this.#planner && !this.#source?.given) return this.#planner.text(format);
    if (format === 'json' && this.#source?.given) return this.#source.given.json();
    throw new Error(`a pasted plan can be exported as JSON, not as ${format}.`);
  }
}

/** How many tensors of a subgraph their operators allocate when they run. @param {ModelInfo} info @param {number} subgraph */
function unknownIn(info, subgraph) {
  return (info.subgraphs[subgraph]?.tensors ?? []).filter(({ type }) => type === 'dynamic').length;
}

/** @param {unknown} error */
function isRefusal(error) {
  const code = /** @type {{ code?: string }} */ (error).code;
  return code === 'unsupported' || code === 'refused-by-runtime';
}

/** @param {ModelInfo} info @param {Partial<PlanOptions>} options */
function plannerOptions(info, options) {
  const { runtime = 'none', planner = 'own', alignment = 0, subgraph = 0, kernels = 'reference' } = options;
  const isTflm = runtime === 'tflm';
  return /** @type {import('../../wasm/index.js').PlannerOptions} */ ({
    runtime,
    planner: info.kind === 'csv' && planner === 'own' ? 'optimal' : planner,
    ...(alignment > 0 && !isTflm && info.kind !== 'csv' ? { alignment } : {}),
    ...(isTflm || info.kind === 'csv' ? {} : { subgraph }),
    ...(isTflm ? { kernels } : {}),
  });
}

/** @param {Model} model @param {string} name @param {number} fileBytes @returns {ModelInfo} */
function describe(model, name, fileBytes) {
  return {
    kind: model.kind,
    name,
    fileBytes,
    runtimes: RUNTIMES[model.kind] ?? [],
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
 * The plan with the places of a walk so far.
 * @param {ReturnType<typeof readPlan>} base
 * @param {import('../../wasm/index.js').Layout} layout
 */
function walked({ head, columns, names }, layout) {
  const { offsets, bytes, first, last, arena, arenaBytes, persistentBytes } = layout;
  return {
    head: { ...head, arena_bytes: arenaBytes, persistent_bytes: persistentBytes, status: /** @type {const} */ ('feasible') },
    columns: { ...columns, offset: offsets, bytes, first, last, arena },
    names,
  };
}

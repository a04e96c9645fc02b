/** What can be done on the page. Each action changes the state; the engine is asked where it must be. */
import { at, HUGE, makeFacts, optimality, countsAsLive } from './facts.js';
import { bytes, count, hex, life, plural } from './format.js';
import { colourGroups } from './groups.js';
import { failureOf } from './failure.js';
import { parseQuery } from './search.js';
import * as viewport from './viewport.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').State} State */
/** @typedef {import('./host.js').Host} Host */
/** @typedef {import('./types.js').Viewport} Viewport */
/** @typedef {import('./types.js').PlanOptions} PlanOptions */
/** @typedef {import('./types.js').PlanData} PlanData */
/** @typedef {import('./types.js').ModelInfo} ModelInfo */
/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {(progress?: import('./engine.js').Progress) => Promise<{ model: ModelInfo, plan: PlanData }>} Reopen */
/** @typedef {{ progress: import('./engine.js').Progress, end: () => void }} Working */

/** Work that takes less shows no progress bar. */
const PATIENCE_MS = 150;
const MOST_BACK = 50;
/** The arena is drawn with some air above it. */
const AIR = 1.03;

export class Actions {
  #store;
  #host;
  /** Opens once more what is shown. @type {Reopen | null} */
  #reopen = null;
  /** What could not be opened, to be tried again. @type {() => void} */
  tryAgain = () => {};
  /** Which request's answer still counts. */
  #turn = 0;
  /** The request that opens something; 0 when none does. */
  #opens = 0;
  /** @type {Promise<unknown>} */
  #planning = Promise.resolve();

  /** @param {Store} store @param {Host} host */
  constructor(store, host) {
    this.#store = store;
    this.#host = host;
  }

  get host() {
    return this.#host;
  }

  get #state() {
    return this.#store.state;
  }

  /** What the engine tells of these facts; an error if others are shown by then. @param {Facts} facts @param {string} call @param {unknown[]} args */
  async told(facts, call, args) {
    const answer = await this.#host.call(call, args);
    if (facts !== this.#state.facts) throw failureOf(new Error('the plan changed meanwhile: export again.'));
    return answer;
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    this.#store.set(patch);
  }

  /** The polite line. @param {string} status */
  say(status) {
    this.set({ status });
  }

  // ---- models ----

  /**
   * @param {'read' | 'parse'} stage
   * @param {string} name
   * @param {() => Promise<void>} again  the same once more
   * @param {(turn: number, busy: Working) => Promise<void>} work
   */
  async #opening(stage, name, again, work) {
    const turn = (this.#opens = ++this.#turn);
    const busy = this.#busy(stage, turn);
    try {
      await work(turn, busy);
    } catch (error) {
      if (turn === this.#turn) {
        this.tryAgain = again;
        this.#fail(error, 'again', `${name}: `);
      }
    } finally {
      if (turn === this.#turn) this.#opens = 0;
      busy.end();
    }
  }

  /** @param {Blob} file @param {string} name @returns {Promise<void>} */
  openFile(file, name) {
    return this.#opening('read', name, () => this.openFile(file, name), async (turn, busy) => {
      const data = new Uint8Array(await readBlob(file, (fraction) => busy.progress('read', fraction, `${bytes(Math.round(file.size * fraction))} of ${bytes(file.size)}`), () => turn !== this.#turn));
      if (turn === this.#turn) await this.#open(data, name, turn, busy);
    });
  }

  /** @param {Uint8Array} data @param {string} name @param {boolean} isSample @returns {Promise<void>} */
  openBytes(data, name, isSample = false) {
    return this.#opening('parse', name, () => this.openBytes(data, name, isSample), (turn, busy) => this.#open(data, name, turn, busy, isSample));
  }

  /** Reads again only what lives in the steps on screen, of a list that is long. */
  keepView() {
    return this.#ask(async (facts) => {
      const { view } = this.#state;
      const turn = this.#turn;
      const [from, to] = [Math.max(0, Math.floor(view.x0)), Math.ceil(view.x1) - 1];
      const name = facts.model.name.replace(/(, steps \d+ to \d+)?(\.\w+)?$/, `, steps ${from} to ${to}$2`);
      const list = await this.#host.call('within', [from, to]);
      if (turn === this.#turn) this.openBytes(list, name);
    });
  }

  /** @param {Uint8Array} data @param {string} name @param {number} turn @param {Working} busy @param {boolean} isSample */
  async #open(data, name, turn, busy, isSample = false) {
    const { kernels, target } = this.#state.options;
    try {
      const { model, plan } = await this.#host.call('open', [data, name, { kernels, target }], busy.progress);
      if (turn !== this.#turn) return;
      this.#reopen = (progress) => this.#host.call('open', [data, name, this.#state.options], progress);
      this.#adopt(makeFacts(model, plan), { isSample, undo: [], walk: null, sizes: {}, selected: -1, pinned: [], marks: [], back: [], forward: [], query: '', failure: null });
      this.set({ cursor: Math.max(0, plan.head.peak.step) });
      if (!isSample) this.set({ welcome: false });
      this.say(`${name}: ${this.summary()}`);
    } catch (error) {
      throw failureOf(error, data);
    }
  }

  /** Shows the view that a file was made of. @param {import('./snapshot.js').Snapshot} snapshot */
  async openSnapshot({ frozen, kept }) {
    const turn = ++this.#turn;
    const reopen = (this.#reopen = () => this.#host.call('thaw', [frozen]));
    const { model, plan } = await reopen();
    if (turn !== this.#turn) return;
    this.#adopt(makeFacts(model, plan), { ...kept, undo: [], welcome: false });
    this.set({ view: kept.view });
    this.say(`${model.name}: ${this.summary()}`);
  }

  /** One line on the present plan. */
  summary() {
    const { facts } = this.#state;
    if (!facts) return '';
    const { head } = facts;
    if (head.arena_bytes === 0) return 'nothing to plan.';
    const { search } = facts.plan;
    return `${search === 'stopped' ? 'search stopped, the best plan so far: ' : ''}${facts.plan.whole ? 'tensors' : 'arena'} ${bytes(head.arena_bytes)}, peak ${bytes(head.peak.live_bytes)} at step ${head.peak.step}, ${optimality(head).long}.`;
  }

  /** @param {unknown} error @param {import('./types.js').Failure['offers']} [offers] @param {string} of  whose it is */
  #fail(error, offers, of = '') {
    const failure = failureOf(error);
    this.set({ failure: { ...failure, title: of + failure.title, offers } });
  }

  /** Ends what runs. */
  cancel() {
    this.#state.busy?.cancel?.();
  }

  dismissFailure() {
    this.set({ failure: null });
  }

  /**
   * Shows facts: what depends on them is made anew.
   * @param {Facts} facts
   * @param {Partial<State>} patch
   */
  #adopt(facts, patch) {
    const state = { ...this.#state, ...patch };
    const { head } = facts;
    const alignment = head.runtime === 'tflm' || facts.model.kind !== 'tflite' ? state.options.alignment : state.options.alignment || head.alignment.tensor;
    const options = { ...state.options, runtime: head.runtime, planner: head.planner, alignment, subgraph: head.subgraph ?? 0 };
    const limits = this.#limits(facts, state.budget);
    const isNew = patch.undo !== undefined && patch.undo.length === 0;
    const keepsView = !isNew && state.facts !== null && viewport.same(state.limits, limits);
    const view = keepsView ? state.view : facts.n > HUGE ? this.#peakView(facts, limits) : limits;
    const { groups, legend } = colourGroups(facts, state.colourBy);
    this.set({ ...patch, facts, options, limits, view, groups, legend, ...this.#search(facts, state.query), cursor: Math.min(state.cursor, Math.max(0, head.steps - 1)), marks: state.marks.filter((step) => step < head.steps), why: null, hover: -1, fitting: null });
    if (state.selected >= 0) this.#askWhy(state.selected);
  }

  /** Everything, up to the arena's end or a budget near it. @param {Facts} facts @param {number | null} budget */
  #limits(facts, budget) {
    const arena = Math.max(facts.head.arena_bytes, facts.bound ?? 0);
    const top = budget !== null && budget > arena && budget < arena * 1.6 ? budget : arena;
    return viewport.fitAll(facts.head.steps, top * AIR);
  }

  /** The peak and five hundredths on both sides. @param {Facts} facts @param {Viewport} limits */
  #peakView(facts, limits) {
    const span = facts.head.steps * 0.05;
    return this.#clamped({ ...limits, x0: facts.head.peak.step - span, x1: facts.head.peak.step + span }, limits);
  }

  // ---- what if ----

  /** What is asked of the open model: one after the other, and nothing while another model takes its place. @param {(facts: Facts) => unknown} work */
  #ask(work) {
    if (!this.#opens) this.#host.call('stop', []);
    this.#planning = this.#planning.then(() => {
      const { facts, options } = this.#state;
      if (!this.#opens) return facts && work(facts);
      this.set({ options: { ...options } });
      return this.say('Wait until the file is open.');
    });
    return this.#planning;
  }

  /** Plans anew with other options; what was planned before can be had back. @param {Partial<PlanOptions>} change */
  replan(change) {
    return this.#ask((facts) => this.#replan(facts, { ...this.#state.options, ...change }, true));
  }

  undo() {
    return this.#ask((facts) => {
      const last = this.#state.undo.at(-1);
      return last && this.#replan(facts, last.options, false);
    });
  }

  /** Accepts what is planned: there is nothing to compare with any more. */
  keep() {
    this.set({ undo: [] });
    this.say('Kept.');
  }

  /** @param {Facts} facts @param {PlanOptions} options @param {boolean} remember */
  async #replan(facts, options, remember) {
    const { undo } = this.#state;
    const turn = ++this.#turn;
    const busy = this.#busy('plan', turn);
    const before = { options: { ...this.#state.options }, facts };
    try {
      const plan = await this.#host.call('plan', [options], busy.progress);
      if (turn !== this.#turn) return;
      this.set({ options });
      this.#adopt(makeFacts(facts.model, plan), { undo: remember ? [...undo, before] : undo.slice(0, -1), walk: null, failure: null });
      this.say(this.summary());
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#fail(error);
      this.set({ options: before.options });
    } finally {
      busy.end();
    }
  }

  /** @param {number | null} budget */
  setBudget(budget) {
    const { facts, limits, view } = this.#state;
    this.set({ budget, fitting: null });
    if (!facts) return;
    const next = this.#limits(facts, budget);
    this.set({ limits: next, view: viewport.same(view, limits) ? next : this.#clamped(view, next) });
  }

  /** Starts the interpreter's walk, or takes its next step. @param {'start' | 'next'} move */
  walk(move) {
    return this.#ask((facts) => this.#walk(facts, move));
  }

  /** @param {Facts} facts @param {'start' | 'next'} move */
  async #walk(facts, move) {
    const { options, walk, sizes } = this.#state;
    const turn = this.#turn;
    const given = outputsOf(facts, walk?.node ?? -1).flatMap((tensor) => (sizes[tensor] === undefined ? [] : [/** @type {const} */ ([tensor, sizes[tensor]])]));
    try {
      const { step, plan } = await this.#host.call('walk', [options, move, move === 'next' ? given : []]);
      if (turn !== this.#turn) return;
      this.#adopt(makeFacts(facts.model, plan), { walk: step, failure: null, undo: this.#state.undo });
      if (step.node >= 0) this.moveCursor(step.node, true);
      const planned = step.planned ? `Nodes ${step.planned[0]} to ${step.planned[1]} have their places now: arena ${bytes(plan.head.arena_bytes)}.` : '';
      this.say(`${step.node >= 0 ? `${facts.nodeName({ subgraph: facts.head.subgraph ?? 0, node: step.node })} runs. ` : ''}${planned}`);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** @param {number} tensor @param {number} size */
  setSize(tensor, size) {
    this.set({ sizes: { ...this.#state.sizes, [tensor]: size } });
  }

  /** Brings the step that decides into view. */
  lookAtPeak() {
    const { facts, limits } = this.#state;
    if (!facts) return;
    this.goTo(this.#peakView(facts, limits));
    this.globalPeak();
  }

  /** Tries the other planners and alignments until one fits the budget. */
  findFitting() {
    return this.#ask(() => this.#findFitting());
  }

  async #findFitting() {
    const { options, budget } = this.#state;
    const turn = ++this.#turn;
    const busy = this.#busy('search', turn);
    try {
      const fitting = await this.#host.call('findFitting', [options, budget], busy.progress);
      if (turn !== this.#turn) return;
      this.set({ fitting });
      this.say(fitting.change ? `${fitting.label} fits: ${bytes(fitting.bytes)}.` : 'Nothing that was tried fits.');
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    } finally {
      busy.end();
    }
  }

  // ---- progress ----

  /**
   * A progress line that shows itself when the work takes long.
   * @param {string} stage @param {number} turn
   * @returns {Working}
   */
  #busy(stage, turn) {
    let shown = false;
    const cancel = () => {
      if (this.#state.busy?.stage === 'search') this.#host.call('stop', []);
      else this.#cancel();
    };
    let busy = { stage, fraction: /** @type {number | null} */ (null), note: '', cancel };
    const timer = setTimeout(() => {
      if (turn !== this.#turn) return;
      shown = true;
      this.set({ busy });
    }, PATIENCE_MS);
    return {
      progress: (/** @type {string} */ name, /** @type {number | null} */ fraction, note = '') => {
        busy = { ...busy, stage: name, fraction, note };
        if (shown && turn === this.#turn) this.set({ busy });
      },
      end: () => {
        clearTimeout(timer);
        if (turn === this.#turn) this.set({ busy: null });
      },
    };
  }

  /** Stops whatever runs; what was open stays on the page, and is opened again behind it. */
  #cancel() {
    this.#turn++;
    this.#opens = 0;
    this.#planning = Promise.resolve();
    this.#host.restart();
    this.set({ busy: null });
    this.say('Cancelled.');
    const reopen = this.#reopen;
    if (reopen) this.#again(this.#state.facts?.model.name ?? '', reopen);
  }

  /** @param {string} name @param {Reopen} reopen @returns {Promise<void>} */
  #again(name, reopen) {
    return this.#opening('parse', name, () => this.#again(name, reopen), async (turn, busy) => {
      const { model, plan } = await reopen(busy.progress);
      if (turn === this.#turn) this.#adopt(makeFacts(model, plan), { walk: null });
    });
  }

  // ---- the view ----

  /** @param {Viewport} view @param {Viewport} limits */
  #clamped(view, limits = this.#state.limits) {
    const alignment = Math.max(1, this.#state.facts?.head.alignment.tensor ?? 16);
    return viewport.clamp(view, limits, alignment, 400);
  }

  /** @param {Viewport} view */
  look(view) {
    const next = this.#clamped(view);
    if (!viewport.same(next, this.#state.view)) this.set({ view: next });
  }

  /** As look, and Alt+Left comes back. @param {Viewport} view */
  goTo(view) {
    const { view: now, back } = this.#state;
    const next = this.#clamped(view);
    if (viewport.same(next, now)) return;
    this.set({ view: next, back: [...back, now].slice(-MOST_BACK), forward: [] });
  }

  goBack() {
    const { back, forward, view } = this.#state;
    const last = back.at(-1);
    if (last) this.set({ view: this.#clamped(last), back: back.slice(0, -1), forward: [...forward, view] });
  }

  goForward() {
    const { back, forward, view } = this.#state;
    const last = forward.at(-1);
    if (last) this.set({ view: this.#clamped(last), forward: forward.slice(0, -1), back: [...back, view] });
  }

  fitAll() {
    this.goTo(this.#state.limits);
  }

  /** @param {number} factor */
  zoom(factor) {
    const { view } = this.#state;
    this.goTo(viewport.zoomAt(view, factor, (view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2, { x: true, y: true }));
  }

  /** Moves by parts of what is in view. @param {number} x @param {number} y */
  panBy(x, y) {
    const { view } = this.#state;
    this.look(viewport.pan(view, x * (view.x1 - view.x0), y * (view.y1 - view.y0)));
  }

  /** @param {number} i */
  zoomTo(i) {
    const box = this.#boxOf(i);
    if (box) this.goTo(viewport.around(...box));
  }

  /** @param {number} i @returns {[number, number, number, number] | null} */
  #boxOf(i) {
    const { facts } = this.#state;
    if (!facts || i < 0 || !facts.isPlaced(i)) return null;
    const { first, last, offset, bytes: size } = facts.columns;
    return [Math.max(0, at(first, i)), at(last, i), at(offset, i), at(offset, i) + at(size, i)];
  }

  // ---- selection ----

  /** @param {number} i @param {{ reveal?: boolean }} [how] */
  select(i, { reveal = true } = {}) {
    const { facts, selected } = this.#state;
    if (!facts) return;
    if (i !== selected) this.set({ selected: i, why: null });
    if (i < 0) return;
    const box = this.#boxOf(i);
    if (box && reveal) this.look(viewport.reveal(this.#state.view, ...box));
    const { columns } = facts;
    const where = facts.isPlaced(i) ? `, at ${bytes(at(columns.offset, i))}` : ', not placed';
    this.say(`${facts.label(i)}, ${bytes(at(columns.bytes, i))}${where}, steps ${at(columns.first, i)} to ${at(columns.last, i)}.`);
    this.#askWhy(i);
  }

  /** @param {number} i */
  async #askWhy(i) {
    const why = await this.#host.call('why', [i]).catch(() => null);
    if (this.#state.selected === i) this.set({ why });
  }

  /** @param {number} i */
  pin(i) {
    const { pinned } = this.#state;
    this.set({ pinned: pinned.includes(i) ? pinned.filter((k) => k !== i) : [...pinned, i] });
  }

  /** Peels one layer: search, then pins, then selection. Marks stay. */
  escape() {
    const { query, selected, pinned, failure } = this.#state;
    if (failure) this.dismissFailure();
    else if (query !== '') this.search('');
    else if (pinned.length > 0) this.set({ pinned: [] });
    else if (selected >= 0) {
      this.set({ selected: -1, why: null });
      this.say('Nothing selected.');
    }
  }

  /** Selects the first of the buffers that a problem is about, with what they share in view. @param {readonly number[]} buffers */
  lookAtClash([i = -1, other = -1]) {
    const { facts, view } = this.#state;
    if (!facts || i < 0) return;
    const clash = facts.clashesOf(i).find(({ a, b }) => other < 0 || a === other || b === other);
    this.select(i, { reveal: clash === undefined });
    if (!clash) return;
    const { steps: [first, last], bytes: [low, high] } = clash;
    this.goTo(viewport.reveal(view, first, last, low, high));
    this.moveCursor(first, true);
    this.say(`${facts.label(clash.a)} and ${facts.label(clash.b)} share ${bytes(high - low)} at ${hex(low)} in steps ${life(first, last)}.`);
  }

  // ---- the cursor ----

  /** @param {number} step @param {boolean} [quiet] */
  moveCursor(step, quiet = false) {
    const { facts, view, playing } = this.#state;
    if (!facts) return;
    const next = Math.max(0, Math.min(facts.head.steps - 1, step));
    this.set({ cursor: next });
    if (next < view.x0 || next + 1 > view.x1) this.look(viewport.pan(view, next + 0.5 - (view.x0 + view.x1) / 2, 0));
    if (!quiet && !playing) this.say(`Step ${next}${facts.stepName(next) ? `, ${facts.stepName(next)}` : ''}: ${bytes(facts.liveBytes(next))} live.`);
  }

  /** The next or the previous local peak. @param {1 | -1} direction */
  nextPeak(direction) {
    const { facts, cursor } = this.#state;
    if (!facts) return;
    const { peaks } = facts;
    const next = direction > 0 ? peaks.find((step) => step > cursor) : peaks.findLast((step) => step < cursor);
    if (next !== undefined) this.moveCursor(next);
  }

  /** Marks the step of the cursor, or takes the mark away. */
  mark() {
    const { facts, cursor, marks } = this.#state;
    if (!facts) return;
    const isMarked = marks.includes(cursor);
    this.set({ marks: isMarked ? marks.filter((step) => step !== cursor) : [...marks, cursor].sort((a, b) => a - b) });
    this.say(isMarked ? `Step ${cursor} is not marked any more.` : `Marked step ${cursor}.`);
  }

  /** The next or the previous mark; from the last on to the first. @param {1 | -1} direction */
  nextMark(direction) {
    const { cursor, marks } = this.#state;
    const next = direction > 0 ? (marks.find((step) => step > cursor) ?? marks[0]) : (marks.findLast((step) => step < cursor) ?? marks.at(-1));
    if (next === undefined) this.say('No step is marked: M marks one.');
    else this.moveCursor(next);
  }

  globalPeak() {
    const { facts } = this.#state;
    if (facts) this.moveCursor(facts.head.peak.step);
  }

  /** Along the addresses at the cursor's step, from the selection. @param {1 | -1} direction */
  selectNeighbour(direction) {
    const { facts, selected, cursor } = this.#state;
    if (!facts) return;
    const { offset, first, last } = facts.columns;
    const step = selected >= 0 && !(at(first, selected) <= cursor && cursor <= at(last, selected)) ? Math.max(0, at(first, selected)) : cursor;
    const live = facts.liveAt(step).filter((i) => facts.isPlaced(i)).sort((a, b) => at(offset, a) - at(offset, b) || a - b);
    const now = live.indexOf(selected);
    const next = now < 0 ? (direction > 0 ? 0 : live.length - 1) : now + direction;
    const i = live[next];
    if (i !== undefined) this.select(i);
  }

  /** The selected tensor's next or previous use: its writer, then its readers. @param {1 | -1} direction */
  nextUse(direction) {
    const { facts, selected, cursor } = this.#state;
    if (!facts || selected < 0) return;
    const { writers, readers } = facts.uses(selected);
    const steps = [...new Set([...writers, ...readers].map((ref) => facts.stepOfNode(ref)).filter((step) => step >= 0))].sort((a, b) => a - b);
    const next = direction > 0 ? steps.find((step) => step > cursor) : steps.findLast((step) => step < cursor);
    if (next !== undefined) this.moveCursor(next);
  }

  // ---- search and colour ----

  /** @param {Facts} facts @param {string} query */
  #search(facts, query) {
    if (query.trim() === '') return { hits: [], lit: null, queryError: null };
    const { test, error } = parseQuery(query);
    if (error !== null) return { hits: [], lit: null, queryError: error };
    const lit = new Uint8Array(facts.n);
    const hits = [];
    const { columns } = facts;
    for (let i = 0; i < facts.n; i++) {
      const item = {
        name: facts.fullName(i),
        op: facts.op(i),
        dtype: facts.dtype(i),
        kind: facts.kind(i),
        bytes: at(columns.bytes, i),
        offset: at(columns.offset, i),
        first: at(columns.first, i),
        last: at(columns.last, i),
      };
      if (columns.arena[i] === 0 || !test(item)) continue;
      lit[i] = 1;
      hits.push(i);
    }
    return { hits, lit, queryError: null };
  }

  /** @param {string} query */
  search(query) {
    const { facts } = this.#state;
    if (!facts) return;
    const found = this.#search(facts, query);
    this.set({ query, ...found });
    if (found.queryError) this.say(found.queryError);
    else if (query.trim() !== '') this.say(`${count(found.hits.length)} of ${plural(facts.n, 'buffer')} match "${query.trim()}"${found.hits.length > 0 ? ': Enter for the next' : ''}.`);
  }

  /** @param {1 | -1} direction */
  nextHit(direction) {
    const { hits, selected } = this.#state;
    if (hits.length === 0) return;
    const now = hits.indexOf(selected);
    const next = now < 0 ? (direction > 0 ? 0 : hits.length - 1) : (now + direction + hits.length) % hits.length;
    this.select(/** @type {number} */ (hits[next]));
  }

  /** @param {string} colourBy */
  colour(colourBy) {
    const { facts } = this.#state;
    if (facts) this.set({ colourBy, ...colourGroups(facts, colourBy) });
  }

  /** Selects what makes the peak: the largest. */
  selectLargestAtPeak() {
    const { facts } = this.#state;
    const i = facts?.liveAt(facts.head.peak.step).find((k) => countsAsLive(facts.columns, k));
    if (i !== undefined) this.select(i);
  }
}

/**
 * A blob's bytes, in pieces, so that progress shows and a cancel ends it.
 * @param {Blob} blob @param {(fraction: number) => void} progress @param {() => boolean} isCancelled
 */
async function readBlob(blob, progress, isCancelled) {
  const piece = 4 << 20;
  if (blob.size <= piece) return blob.arrayBuffer();
  const all = new Uint8Array(blob.size);
  for (let done = 0; done < blob.size && !isCancelled(); done += piece) {
    all.set(new Uint8Array(await blob.slice(done, done + piece).arrayBuffer()), done);
    progress(Math.min(1, (done + piece) / blob.size));
  }
  return all.buffer;
}

/** Tensors of unknown size that a node writes. @param {Facts} facts @param {number} node */
export function outputsOf(facts, node) {
  const graph = facts.model.subgraphs[facts.head.subgraph ?? 0];
  return (graph?.nodes[node]?.outputs ?? []).filter((tensor) => graph?.tensors[tensor]?.type === 'dynamic');
}

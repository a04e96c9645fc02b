/** What one points at: a tensor, a step, what was searched for. */
import * as viewport from '../chart/viewport.js';
import { at, countsAsLive } from '../model/facts.js';
import { bytes, count, hex, life, plural } from '../model/format.js';
import { parseQuery } from '../model/search.js';

/** @typedef {import('../types.js').Why} Why */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('./context.js').Context} Context */

/**
 * @typedef {object} SelectionState
 * @property {number} selected  a buffer, or -1
 * @property {boolean} kept  what is kept for good is selected, and tells of itself
 * @property {Why | null} why
 * @property {Why | null} topWhy  why the highest buffer lies where it does
 * @property {number} hover
 * @property {number[]} pinned
 * @property {number} cursor  a step
 * @property {readonly [number, number] | null} range  steps from and to, both included
 * @property {number[]} marks  steps, in order
 * @property {boolean} playing
 * @property {string} query
 * @property {string | null} queryError
 * @property {number[]} hits
 * @property {Uint8Array | null} lit
 */

/** @returns {SelectionState} */
export const nothingSelected = () => ({ selected: -1, kept: false, why: null, topWhy: null, hover: -1, pinned: [], cursor: 0, range: null, marks: [], playing: false, ...NOTHING_FOUND, query: '' });

const NOTHING_FOUND = { queryError: null, hits: /** @type {number[]} */ ([]), lit: null };

export class SelectionActions {
  #context;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get #state() {
    return this.#context.store.state.selection;
  }

  get #facts() {
    return this.#context.store.state.file.facts;
  }

  /** @param {Partial<SelectionState>} patch */
  set(patch) {
    this.#context.store.set('selection', patch);
  }

  /** @param {string} status */
  #say(status) {
    this.#context.actions.file.say(status);
  }

  /** @param {Facts} facts @param {import('./context.js').Occasion} occasion */
  follow(facts, occasion) {
    if (occasion === 'another file') this.set({ ...nothingSelected(), cursor: Math.max(0, facts.head.peak.step) });
    const { cursor, marks, query, selected } = this.#state;
    const last = Math.max(0, facts.head.steps - 1);
    this.set({ cursor: Math.min(cursor, last), marks: marks.filter((step) => step <= last), range: null, why: null, topWhy: null, hover: -1, ...this.#found(facts, query) });
    if (selected >= 0) this.askWhy(selected);
    this.#askTopWhy(facts);
  }

  // ---- tensors ----

  /** @param {number} i @param {{ reveal?: boolean }} [how] */
  select(i, { reveal = true } = {}) {
    const facts = this.#facts;
    if (!facts) return;
    const { selected } = this.#state;
    this.set({ selected: i, kept: false, ...(i === selected ? {} : { why: null }) });
    if (i < 0) return;
    if (reveal) this.#context.actions.look.reveal(i);
    const { columns } = facts;
    const where = facts.isPlaced(i) ? `, at ${bytes(at(columns.offset, i))}` : ', not placed';
    this.#say(`${facts.label(i)}, ${bytes(at(columns.bytes, i))}${where}, steps ${at(columns.first, i)} to ${at(columns.last, i)}.`);
    this.askWhy(i);
  }

  /** What is kept for good, by operator. */
  selectKept() {
    const { whole } = this.#facts?.plan ?? {};
    if (!whole) return;
    this.set({ selected: -1, why: null, kept: true });
    this.#say(`Kept for good: ${bytes(whole.tail)}.`);
  }

  /** @param {number} i */
  async askWhy(i) {
    const why = await this.#context.host.call('why', [i]).catch(() => null);
    if (this.#state.selected === i) this.set({ why });
  }

  /** @param {Facts} facts */
  async #askTopWhy(facts) {
    if (facts.top < 0) return;
    const topWhy = await this.#context.host.call('why', [facts.top]).catch(() => null);
    if (this.#facts === facts) this.set({ topWhy });
  }

  /** @param {number} i */
  pin(i) {
    const { pinned } = this.#state;
    this.set({ pinned: pinned.includes(i) ? pinned.filter((k) => k !== i) : [...pinned, i] });
  }

  /** Peels one layer: a failure, a range, search, then pins, then selection. Marks stay. */
  escape() {
    const { query, selected, pinned, kept, range } = this.#state;
    const { file, compare } = this.#context.actions;
    if (this.#context.store.state.file.failure) file.dismissFailure();
    else if (range) this.set({ range: null });
    else if (query !== '') this.search('');
    else if (pinned.length > 0) this.set({ pinned: [] });
    else if (selected >= 0 || kept) {
      this.set({ selected: -1, kept: false, why: null });
      this.#say('Nothing selected.');
    } else compare.end();
  }

  /** Selects the first of the buffers that a problem is about, with what they share in view. @param {readonly number[]} buffers */
  lookAtClash([i = -1, other = -1]) {
    const facts = this.#facts;
    const { look } = this.#context.actions;
    const { view } = this.#context.store.state.look;
    if (!facts || i < 0) return;
    const clash = facts.clashesOf(i).find(({ a, b }) => other < 0 || a === other || b === other);
    this.select(i, { reveal: clash === undefined });
    if (!clash) return;
    const { steps: [first, last], bytes: [low, high] } = clash;
    look.goTo(viewport.reveal(view, first, last, low, high));
    this.moveCursor(first, true);
    this.#say(`${facts.label(clash.a)} and ${facts.label(clash.b)} share ${bytes(high - low)} at ${hex(low)} in steps ${life(first, last)}.`);
  }

  /** Along the addresses at the cursor's step, from the selection. @param {1 | -1} direction */
  selectNeighbour(direction) {
    const facts = this.#facts;
    const { selected, cursor } = this.#state;
    if (!facts) return;
    const { offset, first, last } = facts.columns;
    const step = selected >= 0 && !(at(first, selected) <= cursor && cursor <= at(last, selected)) ? Math.max(0, at(first, selected)) : cursor;
    const live = facts.liveAt(step).filter((i) => facts.isPlaced(i)).sort((a, b) => at(offset, a) - at(offset, b) || a - b);
    const now = live.indexOf(selected);
    const next = now < 0 ? (direction > 0 ? 0 : live.length - 1) : now + direction;
    const i = live[next];
    if (i !== undefined) this.select(i);
  }

  /** Selects what makes the peak: the largest. */
  selectLargestAtPeak() {
    const facts = this.#facts;
    const i = facts?.liveAt(facts.head.peak.step).find((k) => countsAsLive(facts.columns, k));
    if (i !== undefined) this.select(i);
  }

  // ---- steps ----

  /** @param {number} step @param {boolean} [quiet] */
  moveCursor(step, quiet = false) {
    const facts = this.#facts;
    if (!facts) return;
    const next = Math.max(0, Math.min(facts.head.steps - 1, step));
    this.set({ cursor: next });
    this.#context.actions.look.revealStep(next);
    if (!quiet && !this.#state.playing) this.#say(`Step ${next}${facts.stepName(next) ? `, ${facts.stepName(next)}` : ''}: ${bytes(facts.liveBytes(next))} live.`);
  }

  /** Selects steps: their sums are told. @param {number} from @param {number} to  both included */
  selectSteps(from, to) {
    const facts = this.#facts;
    if (!facts) return;
    const clamp = (/** @type {number} */ step) => Math.max(0, Math.min(facts.head.steps - 1, step));
    const [first, last] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
    this.set({ range: [first, last], selected: -1, kept: false });
    const { most, at: where, buffers } = facts.sumsOf(first, last);
    this.#say(`Steps ${life(first, last)}: at most ${bytes(most)} live, at step ${where}; ${plural(buffers, 'tensor')} touched.`);
  }

  /** The next or the previous local peak. @param {1 | -1} direction */
  nextPeak(direction) {
    const facts = this.#facts;
    const { cursor } = this.#state;
    if (!facts) return;
    const { peaks } = facts;
    const next = direction > 0 ? peaks.find((step) => step > cursor) : peaks.findLast((step) => step < cursor);
    if (next !== undefined) this.moveCursor(next);
  }

  globalPeak() {
    const facts = this.#facts;
    if (facts) this.moveCursor(facts.head.peak.step);
  }

  /** The selected tensor's next or previous use: its writer, then its readers. @param {1 | -1} direction */
  nextUse(direction) {
    const facts = this.#facts;
    const { selected, cursor } = this.#state;
    if (!facts || selected < 0) return;
    const { writers, readers } = facts.uses(selected);
    const steps = [...new Set([...writers, ...readers].map((ref) => facts.stepOfNode(ref)).filter((step) => step >= 0))].sort((a, b) => a - b);
    const next = direction > 0 ? steps.find((step) => step > cursor) : steps.findLast((step) => step < cursor);
    if (next !== undefined) this.moveCursor(next);
  }

  /** Marks the step of the cursor, or takes the mark away. */
  mark() {
    const { cursor, marks } = this.#state;
    if (!this.#facts) return;
    const isMarked = marks.includes(cursor);
    this.set({ marks: isMarked ? marks.filter((step) => step !== cursor) : [...marks, cursor].sort((a, b) => a - b) });
    this.#say(isMarked ? `Step ${cursor} is not marked any more.` : `Marked step ${cursor}.`);
  }

  /** The next or the previous mark; from the last on to the first. @param {1 | -1} direction */
  nextMark(direction) {
    const { cursor, marks } = this.#state;
    const next = direction > 0 ? (marks.find((step) => step > cursor) ?? marks[0]) : (marks.findLast((step) => step < cursor) ?? marks.at(-1));
    if (next === undefined) this.#say('No step is marked: M marks one.');
    else this.moveCursor(next);
  }

  /** Starts or pauses; at the end it starts over. */
  togglePlay() {
    const facts = this.#facts;
    const { playing, cursor } = this.#state;
    if (!facts) return;
    if (!playing && cursor >= facts.head.steps - 1) this.moveCursor(0, true);
    this.set({ playing: !playing });
    if (playing) this.#say('Paused.');
  }

  // ---- search ----

  /** @param {Facts} facts @param {string} query */
  #found(facts, query) {
    if (query.trim() === '') return NOTHING_FOUND;
    const { test, error } = parseQuery(query);
    if (error !== null) return { ...NOTHING_FOUND, queryError: error };
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
    const facts = this.#facts;
    if (!facts) return;
    const found = this.#found(facts, query);
    this.set({ query, ...found });
    if (found.queryError) this.#say(found.queryError);
    else if (query.trim() !== '') this.#say(`${count(found.hits.length)} of ${plural(facts.n, 'buffer')} match "${query.trim()}"${found.hits.length > 0 ? ': Enter for the next' : ''}.`);
  }

  /** Selects the next or the previous hit; the cursor goes to its first step. @param {1 | -1} direction */
  nextHit(direction) {
    const facts = this.#facts;
    const { hits, selected } = this.#state;
    if (!facts || hits.length === 0) return;
    const now = hits.indexOf(selected);
    const next = now < 0 ? (direction > 0 ? 0 : hits.length - 1) : (now + direction + hits.length) % hits.length;
    const hit = /** @type {number} */ (hits[next]);
    this.moveCursor(Math.max(0, at(facts.columns.first, hit)), true);
    this.select(hit);
  }
}

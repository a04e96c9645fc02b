/** How the plan is looked at: what of it is in view, in which colours, and the habits that stay for the next visit. */
import * as viewport from '../chart/viewport.js';
import { colourGroups } from '../model/groups.js';
import { HUGE, MANY_STEPS } from '../model/facts.js';

/** @typedef {import('../types.js').Viewport} Viewport */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../model/groups.js').LegendEntry} LegendEntry */
/** @typedef {import('./context.js').Context} Context */

/**
 * @typedef {object} LookState
 * @property {Viewport} view
 * @property {Viewport} limits
 * @property {Viewport[]} back
 * @property {Viewport[]} forward
 * @property {string} colourBy
 * @property {Uint8Array} groups
 * @property {LegendEntry[]} legend
 * @property {string} tab  which table
 * @property {boolean} tables  whether it is open
 * @property {boolean} down  low addresses at the top
 * @property {boolean} decimal  the ruler in KiB
 * @property {boolean} wheelZooms
 * @property {boolean} letterKeys
 * @property {'light' | 'dark'} theme
 * @property {boolean} coarse  a quarter of the pixels, for what has little memory
 */

const EVERYTHING = { x0: 0, x1: 1, y0: 0, y1: 16 };
const MOST_BACK = 50;
/** The arena is drawn with some air above it. */
const AIR = 1.04;
/** A budget further above the arena than this would make the arena small. */
const FAR = 1.6;
/** How much of the steps on either side of the peak is in view where there are many. */
const AROUND_PEAK = 0.05;
const LEAST_AROUND = 24;

/** @param {Partial<LookState>} stored  what the last visit left @returns {LookState} */
export const firstLook = (stored) => ({
  view: EVERYTHING,
  limits: EVERYTHING,
  back: [],
  forward: [],
  colourBy: 'op',
  groups: new Uint8Array(0),
  legend: [],
  tab: 'tensors',
  tables: false,
  down: false,
  decimal: false,
  wheelZooms: false,
  letterKeys: true,
  theme: 'light',
  coarse: false,
  ...stored,
});

export class LookActions {
  #context;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get #state() {
    return this.#context.store.state.look;
  }

  get #facts() {
    return this.#context.store.state.file.facts;
  }

  /** @param {Partial<LookState>} patch */
  set(patch) {
    this.#context.store.set('look', patch);
  }

  /** @param {Facts} facts @param {import('./context.js').Occasion} occasion */
  follow(facts, occasion) {
    const { limits: before, view, colourBy } = this.#state;
    const limits = this.#limits(facts);
    const keepsView = occasion !== 'another file' && viewport.same(before, limits);
    const opensOnPeak = facts.n > HUGE || facts.head.steps >= MANY_STEPS;
    this.set({ limits, view: keepsView ? view : opensOnPeak ? this.#aroundPeak(facts, limits) : limits, ...colourGroups(facts, colourBy) });
    if (occasion === 'another file') this.set({ back: [], forward: [] });
  }

  /** Everything, up to the arena's end or a budget near it. @param {Facts} facts */
  #limits(facts) {
    const { budget } = this.#context.store.state.question;
    const { other } = this.#context.store.state.compare;
    const end = Math.max(facts.end, facts.bound ?? 0, other?.facts.end ?? 0);
    const top = budget !== null && budget > end && budget < end * FAR ? budget : end;
    return viewport.fitAll(facts.head.steps, top * AIR);
  }

  /** @param {Facts} facts @param {Viewport} limits */
  #aroundPeak(facts, limits) {
    const span = Math.max(LEAST_AROUND, facts.head.steps * AROUND_PEAK);
    return this.#clamped({ ...limits, x0: facts.head.peak.step - span, x1: facts.head.peak.step + span }, limits);
  }

  /** Follows other limits: what showed everything goes on to. @param {Viewport} [wanted] */
  refit(wanted) {
    const facts = this.#facts;
    if (!facts) return;
    const { limits, view } = this.#state;
    const next = this.#limits(facts);
    this.set({ limits: next, view: wanted ? this.#clamped(wanted, next) : viewport.same(view, limits) ? next : this.#clamped(view, next) });
  }

  /** @param {Viewport} view @param {Viewport} limits */
  #clamped(view, limits = this.#state.limits) {
    const alignment = Math.max(1, this.#facts?.head.alignment.tensor ?? 16);
    return viewport.clamp(view, limits, alignment, 400);
  }

  /** @param {Viewport} view @returns {boolean} whether it shows something else now */
  look(view) {
    const next = this.#clamped(view);
    if (viewport.same(next, this.#state.view)) return false;
    this.set({ view: next });
    return true;
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

  /** Moves along the steps until one is in view. @param {number} step */
  revealStep(step) {
    const { view } = this.#state;
    if (step < view.x0 || step + 1 > view.x1) this.look(viewport.pan(view, step + 0.5 - (view.x0 + view.x1) / 2, 0));
  }

  /** @param {number} i */
  zoomTo(i) {
    const box = this.#boxOf(i);
    if (box) this.goTo(viewport.around(...box));
  }

  /** @param {number} i */
  reveal(i) {
    const box = this.#boxOf(i);
    if (box) this.look(viewport.reveal(this.#state.view, ...box));
  }

  /** Brings the step that decides into view. */
  lookAtPeak() {
    const facts = this.#facts;
    if (!facts) return;
    this.goTo(this.#aroundPeak(facts, this.#state.limits));
    this.#context.actions.selection.globalPeak();
  }

  /** @param {number} i @returns {[number, number, number, number] | null} */
  #boxOf(i) {
    const facts = this.#facts;
    if (!facts || i < 0 || !facts.isPlaced(i)) return null;
    const { first, last, low, high } = facts.spanOf(i);
    return [first, last, low, high];
  }

  /** @param {string} colourBy */
  colour(colourBy) {
    const facts = this.#facts;
    if (facts) this.set({ colourBy, ...colourGroups(facts, colourBy) });
  }

  /** The colours as they are, painted anew. */
  repaint() {
    this.set({ groups: this.#state.groups.slice() });
  }

  toggleTheme() {
    this.set({ theme: this.#state.theme === 'dark' ? 'light' : 'dark' });
  }

  /** Opens a table; the open one's own tab closes it. @param {string} tab */
  toggleTable(tab) {
    const { tab: now, tables } = this.#state;
    this.set({ tab, tables: !(tables && tab === now) });
  }
}

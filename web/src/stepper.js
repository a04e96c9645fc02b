/** Step through: buttons, slider, play, and the arena at the cursor's step as a bar of addresses. */
import { byId, fill, h } from './dom.js';
import { at } from './facts.js';
import { bytes, count, hex } from './format.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./facts.js').Facts} Facts */

/** How long each step is shown while playing. */
const PLAY_MS = 350;
/** Narrower pieces of the bar than this are drawn without a label. */
const LABEL_SHARE = 0.06;
const MOST_PIECES = 400;
const MOST_LANES = 6;

export class Stepper {
  #actions;
  #slider;
  #back;
  #play;
  #forward;
  #mark;
  #at;
  #bar;
  #timer = 0;

  /** @param {Actions} actions @param {() => State} state */
  constructor(actions, state) {
    this.#actions = actions;
    this.#back = h('button', { class: 'icon', 'aria-label': 'Step back', title: 'Step back (←)', onclick: () => actions.moveCursor(state().cursor - 1) }, '◀');
    this.#play = h('button', { class: 'icon', id: 'play', onclick: () => this.toggle(state()) });
    this.#forward = h('button', { class: 'icon', 'aria-label': 'Step on', title: 'Step on (→)', onclick: () => actions.moveCursor(state().cursor + 1) }, '▶');
    this.#mark = h('button', { class: 'icon', id: 'mark', onclick: () => actions.mark() }, '⚑');
    this.#slider = /** @type {HTMLInputElement} */ (h('input', { type: 'range', id: 'step', min: 0, step: 1, 'aria-label': 'Step' }));
    this.#slider.addEventListener('input', () => actions.moveCursor(Number(this.#slider.value)));
    this.#at = h('div', { class: 'at' });
    this.#bar = h('div', { class: 'address', role: 'group', 'aria-label': 'The arena at this step, low addresses left' });
    fill(byId('stepper'), h('div', { class: 'play' }, this.#back, this.#play, this.#forward, this.#mark), this.#slider, this.#at, this.#bar);
  }

  /** @param {State} state */
  toggle({ playing, cursor, facts }) {
    if (!facts) return;
    if (!playing && cursor >= facts.head.steps - 1) this.#actions.moveCursor(0, true);
    this.#actions.set({ playing: !playing });
    if (playing) this.#actions.say('Paused.');
  }

  /** @param {State} state @param {State} before */
  update(state, before) {
    const { facts, cursor, playing } = state;
    if (!facts) return;
    if (changed(state, before, 'facts', 'cursor', 'groups', 'selected')) {
      this.#slider.max = String(Math.max(0, facts.head.steps - 1));
      this.#slider.value = String(cursor);
      this.#slider.disabled = facts.head.steps < 2;
      const where = facts.stepName(cursor);
      this.#slider.setAttribute('aria-valuetext', `step ${cursor}${where ? `, ${where}` : ''}, ${bytes(facts.liveBytes(cursor))} live`);
      fill(this.#at, h('b', { text: `step ${count(cursor)}` }), `${where ? ` ${where}` : ''}: ${bytes(facts.liveBytes(cursor))} live`);
      this.#drawBar(state, facts);
    }
    if (changed(state, before, 'facts', 'cursor', 'marks')) {
      const isMarked = state.marks.includes(cursor);
      this.#mark.setAttribute('aria-pressed', String(isMarked));
      this.#mark.setAttribute('aria-label', 'Mark this step');
      this.#mark.title = `${isMarked ? 'Unmark' : 'Mark'} this step (M); N: the next mark`;
    }
    if (changed(state, before, 'playing', 'facts')) {
      this.#play.textContent = playing ? '❚❚' : '▷';
      this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
      this.#play.title = playing ? 'Pause (Space)' : 'Play (Space)';
    }
    if (playing && changed(state, before, 'playing', 'cursor')) {
      clearTimeout(this.#timer);
      const isEnd = cursor >= facts.head.steps - 1;
      this.#timer = window.setTimeout(() => (isEnd ? this.#actions.set({ playing: false }) : this.#actions.moveCursor(cursor + 1, true)), PLAY_MS);
    }
    if (!playing) clearTimeout(this.#timer);
  }

  /** @param {State} state @param {Facts} facts */
  #drawBar({ cursor, groups, selected }, facts) {
    const { offset, bytes: sizes } = facts.columns;
    const whole = Math.max(1, facts.head.arena_bytes);
    const live = facts.liveAt(cursor).filter((i) => facts.isPlaced(i)).slice(0, MOST_PIECES).sort((a, b) => at(offset, a) - at(offset, b));
    const hadFocus = this.#bar.contains(document.activeElement);
    /** Where each lane ends: what shares bytes lies in lanes of its own. @type {number[]} */
    const ends = [];
    const lanes = live.map((i) => {
      const free = ends.findIndex((end) => end <= at(offset, i));
      const lane = free < 0 ? Math.min(ends.length, MOST_LANES - 1) : free;
      ends[lane] = at(offset, i) + at(sizes, i);
      return lane;
    });
    const lane = Math.max(26, ends.length * 20) / Math.max(1, ends.length);
    this.#bar.style.height = `${lane * Math.max(1, ends.length)}px`;
    const pieces = live.map((i, k) => {
      const share = at(sizes, i) / whole;
      const piece = h('button', { 'data-group': groups[i], title: `${facts.label(i)}: ${bytes(at(sizes, i))} at ${hex(at(offset, i))}`, 'aria-label': `${facts.label(i)}, ${bytes(at(sizes, i))} at ${bytes(at(offset, i))}`, 'aria-pressed': undefined, onclick: () => this.#actions.select(i) });
      if (share > LABEL_SHARE) piece.textContent = facts.shortLabel(i);
      piece.style.left = `${(at(offset, i) / whole) * 100}%`;
      piece.style.width = `${share * 100}%`;
      piece.style.top = `${at(lanes, k) * lane}px`;
      piece.style.height = `${lane - (ends.length > 1 ? 1 : 0)}px`;
      piece.style.lineHeight = `${lane}px`;
      if (i === selected) piece.style.boxShadow = 'inset 0 0 0 2px var(--ink)';
      return piece;
    });
    fill(this.#bar, ...pieces);
    if (hadFocus) /** @type {HTMLElement | null} */ (this.#bar.querySelector('button'))?.focus();
  }
}

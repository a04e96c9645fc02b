/** The line below the strip of operators: where the cursor is, and its buttons. The strip is the slider. */
import { byId, fill, h } from './dom.js';
import { bytes, count } from '../model/format.js';
import { changed } from '../state/store.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */

/** How long each step is shown while playing. */
const PLAY_MS = 350;

/** @param {State} state */
export const selectReadout = ({ file, selection: { cursor, playing, marks, range } }) => ({ facts: file.facts, cursor, playing, marks, range });

export class Readout {
  #actions;
  #slider = /** @type {HTMLInputElement} */ (byId('step'));
  #play;
  #mark;
  #at = h('span', { class: 'at' });
  #timer = 0;

  /** @param {Actions} actions */
  constructor({ selection }) {
    this.#actions = selection;
    const button = (/** @type {string} */ label, /** @type {string} */ title, /** @type {string} */ text, /** @type {() => void} */ onclick) => h('button', { class: 'icon', 'aria-label': label, title, onclick }, text);
    const back = button('Step back', 'Step back (←)', '◀', () => selection.moveCursor(this.#now - 1));
    const forward = button('Step on', 'Step on (→)', '▶', () => selection.moveCursor(this.#now + 1));
    this.#play = h('button', { class: 'icon', id: 'play', onclick: () => selection.togglePlay() });
    this.#mark = h('button', { class: 'icon', id: 'mark', 'aria-label': 'Mark this step', onclick: () => selection.mark() }, '⚑');
    this.#slider.addEventListener('input', () => selection.moveCursor(Number(this.#slider.value)));
    fill(byId('readout'), back, this.#play, forward, this.#mark, this.#at);
  }

  #now = 0;

  /** @param {ReturnType<typeof selectReadout>} now @param {Partial<ReturnType<typeof selectReadout>>} before */
  show(now, before) {
    const { facts, cursor, playing, marks, range } = now;
    if (!facts) return;
    this.#now = cursor;
    if (changed(now, before, 'facts', 'cursor', 'range')) {
      const where = facts.stepName(cursor);
      const live = facts.liveBytes(cursor);
      this.#slider.max = String(Math.max(0, facts.head.steps - 1));
      this.#slider.value = String(cursor);
      this.#slider.disabled = facts.head.steps < 2;
      this.#slider.setAttribute('aria-valuetext', `step ${cursor}${where ? `, ${where}` : ''}, ${bytes(live)} live`);
      const sums = range && facts.sumsOf(range[0], range[1]);
      fill(this.#at, h('b', { text: `step ${count(cursor)} of ${count(Math.max(0, facts.head.steps - 1))}` }), `${where ? `, ${where}` : ''}: ${bytes(live)} live`, sums && h('span', { class: 'range', text: `; selected ${range[0]} to ${range[1]}: at most ${bytes(sums.most)} at step ${sums.at}, ${count(sums.buffers)} tensors` }));
    }
    if (changed(now, before, 'facts', 'cursor', 'marks')) {
      const isMarked = marks.includes(cursor);
      this.#mark.setAttribute('aria-pressed', String(isMarked));
      this.#mark.title = `${isMarked ? 'Unmark' : 'Mark'} this step (M); N: the next mark`;
    }
    if (changed(now, before, 'playing', 'facts')) {
      this.#play.textContent = playing ? '❚❚' : '▷';
      this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
      this.#play.title = playing ? 'Pause (Space)' : 'Play (Space)';
    }
    if (playing && changed(now, before, 'playing', 'cursor')) {
      clearTimeout(this.#timer);
      const isEnd = cursor >= facts.head.steps - 1;
      this.#timer = window.setTimeout(() => (isEnd ? this.#actions.set({ playing: false }) : this.#actions.moveCursor(cursor + 1, true)), PLAY_MS);
    }
    if (!playing) clearTimeout(this.#timer);
  }
}

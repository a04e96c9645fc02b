/** The panel beside the map: the selected tensor, what is kept for good, or why the arena is so large. */
import { byId, fill, h } from './dom.js';
import { ofKept } from './details-kept.js';
import { ofPeak } from './details-peak.js';
import { ofTensor } from './details-tensor.js';
import { MOST_ROWS, rows, stepRows } from './rows.js';
import { count } from '../model/format.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {ReturnType<typeof selectDetails>} Picked */

/** @param {State} state */
export const selectDetails = ({ file, look, selection: { selected, kept, why, pinned, marks } }) => ({ facts: file.facts, groups: look.groups, selected, kept, why, pinned, marks });

/** @param {Picked} state @param {Actions} actions */
export function showDetails(state, actions) {
  const { facts, selected, kept } = state;
  const aside = byId('details');
  if (!facts) return;
  const isOpen = selected >= 0 || kept;
  const hadFocus = aside.contains(document.activeElement) ? document.activeElement?.textContent : null;
  aside.setAttribute('aria-label', selected >= 0 ? 'Selected tensor' : kept ? 'Kept for good' : 'Why');
  aside.classList.toggle('sheet', isOpen);
  const about = selected >= 0 ? ofTensor(state, facts, selected, actions) : kept ? ofKept(facts, actions) : ofPeak(state, facts, actions);
  fill(aside, isOpen ? grip(aside, actions) : null, ...about, ...ofPins(state, facts, actions), ...ofMarks(state, facts, actions));
  if (hadFocus !== null) [...aside.querySelectorAll('button')].find((button) => button.textContent === hadFocus)?.focus();
}

/** Where it is narrow, the panel is a sheet over the page's lower end: this drags it, and its buttons do the same. @param {HTMLElement} aside @param {Actions} actions */
function grip(aside, actions) {
  const tall = () => aside.classList.toggle('tall');
  const more = h('button', { class: 'icon', 'aria-label': 'Taller or lower', onclick: tall }, '⇕');
  const close = h('button', { class: 'icon', 'aria-label': 'Close the details', onclick: () => actions.selection.select(-1) }, '✕');
  const bar = h('div', { class: 'grip' }, h('i', { 'aria-hidden': 'true' }), more, close);
  bar.addEventListener('pointerdown', (down) => {
    if (/** @type {Element} */ (down.target).closest('button')) return;
    const { height } = aside.getBoundingClientRect();
    bar.setPointerCapture(down.pointerId);
    bar.onpointermove = (move) => aside.style.setProperty('--sheet', `${Math.max(90, Math.min(innerHeight * 0.85, height + down.clientY - move.clientY))}px`);
    bar.onpointerup = () => (bar.onpointermove = null);
  });
  return bar;
}

/** @param {Picked} state @param {Facts} facts @param {Actions} actions */
function ofPins(state, facts, actions) {
  const pins = state.pinned.filter((i) => i < facts.n);
  return pins.length > 0 ? [h('h3', { text: `Pinned (${count(pins.length)})` }), ...rows(state, facts, pins, actions)] : [];
}

/** @param {Picked} state @param {Facts} facts @param {Actions} actions */
function ofMarks({ marks }, facts, actions) {
  return marks.length > 0 ? [h('h3', { text: `Marked steps (${count(marks.length)})` }), stepRows(facts, marks.slice(0, MOST_ROWS), actions)] : [];
}

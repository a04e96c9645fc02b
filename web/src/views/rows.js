/** Lines to click in the panel: buffers and steps. */
import { h } from './dom.js';
import { groupSwatch } from './swatch.js';
import { at } from '../model/facts.js';
import { count } from '../model/format.js';

/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {{ groups: Uint8Array }} Coloured */

export const MOST_ROWS = 12;

/** A buffer as a line to click. @param {Coloured} state @param {Facts} facts @param {number} i @param {Actions} actions @param {string} [right] */
export function row({ groups }, facts, i, actions, right = count(at(facts.columns.bytes, i))) {
  return h(
    'li',
    {},
    groupSwatch(at(groups, i)),
    h('button', { class: 'link', title: facts.label(i), onclick: () => actions.selection.select(i) }, facts.shortLabel(i)),
    h('span', { class: 'num', text: right }),
  );
}

/** @param {Coloured} state @param {Facts} facts @param {readonly number[]} list @param {Actions} actions */
export function rows(state, facts, list, actions) {
  const more = list.length - MOST_ROWS;
  return [h('ul', { class: 'rows' }, ...list.slice(0, MOST_ROWS).map((i) => row(state, facts, i, actions))), more > 0 ? h('p', { class: 'quiet', text: `and ${count(more)} more` }) : null];
}

/** Steps to jump to, with what is live. @param {Facts} facts @param {readonly number[]} steps @param {Actions} actions */
export function stepRows(facts, steps, actions) {
  return h(
    'ul',
    { class: 'rows' },
    ...steps.map((step) =>
      h('li', {}, h('i'), h('button', { class: 'link', onclick: () => actions.selection.moveCursor(step) }, `step ${count(step)}${facts.stepName(step) ? `, ${facts.stepName(step)}` : ''}`), h('span', { class: 'num', text: count(facts.liveBytes(step)) })),
    ),
  );
}

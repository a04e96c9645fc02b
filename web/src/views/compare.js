/** Two plans side by side: what is compared, what changed, and the menu to choose from. */
import { byId, fill, h } from './dom.js';
import { showMenu } from './menu.js';
import { choices } from './question.js';
import { compareWith } from '../io/files.js';
import { askedOf } from '../model/sentences.js';
import { bytes } from '../model/format.js';
import { NAMES } from '../model/names.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

/** @param {State} state */
export const selectCompare = ({ file, compare }) => ({ facts: file.facts, other: compare.other });

/** @param {ReturnType<typeof selectCompare>} picked @param {Actions} actions */
export function showCompare({ facts, other }, actions) {
  const isOn = facts !== null && other !== null;
  byId('other').hidden = !isOn;
  byId('map-head').hidden = !isOn;
  byId('pair').classList.toggle('two', isOn);
  if (!facts || !other) return;
  const before = other.facts;
  const gain = before.end - facts.end;
  const change = gain === 0 ? 'as much' : `${gain > 0 ? '−' : '+'}${bytes(Math.abs(gain))}`;
  fill(byId('other-head'), ...head('Before', before));
  fill(byId('map-head'), ...head('After', facts), h('b', { class: gain > 0 ? 'good' : gain < 0 ? 'warn' : '', text: change }), h('button', { id: 'end-compare', onclick: () => actions.compare.end() }, 'End'));
}

/** @param {string} when @param {Facts} facts */
function head(when, facts) {
  return [h('b', { text: when }), h('span', { class: 'name', title: `${facts.model.name}: ${askedOf(facts.head, facts.plan.whole)}`, text: `${facts.model.name}: ${askedOf(facts.head, facts.plan.whole)}` }), h('span', { class: 'num', text: bytes(facts.end) })];
}

/** @param {HTMLElement} button @param {Store} store @param {Actions} actions */
export function compareMenu(button, store, actions) {
  const { file: { facts }, question: { options }, compare: { other } } = store.state;
  if (!facts) return;
  const ways = choices(facts, options)
    .filter(({ id }) => id === 'planner' || id === 'kernels' || id === 'runtime')
    .flatMap(({ id, options: words, value, change }) => words.filter(([word]) => word !== value).map(([word, text]) => ({ label: text, note: `this model, another ${NAMES[id] ?? id}`, act: () => actions.compare.withOptions(change(word)) })));
  showMenu(button, [
    { label: 'Another file', note: 'before; what is open is after', act: () => chooseFile(actions) },
    ...ways,
    ...(other ? [{ label: 'End', note: 'one map again', act: () => actions.compare.end() }] : []),
  ]);
}

/** @param {Actions} actions */
function chooseFile(actions) {
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'file', accept: byId('file').getAttribute('accept') }));
  input.addEventListener('change', () => compareWith(actions, [...(input.files ?? [])]));
  input.click();
}

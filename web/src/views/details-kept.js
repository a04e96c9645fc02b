/** The panel for what is kept for good: whose it is, operator by operator. */
import { h } from './dom.js';
import { bytes, count } from '../model/format.js';

/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

const MOST_OWNERS = 60;
const MOST_LINES = 8;

/** @param {Facts} facts @param {Actions} actions */
export function ofKept(facts, actions) {
  const { whole } = facts.plan;
  if (!whole) return [];
  const owners = ownersOf(facts, whole.items);
  const more = owners.length - MOST_OWNERS;
  return [
    h('h2', { text: `Kept for good: ${bytes(whole.tail)}` }),
    h('p', { class: 'sub', text: 'What the runtime sets aside while it starts and never gives back. It lies at the arena\'s end, so that tensors cannot have these bytes.' }),
    h('h3', { text: 'By kind' }),
    h('ul', { class: 'rows' }, ...whole.parts.map(({ label, bytes: size }) => h('li', {}, h('i'), h('span', { text: label }), h('span', { class: 'num', text: count(size) })))),
    h('h3', { text: 'By operator' }),
    ...owners.slice(0, MOST_OWNERS).map((owner) => details(owner, actions)),
    more > 0 ? h('p', { class: 'quiet', text: `and ${count(more)} more` }) : null,
    h('div', { class: 'acts' }, h('button', { onclick: () => actions.selection.select(-1) }, 'Close')),
  ];
}

/** @typedef {{ name: string, step: number, bytes: number, lines: Map<string, number> }} Owner */

/** Items by whose they are, the largest first. @param {Facts} facts @param {readonly { what: string, bytes: number, subgraph?: number, node?: number }[]} items @returns {Owner[]} */
function ownersOf(facts, items) {
  /** @type {Map<string, Owner>} */
  const owners = new Map();
  for (const { what, bytes: size, subgraph = 0, node } of items) {
    const key = node === undefined ? '' : `${subgraph}:${node}`;
    let owner = owners.get(key);
    if (!owner) owners.set(key, (owner = { name: node === undefined ? 'the model as a whole' : facts.nodeName({ subgraph, node }), step: node === undefined ? -1 : facts.stepOfNode({ subgraph, node }), bytes: 0, lines: new Map() }));
    owner.bytes += size;
    owner.lines.set(what, (owner.lines.get(what) ?? 0) + size);
  }
  return [...owners.values()].sort((a, b) => b.bytes - a.bytes);
}

/** @param {Owner} owner @param {Actions} actions */
function details({ name, step, bytes: size, lines }, actions) {
  const list = [...lines].sort((a, b) => b[1] - a[1]);
  const go = step < 0 ? null : h('li', {}, h('i'), h('button', { class: 'link', onclick: () => actions.selection.moveCursor(step) }, `step ${count(step)}`));
  return h(
    'details',
    { class: 'owner' },
    h('summary', {}, h('span', { text: name }), h('span', { class: 'num', text: count(size) })),
    h('ul', { class: 'rows' }, ...list.slice(0, MOST_LINES).map(([what, sum]) => h('li', {}, h('i'), h('span', { text: what }), h('span', { class: 'num', text: count(sum) }))), go),
  );
}

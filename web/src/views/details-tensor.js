/** The panel for a tensor: what it is, who uses it, and why it lies there. */
import { breakable, h } from './dom.js';
import { MOST_ROWS, rows } from './rows.js';
import { neighbours } from '../chart/draw-over.js';
import { at } from '../model/facts.js';
import { bytes, count, hex, life, plural } from '../model/format.js';
import { mayOverlap } from '../model/sentences.js';

/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../types.js').Why} Why */
/** @typedef {import('./details.js').Picked} Picked */

/** @param {Picked} state @param {Facts} facts @param {number} i @param {Actions} actions */
export function ofTensor(state, facts, i, actions) {
  const { columns } = facts;
  const uses = facts.uses(i);
  const size = at(columns.bytes, i);
  const low = at(columns.offset, i);
  const tensor = facts.tensor(i);
  const writer = uses.writers[0];
  /** @type {[string, string, string?][]} */
  const facts_ = [
    ['Bytes', count(size)],
    ['Offset', facts.isPlaced(i) || columns.arena[i] === 2 ? `${hex(low)} to ${hex(low + size)}` : 'not placed', 'mono'],
    ['Steps', life(at(columns.first, i), at(columns.last, i))],
    ...(facts.isGraph ? /** @type {[string, string][]} */ ([['Slack', plural(facts.slack(i), 'step')], ['Kind', facts.kind(i)]]) : []),
  ];
  const what = [
    columns.scratch[i] ? 'scratch buffer' : facts.head.runtime === 'none' ? 'buffer' : `tensor ${columns.index[i]}`,
    tensor?.dtype ? `${tensor.dtype.toLowerCase()} [${tensor.shape.join(', ')}]` : '',
    writer ? `written by ${facts.nodeName(writer)}` : uses.isInput ? 'a model input' : '',
  ].filter(Boolean);
  const { inputs, outputs } = neighbours(i, facts);
  return [
    h('h2', {}, ...breakable(facts.fullName(i))),
    h('p', { class: 'sub', text: what.join(', ') }),
    h('dl', {}, ...facts_.flatMap(([name, value, className]) => [h('dt', { text: name }), h('dd', { class: className, text: value })])),
    ...ofClashes(facts, i, actions),
    ...ofReaders(facts, uses, actions),
    ...ofWhy(state, facts, i, actions),
    ...(inputs.length > 0 ? [h('h3', { text: 'Made from' }), ...rows(state, facts, inputs, actions)] : []),
    ...(outputs.length > 0 ? [h('h3', { text: 'Goes into' }), ...rows(state, facts, outputs, actions)] : []),
    h(
      'div',
      { class: 'acts' },
      h('button', { onclick: () => actions.look.zoomTo(i), disabled: !facts.isPlaced(i) }, 'Zoom to it'),
      h('button', { 'aria-pressed': state.pinned.includes(i), onclick: () => actions.selection.pin(i) }, 'Pin'),
      h('button', { onclick: () => actions.selection.select(-1) }, 'Close'),
    ),
  ];
}

/** Those that share its bytes while both live. @param {Facts} facts @param {number} i @param {Actions} actions */
function ofClashes(facts, i, actions) {
  const clashes = facts.clashesOf(i);
  if (clashes.length === 0) return [];
  const list = clashes.slice(0, MOST_ROWS).map(({ a, b, bytes: [low, high], steps: [first, last] }) => {
    const other = a === i ? b : a;
    return h(
      'li',
      {},
      h('i', { class: 'clash', 'aria-hidden': 'true' }),
      h('button', { class: 'link', title: facts.label(other), onclick: () => actions.selection.select(other) }, facts.shortLabel(other)),
      h('span', { class: 'num', text: `steps ${life(first, last)}` }),
      h('small', { class: 'mono', text: `${hex(low)} to ${hex(high)}` }),
    );
  });
  const more = clashes.length - list.length;
  return [h('h3', { text: facts.head.status === 'overlapping' ? 'Overlaps, on purpose,' : mayOverlap(facts.head) ? 'Overlaps' : 'Clashes with' }), h('ul', { class: 'rows' }, ...list), more > 0 ? h('p', { class: 'quiet', text: `and ${count(more)} more` }) : null];
}

/** @param {Facts} facts @param {import('../model/facts.js').Uses} uses @param {Actions} actions */
function ofReaders(facts, uses, actions) {
  const list = uses.readers.slice(0, MOST_ROWS);
  if (!facts.isGraph) return [];
  if (list.length === 0) return [h('h3', { text: 'Read by' }), h('p', { class: 'quiet', text: uses.isOutput ? 'nobody: it is a model output' : 'nobody' })];
  return [
    h('h3', { text: 'Read by' }),
    h(
      'ul',
      { class: 'rows' },
      ...list.map((ref) => {
        const step = facts.stepOfNode(ref);
        return h('li', {}, h('i'), h('button', { class: 'link', onclick: () => actions.selection.moveCursor(step) }, facts.nodeName(ref)), h('span', { class: 'num', text: `step ${step}` }));
      }),
    ),
  ];
}

/** Why it lies there, from the planner that placed it. @param {Picked} state @param {Facts} facts @param {number} i @param {Actions} actions */
function ofWhy(state, facts, i, actions) {
  const { why } = state;
  if (!why) return [];
  const shared = why.root ?? (why.sharers > 0 ? i : null);
  const sharers = shared === null ? [] : sharersOf(facts, shared).filter((k) => k !== i);
  const around = [why.before, why.after].filter((k) => k !== null);
  return [
    h('h3', { text: 'Why here' }),
    h('p', { text: whySentence(facts, i, why) }),
    ...(why.inWay.length > 0 ? rows(state, facts, why.inWay, actions) : []),
    ...(why.inWayCount > why.inWay.length ? [h('p', { class: 'quiet', text: `and ${count(why.inWayCount - why.inWay.length)} more below` })] : []),
    ...(sharers.length > 0 ? [h('h3', { text: 'Shares its bytes, in place, with' }), ...rows(state, facts, sharers, actions)] : []),
    ...(around.length > 0 ? [h('h3', { text: 'The same bytes, before and after' }), ...rows(state, facts, around, actions)] : []),
  ];
}

/** A root and those that share its bytes. @param {Facts} facts @param {number} root */
function sharersOf(facts, root) {
  const list = [root];
  for (let k = 0; k < facts.n; k++) if (facts.columns.shares[k] === root) list.push(k);
  return list;
}

/** @param {number} n */
function ordinal(n) {
  const tail = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${count(n)}${tail}`;
}

/** @param {Facts} facts @param {number} i @param {Why} why */
function whySentence(facts, i, why) {
  if (!facts.isPlaced(i)) return 'It has no place in this arena.';
  if (why.root !== null) return `It is written over ${facts.label(why.root)}, in place: it has that tensor's bytes.`;
  const order = why.turn === null ? 'Placed by the search for the smallest plan.' : `Placed ${ordinal(why.turn)} of ${count(why.turns)} (${why.rule ?? 'in turn'}).`;
  const low = at(facts.columns.offset, i);
  if (why.inWayCount === 0) return `${order} ${low === 0 ? 'Nothing was in the way.' : 'Nothing that lives meanwhile lies below it.'}`;
  const gap = why.gap ? ` The largest gap below, ${bytes(why.gap.bytes)} at ${hex(why.gap.offset)}, is too small for its ${bytes(at(facts.columns.bytes, i))}.` : '';
  return `${order} In the way below it, alive at the same time: ${plural(why.inWayCount, 'tensor')}.${gap}`;
}


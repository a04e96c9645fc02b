/** The panel beside the map: the selected tensor, or what the peak is made of. */
import { breakable, byId, fill, h, swatch } from './dom.js';
import { at, mayOverlap, peakParts } from './facts.js';
import { bytes, count, hex, life, plural } from './format.js';
import { neighbours } from './draw-over.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {import('./types.js').Why} Why */

const MOST_ROWS = 12;
const MOST_PEAKS = 6;

/** @param {State} state @param {State} before @param {Actions} actions */
export function updateDetails(state, before, actions) {
  if (!changed(state, before, 'facts', 'selected', 'why', 'pinned', 'groups', 'marks')) return;
  const { facts, selected } = state;
  const aside = byId('details');
  if (!facts) return;
  const hadFocus = aside.contains(document.activeElement) ? document.activeElement?.textContent : null;
  aside.setAttribute('aria-label', selected >= 0 ? 'Selected tensor' : 'The peak');
  aside.classList.toggle('sheet', selected >= 0);
  fill(aside, ...(selected >= 0 ? [grip(aside, actions), ...ofTensor(state, facts, selected, actions)] : ofPeak(state, facts, actions)), ...ofPins(state, facts, actions), ...ofMarks(state, facts, actions));
  if (hadFocus !== null) [...aside.querySelectorAll('button')].find((button) => button.textContent === hadFocus)?.focus();
}

/** Where it is narrow, the panel is a sheet over the page's lower end: this drags it, and its buttons do the same. @param {HTMLElement} aside @param {Actions} actions */
function grip(aside, actions) {
  const tall = () => aside.classList.toggle('tall');
  const more = h('button', { class: 'icon', 'aria-label': 'Taller or lower', onclick: tall }, '⇕');
  const close = h('button', { class: 'icon', 'aria-label': 'Close the details', onclick: () => actions.select(-1) }, '✕');
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

/** A buffer as a line to click. @param {State} state @param {Facts} facts @param {number} i @param {Actions} actions @param {string} [right] */
function row({ groups }, facts, i, actions, right = count(at(facts.columns.bytes, i))) {
  return h(
    'li',
    {},
    swatch(groups[i]),
    h('button', { class: 'link', title: facts.label(i), onclick: () => actions.select(i) }, facts.shortLabel(i)),
    h('span', { class: 'num', text: right }),
  );
}

/** @param {State} state @param {Facts} facts @param {readonly number[]} list @param {Actions} actions */
function rows(state, facts, list, actions) {
  const more = list.length - MOST_ROWS;
  return [h('ul', { class: 'rows' }, ...list.slice(0, MOST_ROWS).map((i) => row(state, facts, i, actions))), more > 0 ? h('p', { class: 'quiet', text: `and ${count(more)} more` }) : null];
}

/** @param {State} state @param {Facts} facts @param {Actions} actions */
function ofPeak(state, facts, actions) {
  const { head } = facts;
  const peak = peakParts(facts);
  if (peak.all.length === 0) return [h('h2', { text: 'Nothing live' }), h('p', { class: 'sub', text: 'No tensor of this plan has a place in the arena.' })];
  const beside = facts.peakBeside(peak.step);
  return [
    h('h2', { text: `At the peak, step ${peak.step}` }),
    h('p', { class: 'sub', text: `${peak.where ? `${peak.where}. ` : ''}${plural(peak.all.length, 'tensor')}, ${bytes(head.peak.live_bytes)}.` }),
    ...rows(state, facts, peak.all, actions),
    beside ? h('p', { class: 'quiet', text: nextHighest(head.peak, beside) }) : null,
    ...ofHighest(facts, actions),
    h('h3', { text: 'How to read the map' }),
    h('p', { class: 'quiet', text: 'Each rectangle is a tensor: from the step that first needs it to the step that last does, over the bytes it takes. Select one to see what writes it, what reads it and why it lies there.' }),
  ];
}

/** The other local peaks, the highest first. @param {Facts} facts @param {Actions} actions */
function ofHighest(facts, actions) {
  const others = facts.peaks.filter((step) => step !== facts.head.peak.step && step < facts.head.steps);
  if (others.length === 0 || others.length > 5000) return [];
  const list = others.sort((a, b) => facts.liveBytes(b) - facts.liveBytes(a) || a - b).slice(0, MOST_PEAKS);
  return [h('h3', { text: 'Other local peaks' }), stepRows(facts, list, actions)];
}

/** @param {{ step: number, live_bytes: number }} peak @param {{ step: number, bytes: number }} beside */
function nextHighest(peak, beside) {
  const saves = peak.live_bytes - beside.bytes;
  if (saves <= 0) return `Step ${beside.step} is as high: lowering step ${peak.step} alone saves nothing.`;
  return `The next-highest step is ${beside.step}, with ${bytes(beside.bytes)}: lowering step ${peak.step} alone saves at most ${bytes(saves)}.`;
}

/** @param {State} state @param {Facts} facts @param {number} i @param {Actions} actions */
function ofTensor(state, facts, i, actions) {
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
      h('button', { onclick: () => actions.zoomTo(i), disabled: !facts.isPlaced(i) }, 'Zoom to it'),
      h('button', { 'aria-pressed': state.pinned.includes(i), onclick: () => actions.pin(i) }, 'Pin'),
      h('button', { onclick: () => actions.select(-1) }, 'Close'),
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
      h('button', { class: 'link', title: facts.label(other), onclick: () => actions.select(other) }, facts.shortLabel(other)),
      h('span', { class: 'num', text: `steps ${life(first, last)}` }),
      h('small', { class: 'mono', text: `${hex(low)} to ${hex(high)}` }),
    );
  });
  const more = clashes.length - list.length;
  return [h('h3', { text: facts.head.status === 'overlapping' ? 'Overlaps, on purpose,' : mayOverlap(facts.head) ? 'Overlaps' : 'Clashes with' }), h('ul', { class: 'rows' }, ...list), more > 0 ? h('p', { class: 'quiet', text: `and ${count(more)} more` }) : null];
}

/** @param {Facts} facts @param {import('./facts.js').Uses} uses @param {Actions} actions */
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
        return h('li', {}, h('i'), h('button', { class: 'link', onclick: () => actions.moveCursor(step) }, facts.nodeName(ref)), h('span', { class: 'num', text: `step ${step}` }));
      }),
    ),
  ];
}

/** Why it lies there, from the planner that placed it. @param {State} state @param {Facts} facts @param {number} i @param {Actions} actions */
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

/** @param {State} state @param {Facts} facts @param {Actions} actions */
function ofPins(state, facts, actions) {
  const pins = state.pinned.filter((i) => i < facts.n);
  return pins.length > 0 ? [h('h3', { text: `Pinned (${count(pins.length)})` }), ...rows(state, facts, pins, actions)] : [];
}

/** @param {State} state @param {Facts} facts @param {Actions} actions */
function ofMarks({ marks }, facts, actions) {
  return marks.length > 0 ? [h('h3', { text: `Marked steps (${count(marks.length)})` }), stepRows(facts, marks.slice(0, MOST_ROWS), actions)] : [];
}

/** Steps to jump to, with what is live. @param {Facts} facts @param {readonly number[]} steps @param {Actions} actions */
function stepRows(facts, steps, actions) {
  return h(
    'ul',
    { class: 'rows' },
    ...steps.map((step) =>
      h('li', {}, h('i'), h('button', { class: 'link', onclick: () => actions.moveCursor(step) }, `step ${count(step)}${facts.stepName(step) ? `, ${facts.stepName(step)}` : ''}`), h('span', { class: 'num', text: count(facts.liveBytes(step)) })),
    ),
  );
}

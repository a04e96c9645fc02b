/** The line above the map: what the colours mean, and how the map is shown. */
import { byId, fill, h, swatch } from './dom.js';
import { COLOUR_BY, colourRule } from '../model/groups.js';
import { changed } from '../state/store.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */

/** @param {State} state */
export const selectTools = ({ file, question, look, selection }) => ({
  facts: file.facts,
  undo: question.undo,
  colourBy: look.colourBy,
  wheelZooms: look.wheelZooms,
  decimal: look.decimal,
  down: look.down,
  legend: look.legend,
  query: selection.query,
});

/** @typedef {ReturnType<typeof selectTools>} Picked */

/** @param {Picked} now @param {Partial<Picked>} before @param {Actions} actions */
export function showTools(now, before, actions) {
  const { facts } = now;
  if (!facts) return;
  if (changed(now, before, 'facts')) {
    const isNothing = facts.head.arena_bytes === 0 && facts.head.peak.live_bytes === 0;
    byId('nothing').hidden = !isNothing;
    for (const id of ['figure', 'readout']) byId(id).hidden = isNothing;
  }
  if (changed(now, before, 'facts', 'legend')) showLegend(now);
  if (!changed(now, before, 'facts', 'colourBy', 'wheelZooms', 'decimal', 'down', 'undo')) return;
  const focused = document.activeElement?.id ?? '';
  const box = byId('tools');
  const hadFocus = box.contains(document.activeElement);
  fill(box, ...tools(now, actions), colours(now, actions));
  if (hadFocus) document.getElementById(focused)?.focus();
}

/** @param {Picked} picked @param {Actions} actions */
function colours({ facts, colourBy }, actions) {
  if (!facts) return null;
  const by = facts.isGraph ? COLOUR_BY : COLOUR_BY.filter(([key]) => key === 'size' || key === 'kind');
  const rule = colourRule(facts, colourBy);
  const select = /** @type {HTMLSelectElement} */ (h('select', { id: 'colour-by', 'aria-label': 'Colour by', title: 'Colour by', onchange: () => actions.look.colour(select.value) }));
  for (const [key, text] of by) select.append(h('option', { value: key, selected: key === rule }, `by ${text}`));
  return select;
}

/** @param {Picked} picked @param {Actions} actions */
function tools({ wheelZooms, decimal, down }, actions) {
  /** @param {string} id @param {string} text @param {string} title @param {() => void} onclick */
  const button = (id, text, title, onclick) => h('button', { id, title, 'aria-label': /^\w/.test(text) ? `${text}: ${title}` : title, onclick }, text);
  return [
    button('zoom-out', '−', 'Zoom out (-)', () => actions.look.zoom(1 / 1.5)),
    button('zoom-in', '+', 'Zoom in (+)', () => actions.look.zoom(1.5)),
    button('fit-all', 'Fit', 'Show everything (0)', () => actions.look.fitAll()),
    button('units', decimal ? 'KiB' : 'Hex', decimal ? 'Addresses in KiB; switch to hexadecimal' : 'Addresses in hexadecimal; switch to KiB', () => actions.look.set({ decimal: !decimal })),
    button('flip', down ? '↓' : '↑', down ? 'Addresses grow downwards; turn round' : 'Addresses grow upwards; turn round', () => actions.look.set({ down: !down })),
    button('wheel', wheelZooms ? 'Wheel: zoom' : 'Wheel: pan', wheelZooms ? 'The wheel zooms; make it pan' : 'The wheel pans, Ctrl+wheel zooms; make it zoom', () => actions.look.set({ wheelZooms: !wheelZooms })),
  ];
}

/** @param {Picked} picked */
function showLegend({ legend, facts }) {
  const entries = legend.map(({ group, label, texture }) => h('span', {}, swatch(group, texture), label));
  let variable = false;
  for (let i = 0; facts && i < facts.n; i++) variable ||= facts.columns.arena[i] === 1 && facts.tensor(i)?.isVariable === true;
  if (variable) entries.push(h('span', {}, swatch('kept', 'hatched'), 'hatched: variable'));
  if (facts?.plan.whole) entries.push(h('span', { title: 'Operator data, tensor records and the runtime itself: nothing else can have these bytes' }, swatch('kept', 'dotted'), 'kept for good'));
  entries.push(h('span', { title: 'Bytes that nobody uses then, below one that somebody does' }, swatch('hole'), 'free below a live tensor'));
  fill(byId('legend'), ...entries);
}

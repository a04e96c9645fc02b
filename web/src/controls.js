/** The line above the map: what if, colours, and how the map is shown. */
import { KERNELS, PLANNERS, TARGETS } from '../../dist/words.js';
import { byId, fill, h, swatch } from './dom.js';
import { bytes, parseBytes } from './format.js';
import { COLOUR_BY, colourRule } from './groups.js';
import { NAMES } from './names.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */

const PRESETS = ['64K', '96K', '128K', '192K', '256K', '512K', '1M'];

/** @param {string} label @param {string} id @param {readonly (readonly [string, string])[]} options @param {string} value @param {(value: string) => void} onchange */
function choice(label, id, options, value, onchange) {
  const select = /** @type {HTMLSelectElement} */ (h('select', { id, onchange: () => onchange(select.value) }));
  for (const [key, text] of options) select.append(h('option', { value: key, selected: key === value }, text));
  return h('label', {}, label, select);
}

/** @param {readonly string[]} keys */
const named = (keys) => keys.map((key) => /** @type {const} */ ([key, NAMES[key] ?? key]));

/** @param {State} state @param {State} before @param {Actions} actions */
export function updateControls(state, before, actions) {
  const { facts, options, budget } = state;
  if (!facts) return;
  if (!changed(state, before, 'facts', 'options', 'budget', 'colourBy', 'wheelZooms', 'decimal', 'down', 'undo')) return;
  const { model, head } = facts;
  const isNothing = head.arena_bytes === 0 && head.peak.live_bytes === 0;
  byId('nothing').hidden = !isNothing;
  for (const id of ['figure', 'stepper']) byId(id).hidden = isNothing;
  const focused = document.activeElement?.id ?? '';
  const isGiven = model.kind === 'plan';
  const planners = model.kind === 'csv' && !model.hasOffsets ? ['optimal', 'linear'] : PLANNERS;
  const list = [];
  if (!isGiven && model.runtimes.length > 1) list.push(choice('Runtime', 'runtime', named(model.runtimes), head.runtime, (runtime) => actions.replan({ runtime, alignment: 0, subgraph: 0 })));
  if (!isGiven) list.push(choice('Planner', 'planner', named(planners), head.planner, (planner) => actions.replan({ planner })));
  if (!isGiven && model.kind !== 'csv' && head.runtime !== 'tflm') {
    const steps = [1, 2, 4, 8, 16, 32, 64].map((n) => /** @type {const} */ ([String(n), String(n)]));
    list.push(choice('Alignment', 'alignment', steps, String(head.alignment.tensor), (n) => actions.replan({ alignment: Number(n) })));
  }
  if (!isGiven && head.runtime === 'tflm') {
    list.push(choice('Kernels', 'kernels', named(KERNELS), options.kernels, (kernels) => actions.replan({ kernels })));
    list.push(choice('Target', 'target', named(TARGETS), options.target, (target) => actions.replan({ target })));
  }
  if (!isGiven && head.runtime !== 'tflm' && model.subgraphs.length > 1) {
    const graphs = model.subgraphs.map(({ name }, i) => /** @type {const} */ ([String(i), name ? `${i}: ${name}` : String(i)]));
    list.push(choice('Subgraph', 'subgraph', graphs, String(head.subgraph ?? 0), (subgraph) => actions.replan({ subgraph: Number(subgraph) })));
  }
  list.push(budgetField(budget, actions));
  const by = facts.isGraph ? COLOUR_BY : COLOUR_BY.filter(([key]) => key === 'size' || key === 'kind');
  list.push(choice('Colour by', 'colour-by', by, colourRule(facts, state.colourBy), (key) => actions.colour(key)));
  fill(byId('controls'), ...list);
  fill(byId('tools'), ...tools(state, actions));
  if (focused && document.getElementById(focused)?.closest('#controls, #tools')) document.getElementById(focused)?.focus();
}

/** @param {number | null} budget @param {Actions} actions */
function budgetField(budget, actions) {
  const presets = h('datalist', { id: 'budgets' }, ...PRESETS.map((value) => h('option', { value })));
  const field = /** @type {HTMLInputElement} */ (h('input', { class: 'field', id: 'budget', list: 'budgets', placeholder: '192K', autocomplete: 'off', value: budget === null ? '' : written(budget) }));
  field.addEventListener('change', () => {
    const value = field.value.trim() === '' ? null : parseBytes(field.value);
    const isBad = field.value.trim() !== '' && value === null;
    field.setAttribute('aria-invalid', String(isBad));
    if (isBad) actions.say(`"${field.value}" is no size: write one like 192K or 65536.`);
    else {
      actions.setBudget(value);
      actions.say(value === null ? 'No budget.' : `Budget ${bytes(value)}.`);
    }
  });
  return h('label', {}, 'Budget', field, presets);
}

/** @param {number} value */
function written(value) {
  if (value > 0 && value % 1024 ** 2 === 0) return `${value / 1024 ** 2}M`;
  return value > 0 && value % 1024 === 0 ? `${value / 1024}K` : String(value);
}

/** @param {State} state @param {Actions} actions */
function tools({ wheelZooms, decimal, down, undo }, actions) {
  /** @param {string} id @param {string} text @param {string} title @param {() => void} onclick */
  const button = (id, text, title, onclick) => h('button', { id, title, 'aria-label': /^\w/.test(text) ? `${text}: ${title}` : title, onclick }, text);
  return [
    undo.length > 0 ? button('undo', 'Undo', 'Undo the last what-if (Ctrl+Z)', () => actions.undo()) : null,
    button('zoom-out', '−', 'Zoom out (-)', () => actions.zoom(1 / 1.5)),
    button('zoom-in', '+', 'Zoom in (+)', () => actions.zoom(1.5)),
    button('fit', 'Fit', 'Show everything (0)', () => actions.fitAll()),
    button('units', decimal ? 'KiB' : 'Hex', decimal ? 'Addresses in KiB; switch to hexadecimal' : 'Addresses in hexadecimal; switch to KiB', () => actions.set({ decimal: !decimal })),
    button('flip', down ? '↓' : '↑', down ? 'Addresses grow downwards; turn round' : 'Addresses grow upwards; turn round', () => actions.set({ down: !down })),
    button('wheel', wheelZooms ? 'Wheel: zoom' : 'Wheel: pan', wheelZooms ? 'The wheel zooms; make it pan' : 'The wheel pans, Ctrl+wheel zooms; make it zoom', () => actions.set({ wheelZooms: !wheelZooms })),
  ];
}

/** @param {State} state @param {State} before */
export function updateLegend(state, before) {
  if (!changed(state, before, 'legend', 'facts')) return;
  const { legend, facts } = state;
  const entries = legend.map(({ group, label }) => h('span', {}, swatch(group), label));
  let scratch = false;
  let variable = false;
  for (let i = 0; facts && i < facts.n; i++) {
    scratch ||= facts.columns.scratch[i] === 1;
    variable ||= facts.columns.arena[i] === 1 && facts.tensor(i)?.isVariable === true;
  }
  if (scratch) entries.push(h('span', {}, swatch(10, 'dotted'), 'dotted: scratch'));
  if (variable) entries.push(h('span', {}, swatch(9, 'hatched'), 'hatched: variable'));
  entries.push(h('span', {}, swatch('hole'), 'free below a live tensor'));
  entries.push(h('span', {}, h('i', { class: 'swatch curve', 'aria-hidden': 'true' }), 'live; grey: up to the highest address'));
  fill(byId('legend'), ...entries);
}

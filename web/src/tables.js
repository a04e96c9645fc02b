/** The tables below the map: every tensor, the peak, the steps, the problems. */
import { byId, fill, h, swatch } from './dom.js';
import { at, indexAt, peakParts } from './facts.js';
import { bytes, count, hex, percent } from './format.js';
import { Grid } from './grid.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./facts.js').Facts} Facts */

/** "Without it" needs a look at every step; beyond this many tensors nobody compares them. */
const MOST_AT_PEAK = 500;

export class Tables {
  #actions;
  /** @type {State} */
  #state;
  /** @type {Facts | null} */
  #facts = null;
  #tensors;
  #peak;
  #steps;
  #problems;
  /** @type {Record<string, { grid: Grid<any>, label: string, rows: (facts: Facts) => readonly unknown[] }>} */
  #tabs;
  /** @type {number[]} */
  #all = [];
  /** @type {Set<number>} */
  #atPeak = new Set();

  /** @param {State} state @param {Actions} actions */
  constructor(state, actions) {
    this.#state = state;
    this.#actions = actions;
    this.#tensors = this.#makeTensors();
    this.#peak = this.#makePeak();
    this.#steps = this.#makeSteps();
    this.#problems = this.#makeProblems();
    this.#tabs = {
      tensors: { grid: this.#tensors, label: 'Tensors', rows: () => (this.#state.lit ? this.#state.hits : this.#all) },
      peak: { grid: this.#peak, label: 'At peak', rows: (facts) => peakParts(facts).all.slice(0, MOST_AT_PEAK) },
      steps: { grid: this.#steps, label: 'Steps', rows: (facts) => stepRows(facts) },
      problems: { grid: this.#problems, label: 'Problems', rows: (facts) => listedProblems(facts) },
    };
  }

  /** @returns {Facts} */
  get #f() {
    return /** @type {Facts} */ (this.#facts);
  }

  #makeTensors() {
    const c = () => this.#f.columns;
    /** @type {import('./grid.js').Column<number>[]} */
    const columns = [
      { key: 'index', label: '#', className: 'opt', value: (i) => at(c().index, i) },
      { key: 'name', label: 'name', className: 'text wide', value: (i) => this.#f.label(i), show: (i) => this.#named(i) },
      { key: 'op', label: 'written by', className: 'text opt graph', value: (i) => this.#f.op(i) },
      { key: 'kind', label: 'kind', className: 'text opt', value: (i) => this.#f.kind(i) },
      { key: 'dtype', label: 'type', className: 'text opt graph', value: (i) => this.#f.dtype(i).toLowerCase() },
      { key: 'bytes', label: 'bytes', value: (i) => at(c().bytes, i), show: (i) => count(at(c().bytes, i)) },
      { key: 'offset', label: 'offset', className: 'mono', value: (i) => at(c().offset, i), show: (i) => (Number.isNaN(at(c().offset, i)) ? '–' : hex(at(c().offset, i))) },
      { key: 'first', label: 'first', value: (i) => at(c().first, i) },
      { key: 'last', label: 'last', value: (i) => at(c().last, i) },
      { key: 'slack', label: 'slack', className: 'opt graph', value: (i) => this.#f.slack(i) },
      { key: 'peak', label: 'at peak', className: 'opt', value: (i) => Number(this.#atPeak.has(i)), show: (i) => (this.#atPeak.has(i) ? '●' : '') },
    ];
    return new Grid({ label: 'Tensors', columns, sort: { key: 'first', ascending: true }, onSelect: (i) => this.#actions.select(i), onOpen: (i) => this.#actions.zoomTo(i), empty: 'No tensors to show.' });
  }

  #makePeak() {
    const c = () => this.#f.columns;
    /** @param {number} i */
    const saves = (i) => this.#f.head.peak.live_bytes - this.#f.peakWithout(i);
    /** @type {import('./grid.js').Column<number>[]} */
    const columns = [
      { key: 'name', label: 'name', className: 'text wide', value: (i) => this.#f.label(i), show: (i) => this.#named(i) },
      { key: 'bytes', label: 'bytes', value: (i) => at(c().bytes, i), show: (i) => count(at(c().bytes, i)) },
      { key: 'share', label: 'of the peak', value: (i) => at(c().bytes, i), show: (i) => percent(at(c().bytes, i), this.#f.head.peak.live_bytes) },
      { key: 'without', label: 'peak without it', value: (i) => this.#f.peakWithout(i), show: (i) => count(this.#f.peakWithout(i)) },
      { key: 'saves', label: 'saves', value: saves, show: (i) => count(saves(i)) },
      { key: 'first', label: 'first', className: 'opt', value: (i) => at(c().first, i) },
      { key: 'last', label: 'last', className: 'opt', value: (i) => at(c().last, i) },
    ];
    return new Grid({ label: 'Tensors at the peak', columns, sort: { key: 'bytes', ascending: false }, onSelect: (i) => this.#actions.select(i), onOpen: (i) => this.#actions.zoomTo(i), empty: 'Nothing is live at any step.' });
  }

  #makeSteps() {
    /** @type {import('./grid.js').Column<StepRow>[]} */
    const columns = [
      { key: 'step', label: 'step', value: ({ step }) => step, show: ({ step, until }) => (until > step ? `${count(step)} to ${count(until)}` : count(step)) },
      { key: 'op', label: 'operator', className: 'text wide', value: ({ step }) => this.#f.stepName(step) },
      { key: 'live', label: 'live bytes', value: ({ live }) => live, show: ({ live }) => count(live) },
      { key: 'share', label: 'of the peak', value: ({ live }) => live, show: ({ live }) => percent(live, this.#f.head.peak.live_bytes) },
    ];
    return new Grid({ label: 'Steps', columns, sort: { key: 'step', ascending: true }, onSelect: ({ step }) => this.#actions.moveCursor(step), empty: 'This plan has no steps.' });
  }

  #makeProblems() {
    /** @type {import('./grid.js').Column<import('./types.js').Problem>[]} */
    const columns = [
      { key: 'code', label: 'problem', className: 'text mono', value: ({ code }) => code },
      { key: 'text', label: 'what it means', className: 'text prose', value: ({ text }) => text },
    ];
    /** @param {import('./types.js').Problem} problem */
    const select = ({ subgraph, tensor, node, buffers }) => {
      if (buffers) this.#actions.lookAtClash(buffers);
      else if (tensor !== undefined) this.#actions.select(this.#f.bufferOf(subgraph ?? this.#f.head.subgraph ?? 0, tensor));
      else if (node !== undefined) this.#actions.moveCursor(this.#f.stepOfNode({ subgraph: subgraph ?? 0, node }));
    };
    return new Grid({ label: 'Problems', columns, sort: { key: '', ascending: true }, onSelect: select, empty: 'No problems.', varying: true });
  }

  /** @param {number} i */
  #named(i) {
    const group = this.#state.groups[i];
    const label = this.#f.label(i);
    return h('span', { title: label }, swatch(this.#f.columns.arena[i] === 0 ? 9 : group), h('span', { class: 'long', text: label }), h('span', { class: 'tiny', 'aria-hidden': 'true', text: this.#f.tinyLabel(i) }));
  }

  /** @param {State} state @param {State} before */
  update(state, before) {
    this.#state = state;
    const { facts, tab } = state;
    if (!facts) return;
    const isNew = changed(state, before, 'facts');
    if (isNew) {
      this.#facts = facts;
      this.#all = listed(facts);
      this.#atPeak = new Set(peakParts(facts).all);
      byId('panel').classList.toggle('plain', !facts.isGraph);
    }
    if (isNew || changed(state, before, 'tab', 'lit')) this.#drawTabs(facts);
    const entry = this.#tabs[tab];
    if (!entry) return;
    if (byId('panel').firstElementChild !== entry.grid.element) fill(byId('panel'), entry.grid.element);
    if (isNew || changed(state, before, 'tab', 'groups') || (tab === 'tensors' && changed(state, before, 'lit'))) entry.grid.setRows(entry.rows(facts));
    if (isNew || changed(state, before, 'tab', 'selected', 'groups') || (tab === 'tensors' && changed(state, before, 'lit'))) {
      if (tab === 'tensors' || tab === 'peak') entry.grid.select(state.selected >= 0 ? state.selected : null, true);
    }
  }

  focus() {
    this.#tabs[this.#state.tab]?.grid.focus();
  }

  /** @param {Facts} facts */
  #drawTabs(facts) {
    const { tab } = this.#state;
    const list = byId('tabs');
    const hadFocus = list.contains(document.activeElement);
    fill(
      list,
      ...Object.entries(this.#tabs).map(([key, { label, rows }]) => {
        const n = key === 'steps' ? facts.head.steps : key === 'problems' ? facts.problems.length : rows(facts).length;
        const isOn = key === tab;
        return h(
          'button',
          { role: 'tab', id: `tab-${key}`, 'aria-selected': isOn, 'aria-controls': 'panel', tabindex: isOn ? 0 : -1, onclick: () => this.#actions.set({ tab: key }), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#tabKey(event, key) },
          label,
          h('span', { class: `n ${key === 'problems' && n > 0 ? 'warn' : ''}`, text: count(n) }),
        );
      }),
    );
    byId('panel').setAttribute('aria-labelledby', `tab-${tab}`);
    if (hadFocus) byId(`tab-${tab}`).focus();
  }

  /** @param {KeyboardEvent} event @param {string} key */
  #tabKey(event, key) {
    const keys = Object.keys(this.#tabs);
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (move === 0) return;
    event.preventDefault();
    const next = keys[(keys.indexOf(key) + move + keys.length) % keys.length];
    if (next !== undefined) this.#actions.set({ tab: next });
  }
}

/** Rows of prose are all drawn: the first of very many. */
const MOST_PROBLEMS = 1000;

/** @param {Facts} facts @returns {readonly import('./types.js').Problem[]} */
function listedProblems({ problems }) {
  const more = problems.length - MOST_PROBLEMS;
  return more > 1 ? [...problems.slice(0, MOST_PROBLEMS), { code: 'more', text: `And ${count(more)} more.` }] : problems;
}

/** @typedef {{ step: number, until: number, live: number }} StepRow */

/** A row a step; where there are very many, or times instead of steps, a row for each change. @param {Facts} facts @returns {StepRow[]} */
function stepRows(facts) {
  const { changes, head } = facts;
  if (head.steps <= 20_000) return Array.from({ length: head.steps }, (_, step) => ({ step, until: step, live: liveAt(changes, step) }));
  return Array.from(changes.step, (step, i) => ({ step, until: Math.max(step, (i + 1 < changes.step.length ? at(changes.step, i + 1) : head.steps) - 1), live: at(changes.live, i) })).filter(({ step }) => step < head.steps);
}

/** @param {import('./facts.js').Changes} changes @param {number} step */
function liveAt(changes, step) {
  const i = indexAt(changes.step, step);
  return i < 0 ? 0 : at(changes.live, i);
}

/** What the planner has to do with: not the constants. @param {Facts} facts */
function listed(facts) {
  const list = [];
  for (let i = 0; i < facts.n; i++) {
    const type = facts.tensor(i)?.type;
    if (facts.columns.arena[i] !== 0 || (type !== undefined && type !== 'mmap_ro')) list.push(i);
  }
  return list;
}

/** The rest of the arena, for runtimes that have one. @param {State} state @param {State} before */
export function updateBands(state, before) {
  if (!changed(state, before, 'facts')) return;
  const { facts } = state;
  const section = byId('bands');
  if (!facts) return;
  const { whole } = facts.plan;
  const kept = whole ? whole.parts.filter(({ bytes: size }) => size > 0) : persistent(facts);
  const sum = kept.reduce((total, part) => total + part.bytes, 0);
  section.hidden = sum === 0;
  if (sum === 0) return fill(section);
  const stack = h('div', { class: 'stack', role: 'img', 'aria-label': kept.map((part) => `${part.label} ${bytes(part.bytes)}`).join(', ') });
  const colours = [9, 10, 1, 11, 3, 4];
  kept.forEach((part, k) => {
    const piece = h('i', { class: 'swatch', 'data-group': colours[k % colours.length], title: `${part.label}: ${bytes(part.bytes)}` });
    piece.style.cssText = `width:${(part.bytes / sum) * 100}%;margin:0;border-radius:0`;
    stack.append(piece);
  });
  const key = kept.map((part, k) => h('span', {}, swatch(colours[k % colours.length]), `${part.label} ${count(part.bytes)}`));
  return fill(section, h('h2', { text: `Kept for good: ${bytes(sum)}` }), stack, h('div', { class: 'key' }, ...key));
}

/** @param {Facts} facts */
function persistent(facts) {
  const list = [];
  for (let i = 0; i < facts.n; i++) if (facts.columns.arena[i] === 2) list.push({ label: facts.label(i), bytes: at(facts.columns.bytes, i) });
  return list.sort((a, b) => b.bytes - a.bytes).slice(0, 12);
}

/** The tables behind the foot line: every tensor, the peak, the steps, the problems. */
import { byId, fill, h, swatch } from './dom.js';
import { at, indexAt } from '../model/facts.js';
import { count, hex, percent } from '../model/format.js';
import { peakParts } from '../model/sentences.js';
import { Grid } from './grid.js';
import { groupSwatch } from './swatch.js';
import { changed } from '../state/store.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {ReturnType<typeof selectTables>} Picked */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

/** "Without it" needs a look at every step; beyond this many tensors nobody compares them. */
const MOST_AT_PEAK = 500;

/** @param {State} state */
export const selectTables = ({ file, look, selection }) => ({ facts: file.facts, tab: look.tab, tables: look.tables, groups: look.groups, selected: selection.selected, lit: selection.lit, hits: selection.hits });

export class Tables {
  #actions;
  /** @type {Picked} */
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

  /** @param {Picked} state @param {Actions} actions */
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
      { key: 'offset', label: 'offset', title: 'bytes from the start of the arena', className: 'mono', value: (i) => at(c().offset, i), show: (i) => (Number.isNaN(at(c().offset, i)) ? '–' : hex(at(c().offset, i))) },
      { key: 'first', label: 'first', title: 'the step that first needs it', value: (i) => at(c().first, i) },
      { key: 'last', label: 'last', title: 'the last step that needs it', value: (i) => at(c().last, i) },
      { key: 'slack', label: 'slack', title: 'steps for which it is kept without being read or written', className: 'opt graph', value: (i) => this.#f.slack(i) },
      { key: 'peak', label: 'at peak', className: 'opt', value: (i) => Number(this.#atPeak.has(i)), show: (i) => (this.#atPeak.has(i) ? '●' : '') },
    ];
    return new Grid({ label: 'Tensors', columns, sort: { key: 'first', ascending: true }, onSelect: (i) => this.#actions.selection.select(i), onOpen: (i) => this.#actions.look.zoomTo(i), empty: 'No tensors to show.' });
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
      { key: 'without', label: 'peak without it', title: 'the most live bytes at any step, if it were not there', value: (i) => this.#f.peakWithout(i), show: (i) => count(this.#f.peakWithout(i)) },
      { key: 'saves', label: 'saves', title: 'how much lower the peak would be without it', value: saves, show: (i) => count(saves(i)) },
      { key: 'first', label: 'first', title: 'the step that first needs it', className: 'opt', value: (i) => at(c().first, i) },
      { key: 'last', label: 'last', title: 'the last step that needs it', className: 'opt', value: (i) => at(c().last, i) },
    ];
    return new Grid({ label: 'Tensors at the peak', columns, sort: { key: 'bytes', ascending: false }, onSelect: (i) => this.#actions.selection.select(i), onOpen: (i) => this.#actions.look.zoomTo(i), empty: 'Nothing is live at any step.' });
  }

  #makeSteps() {
    /** @type {import('./grid.js').Column<StepRow>[]} */
    const columns = [
      { key: 'step', label: 'step', value: ({ step }) => step, show: ({ step, until }) => (until > step ? `${count(step)} to ${count(until)}` : count(step)) },
      { key: 'op', label: 'operator', className: 'text wide', value: ({ step }) => this.#f.stepName(step) },
      { key: 'live', label: 'live bytes', value: ({ live }) => live, show: ({ live }) => count(live) },
      { key: 'share', label: 'of the peak', value: ({ live }) => live, show: ({ live }) => percent(live, this.#f.head.peak.live_bytes) },
    ];
    return new Grid({ label: 'Steps', columns, sort: { key: 'step', ascending: true }, onSelect: ({ step }) => this.#actions.selection.moveCursor(step), empty: 'This plan has no steps.' });
  }

  #makeProblems() {
    /** @type {import('./grid.js').Column<import('../types.js').Problem>[]} */
    const columns = [
      { key: 'code', label: 'problem', className: 'text mono', value: ({ code }) => code },
      { key: 'text', label: 'what it means', className: 'text prose', value: ({ text }) => text },
    ];
    /** @param {import('../types.js').Problem} problem */
    const select = ({ subgraph, tensor, node, buffers }) => {
      if (buffers) this.#actions.selection.lookAtClash(buffers);
      else if (tensor !== undefined) this.#actions.selection.select(this.#f.bufferOf(subgraph ?? this.#f.head.subgraph ?? 0, tensor));
      else if (node !== undefined) this.#actions.selection.moveCursor(this.#f.stepOfNode({ subgraph: subgraph ?? 0, node }));
    };
    return new Grid({ label: 'Problems', columns, sort: { key: '', ascending: true }, onSelect: select, empty: 'No problems.', varying: true });
  }

  /** @param {number} i */
  #named(i) {
    const group = this.#state.groups[i];
    const label = this.#f.label(i);
    return h('span', { title: label }, this.#f.columns.arena[i] === 0 ? swatch('none') : groupSwatch(group ?? 0), h('span', { class: 'long', text: label }), h('span', { class: 'tiny', 'aria-hidden': 'true', text: this.#f.tinyLabel(i) }));
  }

  /** @param {Picked} state @param {Partial<Picked>} before */
  show(state, before) {
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
    if (isNew || changed(state, before, 'tab', 'tables', 'lit')) this.#drawTabs(facts);
    byId('tables').hidden = !state.tables;
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
    const { tab, tables } = this.#state;
    const list = byId('tabs');
    const hadFocus = list.contains(document.activeElement);
    fill(
      list,
      ...Object.entries(this.#tabs).map(([key, { label, rows }]) => {
        const n = key === 'steps' ? facts.head.steps : key === 'problems' ? facts.problems.length : rows(facts).length;
        const isOn = key === tab;
        return h(
          'button',
          { role: 'tab', id: `tab-${key}`, 'aria-selected': isOn, 'aria-controls': 'panel', tabindex: isOn ? 0 : -1, 'aria-expanded': isOn && tables, onclick: () => this.#actions.look.toggleTable(key), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#tabKey(event, key) },
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
    if (next !== undefined) this.#actions.look.set({ tab: next, tables: true });
  }
}

/** Rows of prose are all drawn: the first of very many. */
const MOST_PROBLEMS = 1000;

/** @param {Facts} facts @returns {readonly import('../types.js').Problem[]} */
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

/** @param {import('../model/facts.js').Changes} changes @param {number} step */
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

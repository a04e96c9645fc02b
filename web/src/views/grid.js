/** A table that holds a million rows and draws only those in sight. Sortable; arrow keys move the selected row. */
import { fill, h } from './dom.js';

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label
 * @property {string} [title]  what the label means
 * @property {(row: Row) => string | number} value  what is sorted by
 * @property {(row: Row) => Node | string} [show]
 * @property {string} [className]  text, wide, mono, opt (left out where it is narrow)
 */

const ROW_HEIGHT = 31;
const BEYOND = 8;
const LONG = 20_000;

/** @template Row */
export class Grid {
  #columns;
  #onSelect;
  #onOpen;
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {readonly Row[]} */
  #sorted = [];
  #isChosen = false;
  /** @type {Row | null} */
  #selected = null;
  #sort;
  #scroller;
  #body;
  #head;
  #empty;
  #drawn = '';
  #varying;

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {readonly Column<Row>[]} options.columns
   * @param {{ key: string, ascending: boolean }} options.sort
   * @param {(row: Row) => void} options.onSelect
   * @param {(row: Row) => void} [options.onOpen]  Enter or a double click
   * @param {string} options.empty  what stands where there are no rows
   * @param {boolean} [options.varying]  rows of different heights: few, all drawn
   */
  constructor({ label, columns, sort, onSelect, onOpen, empty, varying = false }) {
    this.#columns = columns;
    this.#sort = sort;
    this.#onSelect = onSelect;
    this.#onOpen = onOpen;
    this.#varying = varying;
    this.#head = h('thead');
    this.#body = h('tbody');
    this.#empty = h('p', { class: 'none', text: empty });
    this.#scroller = h('div', { class: 'grid' }, h('table', { role: 'grid', 'aria-label': label }, this.#head, this.#body), this.#empty);
    this.#scroller.addEventListener('scroll', () => this.#draw());
    this.#body.addEventListener('click', (event) => this.#click(event, this.#onSelect));
    if (onOpen) this.#body.addEventListener('dblclick', (event) => this.#click(event, onOpen));
    this.#body.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.#draw()).observe(this.#scroller);
    this.#drawHead();
  }

  get element() {
    return this.#scroller;
  }

  /** @param {readonly Row[]} rows */
  setRows(rows) {
    this.#rows = rows;
    this.#order();
    this.#drawn = '';
    this.#draw();
  }

  /** @param {Row | null} row @param {boolean} reveal */
  select(row, reveal) {
    this.#selected = row;
    this.#drawn = '';
    const index = row === null ? -1 : this.#sorted.indexOf(row);
    if (index >= 0 && reveal && !this.#varying) {
      const top = index * ROW_HEIGHT;
      const room = this.#scroller.clientHeight - ROW_HEIGHT;
      if (top < this.#scroller.scrollTop) this.#scroller.scrollTop = top;
      else if (top + ROW_HEIGHT > this.#scroller.scrollTop + room) this.#scroller.scrollTop = top + ROW_HEIGHT - room;
    }
    this.#draw();
  }

  focus() {
    const row = /** @type {HTMLElement | null} */ (this.#body.querySelector('tr[tabindex="0"]'));
    row?.focus();
  }

  #order() {
    const column = this.#columns.find(({ key }) => key === this.#sort.key);
    // Very long lists come as they are, until somebody asks for an order.
    if (!column || (this.#rows.length > LONG && !this.#isChosen)) {
      this.#sorted = this.#rows;
      return;
    }
    const sign = this.#sort.ascending ? 1 : -1;
    const keys = this.#rows.map((row, index) => ({ row, index, value: column.value(row) }));
    keys.sort((a, b) => compare(a.value, b.value) * sign || a.index - b.index);
    this.#sorted = keys.map(({ row }) => row);
  }

  /** @param {string} key */
  #sortBy(key) {
    const isSame = this.#isChosen || this.#rows.length <= LONG ? this.#sort.key === key : false;
    this.#isChosen = true;
    const isText = this.#columns.find((column) => column.key === key)?.className?.includes('text') ?? false;
    this.#sort = { key, ascending: isSame ? !this.#sort.ascending : isText || ['index', 'first', 'last', 'step', 'offset'].includes(key) };
    this.#order();
    this.#drawHead();
    this.#drawn = '';
    this.#draw();
  }

  #drawHead() {
    const focused = document.activeElement?.getAttribute('data-key');
    fill(
      this.#head,
      h(
        'tr',
        { 'aria-rowindex': 1 },
        ...this.#columns.map(({ key, label, title, className }) => {
          const isSorted = key === this.#sort.key;
          const direction = this.#sort.ascending ? 'ascending' : 'descending';
          const arrow = isSorted ? (this.#sort.ascending ? ' ↑' : ' ↓') : '';
          const button = h('button', { 'data-key': key, title, onclick: () => this.#sortBy(key) }, label, h('span', { 'aria-hidden': 'true', text: arrow }));
          return h('th', { scope: 'col', class: className, 'aria-sort': isSorted ? direction : undefined }, button);
        }),
      ),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.#head.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  #draw() {
    const n = this.#sorted.length;
    const height = this.#scroller.clientHeight || 420;
    const from = this.#varying ? 0 : Math.max(0, Math.floor(this.#scroller.scrollTop / ROW_HEIGHT) - BEYOND);
    const to = this.#varying ? n : Math.min(n, from + Math.ceil(height / ROW_HEIGHT) + 2 * BEYOND);
    const drawn = `${from}:${to}:${n}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const hadFocus = this.#body.contains(document.activeElement);
    const table = /** @type {HTMLElement} */ (this.#scroller.firstElementChild);
    table.setAttribute('aria-rowcount', String(n + 1));
    table.hidden = n === 0;
    this.#empty.hidden = n > 0;
    const selectedAt = this.#selected === null ? -1 : this.#sorted.indexOf(this.#selected);
    const stop = selectedAt >= from && selectedAt < to ? selectedAt : from;
    const rows = [];
    for (let i = from; i < to; i++) rows.push(this.#row(/** @type {Row} */ (this.#sorted[i]), i, i === selectedAt, i === stop));
    fill(this.#body, this.#pad(from), ...rows, this.#pad(n - to));
    if (hadFocus) this.focus();
  }

  /** Stands for rows that are out of sight. @param {number} rows */
  #pad(rows) {
    if (rows === 0) return null;
    const cell = h('td', { colspan: this.#columns.length });
    cell.style.height = `${rows * ROW_HEIGHT}px`;
    return h('tr', { class: 'pad', 'aria-hidden': 'true' }, cell);
  }

  /** @param {Row} row @param {number} index @param {boolean} isSelected @param {boolean} isStop */
  #row(row, index, isSelected, isStop) {
    const cells = this.#columns.map(({ value, show, className }) => h('td', { class: className, role: 'gridcell' }, show ? show(row) : String(value(row))));
    return h('tr', { 'aria-rowindex': index + 2, 'aria-selected': isSelected, tabindex: isStop ? 0 : -1, 'data-index': index }, ...cells);
  }

  /** @param {Event} event @param {(row: Row) => void} act */
  #click(event, act) {
    const index = /** @type {Element} */ (event.target).closest('tr[data-index]')?.getAttribute('data-index');
    if (index !== null && index !== undefined) act(/** @type {Row} */ (this.#sorted[Number(index)]));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const index = Number(/** @type {Element} */ (event.target).closest('tr[data-index]')?.getAttribute('data-index') ?? -1);
    if (index < 0) return;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / ROW_HEIGHT) - 2);
    const moves = /** @type {Record<string, number>} */ ({ ArrowUp: index - 1, ArrowDown: index + 1, PageUp: index - page, PageDown: index + page, Home: 0, End: this.#sorted.length - 1 });
    const row = this.#sorted[index];
    if (event.key === 'Enter' && row !== undefined) {
      this.#onSelect(row);
      this.#onOpen?.(row);
      event.preventDefault();
      return;
    }
    const to = moves[event.key];
    if (to === undefined || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const next = this.#sorted[Math.max(0, Math.min(this.#sorted.length - 1, to))];
    if (next === undefined) return;
    this.select(next, true);
    this.focus();
    this.#onSelect(next);
  }
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    // What has no number goes last.
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a - b;
  }
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

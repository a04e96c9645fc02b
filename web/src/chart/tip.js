/** The tip beside the pointer: what is there. */
import { crowdAt } from './hover.js';
import { h } from '../views/dom.js';
import { at, HUGE } from '../model/facts.js';
import { bytes, count, hex, life } from '../model/format.js';

/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('./hover.js').Found} Found */
/** @typedef {{ x: number, y: number }} Point */

const BESIDE = 16;
const BELOW = 18;
const EDGE = 8;

export class Tip {
  #element;
  #map;
  #chart;
  #for = '';

  /** @param {HTMLElement} element @param {HTMLElement} map  what points are counted from @param {import('./chart.js').Chart} chart */
  constructor(element, map, chart) {
    this.#element = element;
    this.#map = map;
    this.#chart = chart;
    element.addEventListener('pointerleave', () => this.hide());
  }

  hide() {
    this.#element.hidden = true;
    this.#for = '';
  }

  /** @param {EventTarget | null} target */
  holds(target) {
    return target === this.#element;
  }

  /** @param {Facts} facts @param {Found} found @param {Point} point */
  showFound(facts, found, point) {
    if (found.kind === 'above') return this.hide();
    const key = JSON.stringify({ ...found, ...(found.kind === 'buffer' ? { step: 0 } : {}) });
    if (key === this.#for) return undefined;
    this.#show(key, textOf(facts, found), point);
    if (found.kind === 'buffer') this.#countHere(facts, found.buffer, point);
    return undefined;
  }

  /** @param {Facts} facts @param {number} step @param {Point} point */
  showStep(facts, step, point) {
    if (step < 0 || step >= facts.head.steps) return this.hide();
    const key = `step ${step}`;
    if (key !== this.#for) this.#show(key, [bold(`step ${count(step)}${facts.stepName(step) ? `, ${facts.stepName(step)}` : ''}`), span(liveAndFree(facts, step))], point);
    return undefined;
  }

  /** @param {string} key @param {Node[]} lines @param {Point} point */
  #show(key, lines, point) {
    this.#for = key;
    this.#element.replaceChildren(...lines);
    this.#element.hidden = false;
    const box = this.#map.getBoundingClientRect();
    const { width, height } = this.#element.getBoundingClientRect();
    const x = box.left + point.x + BESIDE;
    const y = box.top + point.y + BELOW;
    this.#element.style.left = `${Math.max(EDGE, x + width > innerWidth - EDGE ? box.left + point.x - width - BESIDE : x)}px`;
    this.#element.style.top = `${Math.max(EDGE, y + height > innerHeight - EDGE ? box.top + point.y - height - BELOW : y)}px`;
  }

  /** Where buffers are smaller than a pixel: how many there are. @param {Facts} facts @param {number} i @param {Point} point */
  async #countHere(facts, i, point) {
    const key = this.#for;
    const crowd = await crowdAt(this.#chart, facts, i, point);
    if (crowd > 1 && key === this.#for) this.#element.append(span(`≈ ${count(crowd)} tensors here: zoom in`));
  }
}

/** @param {string} text */
const span = (text) => h('span', { text });
/** @param {string} text */
const bold = (text) => h('b', { text });

/** @param {Facts} facts @param {number} step */
function liveAndFree(facts, step) {
  const live = facts.liveBytes(step);
  return `${bytes(live)} live, ${bytes(Math.max(0, facts.head.arena_bytes - live))} free`;
}

/** @param {Facts} facts @param {Exclude<Found, { kind: 'above' }>} found @returns {Node[]} */
function textOf(facts, found) {
  const { whole } = facts.plan;
  switch (found.kind) {
    case 'buffer':
      return ofBuffer(facts, found.buffer, found.step);
    case 'kept':
      return [bold(`Kept for good: ${bytes(whole?.tail ?? 0)}`), ...(whole?.parts ?? []).map((part) => span(`${part.label} ${bytes(part.bytes)}`)), span('Click: by operator')];
    case 'start-up':
      return [bold(`Needed while it starts: ${bytes((whole?.total ?? 0) - (whole?.head ?? 0) - (whole?.tail ?? 0))}`), span('free afterwards, and too little to use')];
    default:
      return [bold(found.kind === 'hole' ? 'Free, below a live tensor' : 'Free'), ...(facts.n > HUGE ? [] : [span(`${bytes(found.high - found.low)} at ${hex(found.low)} to ${hex(found.high)}`)]), span(`step ${count(found.step)}: ${liveAndFree(facts, found.step)}`)];
  }
}

/** @param {Facts} facts @param {number} i @param {number} step */
function ofBuffer(facts, i, step) {
  const { offset, bytes: sizes, first, last } = facts.columns;
  const low = at(offset, i);
  const written = facts.op(i);
  const [clash] = facts.clashesOf(i);
  return [
    bold(facts.label(i)),
    span(`${bytes(at(sizes, i))} at ${hex(low)} to ${hex(low + at(sizes, i))}`),
    span(`steps ${life(at(first, i), at(last, i))}${written ? `, written by ${written}` : ''}`),
    span(`step ${step}: ${liveAndFree(facts, step)}`),
    ...(clash ? [span(`shares bytes with ${facts.label(clash.a === i ? clash.b : clash.a)}`)] : []),
  ];
}

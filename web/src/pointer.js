/** Mouse, touch and wheel on the chart. */
import { h } from './dom.js';
import { at, HUGE } from './facts.js';
import { bytes, hex, life } from './format.js';
import { holds } from './geometry.js';
import { pan, same, zoomAt } from './viewport.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./chart.js').Chart} Chart */
/** @typedef {import('./types.js').Viewport} Viewport */
/** @typedef {{ x: number, y: number }} Point */

/** Pixels before a press becomes a drag. */
const THRESHOLD = 5;
const LONG_PRESS_MS = 500;
const HINT_MS = 2200;
const LINE_PIXELS = 16;
const PAGE_PIXELS = 400;

export class PointerInput {
  #store;
  #actions;
  #chart;
  #element;
  #tip;
  #hint;
  /** @type {Map<number, Point>} */
  #down = new Map();
  /** @type {{ kind: 'pan' | 'range' | 'band' | 'pinch' | 'press', start: Point, from: Viewport, moved: boolean, area: string } | null} */
  #gesture = null;
  #spaceHeld = false;
  #hintTimer = 0;
  #pressTimer = 0;
  #tipFor = -1;

  /** @param {Store} store @param {Actions} actions @param {Chart} chart @param {{ element: HTMLElement, tip: HTMLElement, hint: HTMLElement }} elements */
  constructor(store, actions, chart, { element, tip, hint }) {
    this.#store = store;
    this.#actions = actions;
    this.#chart = chart;
    this.#element = element;
    this.#tip = tip;
    this.#hint = hint;
    element.addEventListener('pointerdown', (event) => this.#press(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#release(event));
    element.addEventListener('pointercancel', (event) => this.#release(event));
    element.addEventListener('pointerleave', (event) => this.#leave(event));
    element.addEventListener('dblclick', (event) => this.#doubleClick(event));
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    tip.addEventListener('pointerleave', () => this.#hideTip());
    addEventListener('keydown', (event) => {
      if (event.code === 'Space') this.#spaceHeld = true;
      if (event.key === 'Escape') this.#hideTip();
    });
    addEventListener('keyup', (event) => {
      if (event.code === 'Space') this.#spaceHeld = false;
    });
  }

  /** @param {MouseEvent} event @returns {Point} */
  #at(event) {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {Point} point */
  #areaOf({ x, y }) {
    const { map, curve, axis, strip } = this.#chart.geometry;
    if (holds(map, x, y)) return 'map';
    if (x >= curve.x && x < curve.x + curve.w && y < curve.y + curve.h + 6) return 'curve';
    if (holds(axis, x, y)) return 'axis';
    if (holds(strip, x, y)) return 'strip';
    return 'ruler';
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const start = this.#at(event);
    this.#down.set(event.pointerId, start);
    this.#element.setPointerCapture(event.pointerId);
    const from = this.#store.state.view;
    const area = this.#areaOf(start);
    if (this.#down.size === 2) {
      this.#gesture = { kind: 'pinch', start, from, moved: true, area };
      this.#pinchStart = [...this.#down.values()].map((point) => ({ ...point }));
      return;
    }
    const wantsPan = event.button === 1 || this.#spaceHeld;
    const kind = wantsPan ? 'pan' : area === 'map' ? (event.shiftKey ? 'band' : 'pan') : area === 'ruler' ? 'press' : 'range';
    this.#gesture = { kind, start, from, moved: false, area };
    if (event.pointerType === 'touch') {
      clearTimeout(this.#pressTimer);
      this.#pressTimer = window.setTimeout(() => this.#longPress(start), LONG_PRESS_MS);
    }
    if (event.button === 1) event.preventDefault();
  }

  /** @type {Point[]} */
  #pinchStart = [];

  /** @param {Point} point */
  #longPress(point) {
    if (this.#gesture && !this.#gesture.moved) this.#hover(point, true);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const point = this.#at(event);
    if (this.#down.has(event.pointerId)) this.#down.set(event.pointerId, point);
    const gesture = this.#gesture;
    if (!gesture) {
      if (event.pointerType !== 'touch') this.#hover(point, false);
      return;
    }
    if (gesture.kind === 'pinch') return this.#pinch(gesture.from);
    if (!gesture.moved) {
      if (Math.hypot(point.x - gesture.start.x, point.y - gesture.start.y) < THRESHOLD) return;
      gesture.moved = true;
      clearTimeout(this.#pressTimer);
      this.#hideTip();
      this.#chart.pointer = null;
      this.#actions.set({ hover: -1 });
      if (gesture.kind === 'pan') this.#element.classList.add('grab');
    }
    if (gesture.kind === 'pan') this.#pan(gesture, point);
    else if (gesture.kind === 'range' || gesture.kind === 'band') this.#drawBand(gesture, point);
  }

  /** @param {{ start: Point, from: Viewport }} gesture @param {Point} point */
  #pan({ start, from }, point) {
    const { map } = this.#chart.geometry;
    const sign = this.#store.state.down ? -1 : 1;
    const dx = (-(point.x - start.x) * (from.x1 - from.x0)) / map.w;
    const dy = (sign * (point.y - start.y) * (from.y1 - from.y0)) / map.h;
    this.#actions.look(pan(from, dx, dy));
  }

  /** Two fingers: moves and scales each axis as the fingers lie. @param {Viewport} from */
  #pinch(from) {
    const [a, b] = this.#pinchStart;
    const [p, q] = [...this.#down.values()];
    if (!a || !b || !p || !q) return;
    const { map } = this.#chart.geometry;
    const spread = (/** @type {number} */ before, /** @type {number} */ now) => (before < 24 ? 1 : Math.max(0.1, Math.min(10, now / before)));
    const fx = spread(Math.abs(a.x - b.x), Math.abs(p.x - q.x));
    const fy = spread(Math.abs(a.y - b.y), Math.abs(p.y - q.y));
    const xs = (from.x1 - from.x0) / map.w;
    const ys = (from.y1 - from.y0) / map.h;
    const x = from.x0 + ((a.x + b.x) / 2 - map.x) * xs;
    const up = this.#store.state.down ? -1 : 1;
    const y = up > 0 ? from.y0 + (map.y + map.h - (a.y + b.y) / 2) * ys : from.y0 + ((a.y + b.y) / 2 - map.y) * ys;
    const wide = { x0: x - (x - from.x0) / fx, x1: x + (from.x1 - x) / fx, y0: y - (y - from.y0) / fy, y1: y + (from.y1 - y) / fy };
    this.#actions.look(pan(wide, (-((p.x + q.x - a.x - b.x) / 2) * xs) / fx, (((up * (p.y + q.y - a.y - b.y)) / 2) * ys) / fy));
  }

  /** @param {{ kind: string, start: Point, area: string }} gesture @param {Point} point */
  #drawBand({ kind, start, area }, point) {
    const { map, curve } = this.#chart.geometry;
    const x = Math.max(map.x, Math.min(start.x, point.x));
    const w = Math.min(map.x + map.w, Math.max(start.x, point.x)) - x;
    const whole = area === 'curve' ? curve : map;
    const y = kind === 'range' ? whole.y : Math.max(map.y, Math.min(start.y, point.y));
    const h = kind === 'range' ? whole.h : Math.min(map.y + map.h, Math.max(start.y, point.y)) - y;
    this.#chart.band = { x, y, w, h };
    this.#chart.draw('over');
  }

  /** @param {PointerEvent} event */
  #release(event) {
    clearTimeout(this.#pressTimer);
    this.#down.delete(event.pointerId);
    const gesture = this.#gesture;
    if (!gesture || (gesture.kind === 'pinch' && this.#down.size > 0)) return;
    this.#gesture = null;
    this.#element.classList.remove('grab');
    const { band } = this.#chart;
    this.#chart.band = null;
    this.#chart.draw('over');
    if (event.type === 'pointercancel' || gesture.kind === 'pinch') return;
    if (!gesture.moved) this.#click(this.#at(event), gesture.area, event);
    else if (band && gesture.kind !== 'pan') this.#zoomToBand(band, gesture);
  }

  /** @param {import('./geometry.js').Box} band @param {{ kind: string, area: string }} gesture */
  #zoomToBand(band, { kind, area }) {
    const { view, limits } = this.#store.state;
    const { curve } = this.#chart.geometry;
    const { step, byte } = this.#chart.scales;
    if (area === 'curve') {
      const stepOf = (/** @type {number} */ x) => limits.x0 + ((x - curve.x) / curve.w) * (limits.x1 - limits.x0);
      return this.#actions.goTo({ ...view, x0: Math.floor(stepOf(band.x)), x1: Math.ceil(stepOf(band.x + band.w)) });
    }
    if (kind === 'range') return this.#actions.goTo({ ...view, x0: Math.floor(step(band.x)), x1: Math.ceil(step(band.x + band.w)) });
    if (band.w < 4 || band.h < 4) return;
    const bottom = byte(band.y + band.h);
    const top = byte(band.y);
    this.#actions.goTo({ x0: step(band.x), x1: step(band.x + band.w), y0: Math.min(bottom, top), y1: Math.max(bottom, top) });
  }

  /** @param {Point} point @param {string} area @param {PointerEvent} event */
  #click(point, area, event) {
    const { facts, limits } = this.#store.state;
    if (!facts || event.button > 0) return;
    const { curve } = this.#chart.geometry;
    if (area === 'curve') return this.#actions.moveCursor(Math.floor(limits.x0 + ((point.x - curve.x) / curve.w) * (limits.x1 - limits.x0)));
    if (area === 'axis' || area === 'strip') return this.#actions.moveCursor(Math.floor(this.#chart.scales.step(point.x)));
    if (area !== 'map') return undefined;
    const i = this.#chart.bufferAt(point.x, point.y);
    if (i >= 0) this.#actions.select(i, { reveal: false });
    else this.#actions.set({ selected: -1, why: null });
    this.#actions.moveCursor(Math.floor(this.#chart.scales.step(point.x)), i >= 0);
    return undefined;
  }

  /** @param {MouseEvent} event */
  #doubleClick(event) {
    const point = this.#at(event);
    if (this.#areaOf(point) !== 'map') return this.#actions.fitAll();
    const i = this.#chart.bufferAt(point.x, point.y);
    if (i >= 0) this.#actions.zoomTo(i);
    else this.#actions.fitAll();
    return undefined;
  }

  // ---- wheel ----

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.#hideTip();
    const { view, limits, wheelZooms, down } = this.#store.state;
    const { map } = this.#chart.geometry;
    const scale = event.deltaMode === 1 ? LINE_PIXELS : event.deltaMode === 2 ? PAGE_PIXELS : 1;
    const dx = event.deltaX * scale;
    const dy = event.deltaY * scale;
    const zooms = event.ctrlKey || event.metaKey || event.altKey || (wheelZooms && !event.shiftKey);
    if (zooms) {
      const factor = Math.max(0.1, Math.min(10, 2 ** (-damp(dy) / 120)));
      const { step, byte } = this.#chart.scales;
      const point = this.#at(event);
      const axes = { x: !event.altKey, y: !event.shiftKey };
      return this.#actions.look(zoomAt(view, factor, step(point.x), byte(point.y), axes));
    }
    if (same(view, limits)) this.#showHint();
    const perX = (view.x1 - view.x0) / map.w;
    const perY = ((view.y1 - view.y0) / map.h) * (down ? -1 : 1);
    return this.#actions.look(event.shiftKey ? pan(view, (dx || dy) * perX, 0) : pan(view, dx * perX, -dy * perY));
  }

  #showHint() {
    this.#hint.textContent = 'Ctrl+wheel to zoom';
    this.#hint.classList.add('on');
    clearTimeout(this.#hintTimer);
    this.#hintTimer = window.setTimeout(() => this.#hint.classList.remove('on'), HINT_MS);
  }

  // ---- hover ----

  /** @param {Point} point @param {boolean} isTouch */
  #hover(point, isTouch) {
    const { facts, hover } = this.#store.state;
    if (!facts) return;
    const isMap = this.#areaOf(point) === 'map';
    this.#chart.pointer = isMap && !isTouch ? point : null;
    this.#chart.draw('over');
    const i = isMap ? this.#chart.bufferAt(point.x, point.y) : -1;
    if (Math.max(-1, i) !== hover) this.#actions.set({ hover: Math.max(-1, i) });
    const key = isMap ? (i === -2 ? -2 - Math.floor(this.#chart.scales.step(point.x)) : i) : -1;
    if (key === -1) return this.#hideTip();
    if (key !== this.#tipFor) this.#showTip(i, point, key);
    return undefined;
  }

  /** @param {number} i @param {Point} point @param {number} key */
  #showTip(i, point, key) {
    const { facts } = this.#store.state;
    if (!facts) return;
    this.#tipFor = key;
    const step = Math.floor(this.#chart.scales.step(point.x));
    this.#tip.replaceChildren(...(i >= 0 ? tipOfBuffer(facts, i, step) : tipOfHole(facts, step, this.#chart.scales.byte(point.y))));
    this.#tip.hidden = false;
    const box = this.#element.getBoundingClientRect();
    const { width, height } = this.#tip.getBoundingClientRect();
    const x = box.left + point.x + 16;
    const y = box.top + point.y + 18;
    this.#tip.style.left = `${Math.max(8, x + width > innerWidth - 8 ? box.left + point.x - width - 16 : x)}px`;
    this.#tip.style.top = `${Math.max(8, y + height > innerHeight - 8 ? box.top + point.y - height - 14 : y)}px`;
    if (i >= 0) this.#countHere(i, point);
  }

  /** Where buffers are smaller than a pixel: how many there are. @param {number} i @param {Point} point */
  async #countHere(i, point) {
    const { facts } = this.#store.state;
    if (!facts) return;
    const { perStep, perByte } = this.#chart.scales;
    const { first, last, bytes: sizes } = facts.columns;
    if ((at(last, i) - at(first, i) + 1) * perStep >= 2 && at(sizes, i) * perByte >= 2) return;
    const tip = this.#tipFor;
    const count = await this.#chart.countAt(point.x, point.y);
    if (count < 2 || tip !== this.#tipFor) return;
    this.#tip.append(span(`≈ ${count} tensors here: zoom in`));
  }

  #hideTip() {
    this.#tip.hidden = true;
    this.#tipFor = -1;
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (event.relatedTarget === this.#tip) return;
    this.#hideTip();
    this.#chart.pointer = null;
    this.#chart.draw('over');
    if (this.#store.state.hover >= 0) this.#actions.set({ hover: -1 });
  }
}

/** Wheel steps of a notched mouse are large, those of a trackpad small: the large ones count less. @param {number} delta */
function damp(delta) {
  return Math.sign(delta) * Math.min(120, Math.abs(delta) > 30 ? 20 + 10 * Math.log2(Math.abs(delta) / 15) : Math.abs(delta));
}

/** @param {string} text */
const span = (text) => h('span', { text });

/** @param {string} text */
const bold = (text) => h('b', { text });

/** @param {import('./facts.js').Facts} facts @param {number} i @param {number} step */
function tipOfBuffer(facts, i, step) {
  const { offset, bytes: sizes, first, last } = facts.columns;
  const low = at(offset, i);
  const written = facts.op(i);
  const [clash] = facts.clashesOf(i);
  return [
    bold(facts.label(i)),
    span(`${bytes(at(sizes, i))} at ${hex(low)} to ${hex(low + at(sizes, i))}`),
    span(`steps ${life(at(first, i), at(last, i))}${written ? `, written by ${written}` : ''}`),
    span(`step ${step}: ${bytes(facts.liveBytes(step))} live, ${bytes(Math.max(0, facts.head.arena_bytes - facts.liveBytes(step)))} free`),
    ...(clash ? [span(`shares bytes with ${facts.label(clash.a === i ? clash.b : clash.a)}`)] : []),
  ];
}

/** @param {import('./facts.js').Facts} facts @param {number} step @param {number} byte */
function tipOfHole(facts, step, byte) {
  if (facts.n > HUGE) return [bold('Free, below a live tensor'), span(`step ${step}: ${bytes(facts.liveBytes(step))} live`)];
  const { offset, bytes: sizes } = facts.columns;
  let low = 0;
  let high = facts.head.arena_bytes;
  for (const i of facts.liveAt(step)) {
    if (!facts.isPlaced(i)) continue;
    const from = at(offset, i);
    const to = from + at(sizes, i);
    if (to <= byte) low = Math.max(low, to);
    if (from > byte) high = Math.min(high, from);
  }
  return [bold('Free, below a live tensor'), span(`${bytes(high - low)} at ${hex(low)} to ${hex(high)}`), span(`step ${step}: ${bytes(facts.liveBytes(step))} live`)];
}

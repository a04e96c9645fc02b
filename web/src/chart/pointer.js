/** Mouse and touch on the chart: panning, pinching, selecting steps and rectangles, clicks. */
import { hoverAt } from './hover.js';
import { areaOf } from './geometry.js';
import { pan, same } from './viewport.js';

/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('./chart.js').Chart} Chart */
/** @typedef {import('../types.js').Viewport} Viewport */
/** @typedef {import('./geometry.js').Area} Area */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ kind: 'pan' | 'range' | 'band' | 'cursor' | 'pinch' | 'press', start: Point, from: Viewport, moved: boolean, area: Area }} Gesture */

/** Pixels before a press becomes a drag. */
const THRESHOLD = 5;
const LONG_PRESS_MS = 500;
/** Narrower and lower rectangles than this are no wish. */
const LEAST_BAND = 4;

export class PointerInput {
  #store;
  #actions;
  #chart;
  #element;
  #tip;
  /** @type {Map<number, Point>} */
  #down = new Map();
  /** @type {Gesture | null} */
  #gesture = null;
  #spaceHeld = false;
  #pressTimer = 0;
  /** @type {Point[]} */
  #pinchStart = [];

  /** @param {Store} store @param {Actions} actions @param {Chart} chart @param {HTMLElement} element @param {import('./tip.js').Tip} tip */
  constructor(store, actions, chart, element, tip) {
    this.#store = store;
    this.#actions = actions;
    this.#chart = chart;
    this.#element = element;
    this.#tip = tip;
    element.addEventListener('pointerdown', (event) => this.#press(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#release(event));
    element.addEventListener('pointercancel', (event) => this.#release(event));
    element.addEventListener('pointerleave', (event) => this.#leave(event));
    element.addEventListener('dblclick', (event) => this.#doubleClick(event));
    addEventListener('keydown', (event) => {
      if (event.code === 'Space') this.#spaceHeld = true;
      if (event.key === 'Escape') tip.hide();
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

  /** @param {PointerEvent} event */
  #press(event) {
    const start = this.#at(event);
    this.#down.set(event.pointerId, start);
    this.#element.setPointerCapture(event.pointerId);
    const from = this.#store.state.look.view;
    const area = areaOf(this.#chart.geometry, start);
    if (this.#down.size === 2) {
      this.#gesture = { kind: 'pinch', start, from, moved: true, area };
      this.#pinchStart = [...this.#down.values()].map((point) => ({ ...point }));
      return;
    }
    const wantsPan = event.button === 1 || this.#spaceHeld;
    /** @type {Record<Area, Gesture['kind']>} */
    const kinds = { map: event.shiftKey ? 'band' : 'pan', curve: 'range', axis: 'range', strip: 'cursor', ruler: 'press' };
    this.#gesture = { kind: wantsPan ? 'pan' : kinds[area], start, from, moved: false, area };
    if (event.pointerType === 'touch') {
      clearTimeout(this.#pressTimer);
      this.#pressTimer = window.setTimeout(() => this.#longPress(start), LONG_PRESS_MS);
    }
    if (event.button === 1) event.preventDefault();
  }

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
    if (!gesture.moved && Math.hypot(point.x - gesture.start.x, point.y - gesture.start.y) < THRESHOLD) return;
    if (!gesture.moved) this.#startDrag(gesture);
    if (gesture.kind === 'pan') this.#pan(gesture, point);
    else if (gesture.kind === 'cursor') this.#actions.selection.moveCursor(this.#stepAt(point, 'strip'));
    else if (gesture.kind !== 'press') this.#drawBand(gesture, point);
  }

  /** @param {Gesture} gesture */
  #startDrag(gesture) {
    gesture.moved = true;
    clearTimeout(this.#pressTimer);
    this.#tip.hide();
    this.#chart.pointer = null;
    this.#actions.selection.set({ hover: -1 });
    if (gesture.kind === 'pan') this.#element.classList.add('grab');
  }

  /** @param {Gesture} gesture @param {Point} point */
  #pan({ start, from }, point) {
    const { map } = this.#chart.geometry;
    const sign = this.#store.state.look.down ? -1 : 1;
    const dx = (-(point.x - start.x) * (from.x1 - from.x0)) / map.w;
    const dy = (sign * (point.y - start.y) * (from.y1 - from.y0)) / map.h;
    this.#actions.look.look(pan(from, dx, dy));
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
    const up = this.#store.state.look.down ? -1 : 1;
    const y = up > 0 ? from.y0 + (map.y + map.h - (a.y + b.y) / 2) * ys : from.y0 + ((a.y + b.y) / 2 - map.y) * ys;
    const wide = { x0: x - (x - from.x0) / fx, x1: x + (from.x1 - x) / fx, y0: y - (y - from.y0) / fy, y1: y + (from.y1 - y) / fy };
    this.#actions.look.look(pan(wide, (-((p.x + q.x - a.x - b.x) / 2) * xs) / fx, (((up * (p.y + q.y - a.y - b.y)) / 2) * ys) / fy));
  }

  /** @param {Gesture} gesture @param {Point} point */
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
    const point = this.#at(event);
    if (!gesture.moved) this.#click(point, gesture.area, event);
    else if (gesture.kind === 'range') this.#actions.selection.selectSteps(this.#stepAt(gesture.start, gesture.area), this.#stepAt(point, gesture.area));
    else if (gesture.kind === 'band' && band) this.#zoomToBand(band);
  }

  /** The step at a point: the curve shows all of them, the rest those in view. @param {Point} point @param {Area} area */
  #stepAt({ x }, area) {
    const { limits } = this.#store.state.look;
    const { curve } = this.#chart.geometry;
    return Math.floor(area === 'curve' ? limits.x0 + ((x - curve.x) / curve.w) * (limits.x1 - limits.x0) : this.#chart.scales.step(x));
  }

  /** @param {import('./geometry.js').Box} band */
  #zoomToBand(band) {
    if (band.w < LEAST_BAND || band.h < LEAST_BAND) return;
    const { step, byte } = this.#chart.scales;
    const [a, b] = [byte(band.y + band.h), byte(band.y)];
    this.#actions.look.goTo({ x0: step(band.x), x1: step(band.x + band.w), y0: Math.min(a, b), y1: Math.max(a, b) });
  }

  /** @param {Point} point @param {Area} area @param {PointerEvent} event */
  #click(point, area, event) {
    const { facts } = this.#store.state.file;
    if (!facts || event.button > 0 || area === 'ruler') return;
    const { selection } = this.#actions;
    if (area !== 'map') return selection.moveCursor(this.#stepAt(point, area));
    const found = hoverAt(this.#chart, facts, point);
    if (found.kind === 'kept') return selection.selectKept();
    if (found.kind === 'buffer') selection.select(found.buffer, { reveal: false });
    else selection.set({ selected: -1, kept: false, range: null, why: null });
    return selection.moveCursor(this.#stepAt(point, 'map'), found.kind === 'buffer');
  }

  /** @param {MouseEvent} event */
  #doubleClick(event) {
    const { facts } = this.#store.state.file;
    const point = this.#at(event);
    const area = areaOf(this.#chart.geometry, point);
    if (!facts || area === 'strip') return;
    const found = hoverAt(this.#chart, facts, point);
    if (area === 'map' && found.kind === 'buffer') this.#actions.look.zoomTo(found.buffer);
    else this.#actions.look.fitAll();
  }

  /** @param {Point} point @param {boolean} isTouch */
  #hover(point, isTouch) {
    const { file: { facts }, selection: { hover } } = this.#store.state;
    if (!facts) return;
    const area = areaOf(this.#chart.geometry, point);
    this.#chart.pointer = area === 'map' && !isTouch ? point : null;
    this.#chart.draw('over');
    const found = area === 'map' ? hoverAt(this.#chart, facts, point) : null;
    const now = found?.kind === 'buffer' ? found.buffer : -1;
    if (now !== hover) this.#actions.selection.set({ hover: now });
    if (found) this.#tip.showFound(facts, found, point);
    else if (area === 'ruler') this.#tip.hide();
    else this.#tip.showStep(facts, this.#stepAt(point, area), point);
  }

  /** @param {PointerEvent} event */
  #leave(event) {
    if (this.#tip.holds(event.relatedTarget)) return;
    this.#tip.hide();
    this.#chart.pointer = null;
    this.#chart.draw('over');
    if (this.#store.state.selection.hover >= 0) this.#actions.selection.set({ hover: -1 });
  }
}

/** One finger scrolls the page as long as the map shows everything; else it pans. @param {HTMLElement} element @param {Viewport} view @param {Viewport} limits */
export function followTouch(element, view, limits) {
  element.classList.toggle('whole', same(view, limits));
}

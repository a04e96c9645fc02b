/**
 * The chart: curve, map, rulers, operator strip. The core paints the map's pixels; this draws them and what
 * stands around and over them. `base` changes with plan, view and theme; `over` with hover and selection.
 */
import { layOut, scales } from './geometry.js';
import { makeClasses } from '../model/groups.js';
import { drawBase } from './draw-base.js';
import { drawOver } from './draw-over.js';
import { changed } from '../state/store.js';
import { readTheme } from './theme.js';

/** @typedef {import('../state/selectors.js').ChartState} ChartState */
/** @typedef {import('../engine/host.js').Host} Host */
/** @typedef {{ host: () => Host, failed: (failure: import('../types.js').Failure) => void, laidOut?: (geometry: import('./geometry.js').Geometry) => void, painted?: () => void }} Around  what a chart asks, and whom it tells */
/** @typedef {import('../types.js').Picture} Picture */
/** @typedef {import('../types.js').Viewport} Viewport */

/** At most twice as fine as CSS pixels, and at most eight million pixels. */
const MOST_RATIO = 2;
const MOST_PIXELS = 8e6;
/** A picture that takes longer is not painted in every frame of a gesture, but when it pauses so long. */
const DEAR_MS = 8;
const SETTLE_MS = 30;

export class Chart {
  #around;
  #container;
  #base;
  #over;
  /** @type {ChartState} */
  #state;
  /** The painted map, as the core last gave it. */
  #scene = document.createElement('canvas');
  /** @type {Picture | null} */
  #picture = null;
  /** @type {{ live: Float64Array, high: Float64Array } | null} */
  #curve = null;
  #asked = false;
  #stale = false;
  #settle = 0;
  #painting = 0;
  #frame = 0;
  #dirty = { base: false, over: false };
  #told = false;
  /** Script time of the latest frames, for the bench: this thread's part. */
  frameTimes = /** @type {number[]} */ ([]);
  /** What the latest pictures took the engine, milliseconds. */
  pictureTimes = /** @type {number[]} */ ([]);
  geometry = layOut(800, 800);
  theme = readTheme();
  /** The latest pointer position over the map, for the crosshair. @type {{ x: number, y: number } | null} */
  pointer = null;
  /** A rubber band or a range being drawn, in CSS pixels. @type {import('./geometry.js').Box | null} */
  band = null;

  /**
   * @param {ChartState} state
   * @param {Around} around
   * @param {{ container: HTMLElement, base: HTMLCanvasElement, over: HTMLCanvasElement }} elements
   */
  constructor(state, around, { container, base, over }) {
    this.#state = state;
    this.#around = around;
    this.#container = container;
    this.#base = base;
    this.#over = over;
    new ResizeObserver(() => this.resize()).observe(container);
    addEventListener('resize', () => this.resize());
    base.addEventListener('contextlost', () => around.failed({ title: 'The browser took the canvas back', text: 'It ran out of graphics memory. The table below still shows every tensor.', next: '', detail: 'contextlost', offers: 'coarser' }));
    base.addEventListener('contextrestored', () => this.draw('base'));
    this.resize();
  }

  get ratio() {
    const { map } = this.geometry;
    return Math.min(MOST_RATIO, devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (map.w * map.h))) / (this.#state.coarse ? 2 : 1);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.#container;
    if (width === 0 || height === 0) return;
    const geometry = layOut(width, height);
    const isSame = geometry.width === this.geometry.width && geometry.height === this.geometry.height;
    const scale = this.ratio;
    if (isSame && this.#base.width === Math.round(width * scale)) return;
    this.geometry = geometry;
    for (const canvas of [this.#base, this.#over]) {
      canvas.width = Math.round(geometry.width * this.ratio);
      canvas.height = Math.round(geometry.height * this.ratio);
    }
    this.#around.laidOut?.(geometry);
    this.#askCurve();
    this.ask();
    this.draw('base');
  }

  /** @param {ChartState} state @param {Partial<ChartState>} before */
  show(state, before) {
    this.#state = state;
    if (changed(state, before, 'theme')) this.theme = readTheme();
    if (changed(state, before, 'coarse')) this.resize();
    if (changed(state, before, 'facts')) {
      this.#askCurve();
      this.#askPaint();
    } else if (changed(state, before, 'groups', 'lit', 'theme')) this.#askPaint();
    else if (changed(state, before, 'view', 'down')) this.#askSoon();
    if (changed(state, before, 'facts', 'view', 'down', 'theme', 'groups', 'lit', 'limits', 'endBefore', 'budget', 'decimal', 'marks', 'hits', 'topWhy')) this.draw('base');
    if (changed(state, before, 'selected', 'hover', 'pinned', 'cursor', 'range', 'kept', 'ghosts')) this.draw('over');
  }

  /** Draws before the next frame. @param {'base' | 'over'} layer  base includes over */
  draw(layer) {
    this.#dirty[layer] = true;
    if (layer === 'base') this.#dirty.over = true;
    this.#frame ||= requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow() {
    this.#frame = 0;
    const started = performance.now();
    const { base, over } = this.#dirty;
    this.#dirty = { base: false, over: false };
    const [below, above] = [base ? this.#context(this.#base) : null, over ? this.#context(this.#over) : null];
    if (base && !below && this.#state.facts) this.#tellNoCanvas();
    if (below) drawBase(below, this.#state, this, this.#curve);
    if (above) drawOver(above, this.#state, this);
    this.frameTimes.push(performance.now() - started);
    if (this.frameTimes.length > 1000) this.frameTimes.shift();
  }

  /** Once. */
  #tellNoCanvas() {
    if (this.#told) return;
    this.#told = true;
    this.#around.failed({ title: 'There is no canvas to draw on', text: 'This browser gives the page no 2D canvas, so there is no map. The table below still shows every tensor.', next: 'Use a current browser, or allow canvases.', detail: 'no 2D canvas' });
  }

  /** @param {HTMLCanvasElement} canvas */
  #context(canvas) {
    const context = canvas.getContext('2d');
    context?.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context?.clearRect(0, 0, this.geometry.width, this.geometry.height);
    return context;
  }

  /** The scales of the view as it is now. */
  get scales() {
    return scales(this.#state.view, this.geometry.map, this.#state.down);
  }

  get scene() {
    return this.#picture ? { canvas: this.#scene, picture: this.#picture } : null;
  }

  get curve() {
    return this.#curve;
  }

  /** The chart with its map painted at another scale and in a theme, for exports. @param {number} scale @param {import('./theme.js').Theme} theme */
  async pictureAt(scale, theme) {
    const { map } = this.geometry;
    const frame = { ...this.#state.view, width: Math.round(map.w * scale), height: Math.round(map.h * scale), down: this.#state.down };
    const { facts, groups, lit } = this.#state;
    const { geometry, scales: now } = this;
    const classes = facts && makeClasses(facts, groups, lit);
    const host = this.#around.host();
    // Calls come in order: nothing else is painted between these.
    host.call('paint', [classes, theme.inks]);
    const painted = host.call('picture', [frame, Math.max(1, Math.round(scale))]);
    host.call('paint', [classes, this.theme.inks]);
    /** @type {Picture} */
    const picture = await painted;
    return { geometry, theme, scales: now, scene: { canvas: canvasOf(picture), picture } };
  }

  /** The frame to paint for the present view. @returns {import('../types.js').Frame} */
  #frameNow() {
    const { map } = this.geometry;
    return {
      ...this.#state.view,
      width: Math.max(1, Math.round(map.w * this.ratio)),
      height: Math.max(1, Math.round(map.h * this.ratio)),
      down: this.#state.down,
    };
  }

  /** While a gesture runs, the last picture is moved and scaled; a costly one is painted anew when it pauses. */
  #askSoon() {
    clearTimeout(this.#settle);
    this.#settle = 0;
    if ((this.#picture?.cost ?? 0) <= DEAR_MS) this.ask();
    else this.#settle = window.setTimeout(() => this.#paintLate(), Math.max(SETTLE_MS, this.#picture?.cost ?? 0));
  }

  #paintLate() {
    this.#settle = 0;
    this.ask();
  }

  /** Whether what is to be seen is drawn. */
  get isSettled() {
    return !this.#asked && this.#painting === 0 && this.#settle === 0 && this.#frame === 0;
  }

  /** Asks for a picture of the present view. One is on its way at most; what changes meanwhile asks again. */
  async ask() {
    if (!this.#state.facts) return;
    if (this.#asked) {
      this.#stale = true;
      return;
    }
    this.#asked = true;
    try {
      do {
        this.#stale = false;
        this.#take(await this.#around.host().call('picture', [this.#frameNow(), Math.max(1, Math.round(this.ratio))]));
      } while (this.#stale);
    } catch (failure) {
      if (!this.#stale) this.#around.failed({ .../** @type {import('../types.js').Failure} */ (failure), ...(this.#state.coarse ? {} : { offers: 'coarser' }) });
    } finally {
      this.#asked = false;
    }
  }

  /** @param {Picture} picture */
  #take(picture) {
    this.#picture = picture;
    this.pictureTimes.push(picture.cost);
    if (this.pictureTimes.length > 1000) this.pictureTimes.shift();
    canvasOf(picture, this.#scene);
    this.draw('base');
    this.#around.painted?.();
  }

  /** New colours, then a new picture. */
  async #askPaint() {
    const { facts, groups, lit } = this.#state;
    if (!facts) return;
    this.#painting++;
    try {
      await this.#around.host().call('paint', [makeClasses(facts, groups, lit), this.theme.inks]);
    } finally {
      this.#painting--;
    }
    await this.ask();
  }

  async #askCurve() {
    const { facts } = this.#state;
    if (!facts) return;
    const width = Math.max(1, Math.round(this.geometry.curve.w));
    const frame = { x0: 0, x1: Math.max(1, facts.head.steps), y0: 0, y1: 16, width, height: 1, down: false };
    const curve = await this.#around.host().call('curve', [frame]).catch(() => null);
    if (this.#state.facts !== facts) return;
    this.#curve = curve;
    this.draw('base');
  }

  /** The buffer at a point of the map; -1 when there is none, -2 for a hole. @param {number} x @param {number} y */
  bufferAt(x, y) {
    const picture = this.#picture;
    if (!picture) return -1;
    const pixel = this.#pixelAt(x, y, picture);
    const id = picture.ids[pixel.y * picture.width + pixel.x] ?? 0;
    if (id === 0xffffffff) return -2;
    return id === 0 || id === 0xfffffffe ? -1 : id - 1;
  }

  /** @param {number} x @param {number} y @param {Picture} picture */
  #pixelAt(x, y, picture) {
    const { step, byte } = this.scales;
    const { x0, x1, y0, y1 } = picture.viewport;
    const column = Math.floor(((step(x) - x0) / (x1 - x0)) * picture.width);
    const row = Math.floor(((byte(y) - y0) / (y1 - y0)) * picture.height);
    const clampTo = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, value));
    return { x: clampTo(column, picture.width), y: clampTo(this.#state.down ? row : picture.height - 1 - row, picture.height) };
  }

  /** How many buffers share the pixel at a point. @param {number} x @param {number} y @returns {Promise<number>} */
  async countAt(x, y) {
    const picture = this.#picture;
    if (!picture) return 0;
    const pixel = this.#pixelAt(x, y, picture);
    const frame = { ...picture.viewport, width: picture.width, height: picture.height, down: this.#state.down };
    const { count } = await this.#around.host().call('pick', [frame, pixel.x, pixel.y]).catch(() => ({ count: 0 }));
    return count;
  }
}

/** The picture's pixels on a canvas. @param {Picture} picture @param {HTMLCanvasElement} canvas */
function canvasOf(picture, canvas = document.createElement('canvas')) {
  canvas.width = picture.width;
  canvas.height = picture.height;
  const pixels = /** @type {Uint8ClampedArray<ArrayBuffer>} */ (picture.pixels);
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, picture.width, picture.height), 0, 0);
  return canvas;
}

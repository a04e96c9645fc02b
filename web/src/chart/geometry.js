/** Where the chart's parts lie, in CSS pixels, and between steps, bytes and pixels. Pure. */

/** @typedef {import('../types.js').Viewport} Viewport */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ width: number, height: number, isNarrow: boolean, curve: Box, map: Box, axis: Box, strip: Box }} Geometry */

const CURVE_TOP = 8;
const LEAST_CURVE = 26;
const MOST_CURVE = 64;
const BETWEEN = 26;
const STRIP_HEIGHT = 16;
const AXIS_HEIGHT = 18;
const LEAST_MAP = 60;
/** Narrower than this there is no room for labels beside the map. */
const NARROW = 620;

/**
 * @param {number} width @param {number} height  of all there is to draw on
 * @returns {Geometry}
 */
export function layOut(width, height) {
  const isNarrow = width < NARROW;
  const left = isNarrow ? 58 : 68;
  const right = isNarrow ? 8 : 126;
  const w = Math.max(40, width - left - right);
  const curve = { x: left, y: CURVE_TOP, w, h: Math.round(Math.max(LEAST_CURVE, Math.min(MOST_CURVE, height * 0.13))) };
  const top = curve.y + curve.h + BETWEEN;
  const map = { x: left, y: top, w, h: Math.max(LEAST_MAP, height - top - STRIP_HEIGHT - AXIS_HEIGHT - 4) };
  const strip = { x: left, y: map.y + map.h + 2, w, h: STRIP_HEIGHT };
  const axis = { x: left, y: strip.y + strip.h, w, h: AXIS_HEIGHT };
  return { width, height, isNarrow, curve, map, axis, strip };
}

/** @param {Box} box @param {number} x @param {number} y */
export function holds(box, x, y) {
  return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;
}

/** @typedef {'map' | 'curve' | 'axis' | 'strip' | 'ruler'} Area */

/** How far around the curve a point is still on it. */
const AROUND_CURVE = 6;

/** @param {Geometry} geometry @param {{ x: number, y: number }} point @returns {Area} */
export function areaOf({ map, curve, axis, strip }, { x, y }) {
  if (holds(map, x, y)) return 'map';
  if (x >= curve.x && x < curve.x + curve.w && y < curve.y + curve.h + AROUND_CURVE) return 'curve';
  if (holds(strip, x, y)) return 'strip';
  return holds(axis, x, y) ? 'axis' : 'ruler';
}

/**
 * Scales between a viewport and the map's box.
 * @param {Viewport} view
 * @param {Box} box
 * @param {boolean} down
 */
export function scales(view, box, down) {
  const perStep = box.w / (view.x1 - view.x0);
  const perByte = box.h / (view.y1 - view.y0);
  return {
    perStep,
    perByte,
    x: (/** @type {number} */ step) => box.x + (step - view.x0) * perStep,
    y: (/** @type {number} */ byte) => (down ? box.y + (byte - view.y0) * perByte : box.y + box.h - (byte - view.y0) * perByte),
    step: (/** @type {number} */ x) => view.x0 + (x - box.x) / perStep,
    byte: (/** @type {number} */ y) => (down ? view.y0 + (y - box.y) / perByte : view.y0 + (box.y + box.h - y) / perByte),
  };
}

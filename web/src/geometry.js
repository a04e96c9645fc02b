/** Where the chart's parts lie, in CSS pixels, and between steps, bytes and pixels. Pure. */

/** @typedef {import('./types.js').Viewport} Viewport */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ width: number, height: number, curve: Box, map: Box, axis: Box, strip: Box }} Geometry */

const CURVE_TOP = 14;
const CURVE_HEIGHT = 78;
const BETWEEN = 38;
const AXIS_HEIGHT = 20;
const STRIP_HEIGHT = 15;
const BELOW = 10;

/**
 * @param {number} width
 * @param {number} windowHeight
 * @returns {Geometry}
 */
export function layOut(width, windowHeight) {
  const isNarrow = width < 560;
  const left = isNarrow ? 70 : 78;
  const right = isNarrow ? 10 : 18;
  const w = Math.max(40, width - left - right);
  const mapHeight = Math.round(Math.max(260, Math.min(isNarrow ? 540 : 620, windowHeight * (isNarrow ? 0.6 : 0.48))));
  const curve = { x: left, y: CURVE_TOP, w, h: CURVE_HEIGHT };
  const map = { x: left, y: curve.y + curve.h + BETWEEN, w, h: mapHeight };
  const axis = { x: left, y: map.y + map.h, w, h: AXIS_HEIGHT };
  const strip = { x: left, y: axis.y + axis.h, w, h: STRIP_HEIGHT };
  return { width, height: strip.y + strip.h + BELOW, curve, map, axis, strip };
}

/** @param {Box} box @param {number} x @param {number} y */
export function holds(box, x, y) {
  return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;
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

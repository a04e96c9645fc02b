/** The part of the plan in view: steps [x0, x1) by bytes [y0, y1). Pure arithmetic. */

/** @typedef {import('../types.js').Viewport} Viewport */

/** Closest zoom: one step over half the width; 24 px for an alignment unit. */
const MIN_STEPS = 2;
const UNIT_PIXELS = 24;

/**
 * Everything: all steps, the arena (or what must be shown beside it, a bound or a budget) and some air.
 * @param {number} steps
 * @param {number} arenaBytes
 * @returns {Viewport}
 */
export function fitAll(steps, arenaBytes) {
  return { x0: 0, x1: Math.max(1, steps), y0: 0, y1: Math.max(16, arenaBytes) };
}

/**
 * Keeps a viewport inside `limits` and no closer than there is something to see.
 * @param {Viewport} view
 * @param {Viewport} limits
 * @param {number} alignment
 * @param {number} pixelsHigh
 * @returns {Viewport}
 */
export function clamp(view, limits, alignment, pixelsHigh) {
  const [x0, x1] = clampAxis(view.x0, view.x1, limits.x0, limits.x1, MIN_STEPS);
  const [y0, y1] = clampAxis(view.y0, view.y1, limits.y0, limits.y1, (alignment * pixelsHigh) / UNIT_PIXELS);
  return { x0, x1, y0, y1 };
}

/** @param {number} from @param {number} to @param {number} low @param {number} high @param {number} least @returns {[number, number]} */
function clampAxis(from, to, low, high, least) {
  const whole = high - low;
  const span = Math.min(whole, Math.max(Math.min(least, whole), to - from));
  const middle = (from + to) / 2;
  const start = Math.min(high - span, Math.max(low, to - from === span ? from : middle - span / 2));
  return [start, start + span];
}

/**
 * @param {Viewport} view
 * @param {number} factor  above 1: closer
 * @param {number} x  the point that stays, in steps
 * @param {number} y  in bytes
 * @param {{ x: boolean, y: boolean }} axes
 * @returns {Viewport}
 */
export function zoomAt(view, factor, x, y, axes) {
  const fx = axes.x ? 1 / factor : 1;
  const fy = axes.y ? 1 / factor : 1;
  return {
    x0: x - (x - view.x0) * fx,
    x1: x + (view.x1 - x) * fx,
    y0: y - (y - view.y0) * fy,
    y1: y + (view.y1 - y) * fy,
  };
}

/** @param {Viewport} view @param {number} dx  steps @param {number} dy  bytes @returns {Viewport} */
export function pan(view, dx, dy) {
  return { x0: view.x0 + dx, x1: view.x1 + dx, y0: view.y0 + dy, y1: view.y1 + dy };
}

/** A view of one rectangle with air around it. @param {number} first @param {number} last @param {number} low @param {number} high @returns {Viewport} */
export function around(first, last, low, high) {
  const dx = Math.max(1, (last + 1 - first) * 0.75);
  const dy = Math.max(16, (high - low) * 0.75);
  return { x0: first - dx, x1: last + 1 + dx, y0: low - dy, y1: high + dy };
}

/** Moves a view, unscaled, so that a rectangle is in it; the same object when it is already. @param {Viewport} view @param {number} first @param {number} last @param {number} low @param {number} high @returns {Viewport} */
export function reveal(view, first, last, low, high) {
  const dx = shift(view.x0, view.x1, first, last + 1);
  const dy = shift(view.y0, view.y1, low, high);
  return dx === 0 && dy === 0 ? view : pan(view, dx, dy);
}

/** @param {number} from @param {number} to @param {number} low @param {number} high */
function shift(from, to, low, high) {
  if (high > from && low < to && (low >= from || high - low > to - from) && (high <= to || high - low > to - from)) return 0;
  return (low + high) / 2 - (from + to) / 2;
}

/** @param {Viewport} a @param {Viewport} b */
export function same(a, b) {
  return a.x0 === b.x0 && a.x1 === b.x1 && a.y0 === b.y0 && a.y1 === b.y1;
}

/**
 * Ticks at round numbers, at least `gap` pixels apart. Hexadecimal rulers step by powers of two.
 * @param {number} from
 * @param {number} to
 * @param {number} pixels
 * @param {number} gap
 * @param {boolean} powersOfTwo
 */
export function ticks(from, to, pixels, gap, powersOfTwo) {
  const least = ((to - from) / pixels) * gap;
  let step = 1;
  if (powersOfTwo) while (step < least) step *= 2;
  else for (let i = 0; step < least; i++) step = [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3);
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return list;
}

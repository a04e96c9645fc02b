/** The lower layer of the chart: curve, grid, the painted map with labels, rulers, operator strip. */
import { at } from './facts.js';
import { count, hex, short } from './format.js';
import { operatorGroup } from './groups.js';
import { same, ticks } from './viewport.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales' | 'scene'>} Chart  what there is to draw with */
/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {CanvasRenderingContext2D} Context */

const LABEL_WIDTH = 32;
const LABEL_HEIGHT = 14;
/** More labels than this nobody reads. */
const MOST_LABELS = 1500;
/** Below this many pixels a step, the strip shows the operator of each pixel. */
const MIN_CELL = 3;

/**
 * @param {Context} c
 * @param {State} state
 * @param {Chart} chart
 * @param {{ live: Float64Array, high: Float64Array } | null} curve
 */
export function drawBase(c, state, chart, curve) {
  const { facts } = state;
  if (!facts) return;
  c.textBaseline = 'middle';
  c.lineWidth = 1;
  if (curve) drawCurve(c, state, facts, chart, curve);
  drawGrid(c, state, chart);
  drawMap(c, state, facts, chart);
  drawLimits(c, state, facts, chart);
  drawSteps(c, state, facts, chart);
}

/** A crisp horizontal line. @param {Context} c @param {number} x @param {number} y @param {number} w */
function line(c, x, y, w) {
  c.beginPath();
  c.moveTo(x, Math.round(y) + 0.5);
  c.lineTo(x + w, Math.round(y) + 0.5);
  c.stroke();
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart @param {{ live: Float64Array, high: Float64Array }} curve */
function drawCurve(c, state, facts, { geometry, theme }, { live, high }) {
  const { curve: box } = geometry;
  const { head } = facts;
  const top = Math.max(head.arena_bytes, head.lower_bound_bytes, 1) * 1.04;
  const y = (/** @type {number} */ value) => box.y + box.h - (box.h * Math.min(value, top)) / top;
  const steps = Math.max(1, head.steps);
  const column = box.w / live.length;

  // The gap between what is live and the highest address in use is what fragmentation costs.
  c.fillStyle = theme.hole;
  for (let i = 0; i < live.length; i++) if (at(high, i) > at(live, i)) c.fillRect(box.x + i * column, y(at(high, i)), column + 0.5, y(at(live, i)) - y(at(high, i)));
  c.beginPath();
  c.moveTo(box.x, box.y + box.h);
  for (let i = 0; i < live.length; i++) {
    c.lineTo(box.x + i * column, y(at(live, i)));
    c.lineTo(box.x + (i + 1) * column, y(at(live, i)));
  }
  c.lineTo(box.x + box.w, box.y + box.h);
  c.fillStyle = theme.accent;
  c.globalAlpha = 0.16;
  c.fill();
  c.globalAlpha = 1;
  c.strokeStyle = theme.accent;
  c.lineWidth = 1.5;
  c.stroke();
  c.lineWidth = 1;

  dashed(c, box.x, y(head.lower_bound_bytes), box.w, theme.good, [4, 4]);
  if (state.budget !== null && state.budget <= top) dashed(c, box.x, y(state.budget), box.w, theme.bad, [1, 3]);
  if (state.hits.length > 0) drawHits(c, state, facts, box, steps, theme.ink);

  c.fillStyle = theme.muted;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'right';
  c.fillText('live', box.x - 8, box.y + box.h - 7);
  c.fillText(short(head.lower_bound_bytes), box.x - 8, Math.min(box.y + box.h - 24, y(head.lower_bound_bytes) + 1));
  drawBrush(c, state, box, theme);
  drawPeakMark(c, state, facts, geometry, theme);
}

/** @param {Context} c @param {number} x @param {number} y @param {number} w @param {string} colour @param {number[]} pattern */
function dashed(c, x, y, w, colour, pattern) {
  c.setLineDash(pattern);
  c.strokeStyle = colour;
  line(c, x, y, w);
  c.setLineDash([]);
}

/** Where search hits lie. @param {Context} c @param {State} state @param {Facts} facts @param {import('./geometry.js').Box} box @param {number} steps @param {string} colour */
function drawHits(c, state, facts, box, steps, colour) {
  const columns = new Set();
  for (const i of state.hits) columns.add(Math.round(box.x + (Math.max(0, at(facts.columns.first, i)) * box.w) / steps));
  c.fillStyle = colour;
  for (const x of columns) c.fillRect(x, box.y + box.h + 2, 2, 5);
}

/** What the map shows, when that is not everything. @param {Context} c @param {State} state @param {import('./geometry.js').Box} box @param {Chart['theme']} theme */
function drawBrush(c, { view, limits }, box, theme) {
  if (same(view, limits)) return;
  const whole = limits.x1 - limits.x0;
  const left = box.x + ((view.x0 - limits.x0) / whole) * box.w;
  const width = Math.max(3, ((view.x1 - view.x0) / whole) * box.w);
  c.fillStyle = theme.veil;
  c.fillRect(box.x, box.y - 2, left - box.x, box.h + 4);
  c.fillRect(left + width, box.y - 2, box.x + box.w - left - width, box.h + 4);
  c.strokeStyle = theme.edge;
  c.strokeRect(Math.round(left) + 0.5, box.y - 2.5, Math.round(width) - 1, box.h + 5);
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart['geometry']} geometry @param {Chart['theme']} theme */
function drawPeakMark(c, { view }, facts, { map }, theme) {
  const { step } = facts.head.peak;
  if (step < 0 || facts.head.peak.live_bytes === 0) return;
  const x = map.x + ((step + 0.5 - view.x0) / (view.x1 - view.x0)) * map.w;
  if (x < map.x || x > map.x + map.w) return;
  c.fillStyle = theme.ink;
  c.font = `600 11px ${theme.sans}`;
  const text = `peak, step ${step}`;
  const half = c.measureText(text).width / 2 + 12;
  const middle = Math.max(map.x + half, Math.min(map.x + map.w - half, x));
  c.textAlign = 'center';
  c.fillText(text, middle + 6, map.y - 11);
  c.beginPath();
  c.moveTo(middle - half + 4, map.y - 14);
  c.lineTo(middle - half + 13, map.y - 14);
  c.lineTo(middle - half + 8.5, map.y - 7);
  c.fill();
}

/** @param {Context} c @param {State} state @param {Chart} chart */
function drawGrid(c, { view, decimal }, { geometry, theme, scales }) {
  const { map } = geometry;
  c.font = `11px ${theme.mono}`;
  c.textAlign = 'right';
  for (const byte of ticks(Math.max(0, view.y0), view.y1, map.h, 44, true)) {
    const y = scales.y(byte);
    if (y < map.y - 0.5 || y > map.y + map.h + 0.5) continue;
    c.strokeStyle = theme.line;
    line(c, map.x, y, map.w);
    c.fillStyle = theme.muted;
    c.fillText(decimal ? short(byte) : hex(byte), map.x - 8, Math.max(map.y + 4, Math.min(map.y + map.h - 4, y)));
  }
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawMap(c, state, facts, chart) {
  const { map } = chart.geometry;
  const { scene, scales } = chart;
  if (!scene) return;
  const { canvas, picture } = scene;
  c.save();
  c.beginPath();
  c.rect(map.x, map.y, map.w, map.h);
  c.clip();
  c.imageSmoothingEnabled = false;
  const { x0, x1, y0, y1 } = picture.viewport;
  const top = Math.min(scales.y(y0), scales.y(y1));
  c.drawImage(canvas, scales.x(x0), top, (x1 - x0) * scales.perStep, (y1 - y0) * scales.perByte);
  drawLabels(c, state, facts, chart, picture.labels);
  drawClashes(c, facts, chart);
  c.restore();
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart @param {Uint32Array} labels */
function drawLabels(c, { lit }, facts, { geometry, theme, scales }, labels) {
  const { map } = geometry;
  const { offset, bytes, first, last } = facts.columns;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'left';
  for (let k = 0; k < labels.length && k < MOST_LABELS; k++) {
    const i = at(labels, k);
    const left = Math.max(map.x, scales.x(Math.max(0, at(first, i))));
    const right = Math.min(map.x + map.w, scales.x(at(last, i) + 1));
    const edges = [scales.y(at(offset, i)), scales.y(at(offset, i) + at(bytes, i))];
    const top = Math.max(map.y, Math.min(...edges));
    const height = Math.min(map.y + map.h, Math.max(...edges)) - top;
    const width = right - left;
    if (width < LABEL_WIDTH || height < LABEL_HEIGHT) continue;
    const kind = facts.kind(i);
    c.fillStyle = lit && lit[i] === 0 ? theme.muted : theme.onFill;
    if (kind === 'input') c.fillRect(left, top + 1, 3, height - 3);
    if (kind === 'output') c.fillRect(right - 4, top + 1, 3, height - 3);
    const room = width - 14;
    const middle = top + (height - 1) / 2;
    const name = fitted(c, facts.tinyLabel(i), room);
    if (name === '') continue;
    const two = height >= 31;
    c.fillText(name, left + 7, two ? middle - 7 : middle);
    if (two) c.fillText(fitted(c, count(at(bytes, i)), room), left + 7, middle + 7);
  }
}

/** The text, cut with an ellipsis where it must be; '' when not even that fits. @param {Context} c @param {string} text @param {number} room */
function fitted(c, text, room) {
  if (c.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (c.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}

/** Real overlaps, on top and in red. @param {Context} c @param {Facts} facts @param {Chart} chart */
function drawClashes(c, { plan }, { theme, scales }) {
  c.strokeStyle = theme.bad;
  c.fillStyle = theme.bad;
  for (const { bytes: [low, high], steps: [first, last] } of plan.clashes) {
    const x = scales.x(first);
    const y = Math.min(scales.y(low), scales.y(high));
    const w = Math.max(2, (last + 1 - first) * scales.perStep);
    const h = Math.max(2, (high - low) * scales.perByte);
    c.globalAlpha = 0.55;
    c.fillRect(x, y, w, h);
    c.globalAlpha = 1;
    c.lineWidth = 2;
    c.strokeRect(x, y, w, h);
    c.lineWidth = 1;
  }
}

/** The bound and the budget across the map. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawLimits(c, { budget, view }, { head }, { geometry, theme, scales }) {
  const { map } = geometry;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'right';
  /** @param {number} byte @param {string} text @param {string} colour @param {number[]} pattern @param {number} side */
  const limit = (byte, text, colour, pattern, side) => {
    if (byte <= view.y0 || byte >= view.y1) return;
    const y = scales.y(byte);
    dashed(c, map.x, y, map.w, colour, pattern);
    c.fillStyle = colour;
    c.strokeStyle = theme.card;
    c.lineWidth = 4;
    c.lineJoin = 'round';
    const above = side < 0 ? y - 16 >= map.y : y + 16 <= map.y + map.h;
    const at = y + (above ? side : -side) * 9;
    c.strokeText(text, map.x + map.w - 4, at);
    c.fillText(text, map.x + map.w - 4, at);
    c.lineWidth = 1;
  };
  const outside = scales.y(1) < scales.y(0) ? -1 : 1;
  if (head.lower_bound_bytes > 0) limit(head.lower_bound_bytes, `lower bound ${count(head.lower_bound_bytes)}`, theme.good, [4, 4], outside);
  if (budget !== null) limit(budget, `budget ${count(budget)}`, theme.bad, [1, 3], outside);
}

/** Step numbers and the operator of each. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawSteps(c, { view }, facts, { geometry, theme, scales }) {
  const { axis, strip } = geometry;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'center';
  c.fillStyle = theme.muted;
  const last = Math.min(facts.head.steps - 1, Math.ceil(view.x1) - 1);
  for (const step of ticks(Math.max(0, Math.floor(view.x0)), last, axis.w * ((last + 1 - view.x0) / (view.x1 - view.x0)), last > 999 ? 52 : 30, false)) {
    const x = scales.x(step + 0.5);
    if (x >= axis.x && x <= axis.x + axis.w && Number.isInteger(step)) c.fillText(count(step), x, axis.y + 11);
  }
  if (facts.head.timeline.length === 0) return;
  const group = (/** @type {number} */ step) => (facts.head.timeline[step]?.node === null ? 7 : operatorGroup(facts.opOfStep(step) || 'other'));
  if (scales.perStep >= MIN_CELL) {
    for (let step = Math.max(0, Math.floor(view.x0)); step <= last; step++) {
      const left = Math.max(strip.x, Math.round(scales.x(step)));
      const right = Math.min(strip.x + strip.w, Math.round(scales.x(step + 1)) - 1);
      c.fillStyle = theme.groups[group(step)] ?? theme.muted;
      if (right > left) c.fillRect(left, strip.y, right - left, strip.h);
    }
    return;
  }
  for (let x = 0; x < strip.w; x++) {
    const step = Math.floor(scales.step(strip.x + x));
    if (step < 0 || step > last) continue;
    c.fillStyle = theme.groups[group(step)] ?? theme.muted;
    c.fillRect(strip.x + x, strip.y, 1, strip.h);
  }
}

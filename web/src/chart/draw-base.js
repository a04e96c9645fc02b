/** The lower layer of the chart: curve, grid, the painted map with labels, rulers, operator strip. */
import { drawKept } from './draw-kept.js';
import { drawLines } from './draw-lines.js';
import { drawMap } from './draw-map.js';
import { dashed, fitted, line } from './pen.js';
import { drawRegions } from './draw-regions.js';
import { at } from '../model/facts.js';
import { count, hex, short } from '../model/format.js';
import { fillOf, operatorGroup } from '../model/groups.js';
import { same, ticks } from './viewport.js';

/** @typedef {import('../state/selectors.js').ChartState} State */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales' | 'scene'>} Chart  what there is to draw with */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {CanvasRenderingContext2D} Context */

/** Below this many pixels a step, the strip shows the operator of each pixel; from so many on, its name too. */
const MIN_CELL = 3;
const NAMED_CELL = 40;
/** Closer than this, lines at each alignment would be a grey field. */
const ALIGNED_PIXELS = 8;
/** The group of the model's inputs, and of whatever is no operator. */
const INPUT_GROUP = 7;

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
  drawKept(c, facts, chart);
  drawMap(c, state, facts, chart);
  drawLines(c, state, facts, chart);
  drawSteps(c, state, facts, chart);
  drawRegions(c, facts, chart);
  drawMarks(c, state, chart);
}

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart @param {{ live: Float64Array, high: Float64Array }} curve */
function drawCurve(c, state, facts, { geometry, theme }, { live, high }) {
  const { curve: box } = geometry;
  const { head } = facts;
  const most = Math.max(head.arena_bytes, facts.bound ?? head.peak.live_bytes);
  const top = Math.max(most, 1) * 1.04;
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

  if (facts.bound !== null) dashed(c, box.x, y(facts.bound), box.w, theme.good, [4, 4]);
  if (state.hits.length > 0) drawHits(c, state, facts, box, steps, theme.ink);

  c.fillStyle = theme.muted;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'right';
  c.fillText('live', box.x - 8, box.y + box.h - 6);
  const mark = facts.bound ?? head.peak.live_bytes;
  c.fillText(short(mark), box.x - 8, Math.min(box.y + box.h - 18, Math.max(box.y + 4, y(mark) + 1)));
  drawBrush(c, state, box, theme);
  drawPeakMark(c, state, facts, geometry, theme);
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
  const fits = x + 10 + c.measureText(text).width <= map.x + map.w;
  c.textAlign = fits ? 'left' : 'right';
  c.fillText(text, fits ? x + 9 : x - 9, map.y - 12);
  c.beginPath();
  c.moveTo(x - 4.5, map.y - 16);
  c.lineTo(x + 4.5, map.y - 16);
  c.lineTo(x, map.y - 8);
  c.fill();
}

/** @param {Context} c @param {State} state @param {Chart} chart */
function drawGrid(c, { view, decimal, facts }, { geometry, theme, scales }) {
  const { map } = geometry;
  const unit = facts?.head.alignment.tensor ?? 1;
  if (unit > 1 && unit * scales.perByte >= ALIGNED_PIXELS) {
    c.strokeStyle = theme.line;
    c.globalAlpha = 0.5;
    for (let byte = Math.ceil(view.y0 / unit) * unit; byte <= view.y1; byte += unit) line(c, map.x, scales.y(byte), map.w);
    c.globalAlpha = 1;
  }
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

/** Step numbers and the operator of each. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawSteps(c, { view }, facts, { geometry, theme, scales }) {
  const { axis, strip } = geometry;
  c.font = `11px ${theme.sans}`;
  c.textAlign = 'center';
  c.fillStyle = theme.muted;
  const last = Math.min(facts.head.steps - 1, Math.ceil(view.x1) - 1);
  for (const step of ticks(Math.max(0, Math.floor(view.x0)), last, axis.w * ((last + 1 - view.x0) / (view.x1 - view.x0)), last > 999 ? 52 : 30, false)) {
    const x = scales.x(step + 0.5);
    if (x >= axis.x && x <= axis.x + axis.w && Number.isInteger(step)) c.fillText(count(step), x, axis.y + 10);
  }
  if (facts.head.timeline.length === 0) return;
  const fill = (/** @type {number} */ step) => fillOf(facts.head.timeline[step]?.node === null ? INPUT_GROUP : operatorGroup(facts.opOfStep(step) || 'other'));
  if (scales.perStep >= MIN_CELL) {
    for (let step = Math.max(0, Math.floor(view.x0)); step <= last; step++) {
      const left = Math.max(strip.x, Math.round(scales.x(step)));
      const right = Math.min(strip.x + strip.w, Math.round(scales.x(step + 1)) - 1);
      c.fillStyle = theme.fills[fill(step)] ?? theme.muted;
      if (right > left) c.fillRect(left, strip.y, right - left, strip.h);
      if (right - left < NAMED_CELL) continue;
      c.font = `10px ${theme.sans}`;
      c.fillStyle = theme.onFill;
      c.fillText(fitted(c, facts.opOfStep(step), right - left - 6), (left + right) / 2, strip.y + strip.h / 2 + 0.5);
    }
    return;
  }
  for (let x = 0; x < strip.w; x++) {
    const step = Math.floor(scales.step(strip.x + x));
    if (step < 0 || step > last) continue;
    c.fillStyle = theme.fills[fill(step)] ?? theme.muted;
    c.fillRect(strip.x + x, strip.y, 1, strip.h);
  }
}

/** Steps that somebody marked: a flag over the map and a line through it, and the same on the curve. @param {Context} c @param {State} state @param {Chart} chart */
function drawMarks(c, { marks, limits }, { geometry, theme, scales }) {
  const { map, curve } = geometry;
  c.font = `600 11px ${theme.sans}`;
  c.textAlign = 'left';
  c.fillStyle = theme.warn;
  c.strokeStyle = theme.warn;
  for (const step of marks) {
    flag(c, Math.round(curve.x + ((step + 0.5 - limits.x0) / (limits.x1 - limits.x0)) * curve.w), curve.y - 8, curve.h + 8);
    const x = Math.round(scales.x(step + 0.5));
    if (x < map.x || x > map.x + map.w) continue;
    flag(c, x, map.y - 14, map.h + 14);
    const text = count(step);
    const fits = x + 10 + c.measureText(text).width <= map.x + map.w;
    c.textAlign = fits ? 'left' : 'right';
    c.fillText(text, fits ? x + 10 : x - 4, map.y - 10);
  }
}

/** @param {Context} c @param {number} x @param {number} y @param {number} h */
function flag(c, x, y, h) {
  c.fillRect(x, y, 1, h);
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x + 7, y + 3);
  c.lineTo(x, y + 6);
  c.fill();
}

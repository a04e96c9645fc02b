/** The upper layer of the chart: cursor, crosshair, hover, selection with what feeds and reads it, pins, ghosts. */
import { at } from '../model/facts.js';
import { count, hex } from '../model/format.js';
import { keptBytes } from './draw-kept.js';

/** @typedef {import('../state/selectors.js').ChartState} State */
/** @typedef {import('./chart.js').Chart} Chart */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {CanvasRenderingContext2D} Context */

/** Ghosts of more buffers than this are a fog. */
const MOST_GHOSTS = 2000;

/** @param {Context} c @param {State} state @param {Chart} chart */
export function drawOver(c, state, chart) {
  const { facts } = state;
  if (!facts) return;
  const { map } = chart.geometry;
  c.save();
  c.beginPath();
  c.rect(map.x - 1, map.y - 1, map.w + 2, map.h + 2);
  c.clip();
  if (state.selected >= 0) drawSelection(c, state.selected, facts, chart);
  drawGhosts(c, state, facts, chart);
  for (const i of state.pinned) outline(c, i, facts, chart, chart.theme.ink, 1, [3, 2]);
  if (state.kept) outlineKept(c, facts, chart);
  if (state.hover >= 0) outline(c, state.hover, facts, chart, chart.theme.ink, 1.5);
  if (state.selected >= 0) {
    for (const { a, b } of facts.clashesOf(state.selected)) outline(c, a === state.selected ? b : a, facts, chart, chart.theme.clash, 2.5);
    outline(c, state.selected, facts, chart, chart.theme.ink, 2.5);
  }
  c.restore();
  drawCursor(c, state, chart);
  if (state.selected >= 0) drawUses(c, state.selected, facts, chart);
  drawRange(c, state, chart);
  drawCrosshair(c, state, chart);
  drawBand(c, chart);
}

/** @param {number} i @param {Facts} facts @param {Chart} chart */
function boxOf(i, { columns }, { scales }) {
  const { offset, bytes, first, last } = columns;
  const y0 = scales.y(at(offset, i));
  const y1 = scales.y(at(offset, i) + at(bytes, i));
  const x = scales.x(Math.max(0, at(first, i)));
  const wide = scales.x(at(last, i) + 1) - x;
  const high = Math.abs(y1 - y0);
  return { x, y: Math.min(y0, y1), w: Math.max(1, wide - (wide >= 3 ? 1 : 0)), h: Math.max(1, high - (high >= 3 ? 1 : 0)), seam: high >= 3 && y1 < y0 ? 1 : 0 };
}

/** @param {Context} c @param {number} i @param {Facts} facts @param {Chart} chart @param {string} colour @param {number} width @param {number[]} [dash] */
function outline(c, i, facts, chart, colour, width, dash = []) {
  if (!facts.isPlaced(i)) return;
  const { x, y, w, h, seam } = boxOf(i, facts, chart);
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.setLineDash(dash);
  c.strokeRect(x, y + seam, w, h);
  c.setLineDash([]);
  c.lineWidth = 1;
}

/** What feeds and what reads the selection stays lit; the rest steps back. @param {Context} c @param {number} selected @param {Facts} facts @param {Chart} chart */
function drawSelection(c, selected, facts, chart) {
  const { map } = chart.geometry;
  const { inputs, outputs } = neighbours(selected, facts);
  c.fillStyle = chart.theme.veil;
  c.fillRect(map.x, map.y, map.w, map.h);
  const partners = facts.clashesOf(selected).map(({ a, b }) => (a === selected ? b : a));
  for (const i of new Set([selected, ...inputs, ...outputs, ...partners])) {
    if (!facts.isPlaced(i)) continue;
    const { x, y, w, h, seam } = boxOf(i, facts, chart);
    c.clearRect(x, y + seam, w, h);
  }
  if (!facts.isPlaced(selected)) return;
  c.strokeStyle = chart.theme.ink;
  c.fillStyle = chart.theme.ink;
  const box = boxOf(selected, facts, chart);
  for (const i of [...inputs, ...outputs]) if (facts.isPlaced(i) && i !== selected) connect(c, box, boxOf(i, facts, chart));
}

/** How far a connector reaches into the rectangles, where they have the room. */
const REACH = 9;

/**
 * The ends of the shortest way between two spans, each a little inside its own.
 * @param {number} from @param {number} size @param {number} otherFrom @param {number} otherSize @returns {[number, number]}
 */
function between(from, size, otherFrom, otherSize) {
  const low = Math.max(from, otherFrom);
  const high = Math.min(from + size, otherFrom + otherSize);
  if (low < high) return [(low + high) / 2, (low + high) / 2];
  const near = from < otherFrom ? from + size - Math.min(REACH, size / 2) : from + Math.min(REACH, size / 2);
  const far = from < otherFrom ? otherFrom + Math.min(REACH, otherSize / 2) : otherFrom + otherSize - Math.min(REACH, otherSize / 2);
  return [near, far];
}

/** @param {Context} c @param {import('./geometry.js').Box} a @param {import('./geometry.js').Box} b */
function connect(c, a, b) {
  const [fromX, toX] = between(a.x, a.w, b.x, b.w);
  const [fromY, toY] = between(a.y, a.h, b.y, b.h);
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(fromX, fromY);
  c.lineTo(toX, toY);
  c.stroke();
  c.lineWidth = 1;
  c.beginPath();
  c.arc(toX, toY, 3, 0, 7);
  c.fill();
}

/** The buffers that its writer reads, and those that its readers write. @param {number} i @param {Facts} facts */
export function neighbours(i, facts) {
  const { writers, readers } = facts.uses(i);
  const { model } = facts;
  /** @param {import('../model/facts.js').NodeRef[]} refs @param {'inputs' | 'outputs'} side */
  const of = (refs, side) =>
    refs.flatMap(({ subgraph, node }) => (model.subgraphs[subgraph]?.nodes[node]?.[side] ?? []).map((tensor) => facts.bufferOf(subgraph, tensor)).filter((k) => k >= 0 && facts.columns.arena[k] !== 0));
  return { inputs: [...new Set(of(writers, 'inputs'))], outputs: [...new Set(of(readers, 'outputs'))] };
}

/** Its uses on the operator strip. @param {Context} c @param {number} i @param {Facts} facts @param {Chart} chart */
function drawUses(c, i, facts, { geometry, theme, scales }) {
  const { strip } = geometry;
  const { writers, readers } = facts.uses(i);
  c.strokeStyle = theme.ink;
  c.lineWidth = 2;
  for (const ref of [...writers, ...readers]) {
    const step = facts.stepOfNode(ref);
    const left = Math.max(strip.x, scales.x(step));
    const right = Math.min(strip.x + strip.w, scales.x(step + 1));
    if (step >= 0 && right > left) c.strokeRect(left, strip.y - 1, Math.max(2, right - left - 1), strip.h + 2);
  }
  c.lineWidth = 1;
}

/** @param {Context} c @param {Facts} facts @param {Chart} chart */
function outlineKept(c, facts, { geometry: { map }, theme, scales }) {
  const kept = keptBytes(facts);
  if (!kept) return;
  const [y0, y1] = [scales.y(kept.high), scales.y(kept.low)];
  c.strokeStyle = theme.ink;
  c.lineWidth = 2.5;
  c.strokeRect(map.x + 1, Math.min(y0, y1), map.w - 2, Math.abs(y1 - y0));
  c.lineWidth = 1;
}

/** Selected steps, on map and curve. @param {Context} c @param {State} state @param {Chart} chart */
function drawRange(c, { range, limits }, { geometry: { map, curve }, theme, scales }) {
  if (!range) return;
  c.fillStyle = theme.accent;
  const left = Math.max(map.x, scales.x(range[0]));
  const right = Math.min(map.x + map.w, scales.x(range[1] + 1));
  c.globalAlpha = 0.12;
  if (right > left) c.fillRect(left, map.y, right - left, map.h);
  c.globalAlpha = 0.25;
  const onCurve = (/** @type {number} */ step) => curve.x + ((step - limits.x0) / (limits.x1 - limits.x0)) * curve.w;
  c.fillRect(onCurve(range[0]), curve.y - 2, onCurve(range[1] + 1) - onCurve(range[0]), curve.h + 4);
  c.globalAlpha = 1;
}

/** The step on the map, the ring on the strip, and where it is on the curve. @param {Context} c @param {State} state @param {Chart} chart */
function drawCursor(c, { cursor, limits }, { geometry, theme, scales }) {
  const { map, curve, strip } = geometry;
  c.fillStyle = theme.accent;
  c.strokeStyle = theme.accent;
  const left = scales.x(cursor);
  const right = scales.x(cursor + 1);
  if (right > map.x && left < map.x + map.w) {
    const x = Math.max(map.x, left);
    const w = Math.max(1, Math.min(map.x + map.w, right) - x);
    c.globalAlpha = 0.1;
    c.fillRect(x, map.y, w, map.h);
    c.globalAlpha = 1;
    c.fillRect(x, map.y - 3, w, 2);
    const middle = Math.max(map.x + 6, Math.min(map.x + map.w - 6, (left + right) / 2));
    c.beginPath();
    c.arc(middle, strip.y + strip.h / 2, 6.5, 0, 7);
    c.fillStyle = theme.card;
    c.fill();
    c.lineWidth = 2.5;
    c.stroke();
    c.lineWidth = 1;
    c.fillStyle = theme.accent;
  }
  const at = curve.x + ((cursor + 0.5 - limits.x0) / (limits.x1 - limits.x0)) * curve.w;
  c.globalAlpha = 0.8;
  c.fillRect(Math.round(at) - 0.5, curve.y - 2, 1, curve.h + 4);
  c.globalAlpha = 1;
}

/** What was planned before the last change. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawGhosts(c, { ghosts: before }, facts, chart) {
  if (!before || before.model !== facts.model || before.n > MOST_GHOSTS) return;
  for (let i = 0; i < before.n; i++) {
    const isSame = i < facts.n && before.columns.offset[i] === facts.columns.offset[i] && before.columns.first[i] === facts.columns.first[i] && before.columns.bytes[i] === facts.columns.bytes[i];
    if (!isSame) outline(c, i, before, chart, chart.theme.edge, 1, [2, 3]);
  }
}

/** Under the pointer: the address, the step, what is live there and what is free. @param {Context} c @param {State} state @param {Chart} chart */
function drawCrosshair(c, { decimal, facts }, { geometry, theme, scales, pointer }) {
  if (!pointer || !facts) return;
  const { map, axis } = geometry;
  const x = Math.round(pointer.x) + 0.5;
  const y = Math.round(pointer.y) + 0.5;
  c.strokeStyle = theme.edge;
  c.setLineDash([2, 3]);
  c.beginPath();
  c.moveTo(map.x, y);
  c.lineTo(map.x + map.w, y);
  c.moveTo(x, map.y);
  c.lineTo(x, map.y + map.h);
  c.stroke();
  c.setLineDash([]);
  const byte = Math.max(0, Math.round(scales.byte(pointer.y)));
  tag(c, decimal ? count(byte) : hex(byte), map.x - 4, pointer.y, theme);
  const step = Math.max(0, Math.min(facts.head.steps - 1, Math.floor(scales.step(pointer.x))));
  const live = facts.liveBytes(step);
  const text = `step ${count(step)}: ${count(live)} live, ${count(Math.max(0, facts.head.arena_bytes - live))} free`;
  c.font = `11px ${theme.mono}`;
  const half = (c.measureText(text).width + 8) / 2;
  tag(c, text, Math.max(map.x + 2 * half, Math.min(map.x + map.w, pointer.x + half)), axis.y + 11, theme);
}

/** @param {Context} c @param {string} text @param {number} right @param {number} y @param {Chart['theme']} theme */
function tag(c, text, right, y, theme) {
  c.font = `11px ${theme.mono}`;
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  const width = c.measureText(text).width + 8;
  c.fillStyle = theme.ink;
  c.fillRect(right - width, Math.round(y) - 8, width, 16);
  c.fillStyle = theme.card;
  c.fillText(text, right - 4, Math.round(y) + 0.5);
}

/** @param {Context} c @param {Chart} chart */
function drawBand(c, { band, theme }) {
  if (!band) return;
  c.fillStyle = theme.accent;
  c.globalAlpha = 0.15;
  c.fillRect(band.x, band.y, band.w, band.h);
  c.globalAlpha = 1;
  c.strokeStyle = theme.accent;
  c.strokeRect(band.x + 0.5, band.y + 0.5, band.w, band.h);
}

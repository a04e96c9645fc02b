/**
 * Lines across the map, all on the one scale of addresses, with their names at the right: the arena's end, the budget,
 * the tensors' end, the best possible; and the bracket at what sets the tensors' end.
 */
import { dashed, fitted } from './pen.js';
import { at } from '../model/facts.js';
import { count } from '../model/format.js';

/** @typedef {import('../state/selectors.js').ChartState} State */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../types.js').Why} Why */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales'>} Chart */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {{ byte: number, text: string, colour: string, pattern: number[], isBold: boolean }} Line */

const LINE_HEIGHT = 14;
const SOLID = /** @type {number[]} */ ([]);
/** Lower than this the bracket would be a blot. */
const LEAST_BRACKET = 6;

/** @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
export function drawLines(c, state, facts, chart) {
  const { map } = chart.geometry;
  const list = linesOf(state, facts, chart.theme).filter(({ byte }) => byte > state.view.y0 && byte < state.view.y1);
  for (const { byte, colour, pattern } of list) dashed(c, map.x, chart.scales.y(byte), map.w, colour, pattern);
  drawGivenBack(c, state, facts, chart);
  nameLines(c, list, chart);
  drawBracket(c, state, facts, chart);
}

/** @param {State} state @param {Facts} facts @param {Chart['theme']} theme @returns {Line[]} */
function linesOf({ budget }, { plan: { whole }, head, bound, end }, theme) {
  const isBest = bound !== null && bound === head.arena_bytes;
  /** @type {Line[]} */
  const lines = [];
  if (whole) lines.push({ byte: end, text: `arena ${count(end)}`, colour: theme.ink, pattern: SOLID, isBold: true });
  if (head.arena_bytes > 0) lines.push({ byte: head.arena_bytes, text: `${whole ? 'tensors' : 'arena'} ${count(head.arena_bytes)}${isBest ? ' ✓' : ''}`, colour: isBest ? theme.good : theme.muted, pattern: isBest ? [4, 4] : [6, 3], isBold: !whole });
  if (bound !== null && bound > 0 && !isBest) lines.push({ byte: bound, text: `best ${count(bound)}`, colour: theme.good, pattern: [4, 4], isBold: false });
  if (budget !== null) lines.push({ byte: budget, text: `budget ${count(budget)}`, colour: theme.bad, pattern: [1, 3], isBold: true });
  return lines;
}

/** Names beside the map, or where that has no room over it; none over another. @param {Context} c @param {Line[]} lines @param {Chart} chart */
function nameLines(c, lines, { geometry: { map, isNarrow }, theme, scales }) {
  const placed = lines.map((line) => ({ ...line, y: scales.y(line.byte) })).sort((a, b) => a.y - b.y);
  let free = map.y - LINE_HEIGHT;
  for (const line of placed) {
    line.y = Math.max(isNarrow ? line.y - 8 : line.y, free);
    free = line.y + LINE_HEIGHT;
  }
  // What was pushed below the map's end goes up again.
  let end = map.y + map.h - 5;
  for (const line of placed.toReversed()) {
    line.y = Math.min(line.y, end);
    end = line.y - LINE_HEIGHT;
  }
  c.textBaseline = 'middle';
  for (const { y, text, colour, isBold } of placed) {
    c.font = `${isBold ? '600 ' : ''}11px ${theme.sans}`;
    c.textAlign = isNarrow ? 'right' : 'left';
    const x = isNarrow ? map.x + map.w - 4 : map.x + map.w + 6;
    if (isNarrow) {
      c.strokeStyle = theme.card;
      c.lineWidth = 4;
      c.lineJoin = 'round';
      c.strokeText(text, x, y);
      c.lineWidth = 1;
    }
    c.fillStyle = colour;
    c.fillText(text, x, y);
  }
}

/** The bytes that the plan before took and this one does not. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawGivenBack(c, { endBefore }, { end }, { geometry: { map }, theme, scales }) {
  if (endBefore === null || endBefore <= end) return;
  const [y0, y1] = [scales.y(endBefore), scales.y(end)];
  const top = Math.max(map.y, Math.min(y0, y1));
  const height = Math.min(map.y + map.h, Math.max(y0, y1)) - top;
  if (height < 2) return;
  c.strokeStyle = theme.edge;
  c.setLineDash([4, 4]);
  c.strokeRect(map.x + 0.5, Math.round(top) + 0.5, map.w - 1, Math.round(height));
  c.setLineDash([]);
  if (height < LINE_HEIGHT + 4) return;
  c.font = `600 ${height > 40 ? 17 : 12}px ${theme.sans}`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = theme.good;
  c.fillText(fitted(c, `${count(endBefore - end)} B given back`, map.w - 12), map.x + map.w / 2, top + height / 2);
}

/** How much is lost above the best possible, and at which tensor. @param {Context} c @param {State} state @param {Facts} facts @param {Chart} chart */
function drawBracket(c, { topWhy, view }, facts, { geometry: { map }, theme, scales }) {
  const { bound, head, top } = facts;
  if (bound === null || top < 0 || head.arena_bytes <= bound || !topWhy) return;
  const [high, low] = [scales.y(head.arena_bytes), scales.y(bound)];
  const first = Math.max(0, at(facts.columns.first, top));
  const x = Math.round(scales.x(first)) - 3.5;
  if (Math.abs(low - high) < LEAST_BRACKET || first < view.x0 || first >= view.x1 || Math.min(low, high) < map.y || Math.max(low, high) > map.y + map.h) return;
  c.strokeStyle = theme.bad;
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(x + 4, high);
  c.lineTo(x, high);
  c.lineTo(x, low);
  c.lineTo(x + 4, low);
  c.stroke();
  c.lineWidth = 1;
  callOut(c, bracketTexts(facts, top, topWhy, head.arena_bytes - bound), { x: scales.x(at(facts.columns.last, top) + 1) + 8, y: (low + high) / 2 }, map, theme);
}

/** @param {Facts} facts @param {number} top @param {Why} why @param {number} lost */
export function bracketTexts(facts, top, { inWay, inWayCount, turn }, lost) {
  const name = facts.tinyLabel(top);
  const [first, second] = inWay;
  if (first === undefined) return [`${count(lost)} lost: ${name} ends at the top`];
  const others = inWayCount > 2 && second !== undefined ? `${facts.tinyLabel(second)} and ${count(inWayCount - 2)} more` : second === undefined ? '' : facts.tinyLabel(second);
  const because = turn === null ? [] : [`because ${facts.tinyLabel(first)}${others ? ` and ${others}` : ''} ${inWayCount > 1 ? 'were' : 'was'} placed first`];
  return [`${count(lost)} lost: ${name} had to go above ${facts.tinyLabel(first)}`, ...because];
}

/** @param {Context} c @param {string[]} texts @param {{ x: number, y: number }} at @param {import('./geometry.js').Box} map @param {Chart['theme']} theme */
function callOut(c, texts, { x, y }, map, theme) {
  c.font = `11px ${theme.sans}`;
  const room = map.x + map.w - x - 16;
  const lines = texts.map((text) => fitted(c, text, Math.max(0, room))).filter(Boolean);
  if (lines.length === 0 || room < 120) return;
  const w = Math.max(...lines.map((text) => c.measureText(text).width)) + 14;
  const h = lines.length * LINE_HEIGHT + 7;
  const top = Math.max(map.y + 2, Math.min(map.y + map.h - h - 2, y - h / 2));
  c.fillStyle = theme.card;
  c.strokeStyle = theme.bad;
  c.beginPath();
  c.roundRect(Math.round(x) + 0.5, Math.round(top) + 0.5, Math.round(w), h, 4);
  c.fill();
  c.stroke();
  c.textAlign = 'left';
  lines.forEach((text, k) => {
    c.fillStyle = k === 0 ? theme.ink : theme.muted;
    c.fillText(text, x + 7, top + 4 + LINE_HEIGHT * (k + 0.5));
  });
}

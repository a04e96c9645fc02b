/** What the runtime keeps for good: a band over all steps, up to the arena's end, with what it needs only while it starts below. */
import { fitted } from './pen.js';
import { count } from '../model/format.js';

/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales'>} Chart */
/** @typedef {CanvasRenderingContext2D} Context */

const LABEL_HEIGHT = 15;

/** The band's bytes, [low, high); null where nothing is known to be kept. @param {Facts} facts */
export function keptBytes({ plan: { whole } }) {
  return whole && whole.tail > 0 ? { low: whole.total - whole.tail, high: whole.total, startUp: whole.head } : null;
}

/** @param {Context} c @param {Facts} facts @param {Chart} chart */
export function drawKept(c, facts, { geometry: { map }, theme, scales }) {
  const kept = keptBytes(facts);
  if (!kept) return;
  const [top, bottom] = inside(map, scales.y(kept.high), scales.y(kept.low));
  c.save();
  c.beginPath();
  c.rect(map.x, map.y, map.w, map.h);
  c.clip();
  if (bottom > top) {
    c.fillStyle = theme.kept;
    c.fillRect(map.x, top, map.w, bottom - top);
    c.fillStyle = dots(c, theme.keptMark);
    c.fillRect(map.x, top, map.w, bottom - top);
    label(c, facts, { x: map.x, y: top, w: map.w, h: bottom - top }, theme);
  }
  startUp(c, [scales.y(kept.startUp), scales.y(kept.low)], map, theme);
  c.restore();
}

/** @param {import('./geometry.js').Box} map @param {number} a @param {number} b @returns {[number, number]} */
function inside(map, a, b) {
  return [Math.max(map.y, Math.min(a, b)), Math.min(map.y + map.h, Math.max(a, b))];
}

/** Bytes between the tensors and the band: needed while the runtime starts, then free. @param {Context} c @param {[number, number]} edges @param {import('./geometry.js').Box} map @param {Chart['theme']} theme */
function startUp(c, edges, map, theme) {
  const [top, bottom] = inside(map, ...edges);
  if (bottom - top < 1) return;
  c.setLineDash([4, 3]);
  c.strokeStyle = theme.edge;
  c.strokeRect(map.x + 0.5, Math.round(top) + 0.5, map.w - 1, Math.max(1, Math.round(bottom - top) - 1));
  c.setLineDash([]);
}

/** @param {Context} c @param {Facts} facts @param {import('./geometry.js').Box} box @param {Chart['theme']} theme */
function label(c, facts, { x, y, w, h }, theme) {
  const { whole } = facts.plan;
  if (!whole || h < LABEL_HEIGHT) return;
  c.font = `11px ${theme.sans}`;
  const parts = whole.parts.map((part) => `${part.label} ${count(part.bytes)}`).join(', ');
  const text = fitted(c, `kept for good ${count(whole.tail)}: ${parts}  ▸`, w - 16);
  if (text === '') return;
  const middle = y + Math.min(h / 2, 11);
  c.fillStyle = theme.card;
  c.fillRect(x + 4, middle - 7.5, c.measureText(text).width + 8, LABEL_HEIGHT);
  c.fillStyle = theme.ink;
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillText(text, x + 8, middle + 0.5);
}

/** @param {Context} c @param {string} colour */
function dots(c, colour) {
  const tile = document.createElement('canvas');
  tile.width = 6;
  tile.height = 6;
  const t = /** @type {Context} */ (tile.getContext('2d'));
  t.fillStyle = colour;
  t.fillRect(1, 1, 1.4, 1.4);
  return c.createPattern(tile, 'repeat') ?? colour;
}

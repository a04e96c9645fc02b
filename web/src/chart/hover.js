/** What lies at a point of the map. */
import { keptBytes } from './draw-kept.js';
import { at, HUGE } from '../model/facts.js';

/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {{ kind: 'buffer', buffer: number, step: number } | { kind: 'kept' } | { kind: 'start-up' } | { kind: 'above' } | { kind: 'hole' | 'free', step: number, low: number, high: number }} Found */

/** @param {import('./chart.js').Chart} chart @param {Facts} facts @param {{ x: number, y: number }} point @returns {Found} */
export function hoverAt(chart, facts, { x, y }) {
  const buffer = chart.bufferAt(x, y);
  const step = Math.floor(chart.scales.step(x));
  if (buffer >= 0) return { kind: 'buffer', buffer, step };
  const byte = chart.scales.byte(y);
  const kept = keptBytes(facts);
  if (kept && byte >= kept.low && byte < kept.high) return { kind: 'kept' };
  if (kept && byte >= kept.startUp && byte < kept.low) return { kind: 'start-up' };
  if (byte >= facts.head.arena_bytes) return { kind: 'above' };
  return { kind: buffer === -2 ? 'hole' : 'free', step, ...gapAt(facts, step, byte) };
}

/** The free bytes around an address at a step. @param {Facts} facts @param {number} step @param {number} byte */
function gapAt(facts, step, byte) {
  let low = 0;
  let high = facts.head.arena_bytes;
  if (facts.n > HUGE) return { low, high };
  const { offset, bytes: sizes } = facts.columns;
  for (const i of facts.liveAt(step)) {
    if (!facts.isPlaced(i)) continue;
    const from = at(offset, i);
    const to = from + at(sizes, i);
    if (to <= byte) low = Math.max(low, to);
    if (from > byte) high = Math.min(high, from);
  }
  return { low, high };
}

/** How many buffers share a pixel, where they are smaller than one; 0 elsewhere. @param {import('./chart.js').Chart} chart @param {Facts} facts @param {number} i @param {{ x: number, y: number }} point @returns {Promise<number>} */
export async function crowdAt(chart, facts, i, point) {
  const { perStep, perByte } = chart.scales;
  const { first, last, bytes } = facts.columns;
  if ((at(last, i) - at(first, i) + 1) * perStep >= 2 && at(bytes, i) * perByte >= 2) return 0;
  return chart.countAt(point.x, point.y);
}

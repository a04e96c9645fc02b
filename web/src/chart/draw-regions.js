/** Subgraphs that an operator runs, bracketed above the map: the body of a WHILE, the branches of an IF. */
import { fitted } from './pen.js';

/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {Pick<import('./chart.js').Chart, 'geometry' | 'theme' | 'scales'>} Chart */
/** @typedef {CanvasRenderingContext2D} Context */

const LEAST_WIDTH = 14;

/** Runs of steps in one subgraph other than the first. @param {Facts} facts @returns {{ subgraph: number, from: number, to: number }[]} */
export function regionsOf({ head: { timeline }, model }) {
  if (model.subgraphs.length < 2) return [];
  /** @type {{ subgraph: number, from: number, to: number }[]} */
  const regions = [];
  for (let step = 0; step < timeline.length; step++) {
    const subgraph = timeline[step]?.subgraph ?? 0;
    const last = regions.at(-1);
    if (last && last.subgraph === subgraph && last.to === step - 1) last.to = step;
    else if (subgraph !== 0) regions.push({ subgraph, from: step, to: step });
  }
  return regions;
}

/** @param {Context} c @param {Facts} facts @param {Chart} chart */
export function drawRegions(c, facts, { geometry: { map }, theme, scales }) {
  c.font = `11px ${theme.sans}`;
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  for (const { subgraph, from, to } of regionsOf(facts)) {
    const left = Math.max(map.x, scales.x(from));
    const right = Math.min(map.x + map.w, scales.x(to + 1));
    if (right - left < LEAST_WIDTH) continue;
    const y = map.y - 4.5;
    c.strokeStyle = theme.edge;
    c.beginPath();
    c.moveTo(left + 0.5, y + 4);
    c.lineTo(left + 0.5, y);
    c.lineTo(right - 1.5, y);
    c.lineTo(right - 1.5, y + 4);
    c.stroke();
    const name = facts.model.subgraphs[subgraph]?.name || `subgraph ${subgraph}`;
    const text = fitted(c, name, right - left - 6);
    c.fillStyle = theme.muted;
    if (text) c.fillText(text, left + 3, y - 7);
  }
}

/** How much a pixel of the map holds, where that is much. */
import { byId } from './dom.js';
import { HUGE } from '../model/facts.js';
import { count, short } from '../model/format.js';

/** @param {import('../model/facts.js').Facts | null} facts @param {{ perStep: number, perByte: number }} scales */
export function showScale(facts, { perStep, perByte }) {
  const line = byId('scale');
  line.hidden = facts === null || facts.n <= HUGE;
  byId('only').hidden = line.hidden || facts?.model.kind !== 'csv';
  if (!facts || line.hidden) return;
  const steps = Math.max(1, Math.round(1 / perStep));
  line.textContent = `${count(facts.n)} buffers; drawn at 1:${count(steps)}, a pixel is ${steps === 1 ? 'a step' : `${count(steps)} steps`} by ${short(1 / perByte)}${steps > 1 ? '; zoom for detail' : ''}. The core holds ${short(facts.plan.memoryBytes)} of memory.`;
}

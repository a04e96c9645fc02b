/** The panel when nothing is selected: why so much and not less, and who takes the most. */
import { breakable, h, swatch } from './dom.js';
import { row, stepRows } from './rows.js';
import { at } from '../model/facts.js';
import { bytes, count, plural } from '../model/format.js';
import { NAMES } from '../model/names.js';
import { peakParts, UNTOUCHED } from '../model/sentences.js';

/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('./details.js').Picked} Picked */

const MOST_PEAKS = 6;
const MOST_EATERS = 6;
/** More tensors than this in one list nobody reads. */
const MOST_PARTS = 4;

/** @param {Picked} state @param {Facts} facts @param {Actions} actions */
export function ofPeak(state, facts, actions) {
  const { head } = facts;
  const peak = peakParts(facts);
  if (peak.all.length === 0) return [h('h2', { text: 'Nothing live' }), h('p', { class: 'sub say', text: peak.step < 0 && head.arena_bytes > 0 ? `${UNTOUCHED}.` : 'No tensor of this plan has a place in the arena.' }), ...notCounted(facts)];
  const beside = facts.peakBeside(peak.step);
  return [
    h('h2', { text: `Why ${count(head.peak.live_bytes)} and not less` }),
    ...why(facts, actions),
    h('h3', { text: 'To get below' }),
    beside ? h('p', { text: nextHighest(head.peak, beside) }) : null,
    facts.isGraph ? h('p', { class: 'quiet', text: 'Smaller tensors at this step, or shorter lives.' }) : null,
    ...eaters(state, facts, actions),
    ...ofHighest(facts, actions),
    ...notCounted(facts),
    h('h3', { text: 'How to read the map' }),
    h('p', { class: 'quiet', text: 'Each rectangle is a tensor: from the step that first needs it to the step that last does, over the bytes it takes. Select one to see what writes it, what reads it and why it lies there.' }),
  ];
}

/** What the peak's operator reads and writes, and what waits. @param {Facts} facts @param {Actions} actions */
function why(facts, actions) {
  const { step } = facts.head.peak;
  const where = facts.stepName(step);
  const { read, written, waiting } = facts.partsAt(step);
  const all = read.length + written.length + waiting.length;
  const isOperator = read.length + written.length > 0;
  const end = all < 2 ? 'It must be in RAM then.' : all === 2 ? 'Both must be in RAM at once.' : 'All must be in RAM at once.';
  return [
    h('p', { class: 'say' }, `${where ? `${where} runs in step ${step}` : `It is step ${step}`}${isOperator ? '.' : ': these live then.'}`),
    ...part('It reads', read, facts, actions),
    ...part('it writes', written, facts, actions),
    ...part(isOperator ? 'and for later wait' : '', waiting, facts, actions),
    h('p', { text: end }),
  ];
}

/** @param {string} verb @param {readonly number[]} list @param {Facts} facts @param {Actions} actions */
function part(verb, list, facts, actions) {
  if (list.length === 0) return [];
  const named = list.slice(0, MOST_PARTS);
  const rest = list.slice(MOST_PARTS);
  const line = h('p', { class: 'part' }, verb ? `${verb} ` : '');
  named.forEach((i, k) => line.append(k === 0 ? '' : ', ', h('button', { class: 'link', title: facts.label(i), onclick: () => actions.selection.select(i) }, ...breakable(facts.shortLabel(i))), ` ${count(at(facts.columns.bytes, i))}`));
  if (rest.length > 0) line.append(` and ${count(rest.length)} more with ${count(rest.reduce((sum, i) => sum + at(facts.columns.bytes, i), 0))}`);
  return [line];
}

/** The largest of all that takes RAM, what is kept for good among them. @param {Picked} state @param {Facts} facts @param {Actions} actions */
function eaters(state, facts, actions) {
  const { columns, plan } = facts;
  if (facts.n > 5000) return [];
  const tensors = Array.from({ length: facts.n }, (_, i) => i).filter((i) => columns.arena[i] !== 0 && columns.shares[i] === -1);
  const kept = (plan.whole?.parts ?? []).map(({ label, bytes: size }) => ({ label, size }));
  const list = [
    ...tensors.map((i) => ({ size: at(columns.bytes, i), line: () => row(state, facts, i, actions) })),
    ...kept.map(({ label, size }) => ({ size, line: () => h('li', {}, swatch('kept', 'dotted'), h('button', { class: 'link', onclick: () => actions.selection.selectKept() }, label), h('span', { class: 'num', text: count(size) })) })),
  ].sort((a, b) => b.size - a.size);
  return [h('h3', { text: 'Largest RAM eaters' }), h('ul', { class: 'rows' }, ...list.slice(0, MOST_EATERS).map(({ line }) => line()))];
}

const NO_BOUND = 'No lower bound is given: buffers share bytes or lie where they may not.';
const NO_BOUND_YET = 'No lower bound is given: not everything has its place yet.';

/** @param {Facts} facts */
function notCounted(facts) {
  const { model, plan, head } = facts;
  const parts = ['the stack'];
  if (head.constant_bytes > 0) parts.push(`the model itself (${model.fileBytes ? `${bytes(model.fileBytes)}${plan.whole ? ' of flash' : ''}, ` : ''}${bytes(head.constant_bytes)} of it constants)`);
  if (plan.unknownSizes > 0) parts.push(`${plural(plan.unknownSizes, 'tensor')} whose size is not known before it runs`);
  parts.push(...(plan.whole?.notes ?? []), ...(head.not_counted ? [head.not_counted.text.replace(/\.$/, '')] : []));
  const unbounded = facts.bound !== null ? '' : head.status === 'unplanned' ? ` ${NO_BOUND_YET}` : ` ${NO_BOUND}`;
  const refusal = plan.refusal ? ` ${NAMES[plan.refusal.runtime] ?? plan.refusal.runtime}: ${plan.refusal.text}` : '';
  return [h('h3', { text: 'Not counted' }), h('p', { class: 'quiet not-counted', text: `${parts.join(', ')}.${unbounded}${refusal}` })];
}

/** The other local peaks, the highest first. @param {Facts} facts @param {Actions} actions */
function ofHighest(facts, actions) {
  const others = facts.peaks.filter((step) => step !== facts.head.peak.step && step < facts.head.steps);
  if (others.length === 0 || others.length > 5000) return [];
  const list = others.sort((a, b) => facts.liveBytes(b) - facts.liveBytes(a) || a - b).slice(0, MOST_PEAKS);
  return [h('h3', { text: 'Other local peaks' }), stepRows(facts, list, actions)];
}

/** @param {{ step: number, live_bytes: number }} peak @param {{ step: number, bytes: number }} beside */
function nextHighest(peak, beside) {
  const saves = peak.live_bytes - beside.bytes;
  if (saves <= 0) return `Step ${beside.step} is as high: lowering step ${peak.step} alone saves nothing.`;
  return `The next-highest step is ${beside.step}, with ${bytes(beside.bytes)}: lowering step ${peak.step} alone saves at most ${bytes(saves)}.`;
}

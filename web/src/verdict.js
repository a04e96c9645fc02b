/** The answer before the question: the numbers, the stacked bar, one sentence to paste. */
import { breakable, byId, fill, h, swatch } from './dom.js';
import { at, HUGE, optimality, peakParts, ticketSentence, UNTOUCHED } from './facts.js';
import { bytes, count, plural, short } from './format.js';
import { NAMES } from './names.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {import('./facts.js').Facts} Facts */

const MARKS = /** @type {Record<string, string>} */ ({ good: '✓ ', bad: '✕ ', plain: '' });

const SEARCHES = { stopped: 'the best so far: the search was stopped', spent: 'the best found: the search used up its nodes' };

/** @param {State} state @param {State} before @param {Actions} actions */
export function updateVerdict(state, before, actions) {
  if (!changed(state, before, 'facts', 'budget', 'undo', 'fitting')) return;
  const { facts } = state;
  if (!facts) return;
  fill(byId('verdict'), numbers(facts, state.budget), bar(facts, state.budget), sentence(facts, state.budget, actions), overBudget(state, actions), delta(state, actions));
  byId('caption').textContent = caption(facts, state.budget);
}

/** What must fit: the whole arena where it is known, the planned part else. @param {Facts} facts */
function neededBytes({ plan, head }) {
  return plan.whole ? plan.whole.total : head.arena_bytes;
}

/** @param {Facts} facts */
function isPartlyKnown({ plan }) {
  return plan.unknownSizes > 0 || plan.whole?.complete === false;
}

/** @param {string} label @param {string} value @param {string} small @param {string} [tone] */
function number(label, value, small, tone = '') {
  return h('div', {}, h('span', { class: 'label', text: label }), h('strong', { class: tone, text: value }), small ? h('small', { text: small }) : null);
}

/** @param {Facts} facts @param {number | null} budget */
function numbers(facts, budget) {
  const { head, plan } = facts;
  const least = isPartlyKnown(facts) ? '≥ ' : '';
  const best = isPartlyKnown(facts) ? { ...optimality(head), tone: 'plain' } : optimality(head);
  const list = [];
  if (plan.whole) list.push(number(`Arena TFLM needs (${NAMES[plan.whole.target] ?? plan.whole.target})`, `${least}${bytes(plan.whole.total)}`, short(plan.whole.total)));
  list.push(number(plan.whole ? 'Tensors, as planned' : 'Arena', `${plan.whole ? '' : least}${bytes(head.arena_bytes)}`, short(head.arena_bytes)));
  list.push(number('Peak of live bytes', bytes(head.peak.live_bytes), head.peak.step >= 0 && head.peak.live_bytes > 0 ? `step ${head.peak.step}` : ''));
  if (facts.bound !== null) list.push(number('No plan can be below', bytes(facts.bound), 'lower bound'));
  list.push(number('This plan', `${MARKS[best.tone]}${best.text}`, plan.search ? SEARCHES[plan.search] : isPartlyKnown(facts) ? 'of what is known' : best.tone === 'good' || best.long === best.text ? '' : best.long, best.tone === 'plain' ? '' : best.tone));
  if (head.persistent_bytes > 0 && !plan.whole) list.push(number('Kept for good', bytes(head.persistent_bytes), 'persistent arena'));
  if (budget !== null) list.push(budgetNumber(neededBytes(facts), budget, isPartlyKnown(facts)));
  return h('div', { class: 'nums' }, ...list);
}

/** @param {number} needed @param {number} budget @param {boolean} isLeast */
function budgetNumber(needed, budget, isLeast) {
  const label = `Budget ${short(budget)}`;
  if (needed > budget) return number(label, `✕ over by ${bytes(needed - budget)}`, '', 'bad');
  return number(label, isLeast ? 'fits so far' : `✓ fits, ${bytes(budget - needed)} left`, '', isLeast ? '' : 'good');
}

/** @param {Facts} facts @param {number | null} budget */
function bar(facts, budget) {
  const { head, plan } = facts;
  const parts = plan.whole
    ? [{ group: 0, label: 'tensors, reused over time', value: plan.whole.head }, { group: 9, label: 'kept for good: operator data, tensor records', value: plan.whole.tail }, { group: 'hole', label: 'more while it starts', value: plan.whole.total - plan.whole.head - plan.whole.tail }]
    : [
        { group: 0, label: 'live at the peak', value: Math.min(head.peak.live_bytes, head.arena_bytes) },
        { group: 'hole', label: 'lost to gaps and alignment', value: Math.max(0, head.arena_bytes - head.peak.live_bytes) },
        ...(head.persistent_bytes > 0 ? [{ group: 9, label: 'kept for good', value: head.persistent_bytes }] : []),
      ];
  const used = parts.reduce((sum, { value }) => sum + value, 0);
  if (used === 0) return null;
  const whole = Math.max(used, budget ?? 0);
  const left = budget !== null && budget > used ? budget - used : 0;
  const label = `${parts.map((part) => `${part.label} ${bytes(part.value)}`).join(', ')}${left > 0 ? `, free in the budget ${bytes(left)}` : ''}`;
  const stack = h('div', { class: 'stack', role: 'img', 'aria-label': label });
  for (const { group, value } of parts) {
    if (value === 0) continue;
    const piece = h('i', { class: 'swatch', 'data-group': group });
    piece.style.cssText = `width:${(value / whole) * 100}%;margin:0;border-radius:0`;
    stack.append(piece);
  }
  if (budget !== null && budget < used) {
    const limit = h('i', { class: 'limit' });
    limit.style.left = `${(budget / whole) * 100}%`;
    stack.append(limit);
  }
  const key = h(
    'div',
    { class: 'key' },
    ...parts.filter(({ value }) => value > 0).map(({ group, label: text, value }) => h('span', {}, swatch(group), `${text} ${count(value)}`)),
    left > 0 ? h('span', { text: `free in the budget ${count(left)}` }) : null,
  );
  return h('div', {}, stack, key);
}

/** @param {Facts} facts @param {number | null} budget @param {Actions} actions */
function sentence(facts, budget, actions) {
  const { columns, head } = facts;
  if (head.arena_bytes === 0 && head.peak.live_bytes === 0) {
    return h('div', { class: 'say' }, h('p', { text: 'Nothing to plan: no tensor of this model needs a place in the arena.' }));
  }
  const peak = peakParts(facts);
  const paragraph = h('p', {}, h('span', {}, peak.step < 0 ? UNTOUCHED : `The peak is step ${peak.step}${peak.where ? ` (${peak.where})` : ''}: `));
  peak.named.forEach((i, k) => {
    const joint = k === 0 ? '' : k === peak.named.length - 1 && peak.others.length === 0 ? ' and ' : ', ';
    paragraph.append(joint, h('button', { class: 'link', onclick: () => actions.select(i) }, ...breakable(facts.label(i))), ` ${bytes(at(columns.bytes, i))}`);
  });
  if (peak.others.length > 0) paragraph.append(` and ${count(peak.others.length)} more with ${bytes(peak.otherBytes)}`);
  paragraph.append('.', h('span', { class: 'more', text: notCounted(facts) }));
  const copy = h('button', { onclick: () => copyText(ticketSentence(facts, budget), actions) }, 'Copy for a ticket');
  return h('div', { class: 'say' }, paragraph, copy);
}

const NO_BOUND = ' No lower bound is given: buffers share bytes or lie where they may not.';
const NO_BOUND_YET = ' No lower bound is given: not everything has its place yet.';

/** @param {Facts} facts */
function notCounted(facts) {
  const huge = facts.n > HUGE ? ` ${count(facts.n)} buffers: the map opens on the peak.` : '';
  const { model, plan, head } = facts;
  const parts = ['the stack'];
  if (head.constant_bytes > 0) parts.push(`the model itself (${model.fileBytes ? `${bytes(model.fileBytes)}${plan.whole ? ' of flash' : ''}, ` : ''}${bytes(head.constant_bytes)} of it constants)`);
  if (plan.unknownSizes > 0) parts.push(`${plural(plan.unknownSizes, 'tensor')} whose size is not known before it runs`);
  for (const note of plan.whole?.notes ?? []) parts.push(note);
  return `Not counted: ${parts.join(', ')}.${facts.bound !== null ? '' : head.status === 'unplanned' ? NO_BOUND_YET : NO_BOUND}${huge}`;
}

/** What would make it fit. @param {State} state @param {Actions} actions */
function overBudget({ facts, budget, fitting }, actions) {
  if (!facts || budget === null || neededBytes(facts) <= budget) return null;
  const { head, plan } = facts;
  const look = h('button', { onclick: () => actions.lookAtPeak() }, `Look at step ${head.peak.step}`);
  if (facts.bound === null) return h('div', { class: 'delta' }, h('span', {}, h('b', { class: 'bad', text: 'These places do not fit' }), `: ${facts.model.kind === 'plan' ? 'they were given' : 'the file itself gives them'}.`), look);
  const least = facts.bound + (plan.whole?.tail ?? 0);
  if (least > budget) return h('div', { class: 'delta' }, h('span', {}, h('b', { class: 'bad', text: 'No plan of these lifetimes fits' }), `: they need ${bytes(least)} at least. Only a smaller peak helps: smaller tensors at step ${head.peak.step}, or shorter lives.`), look);
  if (!fitting) return h('div', { class: 'delta' }, h('span', { text: 'A smaller plan may exist.' }), h('button', { onclick: () => actions.findFitting() }, 'Find a change that fits'), look);
  if (!fitting.change) return h('div', { class: 'delta' }, h('span', { text: 'None of the planners and alignments that were tried fits.' }), look);
  const { change } = fitting;
  return h('div', { class: 'delta' }, h('span', {}, h('b', { class: 'good', text: fitting.label }), ` fits: ${bytes(fitting.bytes)}.`), h('button', { onclick: () => actions.replan(change) }, 'Use it'), look);
}

/** What the last what-if changed. @param {State} state @param {Actions} actions */
function delta({ facts, undo }, actions) {
  const before = undo.at(-1);
  if (!facts || !before) return null;
  const change = neededBytes(facts) - neededBytes(before.facts);
  const was = `${before.facts.head.runtime}, ${before.facts.head.planner}`;
  const how = change === 0 ? 'The same size as' : `${bytes(Math.abs(change))} ${change < 0 ? 'less' : 'more'} than`;
  return h(
    'div',
    { class: 'delta' },
    h('span', {}, h('b', { class: change < 0 ? 'good' : change > 0 ? 'warn' : '', text: `${change < 0 ? '▼ ' : change > 0 ? '▲ ' : ''}${how} before` }), ` (${was}: ${bytes(neededBytes(before.facts))}). Dashed outlines: where tensors were.`),
    h('button', { onclick: () => actions.undo() }, 'Undo'),
    h('button', { onclick: () => actions.keep() }, 'Keep'),
  );
}

/** @param {string} text @param {Actions} actions */
export async function copyText(text, actions) {
  try {
    await navigator.clipboard.writeText(text);
    actions.say('Copied.');
  } catch {
    actions.say('The browser does not let this page copy.');
  }
}

/** The map in words. @param {Facts} facts @param {number | null} budget */
function caption(facts, budget) {
  const { head, columns } = facts;
  let placed = 0;
  for (let i = 0; i < columns.n; i++) placed += Number(facts.isPlaced(i));
  return `Memory map: ${plural(placed, 'tensor')} over ${plural(head.steps, 'step')}. ${ticketSentence(facts, budget)} Every tensor is in the table below.`;
}

/** The answer before the question: how much, whether it fits, and what one can do. */
import { byId, fill, h } from './dom.js';
import { copyText } from './clipboard.js';
import { hasUnknowns, isAtLeast, isUnbounded, optimality, ticketSentence } from '../model/sentences.js';
import { bytes, count, plural, short } from '../model/format.js';
import { NAMES } from '../model/names.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

const MARKS = /** @type {Record<string, string>} */ ({ good: '✓ ', bad: '✕ ', plain: '' });
const SEARCHES = { stopped: ', the search was stopped', spent: ', the best found' };

/** @param {State} state */
export const selectAnswer = ({ file, question }) => ({ facts: file.facts, budget: question.budget });

/** @param {ReturnType<typeof selectAnswer>} picked @param {Actions} actions */
export function showNeed({ facts, budget }, actions) {
  if (!facts) return;
  fill(byId('need'), ...(facts.plan.refusal ? refused(facts) : facts.plan.whole ? firmware(facts, actions) : arena(facts)));
  byId('caption').textContent = caption(facts, budget);
}

/** A label with its number. @param {string} label @param {string | Node} value @param {string} [tone] @param {string} [title] */
export function pair(label, value, tone = '', title = '') {
  return h('div', {}, h('dt', { text: label, title: title || undefined }), h('dd', { class: tone || undefined }, value));
}

/** What to write down, of a runtime that is given one arena. @param {Facts} facts @param {Actions} actions */
function firmware(facts, actions) {
  const { whole } = facts.plan;
  if (!whole) return [];
  const total = whole.total;
  const line = `kTensorArenaSize = ${total};`;
  const startUp = whole.total - whole.head - whole.tail;
  const known = !isAtLeast(facts);
  const copy = h('button', { 'aria-label': `Copy ${line}`, onclick: () => copyText(`constexpr size_t ${line}`, actions) }, 'Copy');
  const big = known ? h('span', { class: 'copy' }, h('code', { text: line }), copy) : h('span', { text: `at least ${bytes(total)}` });
  return [
    h('dl', { class: 'big' }, pair(firmwareLabel(facts), big)),
    h(
      'dl',
      { class: 'sum' },
      pair('arena', `${known ? '' : '≥ '}${bytes(total)}`, '', short(total)),
      pair('tensors', bytes(whole.head), '', 'tensors and scratch, placed over each other as they live: the head'),
      pair('kept for good', bytes(whole.tail), '', 'operator data, tensor records and the runtime itself: the tail'),
      startUp > 0 ? pair('start-up', bytes(startUp), '', `needed only while it starts; arena_used_bytes() will say ${count(whole.used)}`) : null,
    ),
  ];
}

/** @param {Facts} facts */
function firmwareLabel(facts) {
  if (hasUnknowns(facts)) return `Arena under ${NAMES['tflm']}: not all is known`;
  if (isAtLeast(facts)) return `Arena under ${NAMES['tflm']}: what is in use; what it accepts is not known`;
  return facts.plan.whole?.rewritten ? 'Put this in your firmware, once this plan is in the file' : 'Put this in your firmware';
}

/** @param {Facts} facts */
function arena(facts) {
  const { head, plan } = facts;
  const least = isAtLeast(facts) ? '≥ ' : '';
  const runtime = head.runtime === 'none' ? '' : ` under ${NAMES[head.runtime] ?? head.runtime}`;
  return [
    h('dl', { class: 'big' }, pair(`Arena${runtime}`, `${least}${bytes(head.arena_bytes)}`)),
    h(
      'dl',
      { class: 'sum' },
      pair('arena', `${least}${bytes(head.arena_bytes)}`, '', short(head.arena_bytes)),
      head.persistent_bytes > 0 ? pair('kept for good', bytes(head.persistent_bytes), '', 'a second arena, of what lives always') : null,
      plan.unknownSizes > 0 ? pair('not known', plural(plan.unknownSizes, 'tensor'), '', 'their sizes are known only when the model runs') : null,
    ),
  ];
}

/** A model that the runtime does not take: that is the answer. @param {Facts} facts */
function refused(facts) {
  const { head, plan: { refusal } } = facts;
  const who = NAMES[refusal?.runtime ?? ''] ?? refusal?.runtime ?? '';
  return [
    h('dl', { class: 'big' }, pair(who, '✕ refuses this model', 'bad')),
    h('p', { class: 'why', title: refusal?.text, text: refusal?.text ?? '' }),
    h('dl', { class: 'sum' }, pair('shown instead', NAMES[head.runtime] ?? head.runtime), pair('arena', `${isAtLeast(facts) ? '≥ ' : ''}${bytes(head.arena_bytes)}`)),
  ];
}

/** How good the plan is. @param {Facts} facts */
export function quality(facts) {
  const { head, plan } = facts;
  const best = optimality(head);
  const isPart = hasUnknowns(facts) && !isUnbounded(head);
  const tone = best.tone === 'plain' || isPart ? '' : best.tone;
  return h(
    'dl',
    { class: 'sum' },
    pair('peak', `${bytes(head.peak.live_bytes)}${head.peak.step >= 0 && head.peak.live_bytes > 0 ? ` at step ${head.peak.step}` : ''}`, '', 'the most bytes of tensors that live at once'),
    facts.bound === null ? null : pair('best possible', bytes(facts.bound), '', 'no placement of these tensors takes less'),
    pair('this plan', `${isPart ? '' : MARKS[best.tone]}${best.text}${plan.search ? SEARCHES[plan.search] : ''}${isPart ? ', of what is known' : ''}`, tone, best.long),
  );
}

/** The map in words. @param {Facts} facts @param {number | null} budget */
function caption(facts, budget) {
  const { head, columns } = facts;
  let placed = 0;
  for (let i = 0; i < columns.n; i++) placed += Number(facts.isPlaced(i));
  return `Memory map: ${plural(placed, 'tensor')} over ${plural(head.steps, 'step')}. ${ticketSentence(facts, budget)} Every tensor is in the table below.`;
}

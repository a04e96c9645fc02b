/** What one can do: ways to need less, the best first, each with what it saves, what it costs, and a button. */
import { byId, fill, h } from './dom.js';
import { showMenu } from './menu.js';
import { saveBytes } from '../io/save.js';
import { bytes } from '../model/format.js';
import { askedOf, hasUnknowns, optimality } from '../model/sentences.js';
import { changed } from '../state/store.js';

/** @typedef {import('../types.js').Offer} Offer */
/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

/** Rows in the strip; the rest is a menu. */
const SHOWN = 2;

/** @param {State} state */
export const selectOffers = ({ file, question, compare }) => ({ facts: file.facts, budget: question.budget, offers: question.offers, undo: question.undo, compared: compare.other !== null });

/** @param {ReturnType<typeof selectOffers>} now @param {Partial<ReturnType<typeof selectOffers>>} before @param {Actions} actions */
export function showOffers(now, before, actions) {
  const { facts, offers, budget } = now;
  if (!facts || !changed(now, before, 'facts', 'budget', 'offers', 'undo')) return;
  const box = byId('offers');
  const focused = box.contains(document.activeElement) ? document.activeElement?.textContent : null;
  const since = delta(now, actions);
  const rows = (offers ?? []).map((offer) => row(offer, budget, actions));
  const room = SHOWN - (since ? 1 : 0);
  const more = rows.length > room ? moreButton(offers ?? [], room, actions) : null;
  fill(box, h('div', { class: 'head' }, h('h2', { text: 'What you can do' }), more), since, ...rows.slice(0, room), h('p', { class: 'proof', text: proof(now) }));
  if (focused) [...box.querySelectorAll('button')].find((button) => button.textContent === focused)?.focus();
}

/** @param {Offer} offer @param {number | null} budget */
function told({ saves, what, bytes: then, cost }, budget) {
  const fits = budget === null ? '' : then <= budget ? ', fits' : '';
  return `${what}: ${bytes(then)}${fits}${cost ? ` (${cost})` : ''}; saves ${bytes(saves)}`;
}

/** @param {Offer} offer @param {number | null} budget @param {Actions} actions */
function row(offer, budget, actions) {
  const { saves, what, bytes: then, cost, isFile, change, id } = offer;
  const isGood = budget !== null && then <= budget;
  return h(
    'div',
    { class: 'offer', title: told(offer, budget) },
    h('span', {}, h('b', { class: 'good', text: `−${bytes(saves)}` }), ` ${what}: ${bytes(then)}`, isGood ? h('b', { class: 'good', text: ', fits' }) : null, cost ? h('small', { text: ` ${cost}` }) : null),
    change ? h('button', { 'data-offer': id, onclick: () => actions.question.replan(change) }, 'Show') : null,
    isFile ? h('button', { class: 'primary', onclick: () => save(id, actions) }, 'Save .tflite') : null,
  );
}

/** @param {readonly Offer[]} offers @param {number} from @param {Actions} actions */
function moreButton(offers, from, actions) {
  const button = h('button', { id: 'more-offers', class: 'link', 'aria-haspopup': 'menu', 'aria-expanded': 'false', onclick: () => showMenu(button, items) }, `${offers.length - from} more`);
  const items = offers.slice(from).map(({ what, bytes: then, saves, cost, change }) => ({ label: `−${bytes(saves)} ${what}`, note: `${bytes(then)}${cost ? `, ${cost}` : ''}`, act: () => change && actions.question.replan(change) }));
  return button;
}

/** Writes the file, opens it here, and so shows the number measured on it. @param {string} id @param {Actions} actions */
async function save(id, actions) {
  try {
    const made = await actions.question.made(id);
    saveBytes(made.bytes, made.name, actions);
    await actions.file.openBytes(made.bytes, made.name);
  } catch (error) {
    actions.file.fail(error);
  }
}

/** What is proved, and what was found where nothing is. @param {ReturnType<typeof selectOffers>} picked */
function proof({ facts, offers, budget }) {
  if (!facts) return '';
  const { plan, head, bound } = facts;
  if (bound === null || hasUnknowns(facts)) return offers === null ? '' : hasUnknowns(facts) ? 'What is not known may change every number here.' : '';
  const tail = plan.whole?.tail ?? 0;
  const least = bound + tail;
  const starts = plan.whole !== null && plan.whole.total - plan.whole.used >= plan.whole.align;
  const over = budget !== null && facts.end > budget;
  if (over && least > budget) return `No placement of these tensors fits: they need ${bytes(least)} at least. Only a smaller peak helps.`;
  if (over && offers?.length === 0) return `Nothing that was tried fits${starts ? ': what decides is what the runtime needs while it starts' : ''}.`;
  if (starts) return 'What decides is what the runtime needs while it starts: other places of tensors change nothing.';
  const isBest = head.status === 'optimal';
  return `${isBest ? 'Proved: no' : 'No'} placement of these tensors takes less than ${bytes(bound)}${tail > 0 ? ` + ${bytes(tail)}` : ''}${isBest ? '' : `; this one is ${optimality(head).text}`}.`;
}

/** What the last what-if changed: of numbers that tell of the same thing. @param {ReturnType<typeof selectOffers>} picked @param {Actions} actions */
function delta({ facts, undo }, actions) {
  const before = undo.at(-1);
  if (!facts || !before) return null;
  const change = isAlike(facts, before.facts) ? usedIn(facts) - usedIn(before.facts) : null;
  const how = change === null ? '' : change === 0 ? 'as much as before' : `${change < 0 ? '▼' : '▲'} ${bytes(Math.abs(change))} ${change < 0 ? 'less' : 'more'} than before`;
  return h(
    'div',
    { class: 'offer delta' },
    h('span', {}, how ? h('b', { class: change === 0 ? '' : Number(change) < 0 ? 'good' : 'warn', text: how }) : 'Another question: not to be compared', h('small', { text: ` (${askedOf(before.facts.head, before.facts.plan.whole)}: ${bytes(usedIn(before.facts))})` })),
    h('button', { onclick: () => actions.question.undo() }, 'Undo'),
    h('button', { onclick: () => actions.question.keep() }, 'Keep'),
  );
}

/** Bytes in use: known also where it is not known what the runtime accepts. @param {Facts} facts */
const usedIn = ({ plan, end }) => plan.whole?.used ?? end;

/** Whether two numbers tell of the same thing: a whole arena is more than its tensors, and half a number is none. @param {Facts} a @param {Facts} b */
function isAlike(a, b) {
  return a.head.runtime === b.head.runtime && (a.plan.whole === null) === (b.plan.whole === null) && hasUnknowns(a) === hasUnknowns(b) && a.head.subgraph === b.head.subgraph && a.head.status !== 'unsound' && b.head.status !== 'unsound';
}

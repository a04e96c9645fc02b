/** What the page says of a plan, in sentences. */
import { bytes, count } from './format.js';
import { at, countsAsLive } from './live.js';
import { NAMES } from './names.js';

/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {import('../types.js').PlanHead} PlanHead */

/** What numbers depend on: runtime, target, kernels, planner. @param {Pick<PlanHead, 'runtime' | 'planner'>} head @param {{ target: string, kernels: string } | null} whole */
export function askedOf({ runtime, planner }, whole) {
  const name = (/** @type {string} */ word) => NAMES[word] ?? word;
  const machine = whole ? [name(whole.target), `${name(whole.kernels)} kernels`] : [];
  return [name(runtime), ...machine, /planner/.test(name(planner)) ? name(planner) : `${name(planner)} planner`].join(', ');
}

/** Whether something of what is counted is not known. @param {Facts} facts */
export const hasUnknowns = ({ plan, head }) => plan.unknownSizes > 0 || (head.unknown?.operators ?? 0) > 0;

/** Whether the arena is but a lower bound of what is needed: also where it is known what is in use, but not what is accepted. @param {Facts} facts */
export const isAtLeast = (facts) => hasUnknowns(facts) || (facts.plan.whole !== null && facts.plan.whole.smallest === null);

/** One line on a plan. @param {Facts | null} facts */
export function summaryOf(facts) {
  if (!facts) return '';
  const { head, plan } = facts;
  if (head.arena_bytes === 0) return 'nothing to plan.';
  const stopped = plan.search === 'stopped' ? 'search stopped, the best plan so far: ' : '';
  return `${stopped}${plan.whole ? 'tensors' : 'arena'} ${bytes(head.arena_bytes)}, peak ${bytes(head.peak.live_bytes)} at step ${head.peak.step}, ${optimality(head).long}.`;
}

/**
 * How far a plan is from what no plan can be below.
 * @param {import('../types.js').PlanHead} head
 * @returns {{ text: string, tone: 'good' | 'plain' | 'bad', long: string }}
 */
export function optimality(head) {
  const above = head.arena_bytes - head.lower_bound_bytes;
  if (head.status === 'unplanned') return { text: 'placed in part', tone: 'plain', long: 'not everything has its place yet' };
  if (head.status === 'unsound') return { text: 'not sound', tone: 'bad', long: 'not sound: see the problems' };
  if (head.status === 'overlapping')
    return { text: 'overlaps on purpose', tone: 'plain', long: 'the file lays live tensors over each other on purpose' };
  if (head.status === 'undecided')
    return { text: 'cannot be told', tone: 'plain', long: 'whether the tensors that share bytes lose any, the file does not show' };
  if (head.arena_bytes === 0) return { text: 'nothing to plan', tone: 'plain', long: 'nothing to plan' };
  if (head.status === 'optimal' || above === 0) return { text: 'smallest possible', tone: 'good', long: 'no plan of these lifetimes is smaller' };
  const share = (head.above_bound_percent ?? (above / head.lower_bound_bytes) * 100).toFixed(1);
  return { text: `${share} % above`, tone: 'plain', long: `${bytes(above)} (${share} %) above the lower bound` };
}

/** Whether the file itself lays live tensors over each other and may well mean it. @param {{ status: string }} head */
export const mayOverlap = ({ status }) => status === 'overlapping' || status === 'undecided';

/** Whether the plan's places break the rules that the lower bound rests on. @param {{ status: string }} head */
export const isUnbounded = (head) => mayOverlap(head) || head.status === 'unsound';

/** Naming more tensors than this in one sentence helps nobody. */
const NAMED = 3;

/** Said instead of the peak, which is at step -1 then. */
export const UNTOUCHED = 'No step of the run touches what lies in the arena';

/** @param {Facts} facts */
export function peakParts(facts) {
  const { head, columns } = facts;
  const live = facts.liveAt(head.peak.step).filter((i) => countsAsLive(columns, i) && at(columns.bytes, i) > 0);
  return {
    step: head.peak.step,
    where: facts.stepName(head.peak.step),
    named: live.slice(0, NAMED),
    others: live.slice(NAMED),
    otherBytes: live.slice(NAMED).reduce((sum, i) => sum + at(columns.bytes, i), 0),
    all: live,
  };
}

/** The sentence for a ticket: plain text, true by itself. @param {Facts} facts @param {number | null} budget */
export function ticketSentence(facts, budget) {
  const { head, model, plan } = facts;
  if (head.arena_bytes === 0 && head.persistent_bytes === 0) return `${model.name}: nothing to plan; no tensor needs a place in the arena.`;
  const { whole } = plan;
  const peak = peakParts(facts);
  const names = peak.named.map((i) => `${facts.label(i)} ${bytes(at(facts.columns.bytes, i))}`);
  if (peak.others.length > 0) names.push(`${count(peak.others.length)} more with ${bytes(peak.otherBytes)}`);
  const made = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'nothing');
  const parts = [
    ...(plan.refusal ? [`${NAMES[plan.refusal.runtime] ?? plan.refusal.runtime} refuses this model: ${plan.refusal.text}`] : []),
    `${model.name} under ${askedOf(head, whole)}${version(head)} needs ${isAtLeast(facts) ? 'at least ' : ''}${bytes(facts.end)} of arena${whole ? ` (tensors ${bytes(whole.head)}, kept for good ${bytes(whole.tail)})` : ''}${whole?.rewritten ? ', once this plan is in the file' : ''}.`,
    peak.step < 0 ? `${UNTOUCHED}.` : `The peak is ${bytes(head.peak.live_bytes)} at step ${peak.step}${peak.where ? ` (${peak.where})` : ''}: ${made}.`,
    `${sentenceCase(optimality(head).long)}${facts.bound === null ? '' : `; no plan can be below ${bytes(facts.bound)}`}.`,
  ];
  if (budget !== null) parts.push(budgetSentence(facts, budget));
  return parts.join(' ');
}

/** @param {Facts} facts @param {number} budget */
function budgetSentence(facts, budget) {
  if (facts.end > budget) return `Over the budget of ${bytes(budget)} by ${isAtLeast(facts) ? 'at least ' : ''}${bytes(facts.end - budget)}.`;
  return isAtLeast(facts) ? `Whether it fits ${bytes(budget)} is not decided.` : `Fits ${bytes(budget)}, ${bytes(budget - facts.end)} left.`;
}

/** Whose figures they are, where a plan says it. @param {PlanHead} head */
const version = ({ tool_version: tool }) => (tool ? ` (tensor-arena ${tool})` : '');

/** @param {string} text */
function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

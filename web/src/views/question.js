/** What the numbers depend on: the chip that says it, and the panel below it that changes it. */
import { byId, fill, h } from './dom.js';
import { NAMES } from '../model/names.js';
import { KERNELS, PLANNERS, RUNTIME_TRAITS, TARGETS } from '../../../dist/words.js';

/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {{ label: string, id: keyof PlanOptions, options: readonly (readonly [string, string])[], value: string, change: (value: string) => Partial<PlanOptions> }} Choice */

/** @param {State} state */
export const selectQuestion = ({ file, question }) => ({ facts: file.facts, options: question.options });

const ALIGNMENTS = [1, 2, 4, 8, 16, 32, 64];

/** @param {readonly string[]} keys */
const named = (keys) => keys.map((key) => /** @type {const} */ ([key, NAMES[key] ?? key]));

/** @param {ReturnType<typeof selectQuestion>} picked @param {Actions} actions */
export function showQuestion({ facts, options }, actions) {
  if (!facts) return;
  const chip = byId('chip');
  const { head, plan: { whole } } = facts;
  chip.textContent = [head.runtime, ...(whole ? [whole.target, whole.kernels] : []), head.planner].map((word) => NAMES[word] ?? word).join(' · ');
  const focused = document.activeElement?.id ?? '';
  const panel = byId('question');
  const hadFocus = panel.contains(document.activeElement);
  const list = choices(facts, options);
  fill(panel, ...list.map((choice) => control(choice, actions)), list.length === 0 ? h('p', { text: 'This plan came with its places: there is nothing to ask.' }) : null);
  if (hadFocus) document.getElementById(focused)?.focus();
}

/** @param {Choice} choice @param {Actions} actions */
function control({ label, id, options, value, change }, actions) {
  const select = /** @type {HTMLSelectElement} */ (h('select', { id, onchange: () => actions.question.replan(change(select.value)) }));
  for (const [key, text] of options) select.append(h('option', { value: key, selected: key === value }, text));
  return h('label', {}, label, select);
}

/** What can be chosen for these facts. @param {Facts} facts @param {PlanOptions} options @returns {Choice[]} */
export function choices({ model, head }, options) {
  if (model.kind === 'plan') return [];
  const trait = RUNTIME_TRAITS.find(({ name }) => name === head.runtime);
  const whole = trait?.wholeModel ?? false;
  /** @type {Choice[]} */
  const list = [];
  if (model.runtimes.length > 1) list.push({ label: 'Runtime', id: 'runtime', options: named(model.runtimes), value: head.runtime, change: (runtime) => ({ runtime }) });
  list.push({ label: 'Planner', id: 'planner', options: named(model.kind === 'csv' && !model.hasOffsets ? PLANNERS.filter((name) => name !== 'own').reverse() : PLANNERS), value: head.planner, change: (planner) => ({ planner }) });
  if (whole) {
    list.push({ label: 'Kernels', id: 'kernels', options: named(KERNELS), value: options.kernels, change: (kernels) => ({ kernels }) });
    list.push({ label: 'Target', id: 'target', options: named(TARGETS), value: options.target, change: (target) => ({ target }) });
  }
  if (model.kind !== 'csv' && !trait?.fixedAlignment) list.push({ label: 'Alignment', id: 'alignment', options: ALIGNMENTS.map((n) => [String(n), String(n)]), value: String(head.alignment.tensor), change: (n) => ({ alignment: Number(n) }) });
  if (!whole && model.subgraphs.length > 1) list.push({ label: 'Subgraph', id: 'subgraph', options: model.subgraphs.map(({ name }, i) => [String(i), name ? `${i}: ${name}` : String(i)]), value: String(head.subgraph ?? 0), change: (subgraph) => ({ subgraph: Number(subgraph) }) });
  return list;
}

/** Opens and closes the panel below the chip. */
export function wireQuestion() {
  const chip = byId('chip');
  const panel = byId('question');
  const toggle = (/** @type {boolean} */ open) => {
    panel.hidden = !open;
    chip.setAttribute('aria-expanded', String(open));
    if (!open) return;
    const box = chip.getBoundingClientRect();
    panel.style.top = `${box.bottom + 6}px`;
    panel.style.left = `${Math.max(8, Math.min(box.left, innerWidth - panel.offsetWidth - 8))}px`;
  };
  chip.addEventListener('click', () => {
    toggle(panel.hidden === true);
    if (!panel.hidden) panel.querySelector('select')?.focus();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    toggle(false);
    chip.focus();
  });
  addEventListener('pointerdown', (event) => {
    if (!panel.hidden && !(/** @type {Element} */ (event.target).closest('#question, #chip'))) toggle(false);
  });
}

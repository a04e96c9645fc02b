/** What the charts draw, picked from all slices. */
import { colourGroups } from '../model/groups.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {ReturnType<typeof selectChart>} ChartState */

/** @param {State} state */
export const selectChart = ({ file, question, look, selection, compare }) => ({
  facts: file.facts,
  budget: question.budget,
  /** What was planned before the last change, drawn as outlines. */
  ghosts: question.undo.at(-1)?.facts ?? null,
  /** Where the arena ended before, when that is compared with. */
  endBefore: compare.other?.facts.end ?? null,
  view: look.view,
  limits: look.limits,
  down: look.down,
  decimal: look.decimal,
  theme: look.theme,
  coarse: look.coarse,
  groups: look.groups,
  selected: selection.selected,
  kept: selection.kept,
  topWhy: selection.topWhy,
  hover: selection.hover,
  pinned: selection.pinned,
  cursor: selection.cursor,
  range: selection.range,
  marks: selection.marks,
  lit: selection.lit,
  hits: selection.hits,
});

const NONE = /** @type {number[]} */ ([]);
const NO_GROUPS = new Uint8Array(0);

/** The colours of facts, worked out once. @type {WeakMap<Facts, Map<string, Uint8Array>>} */
const coloured = new WeakMap();

/** @param {Facts} facts @param {string} by */
function groupsOf(facts, by) {
  const rules = coloured.get(facts) ?? new Map();
  coloured.set(facts, rules);
  const groups = rules.get(by) ?? colourGroups(facts, by).groups;
  rules.set(by, groups);
  return groups;
}

/** A view of as large a part of other steps, the same object as long as nothing changes. @type {WeakMap<import('../types.js').Viewport, import('../types.js').Viewport & { factor: number }>} */
const stretched = new WeakMap();

/** @param {import('../types.js').Viewport} view @param {number} factor */
function stretch(view, factor) {
  const known = stretched.get(view);
  if (known?.factor === factor) return known;
  const made = { ...view, x0: view.x0 * factor, x1: view.x1 * factor, factor };
  stretched.set(view, made);
  return made;
}

/** The same of what is compared with: on the same bytes, at the same operator. @param {State} state @returns {ChartState} */
export function selectOtherChart(state) {
  const { compare: { other }, look, selection, file } = state;
  const now = file.facts;
  const facts = other?.facts ?? null;
  const factor = now && facts ? Math.max(1, facts.head.steps) / Math.max(1, now.head.steps) : 1;
  return {
    ...selectChart(state),
    facts,
    ghosts: null,
    endBefore: null,
    view: stretch(look.view, factor),
    limits: stretch(look.limits, factor),
    groups: facts ? groupsOf(facts, look.colourBy) : NO_GROUPS,
    selected: now && facts ? sameBuffer(now, facts, selection.selected) : -1,
    hover: now && facts ? sameBuffer(now, facts, selection.hover) : -1,
    cursor: now && facts ? sameStep(now, facts, selection.cursor) : 0,
    kept: selection.kept,
    topWhy: null,
    pinned: NONE,
    range: null,
    marks: NONE,
    lit: null,
    hits: NONE,
  };
}

/** The buffer of the same name, the first where there are several; -1 for none. @param {Facts} from @param {Facts} to @param {number} i */
export function sameBuffer(from, to, i) {
  if (i < 0) return -1;
  const name = from.fullName(i);
  return to.plan.names[i] === name || to.fullName(Math.min(i, to.n - 1)) === name ? i : to.plan.names.indexOf(name);
}

/** The step of the same operator, or as far along. @param {Facts} from @param {Facts} to @param {number} step */
export function sameStep(from, to, step) {
  const entry = from.head.timeline[step];
  const found = entry && entry.node !== null && from.head.steps === to.head.steps ? to.stepOfNode({ subgraph: entry.subgraph, node: entry.node }) : -1;
  return found >= 0 ? found : Math.min(to.head.steps - 1, Math.floor((step / Math.max(1, from.head.steps)) * to.head.steps));
}

/** Stepwise allocation: the interpreter's walk, with a box for each size that is not known before it runs. */
import { RUNTIME_TRAITS } from '../../../dist/words.js';
import { outputsOf } from '../model/facts.js';
import { byId, fill, h } from './dom.js';
import { bytes, parseBytes, plural } from '../model/format.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('../model/facts.js').Facts} Facts */

const MOST_BOXES = 12;
const WALKERS = RUNTIME_TRAITS.filter(({ inSteps }) => inSteps).map(({ name }) => name);

/** Tensors that their operators allocate, in the planned subgraph. @param {Facts} facts */
function unknownTensors(facts) {
  const graph = facts.model.subgraphs[facts.head.subgraph ?? 0];
  return (graph?.tensors ?? []).flatMap(({ type }, i) => (type === 'dynamic' ? [i] : []));
}

/** @param {State} state */
export const selectWalk = ({ file, question: { walk, sizes } }) => ({ facts: file.facts, walk, sizes });

/** @param {ReturnType<typeof selectWalk>} picked @param {Actions} actions */
export function showWalk({ facts, walk, sizes }, actions) {
  const box = byId('walk');
  const unknown = facts && WALKERS.includes(facts.head.runtime) && facts.head.planner === 'own' ? unknownTensors(facts) : [];
  box.hidden = unknown.length === 0;
  if (!facts || unknown.length === 0) return;
  const focused = document.activeElement?.id ?? '';
  const running = walk ? outputsOf(facts, walk.node) : [];
  const fields = unknown.slice(0, MOST_BOXES).map((tensor) => sizeField(facts, tensor, sizes[tensor], running.includes(tensor), actions));
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {'start' | 'next'} */ move, /** @type {boolean} */ primary) =>
    h('button', { id, class: primary ? 'primary' : undefined, onclick: () => actions.question.walk(move) }, text);
  fill(
    box,
    h('p', { text: sentence(facts, walk, unknown.length, running) }),
    walk ? button('walk-next', walk.done ? 'Invoke again' : walk.node < 0 ? 'Run the first node' : 'Next node', 'next', true) : null,
    button('walk-start', walk ? 'Start over' : 'Walk through', 'start', !walk),
    h('div', { class: 'sizes' }, ...fields, unknown.length > MOST_BOXES ? h('span', { text: `and ${unknown.length - MOST_BOXES} more` }) : null),
  );
  if (focused.startsWith('walk-') || focused.startsWith('size-')) (document.getElementById(focused) ?? document.getElementById('walk-next') ?? document.getElementById('walk-start'))?.focus();
}

/** @param {Facts} facts @param {number} tensor @param {number | undefined} size @param {boolean} isNow @param {Actions} actions */
function sizeField(facts, tensor, size, isNow, actions) {
  const buffer = facts.bufferOf(facts.head.subgraph ?? 0, tensor);
  const name = buffer >= 0 ? facts.shortLabel(buffer) : `tensor ${tensor}`;
  const field = /** @type {HTMLInputElement} */ (h('input', { id: `size-${tensor}`, class: 'field', inputmode: 'numeric', autocomplete: 'off', placeholder: 'bytes', value: size ?? '' }));
  field.addEventListener('change', () => {
    const value = parseBytes(field.value);
    field.setAttribute('aria-invalid', String(value === null));
    if (value === null) actions.file.say(`"${field.value}" is no size: write one like 4096 or 4K.`);
    else actions.question.setSize(tensor, value);
  });
  return h('label', { class: isNow ? 'now' : undefined }, name, field);
}

/** @param {Facts} facts @param {import('../state/question.js').QuestionState['walk']} walk @param {number} unknown @param {number[]} running */
function sentence(facts, walk, unknown, running) {
  if (!walk) return `The sizes of ${plural(unknown, 'tensor')} are known only when the model runs. Walk through to see what gets its place when.`;
  const { node, planned, done } = walk;
  const places = planned ? ` Nodes ${planned[0]} to ${planned[1]} just got their places.` : '';
  const arena = ` Arena so far: ${bytes(facts.head.arena_bytes)}.`;
  if (node < 0) return `The tensors are allocated as far as the sizes are known.${places}${arena}`;
  const name = facts.nodeName({ subgraph: facts.head.subgraph ?? 0, node });
  const asks = running.length > 0 ? ' Say below how many bytes come out of it, then go on.' : '';
  return `${name} runs${done ? ', the last of this invocation' : ''}.${places}${arena}${asks}`;
}

/** The page's frame: header, failures, progress, the polite line. */
import { byId, fill, h } from './dom.js';
import { count } from '../model/format.js';
import { changed } from '../state/store.js';
import { copyText } from './clipboard.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */

/** A status that changes faster than this is not read out. */
const STATUS_MS = 500;
const STAGES = /** @type {Record<string, string>} */ ({ read: 'Reading', parse: 'Reading the model', plan: 'Planning', search: 'Searching', draw: 'Drawing' });

let statusTimer = 0;

/** @param {State} state */
export const selectFrame = ({ file, look, selection: { query, hits, queryError } }) => ({ facts: file.facts, busy: file.busy, failure: file.failure, status: file.status, wanted: file.wanted, theme: look.theme, query, hits, queryError });

/** @typedef {ReturnType<typeof selectFrame>} Picked */

/** Header, failures, progress, status. @param {Picked} state @param {Partial<Picked>} before @param {Actions} actions */
export function showFrame(state, before, actions) {
  const { facts, busy } = state;
  if (changed(state, before, 'facts') && facts) {
    byId('file-name').textContent = facts.model.name;
    byId('file-name').title = facts.model.name;
    document.title = `${facts.model.name}: tensor-arena`;
  }
  if (changed(state, before, 'theme')) {
    byId('theme').textContent = state.theme === 'dark' ? 'Light' : 'Dark';
    byId('theme').setAttribute('aria-label', state.theme === 'dark' ? 'Light theme' : 'Dark theme');
  }
  if (changed(state, before, 'query', 'hits', 'queryError')) {
    const search = /** @type {HTMLInputElement} */ (byId('search'));
    if (search.value !== state.query) search.value = state.query;
    byId('search-count').textContent = state.query.trim() === '' ? '' : state.queryError ? 'not understood' : count(state.hits.length);
  }
  if (changed(state, before, 'failure')) showFailure(state, actions);
  if (changed(state, before, 'busy')) showBusy(busy, actions);
  if (changed(state, before, 'status')) {
    clearTimeout(statusTimer);
    statusTimer = window.setTimeout(() => (byId('status').textContent = state.status), state.status === '' ? 0 : STATUS_MS / 2);
  }
}

/** @param {Picked} state @param {Actions} actions */
function showFailure({ failure, facts }, actions) {
  const box = byId('failure');
  if (!failure) return fill(box);
  return fill(
    box,
    h('div', {}, h('b', { text: failure.title }), h('p', { text: failure.text }), failure.next ? h('p', { text: failure.next }) : null, facts ? h('p', { class: 'quiet', text: `${facts.model.name} stays open.` }) : null),
    failure.offers === 'again' ? h('button', { onclick: () => actions.file.tryAgain() }, 'Try again') : null,
    failure.offers === 'coarser' ? h('button', { onclick: () => coarser(actions) }, 'Draw with less detail') : null,
    h('button', { onclick: () => byId('open').click() }, 'Open another'),
    h('button', { onclick: () => copyText(`${failure.title}\n${failure.detail}`, actions) }, 'Copy details'),
    h('button', { onclick: () => actions.file.dismissFailure() }, 'Close'),
  );
}

/** A picture of fewer pixels. @param {Actions} actions */
function coarser(actions) {
  actions.look.set({ coarse: true });
  actions.file.dismissFailure();
}

let saidAt = 0;
let saidStage = '';

/** The box stays, so that its button can be pressed while figures change; they change only as fast as one can read. @param {Picked['busy']} busy @param {Actions} actions */
function showBusy(busy, actions) {
  const box = byId('busy');
  box.hidden = busy === null;
  const now = performance.now();
  if (!busy) saidStage = '';
  if (!busy || (busy.stage === saidStage && now - saidAt < STATUS_MS / 2)) return;
  saidAt = now;
  saidStage = busy.stage;
  if (box.childElementCount === 0) fill(box, h('span'), h('progress', { max: 1, 'aria-label': 'Progress' }), h('button', { onclick: () => actions.file.cancel() }));
  const [text, bar, button] = /** @type {[HTMLElement, HTMLProgressElement, HTMLButtonElement]} */ (/** @type {unknown} */ ([...box.children]));
  text.textContent = `${STAGES[busy.stage] ?? busy.stage}${busy.note ? `: ${busy.note}` : ''}`;
  if (busy.fraction === null) bar.removeAttribute('value');
  else bar.value = busy.fraction;
  button.textContent = busy.stage === 'search' ? 'Stop here' : 'Cancel';
  button.hidden = busy.cancel === null;
}

/**
 * What is seen, in the address: options, budget, view, selection, and the file's name and SHA-256. Nothing of the
 * model itself is in it. Opened without the file, it says which file it wants, and checks it.
 */
import { life } from '../model/format.js';

/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */

/** Asked options, by their keys in the address. */
const OPTIONS = /** @type {const} */ (['runtime', 'planner', 'kernels', 'target', 'alignment', 'subgraph']);
/** After so long without a change the address follows. */
const SETTLE_MS = 400;

/** @typedef {{ file: string, sha256: string, url: string, params: URLSearchParams }} Wanted */

/** What the address asks for; null for nothing. @returns {Wanted | null} */
export function readAddress() {
  const params = new URLSearchParams(location.hash.slice(1));
  if ([...params].length === 0) return null;
  return { file: params.get('file') ?? '', sha256: params.get('sha256') ?? '', url: params.get('url') ?? '', params };
}

/** The fragment that shows what is seen now. @param {State} state */
export function addressOf({ file, question, look, selection }) {
  const { facts } = file;
  const params = new URLSearchParams();
  if (!facts) return '';
  params.set('file', facts.model.name);
  if (file.sha256) params.set('sha256', file.sha256);
  for (const key of OPTIONS) {
    const value = question.options[key];
    if (value !== 0 && value !== '') params.set(key, String(value));
  }
  if (question.budget !== null) params.set('budget', String(question.budget));
  if (look.colourBy !== 'op') params.set('colour', look.colourBy);
  if (look.tables) params.set('table', look.tab);
  const { view, limits } = look;
  if (view.x0 !== limits.x0 || view.x1 !== limits.x1 || view.y0 !== limits.y0 || view.y1 !== limits.y1) params.set('view', [view.x0, view.x1, view.y0, view.y1].map((value) => +value.toFixed(3)).join(','));
  if (selection.selected >= 0) params.set('tensor', String(selection.selected));
  if (selection.cursor !== facts.head.peak.step) params.set('step', String(selection.cursor));
  if (selection.query !== '') params.set('find', selection.query);
  if (selection.marks.length > 0) params.set('marks', selection.marks.join(','));
  return `#${params}`;
}

/** Keeps the address at what is seen: other questions are entries of the history, where one looks is not. @param {Store} store @param {Actions} actions */
export function followAddress(store, actions) {
  const wanted = readAddress();
  let timer = 0;
  let asked = '';
  /** What is still to be shown, once the file is open. @type {Wanted | null} */
  let pending = wanted;
  const isFor = (/** @type {Wanted} */ link) => (link.sha256 ? link.sha256 === store.state.file.sha256 : !link.file || link.file === store.state.file.facts?.model.name);
  const settle = () => {
    if (pending || store.state.file.wanted) return;
    const next = addressOf(store.state);
    const question = JSON.stringify([store.state.file.sha256, store.state.question.options]);
    if (next === location.hash) return;
    if (asked !== '' && asked !== question) history.pushState(null, '', next);
    else history.replaceState(null, '', next);
    asked = question;
  };
  /** @param {Wanted} link */
  const show = async (link) => {
    if (isFor(link)) {
      pending = null;
      await apply(link.params, store, actions);
      actions.file.set({ wanted: '' });
    } else {
      pending = link;
      actions.file.set({ wanted: link.file });
    }
  };
  store.watch(
    ({ file, question, look, selection: { selected, cursor, query, marks } }) => ({ facts: file.facts, sha256: file.sha256, wanted: file.wanted, options: question.options, budget: question.budget, view: look.view, colourBy: look.colourBy, tab: look.tab, tables: look.tables, selected, cursor, query, marks }),
    (now, before) => {
      if (now.facts !== before.facts && pending && !store.state.file.isSample) {
        if (isFor(pending)) show(pending);
        else {
          actions.file.say(`This is not the file of the link: that is ${pending.file}${pending.file === now.facts?.model.name ? ', but with other contents' : ''}.`);
          pending = null;
        }
      }
      clearTimeout(timer);
      timer = window.setTimeout(settle, SETTLE_MS);
    },
  );
  if (wanted && (wanted.file || wanted.url)) show(wanted.url ? { ...wanted, file: '', sha256: '' } : wanted);
  else pending = null;
  addEventListener('popstate', () => {
    const link = readAddress();
    asked = '';
    if (link) show(link);
  });
}

/** @param {URLSearchParams} params @param {Store} store @param {Actions} actions */
async function apply(params, store, actions) {
  const { options } = store.state.question;
  const change = Object.fromEntries(
    OPTIONS.flatMap((key) => {
      const text = params.get(key);
      const value = text === null ? null : typeof options[key] === 'number' ? Number(text) : text;
      return value === null || value === options[key] ? [] : [[key, value]];
    }),
  );
  if (Object.keys(change).length > 0) await actions.question.replan(change);
  const budget = params.get('budget');
  actions.question.setBudget(budget !== null && Number.isSafeInteger(Number(budget)) ? Number(budget) : null);
  actions.look.colour(params.get('colour') ?? 'op');
  const table = params.get('table');
  if (table) actions.look.set({ tab: table, tables: true });
  const [x0, x1, y0, y1] = (params.get('view') ?? '').split(',').map(Number);
  if (x0 !== undefined && x1 !== undefined && y0 !== undefined && y1 !== undefined && x1 > x0 && y1 > y0) actions.look.look({ x0, x1, y0, y1 });
  else actions.look.look(store.state.look.limits);
  actions.selection.search(params.get('find') ?? '');
  const tensor = Number(params.get('tensor') ?? -1);
  actions.selection.select(Number.isInteger(tensor) && tensor < (store.state.file.facts?.n ?? 0) ? tensor : -1, { reveal: false });
  const { facts } = store.state.file;
  const step = Number(params.get('step') ?? facts?.head.peak.step ?? 0);
  if (Number.isInteger(step)) actions.selection.set({ cursor: Math.max(0, Math.min((facts?.head.steps ?? 1) - 1, step)) });
  const marks = (params.get('marks') ?? '').split(',').filter(Boolean).map(Number);
  actions.selection.set({ marks: marks.filter((mark) => Number.isInteger(mark) && mark >= 0 && mark < (facts?.head.steps ?? 0)) });
  if (facts && step !== facts.head.peak.step) actions.file.say(`Step ${life(step, step)}.`);
}

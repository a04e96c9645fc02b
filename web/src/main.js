/** Puts the page together: state, engine, views, input. */
import { loadGiven, loadParts, loadSample, readSnapshot, workerUrl } from './assets.js';
import { Actions } from './actions.js';
import { Chart } from './chart.js';
import { updateControls, updateLegend } from './controls.js';
import { updateDetails } from './details.js';
import { closeMenus, showHelp, showPaste } from './dialogs.js';
import { byId, fill, h } from './dom.js';
import { exportMenu } from './exports.js';
import { failureOf } from './failure.js';
import { updateFrame } from './frame.js';
import { listenForFiles, openText } from './files.js';
import { Host } from './host.js';
import { listenToKeys } from './keys.js';
import { PointerInput } from './pointer.js';
import { BAD_PLAN, STEPWISE } from './samples.js';
import { Stepper } from './stepper.js';
import { changed, initialState, Store } from './store.js';
import { Tables, updateBands } from './tables.js';
import { updateVerdict } from './verdict.js';
import { updateWalk } from './walk.js';
import { updateWelcome } from './welcome.js';

/** @typedef {import('./store.js').State} State */

const KEPT = /** @type {const} */ (['theme', 'wheelZooms', 'letterKeys', 'decimal', 'down', 'colourBy']);
const STORAGE_KEY = 'tensor-arena';

/** What the last visit left. Storage may be closed to this page. @returns {Partial<State>} */
function stored() {
  /** @type {Partial<State>} */
  const system = { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light' };
  try {
    const saved = /** @type {unknown} */ (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'));
    return { ...system, .../** @type {Partial<State>} */ (saved) };
  } catch {
    return system;
  }
}

/** @param {State} state @param {State} before */
function keep(state, before) {
  if (!changed(state, before, ...KEPT)) return;
  document.documentElement.dataset['theme'] = state.theme;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(KEPT.map((key) => [key, state[key]]))));
  } catch {
    // Nothing is kept then.
  }
}

/** What can be looked at without a file. */
const samples = () => [
  { name: 'face_detection_short_range.tflite', label: 'Face detection', bytes: () => loadSample('face_detection_short_range.tflite') },
  { name: 'selfie_segmentation.tflite', label: 'Selfie segmentation', bytes: () => loadSample('selfie_segmentation.tflite') },
  { name: 'dynamic boxes.json', label: 'Stepwise allocation', bytes: async () => encode(JSON.stringify(STEPWISE)) },
  { name: 'a bad plan.csv', label: 'A bad plan', bytes: async () => encode(BAD_PLAN) },
].map((sample) => ({ ...sample, bytes: once(sample.bytes) }));

/** @param {string} text */
function encode(text) {
  return new TextEncoder().encode(text);
}

/** @template T @param {() => Promise<T>} make */
function once(make) {
  /** @type {Promise<T> | null} */
  let made = null;
  return () => (made ??= make());
}

async function start() {
  const store = new Store(initialState(stored()));
  document.documentElement.dataset['theme'] = store.state.theme;
  const snapshot = readSnapshot();
  const offered = snapshot ? [] : samples();
  const parts = await loadParts();
  const actions = new Actions(store, new Host(parts.module, workerUrl()));
  const map = byId('map');
  const chart = new Chart(store.state, actions, { container: map, base: byId('base'), over: byId('over') });
  const stepper = new Stepper(actions, () => store.state);
  const tables = new Tables(store.state, actions);
  const open = listenForFiles(actions);
  const help = () => showHelp(store.state.letterKeys, (letterKeys) => actions.set({ letterKeys }));
  const paste = () => showPaste((text) => openText(actions, text));
  const toggleTheme = () => actions.set({ theme: store.state.theme === 'dark' ? 'light' : 'dark' });
  const showExports = () => exportMenu(byId('export'), store, actions, chart, parts);
  const search = /** @type {HTMLInputElement} */ (byId('search'));

  new PointerInput(store, actions, chart, { element: map, tip: byId('tip'), hint: byId('hint') });
  listenToKeys(store, actions, {
    map,
    focusSearch: () => {
      search.focus();
      search.select();
    },
    open,
    exportMenu: showExports,
    help,
    toggleTheme,
    togglePlay: () => stepper.toggle(store.state),
    focusTable: () => {
      actions.set({ tab: 'tensors' });
      queueMicrotask(() => tables.focus());
    },
    closeMenus,
  });
  byId('open').addEventListener('click', open);
  byId('export').addEventListener('click', showExports);
  byId('help').addEventListener('click', help);
  byId('theme').addEventListener('click', toggleTheme);
  byId('only').addEventListener('click', () => actions.keepView());
  addEventListener('pointerdown', (event) => {
    if (!(/** @type {Element} */ (event.target).closest('.menu, #export'))) closeMenus();
  });
  matchMedia('(forced-colors: active)').addEventListener('change', () => actions.set({ theme: store.state.theme, groups: store.state.groups.slice() }));
  wireSearch(search, actions);

  store.subscribe(keep);
  store.subscribe((state, before) => chart.update(state, before));
  store.subscribe((state, before) => updateWelcome(state, before, actions, { samples: offered, open, paste, help }));
  store.subscribe((state, before) => updateVerdict(state, before, actions));
  store.subscribe((state, before) => updateControls(state, before, actions));
  store.subscribe(updateLegend);
  store.subscribe((state, before) => updateWalk(state, before, actions));
  store.subscribe((state, before) => stepper.update(state, before));
  store.subscribe((state, before) => updateDetails(state, before, actions));
  store.subscribe(updateBands);
  store.subscribe((state, before) => tables.update(state, before));
  store.subscribe((state, before) => updateFrame(state, before, actions));

  // Everything is loaded before the page says that it is ready: it asks for nothing afterwards.
  const [given] = await Promise.all([loadGiven(), ...offered.map((sample) => sample.bytes())]);
  const [first] = offered;
  if (snapshot) await actions.openSnapshot(snapshot);
  else if (given) await actions.openBytes(given.bytes, given.name);
  else if (first) await actions.openBytes(await first.bytes(), first.name, true);
  document.documentElement.dataset['ready'] = 'true';
  Object.assign(globalThis, { tensorArena: { store, actions, chart } });
}

/** @param {HTMLInputElement} search @param {Actions} actions */
function wireSearch(search, actions) {
  search.addEventListener('input', () => actions.search(search.value));
  byId('search-form').addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.nextHit(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') byId('map').focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Starts the page, or says why it cannot. */
export function startPage() {
  start().catch((error) => {
    const failure = failureOf(error);
    fill(byId('failure'), h('div', {}, h('b', { text: 'The page cannot start' }), h('p', { text: typeof WebAssembly === 'undefined' ? 'This browser has no WebAssembly, or it is turned off.' : failure.text }), h('p', { text: 'Use a current browser, and allow WebAssembly.' })));
  });
}

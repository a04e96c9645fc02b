/** Puts the page together: state, engine, views, input. */
import { Chart } from './chart/chart.js';
import { followTouch, PointerInput } from './chart/pointer.js';
import { Tip } from './chart/tip.js';
import { listenToWheel } from './chart/wheel.js';
import { failureOf } from './engine/failure.js';
import { Host } from './engine/host.js';
import { followAddress, readAddress } from './io/address.js';
import { loadGiven, loadParts, readSnapshot, workerUrl } from './io/assets.js';
import { exportMenu } from './io/exports.js';
import { listenForFiles, openText } from './io/files.js';
import { samples } from './io/samples.js';
import { makeActions } from './state/context.js';
import { keepHabits, storedHabits } from './state/habits.js';
import { selectChart, selectOtherChart } from './state/selectors.js';
import { initialState } from './state/initial.js';
import { Store } from './state/store.js';
import { selectAnswer, showNeed } from './views/answer.js';
import { compareMenu, selectCompare, showCompare } from './views/compare.js';
import { selectDetails, showDetails } from './views/details.js';
import { showHelp, showPaste } from './views/dialogs.js';
import { byId, fill, h } from './views/dom.js';
import { showFit } from './views/fit.js';
import { selectFrame, showFrame } from './views/frame.js';
import { listenToKeys } from './views/keys.js';
import { closeMenus } from './views/menu.js';
import { selectOffers, showOffers } from './views/offers.js';
import { selectQuestion, showQuestion, wireQuestion } from './views/question.js';
import { Readout, selectReadout } from './views/readout.js';
import { showScale } from './views/scale.js';
import { shareMenu } from './views/share.js';
import { selectTables, Tables } from './views/tables.js';
import { selectTools, showTools } from './views/tools.js';
import { selectWalk, showWalk } from './views/walk.js';
import { selectWelcome, showWelcome } from './views/welcome.js';

/** @typedef {import('./state/context.js').Actions} Actions */
/** @typedef {import('./state/store.js').State} State */

async function start() {
  const store = new Store(initialState(storedHabits()));
  document.documentElement.dataset['theme'] = store.state.look.theme;
  const snapshot = readSnapshot();
  const offered = snapshot ? [] : samples();
  const parts = await loadParts();
  const newHost = () => new Host(parts.module, workerUrl());
  const actions = makeActions(store, newHost(), newHost);
  const charts = makeCharts(store, actions);
  const tables = new Tables(selectTables(store.state), actions);
  const readout = new Readout(actions);
  const open = listenForFiles(actions);
  const page = {
    samples: offered,
    open,
    paste: () => showPaste((text) => openText(actions, text)),
    help: () => showHelp(store.state.look.letterKeys, (letterKeys) => actions.look.set({ letterKeys })),
    exportMenu: () => exportMenu(byId('export'), store, actions, charts.main, parts),
    shareMenu: () => shareMenu(byId('share'), store, actions),
    compareMenu: () => compareMenu(byId('compare'), store, actions),
  };
  wireButtons(actions, page);
  listenToKeys(store, actions, {
    ...page,
    map: byId('map'),
    focusSearch,
    focusTable: () => {
      actions.look.set({ tab: 'tensors', tables: true });
      queueMicrotask(() => tables.focus());
    },
    closeMenus,
  });

  store.watch(({ look }) => look, keepHabits);
  store.watch(selectWelcome, (now) => showWelcome(now, actions, page));
  store.watch(selectAnswer, (now) => showNeed(now, actions));
  store.watch(selectAnswer, (now) => showFit(now, actions));
  store.watch(selectOffers, (now, before) => showOffers(now, before, actions));
  store.watch(selectQuestion, (now) => showQuestion(now, actions));
  store.watch(selectTools, (now, before) => showTools(now, before, actions));
  store.watch(selectWalk, (now) => showWalk(now, actions));
  store.watch(selectCompare, (now) => showCompare(now, actions));
  store.watch(selectReadout, (now, before) => readout.show(now, before));
  store.watch(selectDetails, (now) => showDetails(now, actions));
  store.watch(selectTables, (now, before) => tables.show(now, before));
  store.watch(selectFrame, (now, before) => showFrame(now, before, actions));
  // After the views: these look at how large the map is by then.
  store.watch(selectChart, (now, before) => charts.main.show(now, before));
  store.watch(selectOtherChart, (now, before) => charts.other.show(now, before));
  store.watch(({ look: { view, limits } }) => ({ view, limits }), ({ view, limits }) => followTouch(byId('map'), view, limits));

  await openFirst(actions, snapshot, offered);
  followAddress(store, actions);
  document.documentElement.dataset['ready'] = 'true';
  Object.assign(globalThis, { tensorArena: { store, actions, chart: charts.main, host: actions.file } });
}

/** What is shown before anybody does anything: the view in this file, what the command line serves, what the address asks for, or a sample. @param {Actions} actions @param {import('./io/snapshot.js').Snapshot | null} snapshot @param {readonly import('./views/welcome.js').Sample[]} offered */
async function openFirst(actions, snapshot, offered) {
  if (snapshot) return actions.file.openSnapshot(snapshot);
  const given = await loadGiven();
  const wanted = readAddress();
  if (given) await actions.file.openBytes(given.bytes, given.name);
  else if (wanted?.url) await actions.file.openUrl(wanted.url);
  else {
    const [first] = offered;
    if (first) await actions.file.openBytes(await first.bytes(), first.name, true);
  }
  return undefined;
}

/** The map, and the one that it is compared with. @param {Store} store @param {Actions} actions */
function makeCharts(store, actions) {
  const failed = (/** @type {import('./types.js').Failure} */ failure) => {
    actions.file.set({ failure });
    actions.look.set({ tables: true });
  };
  const canvas = (/** @type {string} */ id) => /** @type {HTMLCanvasElement} */ (/** @type {unknown} */ (byId(id)));
  const map = byId('map');
  const main = new Chart(
    selectChart(store.state),
    {
      host: () => actions.file.host,
      failed,
      laidOut: placeStrip,
      painted: () => showScale(store.state.file.facts, main.scales),
    },
    { container: map, base: canvas('base'), over: canvas('over') },
  );
  const other = new Chart(selectOtherChart(store.state), { host: () => actions.compare.host, failed }, { container: byId('other-map'), base: canvas('other-base'), over: canvas('other-over') });
  const tip = new Tip(byId('tip'), map, main);
  new PointerInput(store, actions, main, map, tip);
  listenToWheel(store, actions, main, map, byId('hint'), () => tip.hide());
  return { main, other };
}

/** The slider lies over the strip of operators, which is what one sees of it. @param {import('./chart/geometry.js').Geometry} geometry */
function placeStrip({ strip }) {
  const { style } = byId('step');
  style.left = `${strip.x}px`;
  style.top = `${byId('map').offsetTop + strip.y}px`;
  style.width = `${strip.w}px`;
  style.height = `${strip.h}px`;
}

/** @param {Actions} actions @param {{ open: () => void, help: () => void, exportMenu: () => void, shareMenu: () => void, compareMenu: () => void }} page */
function wireButtons(actions, page) {
  const acts = { open: page.open, help: page.help, export: page.exportMenu, share: page.shareMenu, compare: page.compareMenu, theme: () => actions.look.toggleTheme(), only: () => actions.file.keepView() };
  for (const [id, act] of Object.entries(acts)) byId(id).addEventListener('click', act);
  wireQuestion();
  addEventListener('pointerdown', (event) => {
    if (!(/** @type {Element} */ (event.target).closest('.menu, [aria-haspopup="menu"]'))) closeMenus();
  });
  matchMedia('(forced-colors: active)').addEventListener('change', () => actions.look.repaint());
  const search = /** @type {HTMLInputElement} */ (byId('search'));
  search.addEventListener('input', () => actions.selection.search(search.value));
  byId('search-form').addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.selection.nextHit(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') byId('map').focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function focusSearch() {
  const search = /** @type {HTMLInputElement} */ (byId('search'));
  search.focus();
  search.select();
}

/** Starts the page, or says why it cannot. */
export function startPage() {
  start().catch((error) => {
    const failure = failureOf(error);
    fill(byId('failure'), h('div', {}, h('b', { text: 'The page cannot start' }), h('p', { text: typeof WebAssembly === 'undefined' ? 'This browser has no WebAssembly, or it is turned off.' : failure.text }), h('p', { text: 'Use a current browser, and allow WebAssembly.' })));
  });
}

/** The keyboard: what keys do, as a table that the shortcut sheet shows too. */

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./actions.js').Actions} Actions */

/**
 * @typedef {object} Shortcut
 * @property {string} keys  as the sheet shows them
 * @property {string} does
 * @property {string} group
 */

/** @type {readonly Shortcut[]} */
export const SHORTCUTS = [
  { group: 'Move', keys: 'W S', does: 'zoom in, out' },
  { group: 'Move', keys: 'A D', does: 'pan left, right' },
  { group: 'Move', keys: '+ -', does: 'zoom in, out' },
  { group: 'Move', keys: '0', does: 'everything' },
  { group: 'Move', keys: 'F', does: 'the selection; again: closer' },
  { group: 'Move', keys: 'Alt+← Alt+→', does: 'view before, after' },
  { group: 'Select', keys: '← →', does: 'step before, after' },
  { group: 'Select', keys: '↑ ↓', does: 'neighbour by address' },
  { group: 'Select', keys: ', .', does: 'use of the tensor before, after' },
  { group: 'Select', keys: '[ ]', does: 'local peak before, after' },
  { group: 'Select', keys: 'P', does: 'the peak' },
  { group: 'Select', keys: 'M', does: 'mark the step, or unmark it' },
  { group: 'Select', keys: 'N Shift+N', does: 'mark after, before' },
  { group: 'Select', keys: 'Shift+M', does: 'pin, unpin the selection' },
  { group: 'Select', keys: 'Esc', does: 'one layer back' },
  { group: 'Find', keys: '/ Ctrl+F', does: 'search' },
  { group: 'Find', keys: 'Enter Shift+Enter', does: 'hit after, before' },
  { group: 'Page', keys: '1 2', does: 'map, table' },
  { group: 'Page', keys: 'Space', does: 'play, pause the steps' },
  { group: 'Page', keys: 'Ctrl+O', does: 'open' },
  { group: 'Page', keys: 'Ctrl+S', does: 'export' },
  { group: 'Page', keys: 'Ctrl+Z', does: 'undo a what-if' },
  { group: 'Page', keys: 'T', does: 'light, dark' },
  { group: 'Page', keys: '?', does: 'this sheet' },
];

/** @type {readonly Shortcut[]} */
export const GESTURES = [
  { group: 'Mouse', keys: 'Wheel', does: 'pan (Shift: sideways)' },
  { group: 'Mouse', keys: 'Ctrl+wheel', does: 'zoom (Alt: addresses, Ctrl+Shift: steps)' },
  { group: 'Mouse', keys: 'Drag', does: 'pan; on curve or ruler: zoom to steps' },
  { group: 'Mouse', keys: 'Shift+drag', does: 'zoom to a rectangle' },
  { group: 'Mouse', keys: 'Click', does: 'select; twice: zoom to it' },
];

/** How far one key press goes, in parts of the view. */
const PAN = 0.15;
const ZOOM = 1.4;

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {{ map: HTMLElement, focusSearch: () => void, open: () => void, exportMenu: () => void, help: () => void, toggleTheme: () => void, togglePlay: () => void, focusTable: () => void, closeMenus: () => boolean }} page
 */
export function listenToKeys(store, actions, page) {
  /** Letters act by where they are on the keyboard, so that they are the same hand on every layout. */
  const byCode = /** @type {Record<string, () => void>} */ ({
    KeyW: () => actions.zoom(ZOOM),
    KeyS: () => actions.zoom(1 / ZOOM),
    KeyA: () => actions.panBy(-PAN, 0),
    KeyD: () => actions.panBy(PAN, 0),
    KeyF: () => focusSelection(store, actions),
    KeyP: () => actions.globalPeak(),
    KeyM: () => actions.mark(),
    KeyN: () => actions.nextMark(1),
    KeyT: () => page.toggleTheme(),
  });
  const shifted = /** @type {Record<string, () => void>} */ ({
    KeyM: () => store.state.selected >= 0 && actions.pin(store.state.selected),
    KeyN: () => actions.nextMark(-1),
  });
  const byKey = /** @type {Record<string, () => void>} */ ({
    '+': () => actions.zoom(ZOOM),
    '=': () => actions.zoom(ZOOM),
    '-': () => actions.zoom(1 / ZOOM),
    0: () => actions.fitAll(),
    1: () => page.map.focus(),
    2: () => page.focusTable(),
    '.': () => actions.nextUse(1),
    ',': () => actions.nextUse(-1),
    ']': () => actions.nextPeak(1),
    '[': () => actions.nextPeak(-1),
    '/': () => page.focusSearch(),
    '?': () => page.help(),
  });
  const onMap = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => actions.moveCursor(store.state.cursor - 1),
    ArrowRight: () => actions.moveCursor(store.state.cursor + 1),
    ArrowUp: () => actions.selectNeighbour(store.state.down ? -1 : 1),
    ArrowDown: () => actions.selectNeighbour(store.state.down ? 1 : -1),
    Home: () => actions.moveCursor(0),
    End: () => actions.moveCursor(Infinity),
    Enter: () => (store.state.hits.length > 0 ? actions.nextHit(1) : actions.selectLargestAtPeak()),
  });
  const withControl = /** @type {Record<string, () => void>} */ ({
    KeyF: () => page.focusSearch(),
    KeyO: () => page.open(),
    KeyS: () => page.exportMenu(),
    KeyZ: () => actions.undo(),
  });

  addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector('dialog[open]') !== null) return;
    const handle = () => {
      if (event.ctrlKey || event.metaKey) return isEditing(target) && event.code === 'KeyZ' ? undefined : withControl[event.code];
      if (event.altKey) return event.key === 'ArrowLeft' ? () => actions.goBack() : event.key === 'ArrowRight' ? () => actions.goForward() : undefined;
      if (event.key === 'Escape') return page.closeMenus() ? () => {} : () => actions.escape();
      const isMap = target === page.map;
      if (isMap && onMap[event.key]) return onMap[event.key];
      if (!isMap && target !== document.body) return undefined;
      if (!store.state.letterKeys) return undefined;
      return (event.shiftKey ? shifted[event.code] : undefined) ?? byCode[event.code] ?? byKey[event.key];
    };
    const action = handle();
    if (!action) return;
    event.preventDefault();
    action();
  });
  listenToSpace(page);
}

/** Space plays when it comes up again: held down, it makes a drag pan. @param {{ map: HTMLElement, togglePlay: () => void }} page */
function listenToSpace({ map, togglePlay }) {
  let dragged = false;
  map.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    if (!event.repeat) dragged = false;
  });
  map.addEventListener('pointerdown', () => (dragged = true));
  map.addEventListener('keyup', (event) => {
    if (event.key === ' ' && !dragged) togglePlay();
  });
}

/** Centres on the selection; when it is in view already, fits it. @param {Store} store @param {Actions} actions */
function focusSelection(store, actions) {
  const { selected, facts, view } = store.state;
  if (selected < 0 || !facts) return actions.fitAll();
  actions.select(selected);
  if (store.state.view === view) actions.zoomTo(selected);
  return undefined;
}

/** @param {HTMLElement} element */
function isEditing(element) {
  return element instanceof HTMLInputElement ? !['range', 'checkbox', 'button'].includes(element.type) : element instanceof HTMLTextAreaElement;
}

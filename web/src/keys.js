/** The keyboard: what keys do, as a table that the shortcut sheet shows too. */

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./actions.js').Actions} Actions */

/** Keys and gestures by group, as the sheet shows them. @type {Record<string, readonly (readonly [keys: string, does: string])[]>} */
export const SHORTCUTS = {
  Move: [
    ['W S', 'zoom in, out'],
    ['A D', 'pan left, right'],
    ['+ -', 'zoom in, out'],
    ['0', 'everything'],
    ['F', 'the selection; again: closer'],
    ['Alt+← Alt+→', 'view before, after'],
  ],
  Select: [
    ['← →', 'step before, after'],
    ['↑ ↓', 'neighbour by address'],
    [', .', 'use of the tensor before, after'],
    ['[ ]', 'local peak before, after'],
    ['P', 'the peak'],
    ['M', 'mark the step, or unmark it'],
    ['N Shift+N', 'mark after, before'],
    ['Shift+M', 'pin, unpin the selection'],
    ['Esc', 'one layer back'],
  ],
  Find: [
    ['/ Ctrl+F', 'search'],
    ['Enter Shift+Enter', 'hit after, before'],
  ],
  Page: [
    ['1 2', 'map, table'],
    ['Space', 'play, pause the steps'],
    ['Ctrl+O', 'open'],
    ['Ctrl+S', 'export'],
    ['Ctrl+Z', 'undo a what-if'],
    ['T', 'light, dark'],
    ['?', 'this sheet'],
  ],
  Mouse: [
    ['Wheel', 'pan (Shift: sideways)'],
    ['Ctrl+wheel', 'zoom (Alt: addresses, Ctrl+Shift: steps)'],
    ['Drag', 'pan; on curve or ruler: zoom to steps'],
    ['Shift+drag', 'zoom to a rectangle'],
    ['Click', 'select; twice: zoom to it'],
  ],
};

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

/** The keyboard: what keys do, as a table that the shortcut sheet shows too. */

/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/context.js').Actions} Actions */

/** Keys and gestures by group, as the sheet shows them. @type {Record<string, readonly (readonly [keys: string, does: string])[]>} */
export const SHORTCUTS = {
  Move: [
    ['W S', 'zoom in, out'],
    ['A D', 'pan left, right'],
    ['+ -', 'zoom in, out'],
    ['0', 'everything'],
    ['F', 'the selection, tensor or steps; again: closer'],
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
    ['C', 'compare'],
    ['Space', 'play, pause the steps'],
    ['Ctrl+O', 'open'],
    ['Ctrl+S', 'export'],
    ['Ctrl+Z', 'undo a what-if'],
    ['T', 'light, dark'],
    ['?', 'this sheet'],
  ],
  Mouse: [
    ['Wheel', 'pan (Shift: sideways); what the map cannot use scrolls the page'],
    ['Ctrl+wheel', 'zoom (Alt: addresses, Ctrl+Shift: steps)'],
    ['Drag', 'pan; on the curve or the axis: select steps; on the strip: move the cursor'],
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
 * @param {{ map: HTMLElement, focusSearch: () => void, open: () => void, exportMenu: () => void, help: () => void, compareMenu: () => void, focusTable: () => void, closeMenus: () => boolean }} page
 */
export function listenToKeys(store, actions, page) {
  /** Letters act by where they are on the keyboard, so that they are the same hand on every layout. */
  const byCode = /** @type {Record<string, () => void>} */ ({
    KeyW: () => actions.look.zoom(ZOOM),
    KeyS: () => actions.look.zoom(1 / ZOOM),
    KeyA: () => actions.look.panBy(-PAN, 0),
    KeyD: () => actions.look.panBy(PAN, 0),
    KeyF: () => focusSelection(store, actions),
    KeyP: () => actions.selection.globalPeak(),
    KeyM: () => actions.selection.mark(),
    KeyN: () => actions.selection.nextMark(1),
    KeyT: () => actions.look.toggleTheme(),
    KeyC: () => page.compareMenu(),
  });
  const shifted = /** @type {Record<string, () => void>} */ ({
    KeyM: () => store.state.selection.selected >= 0 && actions.selection.pin(store.state.selection.selected),
    KeyN: () => actions.selection.nextMark(-1),
  });
  const byKey = /** @type {Record<string, () => void>} */ ({
    '+': () => actions.look.zoom(ZOOM),
    '=': () => actions.look.zoom(ZOOM),
    '-': () => actions.look.zoom(1 / ZOOM),
    0: () => actions.look.fitAll(),
    1: () => page.map.focus(),
    2: () => page.focusTable(),
    '.': () => actions.selection.nextUse(1),
    ',': () => actions.selection.nextUse(-1),
    ']': () => actions.selection.nextPeak(1),
    '[': () => actions.selection.nextPeak(-1),
    '/': () => page.focusSearch(),
    '?': () => page.help(),
  });
  const onMap = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => actions.selection.moveCursor(store.state.selection.cursor - 1),
    ArrowRight: () => actions.selection.moveCursor(store.state.selection.cursor + 1),
    ArrowUp: () => actions.selection.selectNeighbour(store.state.look.down ? -1 : 1),
    ArrowDown: () => actions.selection.selectNeighbour(store.state.look.down ? 1 : -1),
    Home: () => actions.selection.moveCursor(0),
    End: () => actions.selection.moveCursor(Infinity),
    Enter: () => (store.state.selection.hits.length > 0 ? actions.selection.nextHit(1) : actions.selection.selectLargestAtPeak()),
  });
  const withControl = /** @type {Record<string, () => void>} */ ({
    KeyF: () => page.focusSearch(),
    KeyO: () => page.open(),
    KeyS: () => page.exportMenu(),
    KeyZ: () => actions.question.undo(),
  });

  addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector('dialog[open]') !== null) return;
    const handle = () => {
      if (event.ctrlKey || event.metaKey) return isEditing(target) && event.code === 'KeyZ' ? undefined : withControl[event.code];
      if (event.altKey) return event.key === 'ArrowLeft' ? () => actions.look.goBack() : event.key === 'ArrowRight' ? () => actions.look.goForward() : undefined;
      if (event.key === 'Escape') return page.closeMenus() ? () => {} : () => actions.selection.escape();
      const isMap = target === page.map;
      if (isMap && onMap[event.key]) return onMap[event.key];
      if (isEditing(target) || !store.state.look.letterKeys) return undefined;
      return (event.shiftKey ? shifted[event.code] : undefined) ?? byCode[event.code] ?? byKey[event.key];
    };
    const action = handle();
    if (!action) return;
    event.preventDefault();
    action();
  });
  listenToSpace(page.map, () => actions.selection.togglePlay());
}

/** Space plays when it comes up again: held down, it makes a drag pan. @param {HTMLElement} map @param {() => void} togglePlay */
function listenToSpace(map, togglePlay) {
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
  const { selection: { selected, range }, look: { view } } = store.state;
  if (range) return actions.look.goTo({ ...view, x0: range[0], x1: range[1] + 1 });
  if (selected < 0) return actions.look.fitAll();
  actions.selection.select(selected);
  if (store.state.look.view === view) actions.look.zoomTo(selected);
  return undefined;
}

/** @param {HTMLElement} element */
function isEditing(element) {
  if (element instanceof HTMLInputElement) return !['range', 'checkbox', 'button'].includes(element.type);
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

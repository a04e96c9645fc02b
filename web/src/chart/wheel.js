/** The wheel on the chart: pans, and with Ctrl zooms. What the map cannot use scrolls the page. */
import { pan, same, zoomAt } from './viewport.js';

/** @typedef {import('../state/store.js').Store} Store */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {import('./chart.js').Chart} Chart */

const LINE_PIXELS = 16;
const PAGE_PIXELS = 400;
const HINT_MS = 2200;
/** Twice as close after so many damped pixels. */
const PIXELS_TO_DOUBLE = 120;

/** @param {Store} store @param {Actions} actions @param {Chart} chart @param {HTMLElement} element @param {HTMLElement} hint @param {() => void} moved */
export function listenToWheel(store, actions, chart, element, hint, moved) {
  let timer = 0;
  const showHint = () => {
    hint.textContent = 'Ctrl+wheel to zoom';
    hint.classList.add('on');
    clearTimeout(timer);
    timer = window.setTimeout(() => hint.classList.remove('on'), HINT_MS);
  };
  element.addEventListener(
    'wheel',
    (event) => {
      const { view, limits, wheelZooms } = store.state.look;
      const zooms = event.ctrlKey || event.metaKey || event.altKey || (wheelZooms && !event.shiftKey);
      const isUsed = actions.look.look(zooms ? zoomed(event, chart, element, view) : panned(event, chart, view, store.state.look.down));
      if (!zooms && same(view, limits)) showHint();
      // A pinch must not zoom the page itself.
      if (!isUsed && !zooms) return;
      event.preventDefault();
      moved();
    },
    { passive: false },
  );
}

/** @param {WheelEvent} event */
function pixelsOf(event) {
  const scale = event.deltaMode === 1 ? LINE_PIXELS : event.deltaMode === 2 ? PAGE_PIXELS : 1;
  return { dx: event.deltaX * scale, dy: event.deltaY * scale };
}

/** @param {WheelEvent} event @param {Chart} chart @param {HTMLElement} element @param {import('../types.js').Viewport} view */
function zoomed(event, chart, element, view) {
  const factor = Math.max(0.1, Math.min(10, 2 ** (-damp(pixelsOf(event).dy) / PIXELS_TO_DOUBLE)));
  const box = element.getBoundingClientRect();
  const { step, byte } = chart.scales;
  return zoomAt(view, factor, step(event.clientX - box.left), byte(event.clientY - box.top), { x: !event.altKey, y: !event.shiftKey });
}

/** @param {WheelEvent} event @param {Chart} chart @param {import('../types.js').Viewport} view @param {boolean} down */
function panned(event, chart, view, down) {
  const { map } = chart.geometry;
  const { dx, dy } = pixelsOf(event);
  const perX = (view.x1 - view.x0) / map.w;
  const perY = ((view.y1 - view.y0) / map.h) * (down ? -1 : 1);
  return event.shiftKey ? pan(view, (dx || dy) * perX, 0) : pan(view, dx * perX, -dy * perY);
}

/** Wheel steps of a notched mouse are large, those of a trackpad small: the large ones count less. @param {number} delta */
function damp(delta) {
  return Math.sign(delta) * Math.min(120, Math.abs(delta) > 30 ? 20 + 10 * Math.log2(Math.abs(delta) / 15) : Math.abs(delta));
}

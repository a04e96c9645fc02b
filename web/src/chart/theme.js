/** The style sheet's colours, for the canvases. */
import { FILLS, makeInks, parseColour } from '../model/groups.js';

/** @typedef {ReturnType<typeof readTheme>} Theme */

/** The other theme's colours. @param {'light' | 'dark'} name */
export function readThemeOf(name) {
  const { dataset } = document.documentElement;
  const now = dataset['theme'];
  dataset['theme'] = name;
  const theme = readTheme();
  dataset['theme'] = now;
  return theme;
}

/** Reads the names once a theme; canvases cannot use them as they are. */
export function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const fills = Array.from({ length: FILLS }, (_, i) => colour(`g${i}`));
  const named = { card: colour('card'), hole: colour('hole'), holeMark: colour('hole-mark'), onFill: colour('on-fill') };
  const forced = matchMedia('(forced-colors: active)').matches;
  const system = (/** @type {string} */ keyword, /** @type {string} */ name) => (forced ? systemColour(keyword) : colour(name));
  return {
    fills: forced ? fills.map(() => systemColour('CanvasText')) : fills,
    ink: system('CanvasText', 'ink'),
    muted: system('CanvasText', 'mut'),
    line: system('GrayText', 'line'),
    edge: system('CanvasText', 'edge'),
    accent: system('Highlight', 'acc'),
    good: system('CanvasText', 'good'),
    bad: system('Mark', 'bad'),
    warn: system('CanvasText', 'warn'),
    clash: system('Mark', 'clash'),
    card: system('Canvas', 'card'),
    hole: named.hole,
    kept: system('GrayText', 'kept'),
    keptMark: system('Canvas', 'kept-mark'),
    onFill: system('Canvas', 'on-fill'),
    veil: `rgb(${colour('veil')} / 62%)`,
    sans: style.getPropertyValue('--sans'),
    mono: style.getPropertyValue('--mono'),
    inks: makeInks(forced ? { ...named, card: systemColour('Canvas'), fills: fills.map(() => systemColour('CanvasText')) } : { ...named, fills }),
  };
}

/** A system colour as "rgb(...)". @param {string} keyword */
function systemColour(keyword) {
  const probe = document.createElement('span');
  probe.style.color = keyword;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  const [red, green, blue] = parseColour(value);
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

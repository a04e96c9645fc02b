/** Habits that stay for the next visit. Storage may be closed to this page: then nothing stays. */
import { changed } from './store.js';

/** @typedef {import('./look.js').LookState} LookState */

const KEPT = /** @type {const} */ (['theme', 'wheelZooms', 'letterKeys', 'decimal', 'down', 'colourBy']);
const STORAGE_KEY = 'tensor-arena';

/** What the last visit left. @returns {Partial<LookState>} */
export function storedHabits() {
  /** @type {Partial<LookState>} */
  const system = { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light' };
  try {
    const saved = /** @type {unknown} */ (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'));
    return { ...system, .../** @type {Partial<LookState>} */ (saved) };
  } catch {
    return system;
  }
}

/** @param {LookState} look @param {Partial<LookState>} before */
export function keepHabits(look, before) {
  if (!changed(look, before, ...KEPT)) return;
  document.documentElement.dataset['theme'] = look.theme;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(KEPT.map((key) => [key, look[key]]))));
  } catch {
    // Nothing is kept then.
  }
}

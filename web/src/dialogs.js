/** Dialogs: the shortcut sheet, and a box to paste into. */
import { fill, h } from './dom.js';
import { SHORTCUTS } from './keys.js';

/** @param {string} label @param {...Node} body */
function show(label, ...body) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { 'aria-label': label }, ...body));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** What the user's keys are called, where the browser tells. @returns {Promise<Map<string, string> | null>} */
async function keyCaps() {
  const keyboard = /** @type {{ keyboard?: { getLayoutMap(): Promise<Map<string, string>> } }} */ (navigator).keyboard;
  return (await keyboard?.getLayoutMap().catch(() => null)) ?? null;
}

/** @param {boolean} letterKeys @param {(on: boolean) => void} setLetterKeys */
export async function showHelp(letterKeys, setLetterKeys) {
  const caps = await keyCaps();
  /** @param {string} key */
  const cap = (key) => (/^[A-Z]$/.test(key) ? (caps?.get(`Key${key}`)?.toUpperCase() ?? key) : key);
  const sheet = h(
    'div',
    { class: 'keys' },
    ...Object.entries(SHORTCUTS).map(([group, list]) =>
      h(
        'section',
        {},
        h('h3', { text: group }),
        h(
          'dl',
          {},
          ...list.flatMap(([keys, does]) => [h('dt', {}, ...keys.split(' ').flatMap((key, i) => [i > 0 ? ' ' : '', h('kbd', { text: cap(key) })])), h('dd', { text: does })]),
        ),
      ),
    ),
  );
  const box = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', checked: letterKeys, onchange: () => setLetterKeys(box.checked) }));
  const close = h('button', { class: 'primary', onclick: () => dialog.close() }, 'Close');
  const dialog = show('Keyboard and mouse', h('div', { class: 'body' }, h('h2', { text: 'Keyboard and mouse' }), sheet, h('label', { class: 'setting' }, box, 'Single keys act without Ctrl, when the map or nothing has the focus'), h('div', { class: 'acts' }, close)));
}

/** @param {(text: string) => void} onText */
export function showPaste(onText) {
  const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { 'aria-label': 'Plan, graph or buffer list', spellcheck: false, placeholder: '{"format":"tensor-arena-plan", ...}   or   id,lower,upper,size' }));
  const cancel = h('button', { onclick: () => dialog.close() }, 'Cancel');
  const form = h('form', { method: 'dialog' }, h('h2', { text: 'Paste a plan, a graph or a buffer list' }), text, h('div', { class: 'acts' }, cancel, h('button', { type: 'submit', class: 'primary' }, 'Show')));
  form.addEventListener('submit', () => text.value.trim() !== '' && onText(text.value));
  const dialog = show('Paste', form);
  text.focus();
}

/**
 * A menu below a button; arrow keys move, Escape closes.
 * @param {HTMLElement} button
 * @param {readonly { label: string, note: string, act: () => void }[]} items
 */
export function showMenu(button, items) {
  if (closeMenus()) return;
  const menu = h('div', { class: 'menu', role: 'menu', 'aria-label': button.textContent ?? '' });
  fill(
    menu,
    ...items.map(({ label, note, act }) =>
      h(
        'button',
        {
          type: 'button',
          role: 'menuitem',
          tabindex: -1,
          onclick: () => {
            closeMenus();
            act();
          },
        },
        label,
        h('span', { text: note }),
      ),
    ),
  );
  menu.addEventListener('keydown', (event) => {
    const buttons = /** @type {HTMLElement[]} */ ([...menu.children]);
    const now = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const moves = /** @type {Record<string, number>} */ ({ ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 });
    const next = moves[event.key];
    if (event.key === 'Tab') closeMenus();
    if (next === undefined) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length]?.focus();
  });
  button.after(menu);
  const box = button.getBoundingClientRect();
  menu.style.top = `${box.bottom + 6}px`;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  button.setAttribute('aria-expanded', 'true');
  opener = button;
  /** @type {HTMLElement | null} */ (menu.firstElementChild)?.focus();
}

/** @type {HTMLElement | null} */
let opener = null;

/** @returns {boolean} whether one was open */
export function closeMenus() {
  const menu = document.querySelector('.menu');
  if (!menu) return false;
  const hadFocus = menu.contains(document.activeElement);
  menu.remove();
  opener?.setAttribute('aria-expanded', 'false');
  if (hadFocus) opener?.focus();
  opener = null;
  return true;
}

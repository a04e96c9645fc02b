/** Dialogs: the shortcut sheet, and boxes to paste into. */
import { h } from './dom.js';
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

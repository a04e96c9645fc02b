/** Menus below buttons. */
import { fill, h } from './dom.js';

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

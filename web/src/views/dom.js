/** Building and finding elements. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]  a button is no submit button unless `type` says so;  `on*`: a listener; `class`, `text`; booleans set or leave out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (element instanceof HTMLButtonElement) element.type = 'button';
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === 'text') element.textContent = String(value);
    else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (element);
}

/** A name that may break where its parts meet, not within them. @param {string} name */
export function breakable(name) {
  return name.split(/(?<=[/_;:.])/).flatMap((part, i) => (i > 0 ? [h('wbr'), part] : [part]));
}

/** A square of colour class `group`. @param {number | string | undefined} group @param {string} [texture] */
export function swatch(group, texture = '') {
  return h('i', { class: `swatch ${texture}`, 'data-group': group, 'aria-hidden': 'true' });
}

/** Replaces an element's children. @param {Element} element @param {...(Node | string | null | undefined | false)} children */
export function fill(element, ...children) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
}

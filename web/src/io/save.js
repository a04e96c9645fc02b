/** Saving files. */
import { closeMenus } from '../views/menu.js';

/** @param {Blob} blob @param {string} name @param {import('../state/context.js').Actions} actions */
export function save(blob, name, actions) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  closeMenus();
  actions.file.say(`Saved ${name}.`);
}

/** @param {Uint8Array} bytes @param {string} name @param {import('../state/context.js').Actions} actions */
export function saveBytes(bytes, name, actions) {
  save(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)], { type: 'application/octet-stream' }), name, actions);
}

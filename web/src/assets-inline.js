/** What the single file carries in itself: the core and the samples, as text in script elements. */
import { compileBytes } from '../../wasm/module.js';

/** A worker would need a second file. */
export const workerUrl = () => null;

/** @param {string} id @returns {Uint8Array<ArrayBuffer>} */
function inlined(id) {
  const text = document.getElementById(id)?.textContent ?? '';
  return Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
}

export const loadCore = () => compileBytes(inlined('core'), 'this file');

/** @param {string} name @returns {Promise<Uint8Array>} */
export async function loadSample(name) {
  return inlined(`sample-${name}`);
}

/** @returns {Promise<null>} */
export async function loadGiven() {
  return null;
}

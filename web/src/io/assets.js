/**
 * What the page consists of: its script, the core and the samples. In a single file they lie in the page; else
 * they are loaded once, when it starts.
 */

/** @param {string} id */
const inlined = (id) => document.getElementById(id)?.textContent ?? null;

/** @param {string} text  base64 */
const decode = (text) => Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));

/** A worker would need a second file. */
export const workerUrl = () => (inlined('core') === null ? new URL('main.js', document.baseURI) : null);

/** @param {string} path @param {RequestInit} [how] */
async function load(path, how) {
  const response = await fetch(new URL(path, document.baseURI), how);
  if (!response.ok) throw new Error(`${path} could not be loaded: ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * The core, and what a file of the view is made from: the page as it is before anything is shown on it.
 * @returns {Promise<{ module: WebAssembly.Module, core: Uint8Array, script: string, shell: string }>}
 */
export async function loadParts() {
  const body = /** @type {HTMLElement} */ (document.body.cloneNode(true));
  for (const script of body.querySelectorAll('script')) script.remove();
  const text = inlined('core');
  const core = text === null ? await load('tensor_arena.wasm') : decode(text);
  const script = document.querySelector('script[type="module"]')?.textContent || new TextDecoder().decode(await load('main.js', { cache: 'force-cache' }));
  return { module: await WebAssembly.compile(core), core, script, shell: body.innerHTML };
}

/** @param {string} name */
export async function loadSample(name) {
  const text = inlined(`sample-${name}`);
  return text === null ? load(`samples/${name}`) : decode(text);
}

/** The file that `tensor-arena view` serves with the page; null when there is none. @returns {Promise<{ bytes: Uint8Array, name: string } | null>} */
export async function loadGiven() {
  const name = document.querySelector('meta[name="tensor-arena-file"]')?.getAttribute('content');
  return name ? { bytes: await load('model'), name } : null;
}

/** The view that lies in the page, when it is a file of one. @returns {import('./snapshot.js').Snapshot | null} */
export function readSnapshot() {
  const text = inlined('view');
  return text === null ? null : JSON.parse(text);
}

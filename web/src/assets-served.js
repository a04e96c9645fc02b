/** What the served page loads once, when it starts: the core and the samples. */
import { fetchModule } from '../../wasm/module.js';

export const workerUrl = () => new URL('worker.js', document.baseURI);

export const loadCore = () => fetchModule(new URL('tensor_arena.wasm', document.baseURI));

/** @param {string} name @returns {Promise<Uint8Array>} */
export async function loadSample(name) {
  const response = await fetch(new URL(`samples/${name}`, document.baseURI));
  if (!response.ok) throw new Error(`the sample ${name} could not be loaded: ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The file that `tensor-arena view` serves with the page; null when there is none. @returns {Promise<{ bytes: Uint8Array, name: string } | null>} */
export async function loadGiven() {
  const name = document.querySelector('meta[name="tensor-arena-file"]')?.getAttribute('content');
  if (!name) return null;
  const response = await fetch(new URL('model', document.baseURI));
  return response.ok ? { bytes: new Uint8Array(await response.arrayBuffer()), name } : null;
}

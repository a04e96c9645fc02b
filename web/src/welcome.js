/** The card that offers to open something, and the samples it offers. */
import { byId, fill, h } from './dom.js';
import { changed } from './store.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./actions.js').Actions} Actions */
/** @typedef {{ name: string, label: string, bytes: () => Promise<Uint8Array> }} Sample */

/**
 * @param {State} state @param {State} before @param {Actions} actions
 * @param {{ samples: readonly Sample[], open: () => void, paste: () => void, help: () => void }} page
 */
export function updateWelcome(state, before, actions, { samples, open, paste, help }) {
  if (!changed(state, before, 'welcome')) return;
  const card = byId('welcome');
  card.hidden = !state.welcome;
  if (!state.welcome) return;
  fill(
    card,
    h('p', { class: 'lead', text: 'Drop a .tflite here' }),
    h('div', { class: 'chips' }, h('button', { class: 'primary', onclick: open }, 'Open'), h('button', { onclick: paste }, 'Paste plan JSON')),
    h('div', { class: 'chips' }, h('span', { text: 'or look at' }), ...samples.map((sample) => h('button', { onclick: async () => actions.openBytes(await sample.bytes(), sample.name, true) }, sample.label))),
    h('button', { class: 'close', onclick: () => actions.set({ welcome: false }) }, 'Hide'),
    h('p', { class: 'about' }, 'Below is a sample, planned just now by the code in this page. Your file stays in this tab: the page\'s policy allows no connection to anywhere else, and it works with the network off. ', h('button', { class: 'link', onclick: help }, 'Keyboard and mouse')),
  );
}

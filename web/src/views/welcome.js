/** The line that offers to open something, and the samples it offers. */
import { byId, fill, h } from './dom.js';

/** @typedef {import('../state/store.js').State} State */
/** @typedef {import('../state/context.js').Actions} Actions */
/** @typedef {{ name: string, label: string, about: string, bytes: () => Promise<Uint8Array> }} Sample */

/** @param {State} state */
export const selectWelcome = ({ file }) => ({ welcome: file.welcome, wanted: file.wanted });

/**
 * @param {ReturnType<typeof selectWelcome>} picked @param {Actions} actions
 * @param {{ samples: readonly Sample[], open: () => void, paste: () => void, help: () => void }} page
 */
export function showWelcome({ welcome, wanted }, actions, { samples, open, paste, help }) {
  const line = byId('welcome');
  line.hidden = !welcome && wanted === '';
  if (line.hidden) return;
  const lead = wanted ? `This link shows ${wanted}: drop it here` : 'Drop a .tflite here';
  fill(
    line,
    h('p', { class: 'lead', text: lead }),
    h('button', { class: 'primary', onclick: open }, 'Open'),
    h('button', { onclick: paste }, 'Paste plan JSON'),
    h('span', { class: 'or', text: 'or look at' }),
    ...samples.map(({ label, name, about, bytes }) => h('button', { title: about, onclick: async () => actions.file.openBytes(await bytes(), name, true) }, label)),
    h('p', { class: 'about' }, 'Your file stays in this tab: the page can connect to nowhere else. ', h('button', { class: 'link', onclick: help }, 'Keyboard and mouse')),
    h('button', { class: 'close icon', 'aria-label': 'Hide', title: 'Hide', onclick: () => actions.file.set({ welcome: false, wanted: '' }) }, '✕'),
  );
}

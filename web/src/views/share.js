/** What can be sent to somebody: a link, a sentence, the lines for the firmware. */
import { copyText } from './clipboard.js';
import { showMenu } from './menu.js';
import { addressOf } from '../io/address.js';
import { ticketSentence } from '../model/sentences.js';

/** @param {HTMLElement} button @param {import('../state/store.js').Store} store @param {import('../state/context.js').Actions} actions */
export function shareMenu(button, store, actions) {
  const { facts } = store.state.file;
  if (!facts) return;
  const link = () => new URL(addressOf(store.state), document.baseURI).href;
  showMenu(button, [
    { label: 'Copy for a ticket', note: 'the answer in a few sentences', act: () => copyText(ticketSentence(facts, store.state.question.budget), actions) },
    { label: 'Copy link', note: 'this view; it holds no model, whoever opens it needs the file', act: () => copyText(link(), actions) },
  ]);
}

/** What the slices' actions share. */
import { CompareActions } from './compare.js';
import { FileActions } from './file.js';
import { LookActions } from './look.js';
import { QuestionActions } from './question.js';
import { Requests } from './requests.js';
import { SelectionActions } from './selection.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('../engine/host.js').Host} Host */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {{ store: Store, host: Host, secondHost: () => Host, requests: Requests, actions: Actions }} Context */
/** @typedef {'another file' | 'another plan' | 'the same file'} Occasion  why there are other facts */
/** @typedef {{ file: FileActions, question: QuestionActions, look: LookActions, selection: SelectionActions, compare: CompareActions, adopt: (facts: Facts, occasion: Occasion) => void }} Actions */

/** @param {Store} store @param {Host} host @param {() => Host} secondHost  starts another engine, for what is compared with @returns {Actions} */
export function makeActions(store, host, secondHost) {
  const context = /** @type {Context} */ ({ store, host, secondHost });
  context.requests = new Requests(context);
  const actions = (context.actions = {
    file: new FileActions(context),
    question: new QuestionActions(context),
    look: new LookActions(context),
    selection: new SelectionActions(context),
    compare: new CompareActions(context),
    /** Shows other facts: each slice follows, the file first. */
    adopt: (facts, occasion) => {
      store.set('file', { facts });
      actions.question.follow(facts, occasion);
      actions.look.follow(facts, occasion);
      actions.selection.follow(facts, occasion);
      actions.compare.follow(facts, occasion);
    },
  });
  return actions;
}

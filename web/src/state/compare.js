/** Two plans side by side: what is open, and another. */
import { askedAnew } from './question.js';
import { makeFacts } from '../model/facts.js';

/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('../engine/host.js').Host} Host */
/** @typedef {import('./context.js').Context} Context */
/** @typedef {{ facts: Facts, options: PlanOptions }} Other */

/**
 * @typedef {object} CompareState
 * @property {Other | null} other  what is compared with: the plan before, on the left
 */

/** @returns {CompareState} */
export const notCompared = () => ({ other: null });

export class CompareActions {
  #context;
  /** Draws and plans what is compared with. @type {Host | null} */
  #host = null;
  #turn = 0;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get host() {
    return (this.#host ??= this.#context.secondHost());
  }

  /** @param {Facts} _facts @param {import('./context.js').Occasion} _occasion */
  follow(_facts, _occasion) {}

  /** Puts another file beside what is open. @param {Uint8Array} data @param {string} name @param {Partial<PlanOptions>} [options] */
  async withFile(data, name, options = this.#context.store.state.question.options) {
    const { store, actions } = this.#context;
    const turn = ++this.#turn;
    try {
      const { model, plan } = await this.host.call('open', [data, name, options]);
      if (turn !== this.#turn) return;
      this.#show(makeFacts(model, plan), options);
    } catch (error) {
      if (turn === this.#turn) actions.file.fail(error, undefined, `${name}: `);
    }
    store.set('file', { busy: null });
  }

  /** Puts what is open beside itself, asked in another way. @param {Partial<PlanOptions>} change */
  async withOptions(change) {
    const { given } = this.#context.actions.file;
    if (given) await this.withFile(given.data, given.name, askedAnew(this.#context.store.state.question.options, change));
  }

  /** @param {Facts} facts @param {Partial<PlanOptions>} options */
  #show(facts, options) {
    const { store, actions } = this.#context;
    const { head } = facts;
    store.set('compare', { other: { facts, options: { ...store.state.question.options, ...options, runtime: head.runtime, planner: head.planner } } });
    actions.look.refit(undefined);
    actions.file.say(`Beside ${facts.model.name}.`);
  }

  end() {
    if (!this.#context.store.state.compare.other) return;
    this.#turn++;
    this.#context.store.set('compare', notCompared());
    this.#context.actions.look.refit();
    this.#context.actions.file.say('Compared no more.');
  }
}

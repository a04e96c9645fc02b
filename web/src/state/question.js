/** What is asked of the open model: runtime, planner, kernels, budget; what was asked before; and what one can do about the answer. */
import { failureOf } from '../engine/failure.js';
import { makeFacts, outputsOf } from '../model/facts.js';
import { bytes } from '../model/format.js';
import { summaryOf } from '../model/sentences.js';

/** @typedef {import('../types.js').PlanOptions} PlanOptions */
/** @typedef {import('../types.js').Offer} Offer */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('./context.js').Context} Context */
/** @typedef {{ options: PlanOptions, facts: Facts }} Version */
/** @typedef {{ node: number, planned: readonly [number, number] | null, done: boolean }} Walk */

/**
 * @typedef {object} QuestionState
 * @property {PlanOptions} options
 * @property {number | null} budget  bytes
 * @property {Version[]} undo  what was planned before, the latest last
 * @property {readonly Offer[] | null} offers  what can be done, best first; null: not looked for yet
 * @property {Walk | null} walk  where the interpreter's walk is
 * @property {Record<number, number>} sizes  bytes that were given for tensors of unknown size
 */

/** @returns {QuestionState} */
export const noQuestion = () => ({
  options: { runtime: '', planner: 'own', alignment: 0, subgraph: 0, kernels: 'reference', target: 'cortex-m' },
  budget: null,
  undo: [],
  offers: null,
  walk: null,
  sizes: {},
});

/** Options with a change: another runtime begins with its own alignment, at the first subgraph. @param {PlanOptions} options @param {Partial<PlanOptions>} change @returns {PlanOptions} */
export function askedAnew(options, change) {
  const first = change.runtime !== undefined && change.runtime !== options.runtime ? { alignment: 0, subgraph: 0 } : {};
  return { ...options, ...first, ...change };
}

export class QuestionActions {
  #context;

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get #state() {
    return this.#context.store.state.question;
  }

  /** @param {Partial<QuestionState>} patch */
  #set(patch) {
    this.#context.store.set('question', patch);
  }

  /** @param {Facts} facts @param {import('./context.js').Occasion} occasion */
  follow(facts, occasion) {
    const { head, model } = facts;
    const { options } = this.#state;
    const alignment = head.runtime === 'tflm' || model.kind !== 'tflite' ? options.alignment : options.alignment || head.alignment.tensor;
    this.#set({ options: { ...options, runtime: head.runtime, planner: head.planner, alignment, subgraph: head.subgraph ?? 0 }, offers: null });
    if (occasion === 'another file') this.#set({ undo: [], walk: null, sizes: {} });
    this.#lookForOffers(facts);
  }

  /** Plans anew with other options; what was planned before can be had back. @param {Partial<PlanOptions>} change */
  replan(change) {
    return this.#context.requests.ask((facts) => this.#replan(facts, askedAnew(this.#state.options, change), true));
  }

  undo() {
    return this.#context.requests.ask((facts) => {
      const last = this.#state.undo.at(-1);
      return last && this.#replan(facts, last.options, false);
    });
  }

  /** Accepts what is planned: there is nothing to compare with any more. */
  keep() {
    this.#set({ undo: [] });
    this.#context.actions.file.say('Kept.');
  }

  /** @param {Facts} facts @param {PlanOptions} options @param {boolean} remember */
  async #replan(facts, options, remember) {
    const { requests, host, store, actions } = this.#context;
    const { undo } = this.#state;
    const turn = requests.next();
    const busy = requests.busy('plan', turn);
    const before = { options: { ...this.#state.options }, facts };
    try {
      const plan = await host.call('plan', [options], busy.progress);
      if (!requests.isNow(turn)) return;
      this.#set({ options, walk: null, undo: remember ? [...undo, before] : undo.slice(0, -1) });
      store.set('file', { failure: null });
      actions.adopt(makeFacts(facts.model, plan), 'another plan');
      actions.file.say(summaryOf(store.state.file.facts));
    } catch (error) {
      if (!requests.isNow(turn)) return;
      actions.file.fail(error);
      this.#set({ options: before.options });
    } finally {
      busy.end();
    }
  }

  /** @param {number | null} budget */
  setBudget(budget) {
    this.#set({ budget });
    this.#context.actions.look.refit();
  }

  /** What can be done about these facts; the plan stays as it is. @param {Facts} facts */
  async #lookForOffers(facts) {
    const { host, store } = this.#context;
    const offers = await host.call('offers', [this.#state.options]).catch(() => null);
    if (store.state.file.facts === facts && offers) this.#set({ offers });
  }

  /** The model as one of the offers makes it. @param {string} id @returns {Promise<{ name: string, bytes: Uint8Array }>} */
  async made(id) {
    const { facts } = this.#context.store.state.file;
    const offered = await this.#context.host.call('offered', [id]);
    if (!facts || !offered || facts !== this.#context.store.state.file.facts) throw failureOf(new Error('the plan changed meanwhile: ask again.'));
    return { name: facts.model.name.replace(/(\.\w+)?$/, `.${id}$1`), bytes: offered };
  }

  /** Starts the interpreter's walk, or takes its next step. @param {'start' | 'next'} move */
  walk(move) {
    return this.#context.requests.ask((facts) => this.#walk(facts, move));
  }

  /** @param {Facts} facts @param {'start' | 'next'} move */
  async #walk(facts, move) {
    const { requests, host, store, actions } = this.#context;
    const { options, walk, sizes } = this.#state;
    const turn = requests.now;
    const given = outputsOf(facts, walk?.node ?? -1).flatMap((tensor) => (sizes[tensor] === undefined ? [] : [/** @type {const} */ ([tensor, sizes[tensor]])]));
    try {
      const { step, plan } = await host.call('walk', [options, move, move === 'next' ? given : []]);
      if (!requests.isNow(turn)) return;
      this.#set({ walk: step });
      store.set('file', { failure: null });
      actions.adopt(makeFacts(facts.model, plan), 'another plan');
      if (step.node >= 0) actions.selection.moveCursor(step.node, true);
      const planned = step.planned ? `Nodes ${step.planned[0]} to ${step.planned[1]} have their places now: arena ${bytes(plan.head.arena_bytes)}.` : '';
      actions.file.say(`${step.node >= 0 ? `${facts.nodeName({ subgraph: facts.head.subgraph ?? 0, node: step.node })} runs. ` : ''}${planned}`);
    } catch (error) {
      if (requests.isNow(turn)) actions.file.fail(error);
    }
  }

  /** @param {number} tensor @param {number} size */
  setSize(tensor, size) {
    this.#set({ sizes: { ...this.#state.sizes, [tensor]: size } });
  }
}

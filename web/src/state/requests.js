/** What is asked of the engine: which answer still counts, what waits for what, and the line that says that it takes long. */

/** @typedef {import('./context.js').Context} Context */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {{ progress: import('../engine/engine.js').Progress, end: () => void }} Working */

/** Work that takes less shows no progress bar. */
const PATIENCE_MS = 150;

export class Requests {
  #context;
  /** Which request's answer still counts. */
  #turn = 0;
  /** The request that opens something; 0 when none does. */
  #opens = 0;
  /** @type {Promise<unknown>} */
  #planning = Promise.resolve();

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get now() {
    return this.#turn;
  }

  /** A new request: answers to those before it count no more. */
  next() {
    return ++this.#turn;
  }

  /** @param {number} turn */
  isNow(turn) {
    return turn === this.#turn;
  }

  /** Opens something: whatever else was asked for before is dropped. @param {string} stage @param {(turn: number, busy: Working) => Promise<void>} work @param {(error: unknown) => void} failed */
  async open(stage, work, failed) {
    const turn = (this.#opens = this.next());
    const busy = this.busy(stage, turn);
    try {
      await work(turn, busy);
    } catch (error) {
      if (this.isNow(turn)) failed(error);
    } finally {
      if (this.isNow(turn)) this.#opens = 0;
      busy.end();
    }
  }

  /** Asks something of the open model: one after the other, and nothing while another model takes its place. @param {(facts: Facts) => unknown} work */
  ask(work) {
    const { store, host, actions } = this.#context;
    if (!this.#opens) host.call('stop', []);
    this.#planning = this.#planning.then(() => {
      const { facts } = store.state.file;
      if (!this.#opens) return facts && work(facts);
      store.set('question', { options: { ...store.state.question.options } });
      return actions.file.say('Wait until the file is open.');
    });
    return this.#planning;
  }

  /**
   * A progress line that shows itself when the work takes long.
   * @param {string} stage @param {number} turn
   * @returns {Working}
   */
  busy(stage, turn) {
    const { store, host } = this.#context;
    let shown = false;
    const cancel = () => {
      if (store.state.file.busy?.stage === 'search') host.call('stop', []);
      else this.#cancel();
    };
    let busy = { stage, fraction: /** @type {number | null} */ (null), note: '', cancel };
    const timer = setTimeout(() => {
      if (!this.isNow(turn)) return;
      shown = true;
      store.set('file', { busy });
    }, PATIENCE_MS);
    return {
      progress: (/** @type {string} */ name, /** @type {number | null} */ fraction, note = '') => {
        busy = { ...busy, stage: name, fraction, note };
        if (shown && this.isNow(turn)) store.set('file', { busy });
      },
      end: () => {
        clearTimeout(timer);
        if (this.isNow(turn)) store.set('file', { busy: null });
      },
    };
  }

  /** Stops whatever runs; what was open stays on the page, and is opened again behind it. */
  #cancel() {
    const { store, host, actions } = this.#context;
    this.next();
    this.#opens = 0;
    this.#planning = Promise.resolve();
    host.restart();
    store.set('file', { busy: null });
    actions.file.say('Cancelled.');
    actions.file.reopen();
  }
}

/** What is open: opened, cancelled, failed, and what the page says of that. */
import { failureOf } from '../engine/failure.js';
import { summaryOf } from '../model/sentences.js';
import { bytes } from '../model/format.js';
import { makeFacts } from '../model/facts.js';

/** @typedef {import('../types.js').Failure} Failure */
/** @typedef {import('../types.js').ModelInfo} ModelInfo */
/** @typedef {import('../types.js').PlanData} PlanData */
/** @typedef {import('../model/facts.js').Facts} Facts */
/** @typedef {import('./context.js').Context} Context */
/** @typedef {import('./requests.js').Working} Working */
/** @typedef {(progress?: import('../engine/engine.js').Progress) => Promise<{ model: ModelInfo, plan: PlanData }>} Reopen */
/** @typedef {{ stage: string, fraction: number | null, note: string, cancel: (() => void) | null }} Busy */

/**
 * @typedef {object} FileState
 * @property {Facts | null} facts  the open model and its plan
 * @property {boolean} isSample
 * @property {boolean} welcome  whether the page offers to open something
 * @property {string} sha256  of the file, in hexadecimal; '' where it is not known
 * @property {string} wanted  the file that a link is about, until it is open; '' for none
 * @property {Failure | null} failure
 * @property {Busy | null} busy
 * @property {string} status  the polite line
 */

/** @returns {FileState} */
export const noFile = () => ({ facts: null, isSample: false, welcome: true, sha256: '', wanted: '', failure: null, busy: null, status: '' });

/** A file is read in pieces, so that progress shows and a cancel ends it. */
const PIECE = 4 << 20;

export class FileActions {
  #context;
  /** Opens once more what is shown. @type {Reopen | null} */
  #reopen = null;
  /** What is open, to be opened beside itself. @type {{ data: Uint8Array, name: string } | null} */
  #given = null;
  /** What could not be opened, to be tried again. @type {() => void} */
  tryAgain = () => {};

  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  get #state() {
    return this.#context.store.state;
  }

  get host() {
    return this.#context.host;
  }

  /** The bytes and the name of what is open; null for a view that came without its model. */
  get given() {
    return this.#given;
  }

  /** @param {Partial<FileState>} patch */
  set(patch) {
    this.#context.store.set('file', patch);
  }

  /** @param {string} status */
  say(status) {
    this.set({ status });
  }

  /** @param {unknown} error @param {Failure['offers']} [offers] @param {string} of  whose it is */
  fail(error, offers, of = '') {
    const failure = failureOf(error);
    this.set({ failure: { ...failure, title: of + failure.title, offers } });
  }

  dismissFailure() {
    this.set({ failure: null });
  }

  /** Ends what runs. */
  cancel() {
    this.#state.file.busy?.cancel?.();
  }

  /** What the engine tells of these facts; an error if others are shown by then. @param {Facts} facts @param {string} call @param {unknown[]} args */
  async told(facts, call, args) {
    const answer = await this.#context.host.call(call, args);
    if (facts !== this.#state.file.facts) throw failureOf(new Error('the plan changed meanwhile: export again.'));
    return answer;
  }

  /**
   * @param {'read' | 'parse'} stage
   * @param {string} name
   * @param {() => Promise<void>} again  the same once more
   * @param {(turn: number, busy: Working) => Promise<void>} work
   */
  async #opening(stage, name, again, work) {
    const { requests } = this.#context;
    await requests.open(stage, work, (error) => {
      this.tryAgain = again;
      this.fail(error, 'again', `${name}: `);
    });
  }

  /** @param {Blob} file @param {string} name @returns {Promise<void>} */
  openFile(file, name) {
    const { requests } = this.#context;
    return this.#opening('read', name, () => this.openFile(file, name), async (turn, busy) => {
      const data = await readBlob(file, (fraction) => busy.progress('read', fraction, `${bytes(Math.round(file.size * fraction))} of ${bytes(file.size)}`), () => !requests.isNow(turn));
      if (requests.isNow(turn)) await this.#open(data, name, turn, busy);
    });
  }

  /** @param {Uint8Array} data @param {string} name @param {boolean} isSample @returns {Promise<void>} */
  openBytes(data, name, isSample = false) {
    return this.#opening('parse', name, () => this.openBytes(data, name, isSample), (turn, busy) => this.#open(data, name, turn, busy, isSample));
  }

  /** A file of this page's own origin; its policy allows no other. @param {string} url @returns {Promise<void>} */
  openUrl(url) {
    const name = decodeURIComponent(url.replace(/[?#].*$/, '').replace(/^.*\//, '')) || 'model';
    const { requests } = this.#context;
    return this.#opening('read', name, () => this.openUrl(url), async (turn, busy) => {
      const response = await fetch(new URL(url, document.baseURI)).catch(() => null);
      if (!response?.ok) throw new Error(`${url} could not be loaded${response ? `: ${response.status}` : ' by this page, which may connect only to where it came from'}.`);
      const data = new Uint8Array(await response.arrayBuffer());
      if (requests.isNow(turn)) await this.#open(data, name, turn, busy);
    });
  }

  /** @param {Uint8Array} data @param {string} name @param {number} turn @param {Working} busy @param {boolean} isSample */
  async #open(data, name, turn, busy, isSample = false) {
    const { host, requests, actions } = this.#context;
    const { kernels, target } = this.#state.question.options;
    try {
      const sha256 = await digest(data);
      const { model, plan } = await host.call('open', [data, name, { kernels, target }], busy.progress);
      if (!requests.isNow(turn)) return;
      this.#given = { data, name };
      this.#reopen = (progress) => host.call('open', [data, name, this.#state.question.options], progress);
      this.set({ isSample, sha256, wanted: '', failure: null, ...(isSample ? {} : { welcome: false }) });
      actions.adopt(makeFacts(model, plan), 'another file');
      this.say(`${name}: ${summaryOf(this.#state.file.facts)}`);
    } catch (error) {
      throw failureOf(error, data);
    }
  }

  /** Reads again only what lives in the steps on screen, of a list that is long. */
  keepView() {
    const { host, requests } = this.#context;
    return requests.ask(async (facts) => {
      const { view } = this.#state.look;
      const turn = requests.now;
      const [from, to] = [Math.max(0, Math.floor(view.x0)), Math.ceil(view.x1) - 1];
      const name = facts.model.name.replace(/(, steps \d+ to \d+)?(\.\w+)?$/, `, steps ${from} to ${to}$2`);
      const list = await host.call('within', [from, to]);
      if (requests.isNow(turn)) this.openBytes(list, name);
    });
  }

  /** Shows the view that a file was made of. @param {import('../io/snapshot.js').Snapshot} snapshot */
  async openSnapshot({ frozen, kept }) {
    const { host, requests, actions, store } = this.#context;
    const turn = requests.next();
    const reopen = (this.#reopen = () => host.call('thaw', [frozen]));
    const { model, plan } = await reopen();
    if (!requests.isNow(turn)) return;
    this.set({ welcome: false });
    actions.adopt(makeFacts(model, plan), 'another file');
    store.set('question', kept.question);
    store.set('look', kept.look);
    store.set('selection', kept.selection);
    actions.selection.search(kept.selection.query);
    actions.look.colour(kept.look.colourBy);
    actions.look.refit(kept.look.view);
    if (kept.selection.selected >= 0) actions.selection.askWhy(kept.selection.selected);
    this.say(`${model.name}: ${summaryOf(this.#state.file.facts)}`);
  }

  /** What was open is opened again, behind what is shown of it. */
  reopen() {
    const reopen = this.#reopen;
    if (reopen) this.#again(this.#state.file.facts?.model.name ?? '', reopen);
  }

  /** @param {string} name @param {Reopen} reopen @returns {Promise<void>} */
  #again(name, reopen) {
    const { requests, actions } = this.#context;
    return this.#opening('parse', name, () => this.#again(name, reopen), async (turn, busy) => {
      const { model, plan } = await reopen(busy.progress);
      if (requests.isNow(turn)) actions.adopt(makeFacts(model, plan), 'the same file');
    });
  }
}

/** @param {Blob} blob @param {(fraction: number) => void} progress @param {() => boolean} isCancelled */
async function readBlob(blob, progress, isCancelled) {
  if (blob.size <= PIECE) return new Uint8Array(await blob.arrayBuffer());
  const all = new Uint8Array(blob.size);
  for (let done = 0; done < blob.size && !isCancelled(); done += PIECE) {
    all.set(new Uint8Array(await blob.slice(done, done + PIECE).arrayBuffer()), done);
    progress(Math.min(1, (done + PIECE) / blob.size));
  }
  return all;
}

/** SHA-256 in hexadecimal; '' where the browser has none for this page. @param {Uint8Array} data */
async function digest(data) {
  const hash = await crypto.subtle?.digest('SHA-256', /** @type {Uint8Array<ArrayBuffer>} */ (data)).catch(() => null);
  return hash ? [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : '';
}

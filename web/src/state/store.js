/**
 * The page's state: five slices, each changed by its own actions. A view is shown what its selector picks, again
 * whenever a part of that has changed, once a turn.
 */

/** @typedef {{ file: import('./file.js').FileState, question: import('./question.js').QuestionState, look: import('./look.js').LookState, selection: import('./selection.js').SelectionState, compare: import('./compare.js').CompareState }} State */

export class Store {
  /** @type {State} */
  #state;
  /** @type {(() => void)[]} */
  #views = [];
  #queued = false;

  /** @param {State} initial */
  constructor(initial) {
    this.#state = initial;
  }

  get state() {
    return this.#state;
  }

  /** @template {keyof State} Slice @param {Slice} slice @param {Partial<State[Slice]>} patch */
  set(slice, patch) {
    this.#state = { ...this.#state, [slice]: { ...this.#state[slice], ...patch } };
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => this.#show());
  }

  /**
   * Shows a view what it selects, now and after each change of a part of it.
   * @template {object} Picked
   * @param {(state: State) => Picked} select
   * @param {(now: Picked, before: Partial<Picked>) => void} show
   */
  watch(select, show) {
    let shown = select(this.#state);
    this.#views.push(() => {
      const before = shown;
      const now = select(this.#state);
      if (!changed(now, before, .../** @type {(keyof Picked)[]} */ (Object.keys(now)))) return;
      shown = now;
      show(now, before);
    });
    show(shown, {});
  }

  #show() {
    this.#queued = false;
    for (const view of this.#views) view();
  }
}

/**
 * Whether one of these parts has changed.
 * @template {object} Picked
 * @param {Picked} now @param {Partial<Picked>} before @param {...(keyof Picked)} keys
 */
export function changed(now, before, ...keys) {
  return keys.some((key) => now[key] !== before[key]);
}

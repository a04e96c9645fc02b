/** The page's state, in one place. Views are told after a change, once a turn, with the state before. */

/** @typedef {import('./types.js').PlanOptions} PlanOptions */
/** @typedef {import('./types.js').Viewport} Viewport */
/** @typedef {import('./types.js').Failure} Failure */
/** @typedef {import('./types.js').Why} Why */
/** @typedef {import('./facts.js').Facts} Facts */
/** @typedef {import('./groups.js').LegendEntry} LegendEntry */
/** @typedef {{ stage: string, fraction: number | null, note: string, cancel: (() => void) | null }} Busy */
/** @typedef {{ options: PlanOptions, facts: Facts }} Version */

/**
 * @typedef {object} State
 * @property {Facts | null} facts  the open model and its plan
 * @property {boolean} isSample
 * @property {PlanOptions} options
 * @property {number | null} budget  bytes
 * @property {Version[]} undo  what was planned before, the latest last
 * @property {Viewport} view
 * @property {Viewport} limits
 * @property {Viewport[]} back
 * @property {Viewport[]} forward
 * @property {number} selected  a buffer, or -1
 * @property {Why | null} why
 * @property {number} hover
 * @property {number[]} pinned
 * @property {number} cursor  a step
 * @property {number[]} marks  steps, in order
 * @property {boolean} playing
 * @property {string} query
 * @property {string | null} queryError
 * @property {number[]} hits
 * @property {Uint8Array | null} lit
 * @property {string} colourBy
 * @property {Uint8Array} groups
 * @property {LegendEntry[]} legend
 * @property {string} tab
 * @property {boolean} down  low addresses at the top
 * @property {boolean} decimal  the ruler in KiB
 * @property {boolean} wheelZooms
 * @property {boolean} letterKeys
 * @property {'light' | 'dark'} theme
 * @property {boolean} welcome
 * @property {boolean} coarse  a quarter of the pixels, for what has little memory
 * @property {Failure | null} failure
 * @property {Busy | null} busy
 * @property {string} status
 * @property {{ node: number, planned: readonly [number, number] | null, done: boolean } | null} walk  where the interpreter's walk is
 * @property {{ change: Partial<PlanOptions> | null, label: string, bytes: number } | null} fitting  the smallest change that fits the budget, once it has been looked for
 * @property {Record<number, number>} sizes  bytes that were given for tensors of unknown size
 */

/** @typedef {(state: State, before: State) => void} View */

export class Store {
  /** @type {State} */
  #state;
  /** @type {State} */
  #shown;
  /** @type {View[]} */
  #views = [];
  #queued = false;

  /** @param {State} initial */
  constructor(initial) {
    this.#state = initial;
    this.#shown = initial;
  }

  get state() {
    return this.#state;
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    this.#state = { ...this.#state, ...patch };
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => this.#show());
  }

  /** @param {View} view */
  subscribe(view) {
    this.#views.push(view);
    view(this.#state, /** @type {State} */ ({}));
  }

  #show() {
    this.#queued = false;
    const before = this.#shown;
    this.#shown = this.#state;
    for (const view of this.#views) view(this.#state, before);
  }
}

/** Whether one of these parts has changed. @param {State} a @param {State} b @param {...(keyof State)} keys */
export function changed(a, b, ...keys) {
  return keys.some((key) => a[key] !== b[key]);
}

/** @param {Partial<State>} stored  what the last visit left @returns {State} */
export function initialState(stored) {
  const everything = { x0: 0, x1: 1, y0: 0, y1: 16 };
  return {
    facts: null,
    isSample: false,
    options: { runtime: '', planner: 'own', alignment: 0, subgraph: 0, kernels: 'reference', target: 'cortex-m' },
    budget: null,
    undo: [],
    view: everything,
    limits: everything,
    back: [],
    forward: [],
    selected: -1,
    why: null,
    hover: -1,
    pinned: [],
    cursor: 0,
    marks: [],
    playing: false,
    query: '',
    queryError: null,
    hits: [],
    lit: null,
    colourBy: 'op',
    groups: new Uint8Array(0),
    legend: [],
    tab: 'tensors',
    down: false,
    decimal: false,
    wheelZooms: false,
    letterKeys: true,
    theme: 'light',
    welcome: true,
    coarse: false,
    failure: null,
    busy: null,
    status: '',
    walk: null,
    sizes: {},
    fitting: null,
    ...stored,
  };
}

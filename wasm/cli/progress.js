/** A long search on a terminal: a bar on standard error, and Ctrl-C for the best plan so far. */

/** @typedef {import('../index.js').Planner} Planner */
/** @typedef {import('../index.js').SolveProgress} SolveProgress */

const DEFAULT_NODES = 2_000_000;
const BAR = 24;
/** A search shorter than this shows nothing. */
const QUIET_MS = 300;
const BETWEEN_MS = 100;

/** @param {number} value */
const grouped = (value) => value.toLocaleString('en-US');

/**
 * Plans and places everything. On an interrupt the search stops where it is: the plan it has found stays.
 * @param {Planner} planner
 * @param {number | undefined} nodes
 * @returns {Promise<boolean>} whether it was interrupted
 */
export async function solveShown(planner, nodes) {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  const bar = new Bar(nodes);
  process.once('SIGINT', stop);
  try {
    await planner.solve({
      ...(nodes !== undefined && { nodes }),
      signal: interrupt.signal,
      onProgress: (progress) => bar.show(progress),
    });
    return false;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    return true;
  } finally {
    process.off('SIGINT', stop);
    bar.clear();
  }
}

export class Bar {
  #started = performance.now();
  #shown = -Infinity;
  #nodes;

  /** @param {number | undefined} nodes */
  constructor(nodes) {
    this.#nodes = nodes ?? DEFAULT_NODES;
  }

  /** @param {SolveProgress} progress */
  show({ searchNodes, arenaBytes, lowerBoundBytes }) {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#started < QUIET_MS || now - this.#shown < BETWEEN_MS) return;
    this.#shown = now;
    const full = Math.min(BAR, Math.floor((BAR * searchNodes) / this.#nodes));
    const bar = `${'#'.repeat(full)}${'.'.repeat(BAR - full)}`;
    const figures = `${grouped(searchNodes)} nodes, arena ${grouped(arenaBytes)}, bound ${grouped(lowerBoundBytes)}`;
    process.stderr.write(`\r\x1b[K[${bar}] ${figures}  (Ctrl-C: the best plan so far)`);
  }

  clear() {
    if (this.#shown >= 0) process.stderr.write('\r\x1b[K');
  }
}

/** Which bytes are live when. */

/** @typedef {import('../types.js').Columns} Columns */
/** @typedef {import('../types.js').Changes} Changes */

/**
 * Live bytes as they change.
 * @param {Columns} columns
 * @returns {Changes}
 */
export function liveChanges(columns) {
  const edges = new Float64Array(columns.n * 2);
  let m = 0;
  for (let i = 0; i < columns.n; i++)
    if (countsAsLive(columns, i)) {
      edges[m++] = start(columns, i);
      edges[m++] = at(columns.last, i) + 1;
    }
  const sorted = edges.subarray(0, m).sort();
  let distinct = 0;
  for (let i = 0; i < m; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[distinct++] = at(sorted, i);
  const step = Int32Array.from(sorted.subarray(0, distinct));
  const live = new Float64Array(distinct);
  for (let i = 0; i < columns.n; i++)
    if (countsAsLive(columns, i)) {
      add(live, indexAt(step, start(columns, i)), at(columns.bytes, i));
      add(live, indexAt(step, at(columns.last, i) + 1), -at(columns.bytes, i));
    }
  for (let i = 1; i < distinct; i++) add(live, i, at(live, i - 1));
  const before = new Float64Array(distinct + 1);
  const after = new Float64Array(distinct + 1);
  for (let i = 0; i < distinct; i++) before[i + 1] = Math.max(at(before, i), at(live, i));
  for (let i = distinct - 1; i >= 0; i--) after[i] = Math.max(at(after, i + 1), at(live, i));
  return { step, live, before, after };
}

/** @param {ArrayLike<number>} array @param {number} index */
export function at(array, index) {
  return /** @type {number} */ (array[index]);
}

/** @param {Float64Array} array @param {number} index @param {number} value */
function add(array, index, value) {
  if (index >= 0 && index < array.length) array[index] = at(array, index) + value;
}

/** @param {Columns} columns @param {number} i */
export function start(columns, i) {
  return Math.max(0, at(columns.first, i));
}

/** In the rw arena, with a life, and not in another buffer's bytes. @param {Columns} columns @param {number} i */
export function countsAsLive(columns, i) {
  return columns.arena[i] === 1 && columns.shares[i] === -1 && at(columns.last, i) >= 0;
}

/** The last entry of a sorted list that is at most `value`; -1 when none is. @param {ArrayLike<number>} list @param {number} value */
export function indexAt(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(list, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** @param {Changes} changes @param {number} step @returns {{ step: number, bytes: number } | null} */
export function besideStep(changes, step) {
  let best = null;
  for (let i = 0; i < changes.step.length; i++) {
    const from = at(changes.step, i);
    const to = i + 1 < changes.step.length ? at(changes.step, i + 1) : from + 1;
    if (from === step && to === step + 1) continue;
    if (best === null || at(changes.live, i) > best.bytes) best = { step: from === step ? step + 1 : from, bytes: at(changes.live, i) };
  }
  return best;
}

/** Steps whose live bytes are above both neighbours'. @param {Changes} changes @returns {number[]} */
export function localPeaks({ step, live }) {
  const peaks = [];
  for (let i = 0; i < step.length; i++) {
    const left = i > 0 ? at(live, i - 1) : -1;
    const right = i + 1 < step.length ? at(live, i + 1) : -1;
    if (at(live, i) > left && at(live, i) > right) peaks.push(at(step, i));
  }
  return peaks;
}

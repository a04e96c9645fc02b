/** Reads the core's structs out of its memory, into plain copies. Offsets are those of tensor_arena.h. */
import { PLAN_STATUSES } from './names.js';

/** @typedef {import('./index.js').Summary} Summary */

const BUFFER_BYTES = 40;
const BUFFER = { bytes: 0, offset: 8, first: 16, last: 20, shares: 32, kind: 36, arena: 38 };
const KIND_SCRATCH = 1;
const NO_OFFSET_HIGH = 0xffffffff;

/** TA_SUMMARY: the 64-bit figures first, then the 32-bit ones. */
const SUMMARY = {
  arenaBytes: 0,
  persistentBytes: 8,
  lowerBoundBytes: 16,
  constantBytes: 24,
  peakLiveBytes: 32,
  peakStep: 40,
  steps: 44,
  status: 48,
  arenaAlignment: 52,
  tensorAlignment: 56,
  unknownSizes: 60,
  searchNodes: 64,
  searchEnded: 72,
  fits: 76,
};
const FITS = [null, true, false];

/**
 * A u64 of at most 2^53 - 1.
 * @param {DataView} view
 * @param {number} at
 */
function wide(view, at) {
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {[arenaBytes: number, persistentBytes: number]}
 */
export function readMarks(view, at) {
  return [wide(view, at), wide(view, at + 8)];
}

/**
 * The tensors (or rows) among `count` ta_buffers; they come before the scratch buffers.
 * @param {DataView} view
 * @param {number} at
 * @param {number} count
 */
export function readBuffers(view, at, count) {
  let n = 0;
  while (n < count && view.getUint8(at + n * BUFFER_BYTES + BUFFER.kind) !== KIND_SCRATCH) n++;
  const offsets = new Float64Array(n);
  const bytes = new Float64Array(n);
  const first = new Int32Array(n);
  const last = new Int32Array(n);
  const allocated = new Uint8Array(n);
  const arena = new Uint8Array(n);
  const shares = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const buffer = at + i * BUFFER_BYTES;
    const placed = view.getUint32(buffer + BUFFER.offset + 4, true) !== NO_OFFSET_HIGH;
    offsets[i] = placed ? wide(view, buffer + BUFFER.offset) : NaN;
    bytes[i] = wide(view, buffer + BUFFER.bytes);
    first[i] = view.getInt32(buffer + BUFFER.first, true);
    last[i] = view.getInt32(buffer + BUFFER.last, true);
    allocated[i] = Number(placed);
    arena[i] = view.getUint8(buffer + BUFFER.arena);
    shares[i] = view.getInt32(buffer + BUFFER.shares, true); /* TA_NO_INDEX: all bits set */
  }
  return { offsets, bytes, first, last, allocated, arena, shares };
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {Summary}
 */
export function readSummary(view, at) {
  const word = (/** @type {number} */ offset) => view.getUint32(at + offset, true);
  return {
    arenaBytes: wide(view, at + SUMMARY.arenaBytes),
    persistentBytes: wide(view, at + SUMMARY.persistentBytes),
    lowerBoundBytes: wide(view, at + SUMMARY.lowerBoundBytes),
    constantBytes: wide(view, at + SUMMARY.constantBytes),
    peakLiveBytes: wide(view, at + SUMMARY.peakLiveBytes),
    peakStep: view.getInt32(at + SUMMARY.peakStep, true),
    steps: view.getInt32(at + SUMMARY.steps, true),
    status: PLAN_STATUSES[word(SUMMARY.status)] ?? 'unplanned',
    arenaAlignment: word(SUMMARY.arenaAlignment),
    tensorAlignment: word(SUMMARY.tensorAlignment),
    unknownSizes: word(SUMMARY.unknownSizes),
    searchNodes: wide(view, at + SUMMARY.searchNodes),
    searchEnded: word(SUMMARY.searchEnded) === 1,
    fits: FITS[word(SUMMARY.fits)] ?? null,
  };
}

/** A ta_why. */
const WHY = { gapOffset: 0, gapBytes: 8, turn: 16, turns: 20, inWayCount: 24, inWay: 28, before: 60, after: 64, sharers: 68, root: 72 };
const MOST_IN_WAY = 8;
const NO_INDEX = 0xffffffff;

/**
 * @param {DataView} view
 * @param {number} at
 */
export function readWhy(view, at) {
  const word = (/** @type {number} */ offset) => view.getUint32(at + offset, true);
  const index = (/** @type {number} */ offset) => (word(offset) === NO_INDEX ? null : word(offset));
  const inWayCount = word(WHY.inWayCount);
  const gapBytes = wide(view, at + WHY.gapBytes);
  return {
    turn: word(WHY.turn) === 0 ? null : word(WHY.turn),
    turns: word(WHY.turns),
    inWayCount,
    inWay: Array.from({ length: Math.min(inWayCount, MOST_IN_WAY) }, (_, i) => word(WHY.inWay + 4 * i)),
    gap: gapBytes === 0 ? null : { offset: wide(view, at + WHY.gapOffset), bytes: gapBytes },
    before: index(WHY.before),
    after: index(WHY.after),
    sharers: word(WHY.sharers),
    root: index(WHY.root),
  };
}

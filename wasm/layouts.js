/** Reads the core's structs out of its memory, into plain copies. */
import { BUFFER, SUMMARY, WHY } from '../dist/layouts.js';
import { PLAN_STATUSES } from './names.js';

/** @typedef {import('./index.js').Summary} Summary */

const KIND_SCRATCH = 1;
const NO_OFFSET_HIGH = 0xffffffff;

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
 * A u64, or null for TA_NO_OFFSET.
 * @param {DataView} view
 * @param {number} at
 */
function known(view, at) {
  return view.getUint32(at + 4, true) === NO_OFFSET_HIGH ? null : wide(view, at);
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
  while (n < count && view.getUint8(at + n * BUFFER.SIZE + BUFFER.kind) !== KIND_SCRATCH) n++;
  const offsets = new Float64Array(n);
  const bytes = new Float64Array(n);
  const first = new Int32Array(n);
  const last = new Int32Array(n);
  const allocated = new Uint8Array(n);
  const arena = new Uint8Array(n);
  const shares = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const buffer = at + i * BUFFER.SIZE;
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

/** A size, or TA_NO_OFFSET. @param {DataView} view @param {number} at */
function orNone(view, at) {
  return view.getBigUint64(at, true) === 2n ** 64n - 1n ? null : wide(view, at);
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {Summary}
 */
export function readSummary(view, at) {
  const word = (/** @type {number} */ offset) => view.getUint32(at + offset, true);
  return {
    arenaBytes: wide(view, at + SUMMARY.arena_bytes),
    persistentBytes: wide(view, at + SUMMARY.persistent_bytes),
    lowerBoundBytes: wide(view, at + SUMMARY.lower_bound_bytes),
    constantBytes: wide(view, at + SUMMARY.constant_bytes),
    peakLiveBytes: wide(view, at + SUMMARY.peak_live_bytes),
    neededBytes: wide(view, at + SUMMARY.needed_bytes),
    leastNeededBytes: wide(view, at + SUMMARY.least_needed_bytes),
    headBytes: known(view, at + SUMMARY.head_bytes),
    tailBytes: known(view, at + SUMMARY.tail_bytes),
    minArenaBytes: known(view, at + SUMMARY.min_arena_bytes),
    peakStep: view.getInt32(at + SUMMARY.peak_step, true),
    steps: view.getInt32(at + SUMMARY.steps, true),
    status: PLAN_STATUSES[word(SUMMARY.status)] ?? 'unplanned',
    arenaAlignment: word(SUMMARY.arena_alignment),
    tensorAlignment: word(SUMMARY.tensor_alignment),
    unknownTensors: word(SUMMARY.unknown_tensors),
    unknownOperators: word(SUMMARY.unknown_operators),
    searchNodes: wide(view, at + SUMMARY.search_nodes),
    searchEnded: word(SUMMARY.search_ended) === 1,
    fits: FITS[word(SUMMARY.fits)] ?? null,
    betterBytes: orNone(view, at + SUMMARY.better_bytes),
    fixedPlaces: word(SUMMARY.fixed_places),
  };
}

const NO_INDEX = 0xffffffff;

/**
 * @param {DataView} view
 * @param {number} at
 */
export function readWhy(view, at) {
  const word = (/** @type {number} */ offset) => view.getUint32(at + offset, true);
  const index = (/** @type {number} */ offset) => (word(offset) === NO_INDEX ? null : word(offset));
  const inWayCount = word(WHY.in_way_count);
  const gapBytes = wide(view, at + WHY.gap_bytes);
  return {
    turn: word(WHY.turn) === 0 ? null : word(WHY.turn),
    turns: word(WHY.turns),
    inWayCount,
    inWay: Array.from({ length: Math.min(inWayCount, WHY.in_way_length) }, (_, i) => word(WHY.in_way + 4 * i)),
    gap: gapBytes === 0 ? null : { offset: wide(view, at + WHY.gap_offset), bytes: gapBytes },
    before: index(WHY.before),
    after: index(WHY.after),
    sharers: word(WHY.sharers),
    root: index(WHY.root),
  };
}

/** tensor-arena optimize: the smallest plan, written back into the model. */
import { UsageError } from '../errors.js';
import { open } from '../index.js';
import { ARENA_UNIT } from '../offline.js';
import { budgetStatus } from './exit.js';
import { writeOutput } from './files.js';
import { Bar } from './progress.js';
import { visible } from './visible.js';

/** @typedef {import('../index.js').OfflineResult} OfflineResult */

/** @type {import('./main.js').Command} */
export const optimize = {
  usage: 'IN.tflite -o OUT.tflite [options]',
  summary: 'writes the smallest plan into a .tflite, for TensorFlow Lite Micro to follow',
  options: ['output', 'target', 'kernels', 'nodes', 'budget', 'force', 'json', 'help'],
  async run({ bytes, name, values, opened }) {
    const { output, json, ...options } = values;
    if (output === undefined || output === '-') throw new UsageError('bad-argument', 'give the file to write, as in -o OUT.tflite');
    const model = await open(bytes, { name });
    opened();
    const bar = new Bar(options.nodes);
    const result = await model
      .writeOfflinePlan({ ...options, onProgress: (progress) => bar.show(progress) })
      .finally(() => bar.clear());
    if (result.bytes !== null) await writeOutput(output, result.bytes);
    await writeOutput(undefined, json ? asJson(name, result) : text(visible(name), visible(output), result));
    return budgetStatus(result.fits ?? null, options.budget);
  },
};

/**
 * @param {string} name
 * @param {OfflineResult} result
 */
function asJson(name, { bytes, ...result }) {
  return `${JSON.stringify({ format: 'tensor-arena-optimize', version: 1, name, written: bytes !== null, ...result })}\n`;
}

/** @param {number | null | undefined} value */
function grouped(value) {
  return value == null ? 'not known' : value.toLocaleString('en-US');
}

/**
 * @param {string} output
 * @param {OfflineResult} result
 */
function whatWasDone(output, { bytes, outcome, before, after }) {
  if (bytes !== null && outcome === 'same') return `Written     ${output}, though nothing is gained\n`;
  if (bytes !== null) return `Written     ${output}\n${after.min_arena_bytes === before.min_arena_bytes ? whyArenaStays(before, after) : ''}`;
  if (outcome === 'same') return `Nothing is gained: the plan that the runtime follows now is as small. ${output} is not written (--force writes it)\n`;
  return `Nothing is gained: what can be written keeps every tensor safe and needs more than the file's own plan. ${output} is not written\n`;
}

/**
 * A smaller head that makes no smaller arena.
 * @param {OfflineResult['before']} before
 * @param {OfflineResult['after']} after
 */
function whyArenaStays(before, after) {
  const why =
    Number(after.min_arena_bytes) - after.arena_used_bytes < ARENA_UNIT
      ? `it is counted in units of ${ARENA_UNIT} bytes`
      : 'AllocateTensors needs it while it starts, before the plan is made';
  return `            The head shrinks by ${grouped(before.head_bytes - after.head_bytes)} bytes; the smallest arena stays the same, for ${why}\n`;
}

/** @param {OfflineResult} result */
function whatIsProved({ proved, covered, lower_bound_bytes: bound }) {
  const part = covered ? '' : ', as far as the operators are known';
  if (proved) return `Proved      no plan of these lifetimes has a smaller head${part}\n`;
  return `Bound       no head is smaller than ${grouped(bound)} bytes${part}; a smaller one than this may exist\n`;
}

/** @param {OfflineResult} result */
function budgetLines({ after, peak, budget_bytes: budget, fits, shortfall_bytes: shortfall }) {
  if (budget === undefined) return '';
  const start = `Budget      ${grouped(budget)} bytes: `;
  if (fits === true) return `${start}fits, ${grouped(budget - Number(after.min_arena_bytes))} bytes left\n`;
  if (shortfall === undefined) return `${start}not decided, for the figures are lower bounds\n`;
  const answer = fits === false ? `does not fit, ${grouped(shortfall)} bytes short` : `not decided within the node budget; this plan is ${grouped(shortfall)} bytes short. Give more --nodes`;
  return `${start}${answer}\n            ${visible(peak.text)}\n`;
}

/**
 * @param {string} name
 * @param {string} output
 * @param {OfflineResult} result
 */
function text(name, output, result) {
  const { before, after, bytes, covered, missing, target, kernels } = result;
  const least = covered ? '' : 'at least ';
  const line = (/** @type {string} */ label, /** @type {number | null} */ from, /** @type {number | null} */ to) =>
    `${label}${least}${grouped(from)} bytes${bytes === null ? '' : `, now ${grouped(to)}`}\n`;
  return [
    `${name}  (TensorFlow Lite Micro, ${target}, ${kernels} kernels)\n`,
    whatWasDone(output, result),
    line('Head        ', before.head_bytes, after.head_bytes),
    line('In use      ', before.arena_used_bytes, after.arena_used_bytes),
    line('Arena       ', before.min_arena_bytes, after.min_arena_bytes),
    whatIsProved(result),
    covered ? '' : `Left out    ${visible(missing.join(', '))}: not among TFLM's own operators, so their scratch is not known; only the planned part is promised\n`,
    budgetLines(result),
  ].join('');
}

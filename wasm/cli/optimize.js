/** tensor-arena optimize: the smallest plan, written back into the model. */
import { UsageError } from '../errors.js';
import { open } from '../index.js';
import { EXIT } from './exit.js';
import { writeOutput } from './files.js';
import { Bar } from './progress.js';

/** @typedef {import('../index.js').OfflineResult} OfflineResult */

/** @type {import('./main.js').Command} */
export const optimize = {
  usage: 'IN.tflite -o OUT.tflite [options]',
  summary: 'writes the smallest plan into a .tflite, for TensorFlow Lite Micro to follow',
  options: ['output', 'target', 'kernels', 'nodes', 'budget', 'force', 'json', 'help'],
  async run({ bytes, name, values, opened }) {
    const { output, json, budget, ...options } = values;
    if (output === undefined || output === '-') throw new UsageError('bad-argument', 'give the file to write, as in -o OUT.tflite');
    const model = await open(bytes, { name });
    opened();
    const bar = new Bar(options.nodes);
    const result = await model
      .writeOfflinePlan({ ...options, onProgress: (progress) => bar.show(progress) })
      .finally(() => bar.clear());
    if (result.bytes !== null) await writeOutput(output, result.bytes);
    await writeOutput(undefined, json ? asJson(result, budget) : text(name, output, result, budget));
    return fits(result, budget) === false ? EXIT.no : EXIT.good;
  },
};

/**
 * @param {OfflineResult} result
 * @param {number | undefined} budget
 * @returns {boolean | null}
 */
function fits({ after, covered }, budget) {
  if (budget === undefined || after.min_arena_bytes === null) return null;
  if (after.min_arena_bytes > budget) return false;
  return covered ? true : null;
}

/**
 * @param {OfflineResult} result
 * @param {number | undefined} budget
 */
function asJson({ bytes, ...result }, budget) {
  const withBudget = budget === undefined ? {} : { budget_bytes: budget, fits: fits({ bytes, ...result }, budget) };
  return `${JSON.stringify({ format: 'tensor-arena-optimize', version: 1, written: bytes !== null, ...result, ...withBudget })}\n`;
}

/**
 * @param {string} name
 * @param {string} output
 * @param {OfflineResult} result
 * @param {number | undefined} budget
 */
function text(name, output, result, budget) {
  const { before, after, bytes, proved, covered, missing, target, kernels, lower_bound_bytes: bound } = result;
  const grouped = (/** @type {number | null} */ value) => (value === null ? 'not known' : value.toLocaleString('en-US'));
  const line = (/** @type {string} */ label, /** @type {number | null} */ from, /** @type {number | null} */ to) =>
    `${label}${grouped(from)} bytes${bytes === null ? '' : `, now ${grouped(to)}`}\n`;
  const shortfall = budget === undefined || after.min_arena_bytes === null ? 0 : after.min_arena_bytes - budget;
  return [
    `${name}  (TensorFlow Lite Micro, ${target}, ${kernels} kernels)\n`,
    bytes === null
      ? `Nothing is gained: the runtime's own plan is as small. ${output} is not written (--force writes it)\n`
      : `Written     ${output}\n`,
    line('Head        ', before.head_bytes, after.head_bytes),
    line('In use      ', before.arena_used_bytes, after.arena_used_bytes),
    line('Arena       ', before.min_arena_bytes, after.min_arena_bytes),
    proved ? 'Proved      no plan of these lifetimes has a smaller head\n' : `Bound       no head is smaller than ${grouped(bound)} bytes\n`,
    covered ? '' : `Left out    ${missing.join(', ')}: their scratch is not known, only the planned part is promised\n`,
    shortfall > 0 ? `Budget      ${grouped(Number(budget))} bytes: does not fit, ${grouped(shortfall)} bytes short\n` : '',
  ].join('');
}

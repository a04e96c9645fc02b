/** tensor-arena verify: whether a plan can be used, or a model computes the same as another. */
import { basename } from 'node:path';
import { UsageError } from '../errors.js';
import { open, verify as check, verifySame } from '../index.js';
import { EXIT } from './exit.js';
import { readInputFile, writeOutput } from './files.js';
import { visible } from './visible.js';

/** @typedef {import('../index.js').Sameness} Sameness */
/** @typedef {import('../index.js').Verdict} Verdict */

/** As many clashes are printed; the JSON has more. */
const PRINTED = 20;

/** @type {import('./main.js').Command} */
export const verify = {
  usage: 'FILE [options]',
  summary: 'whether a plan JSON, a buffer list with offsets, or the offline plan of a .tflite is sound; or whether two .tflite compute the same',
  options: ['model', 'same-as', 'json', 'output', 'help'],
  async run(call) {
    return call.values['same-as'] === undefined ? checkPlan(call) : compare(call);
  },
};

/** @param {import('./main.js').Call} call */
async function checkPlan({ bytes, name, file, values, about, opened }) {
  const model = values.model === undefined ? undefined : await readModel(values.model, about);
  about(file);
  const verdict = await check(bytes, { name, ...(model && { model }) });
  opened();
  await writeOutput(values.output, values.json ? json(verdict) : text(name, verdict));
  return verdict.sound || verdict.onPurpose ? EXIT.good : EXIT.no;
}

/** @param {import('./main.js').Call} call */
async function compare({ bytes, name, file, values, about, opened }) {
  const old = values['same-as'];
  if (values.model !== undefined) throw new UsageError('bad-argument', '--model goes with a plan and --same-as with a model; give one of them');
  const oldBytes = await readModel(old, about);
  about(file);
  const found = await verifySame(bytes, oldBytes);
  opened();
  const asJson = () => `${JSON.stringify({ format: 'tensor-arena-same', version: 1, ...found })}\n`;
  await writeOutput(values.output, values.json ? asJson() : sameText(visible(name), visible(basename(old)), found));
  return found.same === null ? EXIT.undecided : found.same ? EXIT.good : EXIT.no;
}

/**
 * @param {string} name
 * @param {string} old
 * @param {Sameness} found
 */
function sameText(name, old, { same, operators, kernels, subgraph, node, oldNode, text }) {
  const where = [
    ...(node === null ? [] : [`operator ${node}${subgraph ? ` of subgraph ${subgraph}` : ''}`]),
    ...(oldNode === null ? [] : [`held against operator ${oldNode} of ${old}`]),
  ].join(', ');
  const why = `${where === '' ? '' : `${where}: `}${visible(text)}`;
  if (same) return `${name}: computes the same as ${old}, proved for ${operators} operators${kernels === 'reference' ? ' under the reference kernels' : ''}\n`;
  return `${name}: ${same === null ? `cannot tell whether it computes the same as ${old}` : `not shown to compute the same as ${old}`}\n  ${why}\n`;
}

/**
 * Its faults are not the plan's.
 * @param {string} file
 * @param {(file: string) => void} about
 */
async function readModel(file, about) {
  about(file);
  const { bytes, name } = await readInputFile(file);
  await open(bytes, { name });
  return bytes;
}

/** @param {Verdict} verdict */
function json(verdict) {
  return `${JSON.stringify({ format: 'tensor-arena-verdict', version: 1, ...verdict })}\n`;
}

/**
 * @param {string} name
 * @param {Verdict} verdict
 */
function text(name, { sound, onPurpose, clashes, clashCount, problems }) {
  const lines = [`${visible(name)}: ${headline(sound, onPurpose, clashCount)}`];
  for (const clash of clashes.slice(0, PRINTED)) lines.push(`  ${visible(clash.text)}`);
  if (clashCount > PRINTED) lines.push(`  and ${clashCount - Math.min(PRINTED, clashes.length)} more${clashCount > clashes.length ? '' : ': see --json'}`);
  for (const problem of problems) lines.push(`Problem  ${visible(problem.text)}`);
  return `${lines.join('\n')}\n`;
}

/**
 * @param {boolean} sound
 * @param {boolean} onPurpose
 * @param {number} count
 */
function headline(sound, onPurpose, count) {
  if (sound) return 'sound';
  const faults = count === 1 ? '1 fault' : `${count} faults`;
  return onPurpose ? `overlapping on purpose, by its offline plan: ${faults} if it were not` : `not sound: ${faults}`;
}

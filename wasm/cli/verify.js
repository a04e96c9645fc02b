/** tensor-arena verify: whether a plan can be used. */
import { verify as check } from '../index.js';
import { EXIT } from './exit.js';
import { FileError, readInputFile, writeOutput } from './files.js';

/** @typedef {import('../index.js').Verdict} Verdict */

/** As many clashes are printed; the JSON has more. */
const PRINTED = 20;

/** @type {import('./main.js').Command} */
export const verify = {
  usage: 'FILE [options]',
  summary: 'whether a plan JSON, a buffer list with offsets, or the offline plan of a .tflite is sound',
  options: ['model', 'json', 'output', 'help'],
  async run({ bytes, name, values, opened }) {
    const model = values.model === undefined ? undefined : await readModel(values.model);
    const verdict = await check(bytes, { name, ...(model && { model }) });
    opened();
    await writeOutput(values.output, values.json ? json(verdict) : text(name, verdict));
    return verdict.sound || verdict.onPurpose ? EXIT.good : EXIT.no;
  },
};

/** Says which of the two files it is that cannot be read. @param {string} file */
async function readModel(file) {
  try {
    return (await readInputFile(file)).bytes;
  } catch (cause) {
    throw new FileError(`the model ${file} ${/** @type {Error} */ (cause).message}`, { cause });
  }
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
  const lines = [`${name}: ${headline(sound, onPurpose, clashCount)}`];
  for (const clash of clashes.slice(0, PRINTED)) lines.push(`  ${clash.text}`);
  if (clashCount > PRINTED) lines.push(`  and ${clashCount - Math.min(PRINTED, clashes.length)} more${clashCount > clashes.length ? '' : ': see --json'}`);
  for (const problem of problems) lines.push(`Problem  ${problem.text}`);
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

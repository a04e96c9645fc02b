/** tensor-arena check: whether two models give the same outputs on LiteRT. */
import { basename } from 'node:path';
import { UsageError } from '../errors.js';
import { open } from '../index.js';
import { EXIT } from './exit.js';
import { readInputFile, writeOutput } from './files.js';
import { compareRuns, loadLiteRt } from './litert.js';
import { visible } from './visible.js';

/** @typedef {import('./litert.js').Comparison} Comparison */

const DEFAULT_SEEDS = 3;

/** @type {import('./main.js').Command} */
export const check = {
  usage: 'A.tflite B.tflite [options]',
  summary: 'whether two .tflite give the same outputs, to the bit, on LiteRT (needs npm install @litertjs/core)',
  files: 2,
  options: ['seeds', 'json', 'help'],
  async run({ bytes, name, file, files, values, about, opened }) {
    const [, otherFile = ''] = files;
    const seeds = values.seeds ?? DEFAULT_SEEDS;
    if (seeds === 0) throw new UsageError('bad-argument', '--seeds is 0, so that nothing would be run; give 1 or more');
    await open(bytes, { name });
    about(otherFile);
    const other = await readInputFile(otherFile);
    await open(other.bytes, { name: other.name });
    opened();
    about('');
    const liteRt = await loadLiteRt();
    about(file);
    const a = await liteRt.compile(bytes);
    about(otherFile);
    const b = await liteRt.compile(other.bytes);
    const found = await compareRuns(a, b, seeds);
    const asJson = () => `${JSON.stringify({ format: 'tensor-arena-check', version: 1, seeds, ...found })}\n`;
    await writeOutput(undefined, values.json ? asJson() : `${sentence(visible(name), visible(basename(otherFile)), seeds, found)}\n`);
    return { identical: EXIT.good, different: EXIT.no, unsteady: EXIT.undecided }[found.outcome];
  },
};

/**
 * @param {string} name
 * @param {string} other
 * @param {number} seeds
 * @param {Comparison} found
 */
function sentence(name, other, seeds, { outcome, outputs, bytes, seed, output, byte }) {
  const where = `in output ${output} from byte ${byte} on, with seed ${seed}`;
  if (outcome === 'unsteady') return `${name}: differs from itself on LiteRT (${where}), so that a run shows nothing`;
  if (outcome === 'different') return `${name} and ${other}: differ ${where}`;
  return `${name} and ${other}: identical on LiteRT, ${outputs === 1 ? '1 output' : `${outputs} outputs`} of ${bytes.toLocaleString('en-US')} bytes for ${seeds === 1 ? '1 seed' : `${seeds} seeds`}`;
}

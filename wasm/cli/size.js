/** tensor-arena size: how large the arena of TensorFlow Lite Micro must be. */
import { open } from '../index.js';
import { budgetStatus } from './exit.js';
import { writeOutput } from './files.js';
import { visible, visibleAround } from './visible.js';

/** @type {import('./main.js').Command} */
export const size = {
  usage: 'FILE [options]',
  summary: 'how large the arena of TensorFlow Lite Micro must be for a .tflite, itemised',
  options: ['target', 'kernels', 'budget', 'json', 'output', 'help'],
  async run({ bytes, name, values, opened }) {
    const { json, output, ...options } = values;
    const model = await open(bytes, { name: visible(name) });
    opened();
    const needed = model.size(options);
    await writeOutput(output, json ? `${JSON.stringify(needed)}\n` : text(model.sizeText(options), needed));
    return budgetStatus(needed.fits ?? null, options.budget);
  },
};

/**
 * @param {string} lines  the core's
 * @param {import('../index.js').Size} needed
 */
function text(lines, { missing, peak }) {
  const named = /** @type {[string, string, string][]} */ ([['\n            ', peak.text, '\n']]);
  if (missing.length > 0) named.unshift(['\nLeft out    ', missing.join(', '), ': not among']);
  return visibleAround(lines, named);
}

/** tensor-arena size: how large the arena of TensorFlow Lite Micro must be. */
import { open } from '../index.js';
import { budgetStatus } from './exit.js';
import { writeOutput } from './files.js';

/** @type {import('./main.js').Command} */
export const size = {
  usage: 'FILE [options]',
  summary: 'how large the arena of TensorFlow Lite Micro must be for a .tflite, itemised',
  options: ['target', 'kernels', 'budget', 'json', 'output', 'help'],
  async run({ bytes, name, values, opened }) {
    const { json, output, ...options } = values;
    const model = await open(bytes, { name });
    opened();
    const needed = model.size(options);
    await writeOutput(output, json ? `${JSON.stringify(needed)}\n` : model.sizeText(options));
    return budgetStatus(needed.fits ?? null, options.budget);
  },
};

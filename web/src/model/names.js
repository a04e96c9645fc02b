/** What the options' words are called on the page: short, and kernels by their chips. */
import { CHIPS, FOR_PEOPLE, KERNELS } from '../../../dist/words.js';

const chips = Object.fromEntries(KERNELS.map((kernels) => [kernels, CHIPS[kernels] === 'any' ? kernels : `${String(FOR_PEOPLE[kernels])}: ${String(CHIPS[kernels])}`]));

export const NAMES = /** @type {Record<string, string>} */ ({ ...FOR_PEOPLE, ...chips, tflm: 'TFLite Micro', own: 'its own' });

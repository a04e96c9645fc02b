/** The whole arena that TensorFlow Lite Micro needs for a model. */
import { SIZE_OPTIONS } from '../dist/layouts.js';
import { FORMATS, KERNELS, PLANNERS, TARGETS, integer, numberOf } from './names.js';
import { checkOptions } from './option-keys.js';

/** @typedef {import('./index.js').SizeOptions} SizeOptions */
/** @typedef {import('./instance.js').Instance} Instance */

const OPTION_KEYS = ['target', 'kernels', 'planner', 'budget'];

/**
 * @param {Instance} instance  with a model open
 * @param {SizeOptions} options
 * @param {'json' | 'text'} format
 * @returns {string}
 */
export function sizeText(instance, options, format) {
  checkOptions(options, OPTION_KEYS, 'size()');
  const { target, kernels, planner, budget } = options;
  const at = instance.value('size_options');
  const view = instance.view();
  view.setUint32(at + SIZE_OPTIONS.format, numberOf(FORMATS, format, 'format'), true);
  if (target !== undefined) view.setUint32(at + SIZE_OPTIONS.target, numberOf(TARGETS, target, 'target'), true);
  if (kernels !== undefined) view.setUint32(at + SIZE_OPTIONS.kernels, numberOf(KERNELS, kernels, 'kernels'), true);
  if (planner !== undefined) view.setUint32(at + SIZE_OPTIONS.planner, numberOf(PLANNERS, planner, 'planner'), true);
  if (budget !== undefined)
    view.setBigUint64(at + SIZE_OPTIONS.budget_bytes, BigInt(integer(budget, 0, Number.MAX_SAFE_INTEGER, 'budget')), true);
  return instance.text('size');
}

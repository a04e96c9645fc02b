/** Options that would have no effect: whoever gives one expects something of it, so it is refused. */
import { UsageError } from '../errors.js';
import { KINDS, PLANNERS, RUNTIME_TRAITS, SEARCHERS } from '../names.js';

/** @typedef {typeof RUNTIME_TRAITS[number]} Runtime */

/** @param {typeof KINDS[number]} kind @returns {Runtime} */
export function defaultRuntime(kind) {
  return /** @type {Runtime} */ (RUNTIME_TRAITS.find(({ defaultOf }) => defaultOf & (1 << KINDS.indexOf(kind))));
}

/**
 * @param {typeof KINDS[number]} kind  of the input
 * @param {string} format  that is asked for
 * @param {Record<string, any>} values  the options of plan
 */
export function checkEffect(kind, format, values) {
  const runtime = RUNTIME_TRAITS.find(({ name }) => name === values.runtime) ?? defaultRuntime(kind);
  const planner = values.planner ?? PLANNERS[runtime.planner];
  for (const name of ['target', 'kernels'])
    if (values[name] !== undefined && runtime.name !== 'tflm') refuse(`--${name} is for the runtime tflm; leave it out`);
  if (values.nodes !== undefined && !SEARCHERS.includes(planner)) refuse(`${planner} does not search: leave --nodes out or choose ${SEARCHERS.join(' or ')}`);
  if (values.force && format !== 'c') refuse('--force is for --format c; leave it out');
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  throw new UsageError('bad-argument', sentence);
}

/** Writing the smallest plan back into a .tflite, for TensorFlow Lite Micro to follow. */
import { AnswerError } from './errors.js';
import { checkOptions } from './names.js';

/** @typedef {import('./index.js').OfflineFigures} OfflineFigures */
/** @typedef {import('./index.js').OfflineOptions} OfflineOptions */
/** @typedef {import('./index.js').OfflineResult} OfflineResult */
/** @typedef {import('./index.js').Plan} Plan */
/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./model.js').Model} Model */

const OPTION_KEYS = ['target', 'kernels', 'nodes', 'force', 'signal', 'onProgress'];

/** An offset that leaves the place to the runtime. */
const ONLINE = -1;

/**
 * One offset for each tensor of every subgraph. Variables stay with the runtime, which keeps them out of the
 * head: given an offset, they would lose what they hold between two runs. Scratch buffers cannot be given one.
 * @param {Plan} plan
 * @param {Model} model
 */
function offsetsOf(plan, model) {
  const variables = model.subgraphs.flatMap(({ tensors }) => tensors.map((tensor) => tensor.is_variable));
  const tensors = plan.buffers.filter(({ kind }) => kind === 'tensor');
  return Int32Array.from(tensors, ({ arena, offset }, i) => (arena === 'rw' && offset !== null && !variables[i] ? offset : ONLINE));
}

/**
 * @param {Instance} instance
 * @param {Int32Array} offsets
 * @returns {Uint8Array} the file, copied
 */
function write(instance, offsets) {
  const at = instance.put(new Uint8Array(offsets.buffer));
  const { value, length } = instance.yielded('offline_write', at, offsets.length);
  const file = instance.bytes(value, length).slice();
  instance.free(value);
  instance.free(at);
  return file;
}

/**
 * What the runtime itself does with the file as it stands.
 * @param {Model} model
 * @param {Pick<OfflineOptions, 'kernels'>} options
 */
function simulate(model, { kernels = 'reference' }) {
  const planner = model.planner({ runtime: 'tflm', planner: 'own', kernels });
  planner.plan();
  planner.execute();
  return planner.report();
}

/** @param {import('./index.js').Size} size @returns {OfflineFigures} */
function figures({ head_bytes, arena_used_bytes, min_arena_bytes }) {
  return { head_bytes, arena_used_bytes, min_arena_bytes };
}

/**
 * @param {Model} model
 * @param {Instance} instance  the model's
 * @param {(bytes: Uint8Array) => Promise<Model>} reopen
 * @param {OfflineOptions} options
 * @returns {Promise<OfflineResult>}
 */
export async function writeOfflinePlan(model, instance, reopen, options) {
  checkOptions(options, OPTION_KEYS, 'writeOfflinePlan()');
  const { target = 'cortex-m', kernels = 'reference', force = false, nodes, signal, onProgress } = options;
  const sizeBefore = model.size({ target, kernels });
  const own = simulate(model, { kernels });
  if (own.status === 'overlapping')
    throw new AnswerError('refused-by-runtime', 'the offline plan of this file makes live buffers share bytes on purpose; replacing it could break what it was made for.');

  const planner = model.planner({ runtime: 'tflm', planner: 'optimal', kernels });
  await planner.solve({ ...(nodes !== undefined && { nodes }), ...(signal && { signal }), ...(onProgress && { onProgress }) });
  const best = planner.report();

  // TFLM places scratch buffers itself, around the fixed tensors: only what it then needs is promised. Where that
  // is more than by its own plan, its own plan is what may be written.
  let file = write(instance, offsetsOf(best, model));
  let written = await reopen(file);
  if (simulate(written, { kernels }).arena_bytes > own.arena_bytes) {
    file = write(instance, offsetsOf(own, model));
    written = await reopen(file);
  }
  const head = simulate(written, { kernels }).arena_bytes;
  const gains = head < own.arena_bytes;
  const keeps = gains || (force && head === own.arena_bytes);
  const sizeAfter = keeps ? written.size({ target, kernels }) : sizeBefore;
  return {
    bytes: keeps ? file : null,
    target,
    kernels,
    before: figures(sizeBefore),
    after: figures(sizeAfter),
    proved: best.status === 'optimal' && sizeAfter.head_bytes === best.arena_bytes,
    lower_bound_bytes: best.lower_bound_bytes,
    covered: sizeAfter.covered,
    missing: sizeAfter.missing,
  };
}

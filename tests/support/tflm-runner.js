// Runs cases of single operators (tflm-cases.js) through a build and compares them with what tflm-arena.js expects.
import assert from 'node:assert/strict';
import { buildModel } from './model-builder.js';
import { bytesOf, expectArena, parseTensor, rawTensor } from './tflm-arena.js';

/** @typedef {import('./tflm-arena.js').Requests} Requests */
/** @typedef {import('./tflm-arena.js').Tensor} Tensor */
/** @typedef {import('./tflm-arena.js').Target} Target */

/**
 * @typedef {Requests & {
 *   op?: string, custom?: string,
 *   in: (string | null)[], out: string[],
 *   options?: [string, Record<string, any>], customOptions?: Record<string, number>,
 *   data?: Record<number, number[]>,  // of an input
 *   zeroPoint?: number,               // of every tensor
 *   outBytes?: number[],              // of the outputs after Prepare, when it changes them
 * }} Case
 */

/** Cases in which the temporaries of Prepare decided the smallest arena. @type {Set<Case>} */
export const decided = new Set();

const FIRST_INPUT_SCALES = 50;
const FIRST_OUTPUT_SCALES = 90;

/** @param {Case} one */
function makeModel(one) {
  const inputs = one.in.map((text, k) => parseTensor(text, FIRST_INPUT_SCALES + 2 * k));
  const outputs = one.out.map((text, k) => /** @type {Tensor} */ (parseTensor(text, FIRST_OUTPUT_SCALES + 2 * k)));
  let next = 0;
  const indices = inputs.map((tensor) => (tensor ? next++ : -1));
  const file = buildModel({
    tensors: [
      ...inputs.flatMap((tensor, k) =>
        tensor ? [rawTensor(tensor, { data: one.data?.[k] && Uint8Array.from(one.data[k]), zeroPoint: one.zeroPoint })] : [],
      ),
      ...outputs.map((tensor) => rawTensor(tensor, { zeroPoint: one.zeroPoint })),
    ],
    operators: [
      {
        ...(one.custom === undefined ? { op: one.op } : { custom: one.custom }),
        inputs: indices,
        outputs: outputs.map(() => next++),
        options: one.options,
        custom_options: one.customOptions,
      },
    ],
  });
  return { file, inputs, outputs };
}

/**
 * @param {import('./tflm.js').Engine} engine
 * @param {readonly Case[]} cases
 * @param {readonly string[]} targets
 * @param {string} kernels
 */
export async function runCases(engine, cases, targets, kernels) {
  const models = cases.map(makeModel);
  const sizes = models.flatMap(({ file }) =>
    targets.flatMap((target) =>
      /** @type {const} */ (['own', 'linear']).map((planner) => ({ call: /** @type {const} */ ('size'), file, target, kernels, planner })),
    ),
  );
  const plans = models.map(({ file }) => ({ call: /** @type {const} */ ('plan'), file, kernels }));
  const sized = await engine.answer(sizes);
  const planned = await engine.answer(plans);

  cases.forEach((one, i) => {
    const { inputs, outputs } = models[i];
    const label = `case ${i}: ${one.custom ?? one.op} ${one.in.join(' ')}`;
    targets.forEach((target, t) => {
      const [own, linear] = sized.slice(2 * (i * targets.length + t));
      const name = `${label} at ${target}, ${kernels}`;
      assert.equal(own.status, 'ok', `${name}: ${own.text}`);
      assert.equal(linear.status, 'ok', `${name}: ${linear.text}`);
      const expected = expectArena(/** @type {Target} */ (target), one, { inputs, outputs, outputBytes: one.outBytes });
      const { head_bytes, tail_bytes, min_arena_bytes, covered } = own.report;
      assert.equal(tail_bytes, expected.tail, `${name}: tail`);
      assert.equal(linear.report.head_bytes, expected.linearHead, `${name}: planned bytes`);
      assert.equal(min_arena_bytes, expected.minArena(head_bytes), `${name}: smallest arena`);
      assert.equal(covered, true, name);
      if (expected.decidedByPrepare(head_bytes)) decided.add(one);
      if (target === 'lp64') return;
      assert.equal(planned[i].status, 'ok', `${label}: ${planned[i].text}`);
      const { buffers } = planned[i].report;
      const scratch = buffers.filter((/** @type {any} */ { kind }) => kind === 'scratch');
      assert.deepEqual(scratch.map((/** @type {any} */ { bytes }) => bytes), expected.scratch, `${label}: scratch`);
      outputs.forEach((tensor, k) => {
        const bytes = one.outBytes?.[k] ?? bytesOf(tensor);
        const buffer = buffers[inputs.filter(Boolean).length + k];
        assert.equal(buffer.bytes, Math.ceil(bytes / 16) * 16, `${label}: output ${k}`);
      });
    });
  });
}

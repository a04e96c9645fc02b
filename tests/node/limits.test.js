// TFLM's offsets have 32 bits: a place that ends past them is refused under every planner, and the refusal names what
// the tensor needs and where its place would end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../support/keep-alive.js';
import { open } from '../../wasm/index.js';
import { buildModel } from '../support/model-builder.js';

const LARGEST_END = 2 ** 31 - 1;
const GIB = 2 ** 30;

/** out = op(in...), each INT8 of those bytes. @param {number[]} bytes */
function modelOf(bytes) {
  const tensors = bytes.map((n) => ({ type: 'INT8', shape: [1, n] }));
  const out = tensors.length - 1;
  const inputs = tensors.map((_, i) => i).filter((i) => i !== out);
  return buildModel({ tensors, inputs, outputs: [out], operators: [{ op: inputs.length > 1 ? 'ADD' : 'RELU', inputs, outputs: [out] }] });
}

/** @param {Uint8Array} model @param {import('../../wasm/index.js').PlannerOptions} options */
async function arenaOf(model, options) {
  const planner = (await open(model)).planner(options);
  planner.plan();
  planner.execute();
  return planner.report().arena_bytes;
}

for (const planner of /** @type {const} */ (['own', 'linear', 'optimal'])) {
  test(`${planner}: three tensors of a gibibyte live at once are refused, two below the limit are not`, async () => {
    await assert.rejects(arenaOf(modelOf([GIB - 64, GIB - 64, GIB - 64]), { planner }), {
      code: 'over-limit',
      message: /which needs 1073741760 bytes, would end at byte 3221225280, past TFLM's 32-bit offsets, 2147483647/,
    });
    assert.equal(await arenaOf(modelOf([GIB - 16, GIB - 16]), { planner }), 2 * GIB - 32);
  });

  test(`${planner}: after a resize, too`, async () => {
    const tflm = (await open(modelOf([GIB - 16, 64]))).planner({ planner });
    tflm.plan();
    tflm.execute();
    tflm.resize(1, GIB + 16);
    assert.throws(() => tflm.execute(), { code: 'over-limit' });
    assert.equal(tflm.report().status, 'unplanned');
    tflm.resize(1, GIB - 16);
    tflm.execute();
    assert.equal(tflm.report().arena_bytes, 2 * GIB - 32);
  });
}

test('a buffer may be fixed up to the limit, and no further', async () => {
  const planner = (await open(modelOf([64, 64]))).planner({ planner: 'optimal' });
  planner.plan();
  const last = LARGEST_END + 1 - 64 - 16;
  planner.fix(1, last);
  planner.execute();
  assert.equal(planner.report().arena_bytes, last + 64);
  assert.throws(() => planner.fix(1, last + 16), { code: 'over-limit', message: /would end at byte 2147483648/ });
  assert.throws(() => planner.fix(1, 2 ** 40), { code: 'over-limit' });
});

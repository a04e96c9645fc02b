// What a change of a tensor's bytes does to a plan that was made before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../wasm/index.js';

/** @typedef {import('../../wasm/index.js').PlannerOptions} Options */

/** A chain of four tensors of 64 bytes, planned and executed. @param {Options} options */
async function executed(options) {
  const model = await open({
    format: 'tensor-arena-graph',
    version: 1,
    tensors: [{ bytes: 64 }, { bytes: 64 }, { bytes: 64 }, { bytes: 64 }],
    inputs: [0],
    outputs: [3],
    nodes: [{ inputs: [0], outputs: [1] }, { inputs: [1], outputs: [2] }, { inputs: [2], outputs: [3] }],
  });
  const planner = model.planner(options);
  planner.plan();
  planner.execute();
  return planner;
}

for (const runtime of /** @type {const} */ (['tflite-2018', 'tflite'])) {
  test(`${runtime}: a place outgrown makes no plan, until it fits again or all is placed anew`, async () => {
    const planner = await executed({ runtime, budget: 1024 });
    const before = planner.report();
    assert.notEqual(before.status, 'unplanned');
    assert.equal(before.fits, true);
    planner.resize(2, 4096);
    const grown = planner.report();
    assert.equal(grown.status, 'unplanned');
    assert.equal(grown.fits, false); // what lives at once is over the budget, wherever it goes
    assert.deepEqual(grown.buffers.map(({ offset }) => offset), before.buffers.map(({ offset }) => offset)); // LiteRT keeps them
    assert.match(planner.text(), /not placed yet with the present sizes/);
    assert.throws(() => planner.execute(), { code: 'tensor-grew' });
    planner.resize(2, 32);
    assert.notEqual(planner.report().status, 'unplanned');
    planner.resize(2, 4096);
    planner.reset();
    planner.execute();
    const anew = planner.report();
    assert.notEqual(anew.status, 'unplanned');
    assert.ok(anew.arena_bytes >= anew.lower_bound_bytes);
  });

  for (const method of /** @type {const} */ (['linear', 'optimal'])) {
    test(`${runtime}, ${method}: a change takes all places back`, async () => {
      const planner = await executed({ runtime, planner: method, budget: 1024 });
      planner.resize(2, 64);
      assert.notEqual(planner.report().status, 'unplanned'); // no change
      planner.resize(2, 4096);
      const { status, buffers, arena_bytes, fits } = planner.report();
      assert.deepEqual([status, arena_bytes, fits], ['unplanned', 0, false]);
      assert.deepEqual(buffers.map(({ offset }) => offset), [null, null, null, null]);
      planner.execute();
      assert.ok(planner.report().arena_bytes >= 4160);
      planner.resize(1, Number.MAX_SAFE_INTEGER);
      assert.throws(() => planner.execute(), { code: 'over-limit' });
      assert.deepEqual([...planner.layout().allocated], [0, 0, 0, 0]);
      planner.retype(1, 'dynamic');
      planner.execute();
      assert.equal(planner.report().buffers[1]?.offset, null);
    });
  }
}
